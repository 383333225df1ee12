import Foundation
import WaymarkSceneFiles

/// Processes one request at a time, on a single thread.
package protocol QueueWorker<Request, Output> {
    associatedtype Request
    associatedtype Output

    /// The affinity of the worker's last request. The worker processes requests with the same affinity faster. Nil for no preference.
    var affinity: Int? { get }

    /// - Throws: `LostWorker` if the worker is no longer usable. Any other error is the answer to the request.
    mutating func perform(_ request: Request) throws -> Output
}

extension RenderQueue {
    /// Processes requests on a new thread until the queue is closed.
    /// - Parameters:
    ///   - accepts: Whether the worker can process a request.
    ///   - open: Creates the worker. It is called on the new thread, and again after a worker was lost. The worker is used only on this
    ///     thread.
    package func startThread(
        accepting accepts: @escaping @Sendable (Request) -> Bool = { _ in true },
        open: @escaping @Sendable () throws -> any QueueWorker<Request, Output>
    ) {
        let lane = addLane(accepting: accepts)
        let thread = Thread { [self] in run(lane, open) }
        thread.name = "waymark"
        thread.start()
    }

    private func run(_ lane: Lane, _ open: () throws -> any QueueWorker<Request, Output>) {
        var worker: (any QueueWorker<Request, Output>)?
        while let ticket = waitForNext(lane, affinity: worker?.affinity) {
            var isDue = true
            while isDue {
                isDue = false
                let isFresh = worker == nil
                do {
                    var current = try worker ?? open()
                    defer { worker = current }
                    finish(ticket, .success(try current.perform(ticket.request)))
                } catch let loss as LostWorker {
                    worker = nil
                    isDue = lose(lane, ticket, loss, isFresh: isFresh)
                } catch {
                    finish(ticket, .failure(error))
                }
            }
        }
        worker = nil
        removeLane(lane)
    }
}

/// Draws frames and scenes with its own renderer.
struct ThreadWorker: QueueWorker {
    private let options: WorkerOptions
    private let renderer: Renderer
    /// The last scene that was read.
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

    mutating func perform(_ request: PoolRequest) throws -> PoolPicture {
        do {
            switch request {
            case .frame(let frame): return .picture(try renderer.render(frame))
            case .scene(let data, let request): return try answer(request, of: data)
            }
        } catch let error as RenderError {
            guard case .device(let reason) = error else { throw error }
            // The device is lost. The next worker opens the same device again, or another one.
            throw LostWorker(RenderPoolError.unavailable(reason.sentence))
        } catch let failure as Failure where failure.code == .unavailable {
            throw LostWorker(failure)
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
                throw Failure(error, scene: data.name)
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
