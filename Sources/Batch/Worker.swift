import Glibc
import Waymark
import WaymarkScene
import WaymarkSceneFiles

/// A worker of a batch: reads frames, draws, and answers, until it is told to end or there is nothing more to read.
package final class Worker {
    private let input: CInt
    private let output: CInt
    private let fontSource: FontSource
    private let options: SceneFileOptions
    private var parser = FrameParser()
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    /// The most bytes of images that a worker's renderer keeps on its device: half of what one alone keeps, since there is a worker a
    /// core, and captions of ever new words fill it.
    package static let imageByteLimit = Renderer.imageByteLimit / 2

    /// - Parameters:
    ///   - input: A descriptor that frames are read from.
    ///   - output: A descriptor that nothing else is written to.
    package init(input: CInt, output: CInt, fontSource: FontSource = .default, options: SceneFileOptions = SceneFileOptions()) {
        self.input = input
        self.output = output
        self.fontSource = fontSource
        self.options = options
    }

    /// Works until the end.
    /// - Returns: The exit code, as in sysexits: 0, 65 after a damaged frame, 66 and 73 when the pipes break.
    package func run(_ renderer: Renderer) -> CInt {
        do throws(Stop) {
            try send(.hello(WorkerReply.Hello(renderer: renderer.deviceName)))
            // Made when the first job comes without a scene before it.
            var jobs: JobRenderer?
            while let request = try next() {
                switch request {
                case .sceneFile(let path):
                    try take(&jobs, renderer) { () throws(SceneError) in
                        try BaseScene(contentsOf: path, options: self.options)
                    }
                case .scene(let bytes, let name, let folder):
                    let folder = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
                    try take(&jobs, renderer) { () throws(SceneError) in
                        try BaseScene(bytes: bytes, name: name, folder: folder, options: self.options)
                    }
                case .job(let value, let number, let folder):
                    if jobs == nil {
                        try take(&jobs, renderer, isTold: false) { () throws(SceneError) in
                            try BaseScene(bytes: JobRenderer.emptyScene, name: "", folder: "", options: self.options)
                        }
                    }
                    guard let jobs else { return EX_SOFTWARE }
                    try send(draw(value, number, folder, jobs))
                case .end: return 0
                }
            }
            return 0
        } catch {
            return error.code
        }
    }

    /// Tells the driver why there is no worker.
    package func refuse(code: Int, _ message: String) {
        do throws(Stop) {
            try send(.fatal(WorkerReply.Fault(code: code, message: message)))
        } catch {
            // Nobody listens any more; the exit code tells.
        }
    }

    /// Why it ends early.
    private struct Stop: Error {
        var code: CInt
    }

    private func take(
        _ jobs: inout JobRenderer?, _ renderer: Renderer, isTold: Bool = true, _ read: () throws(SceneError) -> BaseScene
    ) throws(Stop) {
        do throws(SceneError) {
            // One that cannot be read leaves the scene before it.
            jobs = JobRenderer(base: try read(), renderer: renderer, fontSource: fontSource)
        } catch {
            let fault = JobError(error)
            return try send(.error(WorkerReply.Fault(code: fault.code.rawValue, message: fault.description)))
        }
        if isTold, let jobs { try send(.ready(warnings: jobs.warnings)) }
    }

    private func draw(_ value: JSONValue, _ number: Int, _ folder: String?, _ jobs: JobRenderer) -> WorkerReply {
        do throws(JobError) {
            let job = try BatchJob(value)
            let rendered: RenderedJob
            if let folder { rendered = try jobs.render(job, into: folder) } else { rendered = try jobs.render(job) }
            var done = WorkerReply.Done(
                number: number, id: job.id, output: job.output.path, width: rendered.width, height: rendered.height,
                size: rendered.byteCount)
            done.times = rendered.times
            done.warnings = rendered.warnings
            if folder == nil {
                guard rendered.byteCount <= WorkerFrame.payloadLimit else { throw JobError(tooLong: rendered.byteCount, job.output) }
                done.format = job.output.format.rawValue
                done.picture = rendered.bytes
            }
            return .done(done)
        } catch {
            let fault = WorkerReply.Fault(code: error.code.rawValue, message: error.description)
            return .failed(WorkerReply.Failed(number: number, id: BatchJob.id(of: value), fault: fault))
        }
    }

    private func send(_ reply: WorkerReply) throws(Stop) {
        let bytes = reply.frame
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { write(output, $0.baseAddress.map { $0 + written }, $0.count - written) }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                throw Stop(code: EX_CANTCREAT)
            }
        }
    }

    /// The next message; nil when the driver has closed the pipe between two.
    private func next() throws(Stop) -> WorkerRequest? {
        do throws(FrameError) {
            while true {
                if let frame = try parser.next() { return try WorkerRequest(frame) }
                let count = read(input, &buffer, buffer.count)
                if count > 0 {
                    parser.append(buffer[..<count])
                } else if count == 0 {
                    guard parser.isBetweenFrames else { throw FrameError("the input ends within a frame") }
                    return nil
                } else if errno != EINTR {
                    throw FrameError("cannot read: \(String(cString: strerror(errno)))")
                }
            }
        } catch {
            refuse(code: Int(EX_DATAERR), error.description)
            throw Stop(code: EX_DATAERR)
        }
    }
}
