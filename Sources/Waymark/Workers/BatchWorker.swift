import Glibc
import WaymarkScene
import WaymarkSceneFiles
import WaymarkSystem

/// A worker of a batch: reads messages, draws, and answers, until an `end` message or the end of the input.
package final class BatchWorker {
    private let input: OpenFile
    private let output: OpenFile
    private let fontSource: FontSource
    private let options: SceneFileOptions
    private let isStrict: Bool
    private let limits: JobLimits
    private var parser = FrameParser()

    /// - Parameters:
    ///   - input: Where messages are read from.
    ///   - output: Where answers go, and nothing else.
    ///   - isStrict: Whether a job fails that has warnings.
    package convenience init(
        input: OpenFile, output: OpenFile, fontSource: FontSource = .default, options: SceneFileOptions = SceneFileOptions(),
        isStrict: Bool = false
    ) {
        self.init(input: input, output: output, fontSource: fontSource, options: options, isStrict: isStrict, limits: JobLimits())
    }

    init(input: OpenFile, output: OpenFile, fontSource: FontSource, options: SceneFileOptions, isStrict: Bool = false, limits: JobLimits) {
        self.isStrict = isStrict
        self.limits = limits
        self.input = input
        self.output = output
        self.fontSource = fontSource
        self.options = options
    }

    /// Runs until the end.
    /// - Returns: The exit code, as in sysexits: 0, 65 after an invalid message, 69 when the device is gone, 73 when answers can no longer be written.
    package func run(_ renderer: Renderer) -> CInt {
        do throws(Stop) {
            try send(.hello(WorkerReply.Hello(renderer: renderer.deviceName)))
            // Created when a job arrives before any scene.
            var jobs: JobRenderer?
            while let request = try next() {
                switch request {
                case .sceneFile(let path, let settings):
                    let options = noting([])
                    try take(&jobs, renderer, name: path) { () throws(SceneError) in
                        try BaseScene(contentsOf: path, options: options, settings: settings)
                    }
                case .scene(let bytes, let name, let folder, let settings, let inputs):
                    let options = noting(inputs)
                    let folder = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
                    try take(&jobs, renderer, name: name) { () throws(SceneError) in
                        try BaseScene(bytes: bytes, name: name, folder: folder, options: options, settings: settings)
                    }
                case .job(let value, let number, let folder, let defaults):
                    guard let jobs = try takeEmptyScene(&jobs, renderer) else { return EX_SOFTWARE }
                    try send(draw(value, defaults, number, folder, jobs))
                case .inspect(let value, let number):
                    guard let jobs = try takeEmptyScene(&jobs, renderer) else { return EX_SOFTWARE }
                    try send(answer(value, number, jobs) { () throws(JobError) in .inspection })
                case .pick(let value, let number, let question):
                    guard let jobs = try takeEmptyScene(&jobs, renderer) else { return EX_SOFTWARE }
                    try send(answer(value, number, jobs) { () throws(JobError) in try PictureQuestion(hitsIn: question) })
                case .end: return 0
                }
            }
            return 0
        } catch {
            return error.code
        }
    }

    /// Reports to the driver why the worker cannot work.
    package func refuse(code: Int, _ message: String) {
        do throws(Stop) {
            try send(.fatal(WorkerReply.Fault(code: code, message: message)))
        } catch {
            // The driver is gone; the exit code remains.
        }
    }

    /// Why it ends early.
    private struct Stop: Error {
        var code: CInt
    }

    private func take(
        _ jobs: inout JobRenderer?, _ renderer: Renderer, name: String, isReported: Bool = true, _ read: () throws(SceneError) -> BaseScene
    ) throws(Stop) {
        do throws(SceneError) {
            // If the scene is invalid, the previous one stays.
            jobs = JobRenderer(base: try read(), renderer: renderer, fontSource: fontSource, isStrict: isStrict, limits: limits)
        } catch {
            return try send(.error(WorkerReply.Fault(JobError(error, scene: name))))
        }
        if isReported, let jobs { try send(.ready(warnings: jobs.warnings)) }
    }

    /// Makes the empty scene the base when there is none.
    private func takeEmptyScene(_ jobs: inout JobRenderer?, _ renderer: Renderer) throws(Stop) -> JobRenderer? {
        if jobs == nil {
            try take(&jobs, renderer, name: "", isReported: false) { () throws(SceneError) in
                try BaseScene(bytes: JobRenderer.emptyScene, name: "", folder: "", options: self.noting([]))
            }
        }
        return jobs
    }

    /// The options for a base scene, which note the files that it reads.
    /// - Parameter inputs: Other files that no picture may replace.
    private func noting(_ inputs: [String]) -> SceneFileOptions {
        var options = options
        let record = InputRecord()
        for input in inputs { record.note(input) }
        options.inputs = record
        return options
    }

    private func draw(
        _ value: JSONValue, _ defaults: JSONValue, _ number: Int, _ folder: String?, _ jobs: JobRenderer
    ) throws(Stop) -> WorkerReply {
        do throws(JobError) {
            let job = try BatchJob(value, defaults: JobDefaults(message: defaults))
            let rendered: RenderedJob
            if let folder { rendered = try jobs.render(job, into: folder) } else { rendered = try jobs.render(job) }
            var done = WorkerReply.Done(
                number: number, id: job.id, output: job.output.path, width: rendered.width, height: rendered.height,
                size: rendered.byteCount)
            done.times = rendered.times
            done.warnings = rendered.warnings
            done.sceneWarnings = rendered.sceneWarnings
            if let inspection = rendered.inspection {
                guard inspection.count <= WorkerFrame.headerLimit / 2 else { throw JobError(tooLongInspection: inspection.count) }
                done.inspection = inspection
            } else if job.isInspected {
                done.inspectionOutput = job.output.inspection.path
            }
            done.hitMapOutput = job.hitMap.map { job.output.hitMap($0).path }
            done.deviceWarnings = rendered.deviceWarnings
            if folder == nil {
                guard rendered.byteCount <= WorkerFrame.payloadLimit else { throw JobError(tooLong: rendered.byteCount, job.output) }
                done.format = job.output.format.rawValue
                done.picture = rendered.bytes
            }
            return .done(done)
        } catch {
            if error.isDeviceLost {
                // The next worker opens the device again, or its successor.
                refuse(code: error.code.rawValue, error.description)
                throw Stop(code: EX_UNAVAILABLE)
            }
            return .failed(WorkerReply.Failed(number: number, id: BatchJob.id(of: value), fault: WorkerReply.Fault(error)))
        }
    }

    private func answer(
        _ value: JSONValue, _ number: Int, _ jobs: JobRenderer, _ question: () throws(JobError) -> PictureQuestion
    ) -> WorkerReply {
        do throws(JobError) {
            let job = try BatchJob(value)
            let question = try question()
            let (json, warnings) = try jobs.answer(question, about: job)
            guard json.count <= WorkerFrame.headerLimit / 2 else { throw JobError(tooLongInspection: json.count) }
            return .report(WorkerReply.Report(number: number, id: job.id, kind: question.kind, json: json, warnings: warnings))
        } catch {
            return .failed(WorkerReply.Failed(number: number, id: BatchJob.id(of: value), fault: WorkerReply.Fault(error)))
        }
    }

    private func send(_ reply: WorkerReply) throws(Stop) {
        do throws(SystemError) { try output.write(reply.frame) } catch { throw Stop(code: EX_CANTCREAT) }
    }

    /// The next message; nil when the driver has closed the pipe after a complete one.
    private func next() throws(Stop) -> WorkerRequest? {
        do throws(FrameError) {
            while true {
                if let frame = try parser.next() { return try WorkerRequest(frame) }
                let chunk = try read()
                guard !chunk.isEmpty else {
                    guard parser.isBetweenFrames else { throw FrameError("the input ends within a frame") }
                    return nil
                }
                parser.append(chunk)
            }
        } catch {
            refuse(code: Int(EX_DATAERR), error.description)
            throw Stop(code: EX_DATAERR)
        }
    }

    private func read() throws(FrameError) -> ArraySlice<UInt8> {
        do throws(SystemError) { return try input.readChunk() } catch { throw FrameError("cannot read: \(error)") }
    }
}

extension WorkerReply.Fault {
    fileprivate init(_ error: JobError) { self.init(code: error.code.rawValue, message: error.description, path: error.path) }
}
