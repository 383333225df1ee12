import Glibc
import WaymarkGPU
import WaymarkImaging
import WaymarkSceneFiles
import WaymarkSystem

/// What a pool's workers give.
enum PoolPicture: Sendable {
    case picture(Picture)
    case encoded(EncodedPicture)
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
            renderer = try Renderer(device: options.device, requireGPU: options.requireGPU, cacheBytes: options.cacheBytes)
        } catch {
            throw .unavailable(error.description)
        }
    }

    var deviceName: String { renderer.deviceName }
    var affinity: Int? { scene?.number }

    mutating func perform(_ request: PoolRequest, until deadline: ContinuousClock.Instant?) throws -> PoolPicture {
        do {
            switch request {
            case .frame(let frame): return .picture(try renderer.render(frame))
            case .scene(let data, let request): return .encoded(try render(data, request))
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

    private mutating func render(_ data: SceneData, _ request: PictureRequest) throws -> EncodedPicture {
        let jobs: JobRenderer
        if let scene, scene.number == data.number {
            jobs = scene.jobs
        } else {
            do throws(SceneError) {
                let base = try BaseScene(bytes: data.bytes, name: data.name, folder: data.folder, options: options.scenes)
                jobs = JobRenderer(base: base, renderer: renderer, fontSource: options.fontSource)
            } catch {
                throw JobError(error)
            }
            scene = (data.number, jobs)
        }
        let job = try BatchJob(line: request.job(), defaults: request.defaults)
        let rendered = try jobs.render(job)
        return EncodedPicture(
            bytes: rendered.bytes, format: job.output.format, width: rendered.width, height: rendered.height,
            warnings: rendered.warnings + rendered.sceneWarnings + rendered.deviceWarnings, inspectionJSON: rendered.inspection)
    }
}

// MARK: - In another process

/// Has scenes drawn by a worker process. It is ended with the object, and with the thread that has started it.
struct ProcessWorker: QueueWorker {
    private let process: WorkerProcess
    /// The number of the scene that was sent last.
    private var scene: Int?
    /// The name of the OpenGL renderer.
    let deviceName: String

    /// How long a process may take to start.
    private static let startTime = Duration.seconds(30)

    /// Starts a program, and waits until it says that it is a worker of this version.
    /// - Returns: nil if the program is not that.
    /// - Throws: `RenderPoolError.unavailable` when it is one, and its machine lacks something; `lostWorker`.
    init?(_ command: ChildProcess.Command) throws(RenderPoolError) {
        do throws(SystemError) {
            process = try WorkerProcess(command)
        } catch {
            return nil
        }
        switch try? Self.reply(process, until: .now + Self.startTime) {
        case .hello(let hello)? where hello.version == libraryVersion && hello.protocolVersion == WorkerReply.protocolVersion:
            deviceName = hello.renderer
        case .fatal(let fault)?: throw RenderPoolError(code: fault.code, message: fault.message)
        default:
            process.kill()
            return nil
        }
    }

    var affinity: Int? { scene }

    mutating func perform(_ request: PoolRequest, until deadline: ContinuousClock.Instant?) throws -> PoolPicture {
        guard case .scene(let data, let request) = request else {
            throw RenderPoolError.failed("a frame cannot be sent to a worker process")
        }
        let job = try request.job()
        if scene != data.number {
            scene = nil
            process.send(WorkerFrame.scene(bytes: data.bytes, name: data.name, folder: data.folder))
            switch try Self.reply(process, until: deadline) {
            case .ready: scene = data.number
            case .error(let fault): throw RenderPoolError(code: fault.code, message: fault.message)
            default: throw lost("said what was not asked")
            }
        }
        process.send(WorkerFrame.job(job, number: 0, folder: nil, defaults: request.defaults))
        switch try Self.reply(process, until: deadline) {
        case .done(let done):
            guard let format = done.format.flatMap(ImageFormat.init(rawValue:)) else { throw lost("has sent a picture of no format") }
            return .encoded(
                EncodedPicture(
                    bytes: done.picture, format: format, width: done.width, height: done.height,
                    warnings: done.warnings + done.sceneWarnings + done.deviceWarnings,
                    inspectionJSON: done.inspection))
        case .failed(let failed): throw RenderPoolError(code: failed.fault.code, message: failed.fault.message)
        default: throw lost("said what was not asked")
        }
    }

    private func lost(_ fate: String) -> LostWorker {
        process.kill()
        return LostWorker(RenderPoolError.lostWorker(fate))
    }

    /// The next message of a worker.
    /// - Throws: `LostWorker` when it has ended, or is ended here because the time is over.
    private static func reply(_ process: WorkerProcess, until deadline: ContinuousClock.Instant?) throws -> WorkerReply {
        var replies: [WorkerReply] = []
        var words = ""
        while true {
            process.flush()
            let isOpen: Bool
            do throws(FrameError) {
                isOpen = try process.read { (reply) throws(FrameError) in replies.append(reply) }
            } catch {
                process.kill()
                throw LostWorker(RenderPoolError.lostWorker("said what is not the protocol: \(error)"))
            }
            if words.isEmpty { words = process.readErrorLines().first ?? "" } else { _ = process.readErrorLines() }
            if let reply = replies.first { return reply }
            guard isOpen else {
                throw LostWorker(RenderPoolError.lostWorker("\(process.reap())" + (words.isEmpty ? "" : ": \(words)")))
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
}
