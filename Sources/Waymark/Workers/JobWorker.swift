import Glibc
import WaymarkScene
import WaymarkSceneFiles
import WaymarkSystem

/// A worker: reads messages, draws, and answers, until an `end` message or the end of the input.
package final class JobWorker {
    private let input: OpenFile
    private let output: OpenFile
    /// The shared memory for pictures whose messages ask for it.
    private let memory: OpenFile?
    private let fontSource: FontSource
    private let options: SceneFileOptions
    private let isStrict: Bool
    private let limits: JobLimits
    private var parser = FrameParser()

    /// - Parameters:
    ///   - input: The stream of messages.
    ///   - output: The stream of answers; nothing else is written to it.
    ///   - memory: A file for pictures, shared with the driver; nil for none.
    ///   - isStrict: Whether a job with warnings fails.
    ///   - limits: Jobs that exceed them fail before anything is laid out.
    package init(
        input: OpenFile, output: OpenFile, memory: OpenFile? = nil, fontSource: FontSource = .default,
        options: SceneFileOptions = SceneFileOptions(), isStrict: Bool = false, limits: JobLimits = JobLimits()
    ) {
        self.isStrict = isStrict
        self.limits = limits
        self.input = input
        self.output = output
        self.memory = memory
        self.fontSource = fontSource
        self.options = options
    }

    /// Runs until the end.
    /// - Returns: The exit code, as in sysexits: 0, 65 after an invalid message, 69 if the device is gone, 73 if answers can no longer be
    ///   written.
    package func run(_ renderer: Renderer) -> CInt {
        do throws(Stop) {
            try send(.hello(WorkerReply.Hello(renderer: renderer.deviceName)))
            // Created when a job arrives before any scene.
            var base: JobRenderer?
            while let request = try next() {
                switch request {
                case .scene(let source, let number): try take(source, number, &base, renderer)
                case .picture(let order): try send(answer(order, &base, renderer))
                // All earlier messages have been answered.
                case .cancel: break
                case .end: return 0
                }
            }
            return 0
        } catch {
            return error.code
        }
    }

    /// Reports to the driver that the worker cannot work.
    package func refuse(_ failure: Failure) {
        do throws(Stop) {
            try send(.fatal(failure))
        } catch {
            // The driver is gone, so only the exit code reports the failure.
        }
    }

    /// The reason why the worker ends early.
    private struct Stop: Error {
        var code: CInt
    }

    /// Makes a scene the base. If the scene is invalid, the previous base stays.
    private func take(_ source: SceneSource, _ number: Int?, _ base: inout JobRenderer?, _ renderer: Renderer) throws(Stop) {
        let reply: WorkerReply
        do throws(Failure) {
            let jobs = try read(source, renderer)
            base = jobs
            reply = .ready(warnings: jobs.warnings, number: number)
        } catch {
            reply = .error(error, number: number)
        }
        try send(reply)
    }

    private func read(_ source: SceneSource?, _ renderer: Renderer) throws(Failure) -> JobRenderer {
        var options = options
        let record = InputRecord()
        for input in source?.inputs ?? [] { record.note(input) }
        options.inputs = record
        var name = ""
        let scene: BaseScene
        do throws(SceneError) {
            switch source?.content {
            case .file(let path):
                name = path
                scene = try BaseScene(contentsOf: path, options: options, settings: source?.settings)
            case .bytes(let bytes, name: let given, let folder):
                name = given
                scene = try BaseScene(
                    bytes: bytes, name: name, folder: SceneFile.prefix(folder), options: options, settings: source?.settings)
            case nil:
                // The empty scene has no points to group.
                options.clustersPoints = false
                scene = try BaseScene(bytes: JobRenderer.emptyScene, name: "", folder: "", options: options)
            }
        } catch {
            throw Failure(error, scene: name)
        }
        return JobRenderer(base: scene, renderer: renderer, fontSource: fontSource, isStrict: isStrict, limits: limits)
    }

    /// Answers an order. Its job changes the base scene or a scene in the message.
    private func answer(_ order: PictureOrder, _ base: inout JobRenderer?, _ renderer: Renderer) throws(Stop) -> WorkerReply {
        do throws(Failure) {
            if let source = order.scene {
                let jobs = try read(source, renderer)
                if isStrict, !jobs.warnings.isEmpty { throw Failure(warnings: jobs.warnings) }
                return try answer(order, jobs, sceneWarnings: jobs.warnings)
            }
            let jobs: JobRenderer
            if let base { jobs = base } else { jobs = try read(nil, renderer) }
            base = jobs
            return try answer(order, jobs, sceneWarnings: [])
        } catch {
            guard error.isDeviceLost else {
                return .failed(WorkerReply.Failed(number: order.number, id: BatchJob.id(of: order.job), failure: error))
            }
            // The next worker opens this device again, or another one.
            refuse(error)
            throw Stop(code: EX_UNAVAILABLE)
        }
    }

    private func answer(_ order: PictureOrder, _ jobs: JobRenderer, sceneWarnings: [String]) throws(Failure) -> WorkerReply {
        let (question, kind): (PictureQuestion, WorkerReply.Report.Kind)
        switch order.kind {
        case .drawing: return .done(try draw(order, jobs, sceneWarnings))
        case .inspection: (question, kind) = (try PictureQuestion(inspectionIn: order.header), .inspection)
        case .hits: (question, kind) = (try PictureQuestion(hitsIn: order.header), .hits)
        }
        let job = try BatchJob(order.job)
        let (json, warnings) = try jobs.answer(question, about: job)
        guard json.count <= WorkerFrame.headerLimit / 2 else { throw Failure(tooLongInspection: json.count) }
        return .report(
            WorkerReply.Report(number: order.number, id: job.id, kind: kind, json: json, warnings: sceneWarnings + warnings))
    }

    private func draw(_ order: PictureOrder, _ jobs: JobRenderer, _ sceneWarnings: [String]) throws(Failure) -> WorkerReply.Done {
        let job = try BatchJob(order.job, defaults: JobDefaults(message: order.header))
        let rendered: RenderedJob
        if let folder = order.folder { rendered = try jobs.render(job, into: folder) } else { rendered = try jobs.render(job) }
        var done = WorkerReply.Done(
            number: order.number, id: job.id, output: job.output.path, width: rendered.width, height: rendered.height,
            size: rendered.byteCount)
        done.times = rendered.times
        if order.scene == nil {
            (done.warnings, done.sceneWarnings) = (rendered.warnings, rendered.sceneWarnings)
        } else {
            done.warnings = sceneWarnings + rendered.sceneWarnings + rendered.warnings
        }
        if let inspection = rendered.inspection {
            guard inspection.count <= WorkerFrame.headerLimit / 2 else { throw Failure(tooLongInspection: inspection.count) }
            done.inspection = inspection
        } else if job.isInspected {
            done.inspectionOutput = job.output.inspection.path
        }
        done.hitMapOutput = job.hitMap.map { job.output.hitMap($0).path }
        done.deviceWarnings = rendered.deviceWarnings
        if order.folder == nil { try handOver(rendered.bytes, order, job.output, &done) }
        return done
    }

    /// Puts a picture into the shared memory or into the message.
    private func handOver(
        _ bytes: [UInt8], _ order: PictureOrder, _ output: OutputPath, _ done: inout WorkerReply.Done
    ) throws(Failure) {
        done.format = output.format.rawValue
        if let memory, let range = order.memory, bytes.count <= range.count {
            do throws(SystemError) { try memory.write(bytes, at: range.lowerBound) } catch {
                throw Failure(.cannotWrite, "memory: \(error)", path: "memory")
            }
            done.memory = range.lowerBound..<range.lowerBound + bytes.count
        } else {
            guard bytes.count <= WorkerFrame.payloadLimit else { throw Failure(tooLong: bytes.count, output) }
            done.picture = bytes
        }
    }

    private func send(_ reply: WorkerReply) throws(Stop) {
        do throws(SystemError) { try output.write(reply.frame) } catch { throw Stop(code: EX_CANTCREAT) }
    }

    /// The next message; nil when the driver has closed the pipe after a complete message.
    private func next() throws(Stop) -> WorkerRequest? {
        do throws(FrameError) {
            while true {
                if let frame = try parser.next() { return try WorkerRequest(frame) }
                guard try read() else {
                    guard parser.isBetweenFrames else { throw FrameError("the input ends within a frame") }
                    return nil
                }
            }
        } catch {
            refuse(Failure(.badContent, error.description))
            throw Stop(code: EX_DATAERR)
        }
    }

    /// Reads more input; returns false at its end.
    private func read() throws(FrameError) -> Bool {
        do throws(SystemError) {
            while true {
                if let count = try parser.read(from: input) { return count > 0 }
                DescriptorPoll.wait(reading: [input.number], writing: [], milliseconds: -1)
            }
        } catch {
            throw FrameError("cannot read the input: \(error)")
        }
    }
}
