import Foundation
import Waymark

/// A `RenderPool` compared with the bare renderer: one picture after the other, and several in parallel.
struct PoolCase {
    /// The scene file of W1.
    let card: String
    /// The base scene of W3.
    let base: String
    /// The changes of each card of W3: a line of JSON for each.
    let changes: String
    /// The number of pictures requested in parallel.
    var atOnce = 8
    /// The number of times that all cards of W3 are drawn.
    var rounds = 3

    struct Figures: Encodable {
        var device: String
        /// Sequentially, the card of W1 with its camera moved each time, to the PNG's bytes: with a renderer and a map that are kept …
        var bare_ms: Times
        /// … with a frame of the same map for the pool …
        var frames_ms: Times
        /// … and with changes of the scene for a pool of threads, and for one of processes.
        var threads_ms: Times
        var processes_ms: Times
        /// In parallel: cards of W3 per second, after the first cards.
        var threads_img_per_s: Double
        var processes_img_per_s: Double
        /// The workers of each kind.
        var threads: Int
        var processes: Int
        var mean_png_bytes: Double
    }

    /// As many runs as in the card's case.
    private static let (warmRuns, runs) = (30, 50)
    /// The first cards for each worker, while caches fill and code is compiled.
    private static let firstCards = 5

    func run() async throws -> Figures {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let processes = try await pool(.processes(processors))
        let threads = try await pool(.threads(max(2, processors)))
        let file = try SceneFile(contentsOf: card)
        let renderer = try Renderer()
        let lng = file.mapView.camera.center.lng
        func move(_ step: Int) { file.mapView.camera.center.lng = lng + 1e-5 * Double(step % 7) }

        var picture = Picture()
        let bare = try await times { step in
            move(step)
            try renderer.render(file.mapView, into: &picture)
            _ = try picture.encoded(as: .png)
        }
        let frames = try await times { step in
            move(step)
            _ = try await threads.render(file.mapView.makeFrame()).encoded(as: .png)
        }
        let scene = try SceneData(contentsOf: card)
        let camera = file.mapView.camera
        func change(_ step: Int) -> SceneChange {
            var change = SceneChange()
            change.view.center = LatLng(lat: camera.center.lat, lng: lng + 1e-5 * Double(step % 7))
            change.view.zoom = camera.zoom
            return change
        }
        let onThreads = try await times { _ = try await threads.render(scene, changing: change($0)) }
        let inProcesses = try await times { _ = try await processes.render(scene, changing: change($0)) }
        let cards = try String(contentsOfFile: changes, encoding: .utf8).split(separator: "\n").map { try SceneChange(json: Data($0.utf8)) }
        let (threadRate, bytes) = try await rate(threads, cards)
        let (processRate, _) = try await rate(processes, cards)
        let figures = Figures(
            device: renderer.deviceName, bare_ms: bare, frames_ms: frames, threads_ms: onThreads, processes_ms: inProcesses,
            threads_img_per_s: threadRate, processes_img_per_s: processRate, threads: threads.workerCount,
            processes: processes.workerCount, mean_png_bytes: bytes)
        await threads.close()
        await processes.close()
        return figures
    }

    private func pool(_ workers: RenderPool.Workers) async throws -> RenderPool {
        var options = RenderPool.Options()
        options.workers = workers
        return try await RenderPool(options)
    }

    private func times(_ call: (Int) async throws -> Void) async throws -> Times {
        for step in 1...Self.warmRuns { try await call(step) }
        var times: [Duration] = []
        for step in 1...Self.runs {
            let start = ContinuousClock.now
            try await call(step)
            times.append(ContinuousClock.now - start)
        }
        return Times(times)
    }

    /// Pictures per second, and the mean size of one in bytes.
    private func rate(_ pool: RenderPool, _ cards: [SceneChange]) async throws -> (perSecond: Double, meanBytes: Double) {
        let scene = try SceneData(contentsOf: base)
        _ = try await draw(cards.prefix(Self.firstCards * pool.workerCount), pool, scene)
        let start = ContinuousClock.now
        var bytes = 0
        for _ in 0..<rounds { bytes += try await draw(cards[...], pool, scene) }
        let count = Double(rounds * cards.count)
        return (count * 1000 / (ContinuousClock.now - start).milliseconds, Double(bytes) / count)
    }

    /// The bytes of the pictures.
    private func draw(_ cards: ArraySlice<SceneChange>, _ pool: RenderPool, _ scene: SceneData) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            var bytes = 0
            for (number, card) in cards.enumerated() {
                if number >= atOnce { bytes += try await group.next() ?? 0 }
                group.addTask { try await pool.render(scene, changing: card).bytes.count }
            }
            return try await group.reduce(bytes, +)
        }
    }
}
