import Foundation
import Glibc
import WaymarkGPU
import WaymarkImaging
import WaymarkSceneFiles
import WaymarkSystem

/// What a pool's workers give.
enum PoolPicture: Sendable {
    case picture(Picture)
    case encoded(EncodedPicture)
    case report(SceneReport)
}

// MARK: - In this process

/// Draws frames and scenes with a renderer of its own.
struct ThreadWorker: QueueWorker {
    private let options: WorkerOptions
    private let renderer: Renderer
    /// The scene that was read last.
    private var scene: (number: Int, jobs: JobRenderer)?

    init(_ options: WorkerOptions) throws(RenderPoolError) {
        self.options = options
        do throws(RenderError) {
            renderer = try options.open()
        } catch {
            throw .unavailable(error.description)
        }
    }

    var deviceName: String { renderer.deviceName }
    var affinity: Int? { scene?.number }

    mutating func perform(
        _ request: PoolRequest, until deadline: ContinuousClock.Instant?, ahead: () -> PoolRequest?
    ) throws -> PoolPicture {
        do {
            switch request {
            case .frame(let frame): return .picture(try renderer.render(frame))
            case .scene(let data, let request): return try answer(request, of: data)
            }
        } catch let error as RenderError {
            guard case .device(let reason) = error else { throw error }
            // A device that has gone is opened again, or its successor.
            throw LostWorker(RenderPoolError.unavailable(reason.sentence))
        } catch let error as JobError {
            guard error.code != .unavailable else { throw LostWorker(RenderPoolError(error)) }
            throw RenderPoolError(error)
        }
    }

    private mutating func answer(_ request: PictureRequest, of data: SceneData) throws -> PoolPicture {
        let jobs: JobRenderer
        if let scene, scene.number == data.number {
            jobs = scene.jobs
        } else {
            do throws(SceneError) {
                let base = try BaseScene(bytes: data.bytes, name: data.name, folder: data.folder, options: options.scenes)
                jobs = JobRenderer(base: base, renderer: renderer, fontSource: options.fontSource, limits: options.limits)
            } catch {
                throw JobError(error, scene: data.name)
            }
            scene = (data.number, jobs)
        }
        let job = try BatchJob(line: request.job, defaults: request.defaults)
        if let question = request.question {
            let (json, warnings) = try jobs.answer(question, about: job)
            return .report(SceneReport(json: Data(json), warnings: jobs.warnings + warnings))
        }
        let rendered = try jobs.render(job)
        return .encoded(
            EncodedPicture(
                bytes: rendered.bytes, format: job.output.format, width: rendered.width, height: rendered.height,
                warnings: rendered.warnings + rendered.sceneWarnings + rendered.deviceWarnings, inspectionJSON: rendered.inspection))
    }
}

// MARK: - In another process

/// Has scenes drawn by a worker process. It is ended with the object, and with the thread that has started it.
///
/// The process has the next picture's job in its pipe while it draws one, so that it waits for nobody between two.
struct ProcessWorker: QueueWorker {
    private let talk: WorkerTalk
    /// The number of the scene that was sent last.
    private var scene: Int?
    /// The warnings from reading it.
    private var sceneWarnings: [String] = []
    /// The number of the job that was sent last.
    private var lastJob = 0
    /// Whether that is the one after the one that is drawn.
    private var isAhead = false
    /// The name of the OpenGL renderer.
    let deviceName: String

    /// How long a process may take to start.
    private static let startTime = Duration.seconds(30)

    /// Starts a program, and waits until it says that it is a worker of this version.
    /// - Returns: nil if the program is not that.
    /// - Throws: `RenderPoolError.unavailable` when it is one, and its machine lacks something; `lostWorker`.
    init?(_ command: ChildProcess.Command) throws(RenderPoolError) {
        do throws(SystemError) {
            talk = WorkerTalk(try WorkerProcess(command))
        } catch {
            return nil
        }
        switch try? talk.next(until: .now + Self.startTime) {
        case .hello(let hello)? where hello.version == libraryVersion && hello.protocolVersion == WorkerReply.protocolVersion:
            deviceName = hello.renderer
        case .fatal(let fault)?: throw RenderPoolError(fault)
        default:
            talk.process.kill()
            return nil
        }
    }

    var affinity: Int? { scene }

    mutating func perform(
        _ request: PoolRequest, until deadline: ContinuousClock.Instant?, ahead: () -> PoolRequest?
    ) throws -> PoolPicture {
        guard case .scene(let data, let request) = request else {
            throw RenderPoolError.failed("a frame cannot be sent to a worker process")
        }
        if isAhead {
            isAhead = false
        } else {
            // Late already, before the timer has noticed.
            if let deadline, deadline <= .now { throw RenderPoolError.deadline }
            try begin(request, of: data, until: deadline)
        }
        let number = lastJob
        // Its scene is the same, as its affinity says.
        if case .scene(_, let next)? = ahead() {
            send(next)
            isAhead = true
        }
        switch try talk.next(until: deadline) {
        case .done(let done) where done.number == number:
            guard let format = done.format.flatMap(ImageFormat.init(rawValue:)) else { throw talk.lost("has sent a picture of no format") }
            return .encoded(
                EncodedPicture(
                    bytes: done.picture, format: format, width: done.width, height: done.height,
                    warnings: done.warnings + done.sceneWarnings + done.deviceWarnings,
                    inspectionJSON: done.inspection))
        case .report(let report) where report.number == number:
            return .report(SceneReport(json: Data(report.json), warnings: sceneWarnings + report.warnings))
        case .failed(let failed) where failed.number == number:
            throw RenderPoolError(failed.fault)
        case .fatal(let fault):
            talk.process.kill()
            throw LostWorker(RenderPoolError(fault))
        default: throw talk.lost("said what was not asked")
        }
    }

    private mutating func begin(_ request: PictureRequest, of data: SceneData, until deadline: ContinuousClock.Instant?) throws {
        guard talk.isIdle() else { throw talk.lost("had ended", hasBegun: false) }
        if scene != data.number {
            scene = nil
            talk.send(WorkerFrame.scene(bytes: data.bytes, name: data.name, folder: data.folder))
            switch try talk.next(until: deadline) {
            case .ready(let warnings): (scene, sceneWarnings) = (data.number, warnings)
            case .error(let fault): throw RenderPoolError(fault)
            default: throw talk.lost("said what was not asked")
            }
        }
        send(request)
    }

    private mutating func send(_ request: PictureRequest) {
        lastJob += 1
        switch request.question {
        case nil: talk.send(WorkerFrame.job(request.job, number: lastJob, folder: nil, defaults: request.defaults))
        case .inspection: talk.send(WorkerFrame.inspect(request.job, number: lastJob))
        case .hits(let point, let options):
            talk.send(WorkerFrame.pick(request.job, number: lastJob, x: point.x, y: point.y, options))
        }
    }
}

/// The messages of a worker process, one after the other.
private final class WorkerTalk {
    let process: WorkerProcess
    /// Those that were read and not asked for yet.
    private var replies: [WorkerReply] = []
    /// The first line that it wrote to standard error.
    private var words = ""
    /// The bytes that were sent since the process had nothing to do.
    private var sent = 0

    init(_ process: WorkerProcess) {
        self.process = process
    }

    func send(_ bytes: [UInt8]) {
        sent += bytes.count
        process.send(bytes)
    }

    /// The next message.
    /// - Throws: `LostWorker` when the process has ended, or is ended here because the time is over.
    func next(until deadline: ContinuousClock.Instant?) throws(LostWorker) -> WorkerReply {
        while true {
            process.flush()
            let isOpen = try read()
            if !replies.isEmpty { return replies.removeFirst() }
            guard isOpen else {
                // Dead before it had read a byte: killed while it had nothing to do.
                let hasBegun = process.unreadBytes < sent
                throw LostWorker(RenderPoolError.lostWorker("\(process.reap())" + (words.isEmpty ? "" : ": \(words)")), hasBegun: hasBegun)
            }
            let left = deadline.map { max(0, ($0 - .now) / .milliseconds(1)) } ?? 60_000
            guard left > 0 else {
                process.kill()
                throw LostWorker(RenderPoolError.deadline)
            }
            DescriptorPoll.wait(
                reading: process.reading, writing: process.writing.map { [$0] } ?? [], milliseconds: Int(min(left, 60_000).rounded(.up)))
        }
    }

    /// Whether the process is still there, and has nothing to do.
    func isIdle() -> Bool {
        sent = 0
        return (try? read()) == true && replies.isEmpty
    }

    /// Ends the process.
    func lost(_ fate: String, hasBegun: Bool = true) -> LostWorker {
        process.kill()
        return LostWorker(RenderPoolError.lostWorker(fate), hasBegun: hasBegun)
    }

    /// Reads what is there; false once the process has closed its output.
    private func read() throws(LostWorker) -> Bool {
        do throws(FrameError) {
            let isOpen = try process.read { (reply) throws(FrameError) in replies.append(reply) }
            let lines = process.readErrorLines()
            if words.isEmpty { words = lines.first ?? "" }
            return isOpen
        } catch {
            throw lost("said what is not the protocol: \(error)")
        }
    }
}
