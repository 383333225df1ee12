import Foundation
import Synchronization
import WaymarkGPU
import WaymarkImaging
import WaymarkSceneFiles
import WaymarkSystem
import WaymarkText

/// Draws pictures for the tasks of a server, several at a time, on threads or in worker processes.
///
///     let pool = try await RenderPool()
///     let scene = try SceneData(contentsOf: "card.json")
///     var change = SceneChange()
///     change.view.zoom = 14
///     let picture = try await pool.render(scene, changing: change)
///     try picture.write(to: "card.png")
///
/// No call blocks a thread on which Swift tasks run. If the calling task is cancelled, the call throws `CancellationError` immediately. A
/// worker that is already drawing the picture finishes it, and the result is discarded.
///
/// Mesa's software rasterizer draws only one picture at a time in each process. With that rasterizer, worker processes therefore draw the
/// scenes, provided that a program can serve as a worker; see `WaymarkHelper`. If a worker crashes, its picture is lost, and the worker is
/// replaced. A `MapFrame` is always drawn in this process. The pixels of a picture do not depend on where it is drawn.
public final class RenderPool: Sendable {
    /// The options of a pool.
    public struct Options: Sendable {
        /// The workers that draw scenes. Default: `automatic`.
        public var workers = Workers.automatic
        /// The maximum number of requests that may wait for a worker. Further requests immediately throw `RenderPoolError.full`, so that a
        /// server can report that it is busy. Default 1,000.
        public var waitingLimit = 1000
        /// The time that a request may take, measured from the call; nil for no limit. A worker process that exceeds it is terminated and
        /// replaced. A thread of this process cannot be terminated: it finishes the picture, and the result is discarded. Default 60 s.
        public var deadline: Duration? = .seconds(60)
        /// The device to open, as for `Renderer.init`.
        public var device: Device?
        /// Whether to refuse a software rasterizer. Default false.
        public var requireGPU = false
        /// The maximum number of bytes that each worker caches between pictures. Default 256 MiB.
        public var cacheBytes = Renderer.defaultCacheBytes
        /// The source of fonts for scenes. Frames use the fonts of their maps.
        public var fontSource = FontSource.default
        /// Options for reading scenes, including which files scenes may use.
        public var scenes = SceneFileOptions()
        /// The maximum number of device pixels in the picture of a scene. A scene with a larger picture is not laid out, and the call
        /// throws `RenderPoolError.invalid`. Default nil: no limit.
        public var pixelLimit: Int?
        /// The maximum number of overlays in a scene, including overlays in containers, points of cluster layers, and symbols. Default nil:
        /// `scenes.overlayLimit` applies to overlays and symbols, and the number of points is not limited.
        public var overlayLimit: Int?

        public init() {}
    }

    /// The kind of workers that draw scenes.
    public enum Workers: Equatable, Sendable {
        /// One process per processor if the device is a software rasterizer and a program can serve as a worker; otherwise threads.
        case automatic
        /// A fixed number of threads in this process, each with a renderer.
        case threads(Int)
        /// A fixed number of processes. Opening the pool fails if no program can serve as a worker.
        case processes(Int)
    }

    private let queue: RenderQueue<PoolRequest, PoolPicture>
    private let deadline: Duration?
    /// The name of the OpenGL renderer of the first worker.
    public let deviceName: String
    /// Whether scenes are drawn by worker processes instead of threads.
    public let usesProcesses: Bool
    /// The number of workers that draw scenes.
    public let workerCount: Int

    /// Opens the pool and starts its first worker. Each further worker is started when it receives its first picture.
    /// - Throws: `RenderPoolError.unavailable` if the machine lacks a required component; `RenderPoolError.invalid` if an option is out of
    ///   range.
    public convenience init(_ options: Options = Options()) async throws { try await self.init(options, commands: nil) }

    /// Opens the pool with the given programs and function instead of the defaults.
    /// - Parameters:
    ///   - commands: The programs to try as workers, instead of this machine's helpers.
    ///   - opening: Opens the renderers of this process, instead of using the options.
    package init(
        _ options: Options, commands: [ChildProcess.Command]?, opening: (@Sendable () throws(RenderError) -> Renderer)? = nil
    ) async throws {
        try Self.check(options)
        var settings = WorkerOptions(
            device: options.device, requireGPU: options.requireGPU, cacheBytes: options.cacheBytes, fontSource: options.fontSource,
            scenes: options.scenes)
        settings.opening = opening
        settings.limits = JobLimits(pixels: options.pixelLimit)
        if let limit = options.overlayLimit { (settings.scenes.overlayLimit, settings.scenes.limitsPoints) = (limit, true) }
        let commands = commands ?? HelperService.commands(for: WorkerService.name, arguments: settings.arguments)
        let plan = try await PoolPlan(settings, options.workers, commands, waitingLimit: options.waitingLimit)
        (queue, deviceName, usesProcesses, workerCount) = (plan.queue, plan.deviceName, plan.usesProcesses, plan.count)
        deadline = options.deadline
    }

    deinit { queue.close() }

    private static func check(_ options: Options) throws(RenderPoolError) {
        switch options.workers {
        case .threads(let count) where !(1...256).contains(count), .processes(let count) where !(1...256).contains(count):
            throw .invalid("workers: \(count) is outside 1…256")
        default: break
        }
        guard options.waitingLimit >= 1 else { throw .invalid("waitingLimit: \(options.waitingLimit) is less than 1") }
        guard options.cacheBytes >= 0 else { throw .invalid("cacheBytes: \(options.cacheBytes) is less than 0") }
        if let pixels = options.pixelLimit, pixels < 1 { throw .invalid("pixelLimit: \(pixels) is less than 1") }
        if let overlays = options.overlayLimit, overlays < 0 { throw .invalid("overlayLimit: \(overlays) is less than 0") }
        if let deadline = options.deadline, deadline <= .zero { throw .invalid("deadline: \(deadline) is not above 0") }
    }
}

extension RenderPool {
    /// Draws a scene.
    /// - Parameters:
    ///   - scene: The scene. Use the same value for all pictures of the scene.
    ///   - change: The changes for this picture. Default: no changes.
    ///   - format: The format of the picture. Default PNG.
    ///   - options: Options for encoding, such as the quality or a palette. `background` and `threadCount` are ignored.
    ///   - isInspected: Whether the result includes the picture's inspection. Default false.
    ///   - deadline: The time that the request may take. Default: the pool's deadline.
    /// - Throws: `RenderPoolError`, or `CancellationError` if the task is cancelled.
    public func render(
        _ scene: SceneData, changing change: SceneChange = SceneChange(), as format: ImageFormat = .png,
        options: EncodingOptions = EncodingOptions(), isInspected: Bool = false, within deadline: Duration? = nil
    ) async throws -> EncodedPicture {
        var request = try PictureRequest(scene, changing: change)
        request.defaults.format = format
        request.defaults.quality = options.quality
        request.defaults.isProgressive = options.isProgressive ? true : nil
        request.defaults.paletteColors = options.paletteColors
        request.defaults.isInspected = isInspected
        guard case .encoded(let picture) = try await perform(.scene(scene, request), deadline) else { throw Self.otherKind }
        return picture
    }

    /// Computes the positions of everything in a scene's picture, as printed by `waymark inspect`. The picture is not drawn.
    /// - Parameters:
    ///   - scene: The scene. Use the same value for all pictures of the scene.
    ///   - listsBaseMapSymbols: Whether the inspection's `symbols` include the base map's labels that are in the picture. Default false.
    ///   - change: The changes for this picture, as for `render`. Default: no changes.
    ///   - deadline: The time that the request may take. Default: the pool's deadline.
    /// - Throws: `RenderPoolError`, or `CancellationError` if the task is cancelled.
    public func inspect(
        _ scene: SceneData, listsBaseMapSymbols: Bool = false, changing change: SceneChange = SceneChange(),
        within deadline: Duration? = nil
    ) async throws -> SceneReport {
        try await report(.inspection(listsBaseMapSymbols: listsBaseMapSymbols), scene, change, deadline)
    }

    /// Finds the objects at a point of a scene's picture, topmost first, as printed by `waymark pick`. The picture is not drawn.
    /// - Parameters:
    ///   - scene: The scene. Use the same value for all pictures of the scene.
    ///   - point: The point in pt from the upper left. If it lies outside the picture, the call throws `RenderPoolError.invalid`.
    ///   - options: Options for finding objects.
    ///   - change: The changes for this picture, as for `render`. Default: no changes.
    ///   - deadline: The time that the request may take. Default: the pool's deadline.
    /// - Throws: `RenderPoolError`, or `CancellationError` if the task is cancelled.
    public func pick(
        _ scene: SceneData, at point: CGPoint, options: HitOptions = HitOptions(), changing change: SceneChange = SceneChange(),
        within deadline: Duration? = nil
    ) async throws -> SceneReport {
        guard point.x.isFinite, point.y.isFinite, options.tolerance.isFinite else {
            throw RenderPoolError.invalid("at: the point and the tolerance must be finite numbers", path: "at")
        }
        return try await report(.hits(point, options), scene, change, deadline)
    }

    private func report(
        _ question: PictureQuestion, _ scene: SceneData, _ change: SceneChange, _ deadline: Duration?
    ) async throws -> SceneReport {
        var request = try PictureRequest(scene, changing: change)
        request.question = question
        guard case .report(let report) = try await perform(.scene(scene, request), deadline) else { throw Self.otherKind }
        return report
    }

    /// Draws a frame of a map in this process.
    /// - Parameters:
    ///   - frame: The layout of a map at one moment, from `MapView.makeFrame()`.
    ///   - deadline: The time that the request may take. Default: the pool's deadline.
    /// - Throws: `RenderPoolError`, or `CancellationError` if the task is cancelled.
    public func render(_ frame: MapFrame, within deadline: Duration? = nil) async throws -> Picture {
        guard case .picture(let picture) = try await perform(.frame(frame), deadline) else { throw Self.otherKind }
        return picture
    }

    private func perform(_ request: PoolRequest, _ deadline: Duration?) async throws -> PoolPicture {
        do {
            let affinity = request.isFrame ? nil : request.scene.number
            return try await queue.perform(request, affinity: affinity, within: deadline ?? self.deadline)
        } catch let failure as Failure {
            throw RenderPoolError(failure)
        } catch let loss as WorkerLoss {
            throw RenderPoolError(loss)
        } catch let none as NoWorker {
            throw RenderPoolError(none.failure)
        }
    }

    private static var otherKind: RenderPoolError { .failed("a worker returned a picture in a format that was not requested") }

    /// The numbers of requests and lost workers, and the waiting times of the requests.
    public var statistics: RenderPoolStatistics { queue.statistics }

    /// Closes the pool. Waiting and new requests are refused. The call returns when all workers have ended. A pool that is released closes,
    /// too, but does not wait for its workers.
    public func close() async {
        queue.close()
        await queue.end()
    }
}

/// The workers of a pool.
private struct PoolPlan {
    typealias Queue = RenderQueue<PoolRequest, PoolPicture>

    let queue: Queue
    let usesProcesses: Bool
    let count: Int
    let deviceName: String

    init(
        _ options: WorkerOptions, _ workers: RenderPool.Workers, _ commands: [ChildProcess.Command], waitingLimit: Int
    ) async throws {
        let processors = ProcessorCount.current.usable
        let threads: Int? = if case .threads(let count) = workers { count } else { nil }
        if threads == nil {
            let count = if case .processes(let count) = workers { count } else { processors }
            for command in commands {
                let queue = Queue(limit: waitingLimit, handsOver: true)
                guard let deviceName = try await Self.startProcesses(command, count, queue) else { continue }
                // On a GPU, threads are as fast as processes.
                guard workers != .automatic || ContextInfo.isSoftware(renderer: deviceName) else {
                    queue.close()
                    break
                }
                (self.queue, self.count, self.deviceName, usesProcesses) = (queue, count, deviceName, true)
                queue.startThread(accepting: \.isFrame) { try ThreadWorker(options) }
                return
            }
            if case .processes = workers {
                throw RenderPoolError.unavailable(
                    "no program for worker processes was found: call WaymarkHelper.runIfAsked() first in main, or put waymark on the PATH")
            }
        }
        queue = Queue(limit: waitingLimit, handsOver: true)
        usesProcesses = false
        // The layout and encoding of one renderer run while another draws.
        count = threads ?? max(2, processors)
        // Opening a device blocks the thread.
        deviceName = try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try ThreadWorker(options).deviceName }) }.start()
        }
        for _ in 0..<count { queue.startThread { try ThreadWorker(options) } }
    }

    /// Starts a thread that supervises worker processes, and waits for the first of them.
    /// - Returns: The worker's device; nil if the program is not a worker of this version.
    /// - Throws: `RenderPoolError` if the program is a worker but cannot work.
    private static func startProcesses(_ command: ChildProcess.Command, _ count: Int, _ queue: Queue) async throws -> String? {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread {
                var options = WorkerSupervisor<PoolRequest>.Options(command.sharing(amongst: count))
                options.eagerWorkers = 1
                options.accepts = { !$0.isFrame }
                var isAnswered = false
                func answer(_ result: Result<String?, any Error>) {
                    guard !isAnswered else { return }
                    isAnswered = true
                    continuation.resume(with: result)
                }
                let supervisor = WorkerSupervisor(queue, options) { event in
                    switch event {
                    case .opened(let deviceName): answer(.success(deviceName))
                    case .failed(let failure, let isRefusal):
                        if !isAnswered { queue.close() }
                        answer(isRefusal ? .failure(RenderPoolError(failure)) : .success(nil))
                    default: break
                    }
                }
                supervisor.grow(to: count)
                supervisor.run()
            }
            thread.name = "waymark-pool"
            thread.start()
        }
    }
}
