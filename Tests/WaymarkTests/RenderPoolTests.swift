import Foundation
import Synchronization
import Testing
import Waymark
import WaymarkTestSupport

/// A pool on threads of this process; CommandLineTests tests pools of processes.
@Suite(.serialized) struct RenderPoolTests {
    init() { PinnedRasterizer.pin }

    static let scene = SceneData(
        Data(
            #"""
            {"waymark": 1, "size": {"width": 120, "height": 90}, "background": "white", "camera": {"center": [127, 37.5], "zoom": 12},
            "overlays": [{"type": "marker", "id": "hall", "position": [127, 37.5], "captionText": "Hall"}]}
            """#.utf8), name: "card.json")

    private func pool(_ change: (inout RenderPool.Options) -> Void = { _ in }) async throws -> RenderPool {
        var options = RenderPool.Options()
        options.workers = .threads(2)
        options.device = .software
        change(&options)
        return try await RenderPool(options)
    }

    /// The scene with a turned marker, which needs the device; upright markers are drawn in memory.
    private static let turned = SceneData(
        Data(String(decoding: scene.bytes, as: UTF8.self).replacing("\"Hall\"}", with: "\"Hall\", \"angle\": 10}").utf8), name: "card.json")

    private func map(_ scene: SceneData = Self.scene) throws -> MapView { try SceneFile(data: Data(scene.bytes)).mapView }

    @Test func scenesAndFramesAreTheRenderersPictures() async throws {
        let pool = try await pool()
        #expect(!pool.usesProcesses && pool.workerCount == 2 && pool.deviceName.hasPrefix("llvmpipe"))
        let expected = try Renderer(device: .software).render(map()).bitmap
        let frame = try map().makeFrame()
        #expect(frame.width == 120 && frame.camera.zoom == 12)
        #expect(try await pool.render(frame).bitmap == expected)
        let encoded = try await pool.render(Self.scene, isInspected: true)
        #expect(try encoded.format == .png && encoded.bitmap() == expected && encoded.warnings.isEmpty)
        #expect(encoded.inspection()?.overlays.map(\.id) == ["hall"])
        let raw = try await pool.render(Self.scene, as: .rgba)
        #expect(try raw.bitmap() == expected && raw.bytes.count == 120 * 90 * 4 && raw.inspection() == nil)
        await pool.close()
        await #expect(throws: RenderPoolError.closed) { try await pool.render(Self.scene) }
    }

    @Test func aChangeIsThatOfOnePicture() async throws {
        let pool = try await pool()
        let plain = try await pool.render(Self.scene)
        var change = SceneChange()
        (change.view.bearing, change.view.tilt) = (40, 50)
        try change.set(\Marker.captionText, to: "Gate", of: "hall")
        let changed = try await pool.render(Self.scene, changing: change)
        let map = try map()
        map.camera.bearing = 40
        map.camera.tilt = 50
        (map.overlays.first as? Marker)?.captionText = "Gate"
        #expect(try changed.bitmap() == Renderer(device: .software).render(map).bitmap)
        #expect(try await pool.render(Self.scene) == plain && changed != plain)
        let jpeg = try await pool.render(Self.scene, as: .jpeg, options: EncodingOptions(quality: 40))
        #expect(jpeg.format == .jpeg && jpeg.bytes.starts(with: [0xFF, 0xD8]))
    }

    @Test(arguments: [
        (#"{"camera": {"tilt": 99}}"#, "camera.tilt: 99 is outside 0…80"),
        (#"{"change": {"gate": {}}}"#, "change.gate: no overlay has the id \"gate\""),
    ]) func aChangeThatIsNoneIsRefused(_ change: String, _ words: String) async throws {
        let pool = try await pool()
        let change = try SceneChange(json: Data(change.utf8))
        let error = await #expect(throws: RenderPoolError.self) { try await pool.render(Self.scene, changing: change) }
        guard case .invalid(let message, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(message.contains(words), "\(message)")
        // No part of it stays.
        #expect(try await pool.render(Self.scene).bytes == pool.render(Self.scene).bytes)
    }

    @Test func badScenes() async throws {
        let pool = try await pool { $0.scenes.resources = .none }
        let words = await #expect(throws: RenderPoolError.self) { try await pool.render(SceneData(Data("{".utf8), name: "bad.json")) }
        #expect(words?.description == "bad.json: byte 1 (line 1, column 2): unexpected end of file")
        let files = SceneData(
            Data(#"{"waymark": 1, "overlays": [{"type": "marker", "position": [0, 0], "iconImage": "/etc/passwd"}]}"#.utf8))
        await #expect(throws: RenderPoolError.self) { try await pool.render(files) }
        #expect(throws: SceneError.self) { try SceneData(contentsOf: "/nowhere/scene.json") }
    }

    @Test(arguments: [
        (0, 10, 1.0, "workers: 0 is outside 1…256"), (257, 10, 1, "workers: 257 is outside 1…256"),
        (1, 0, 1, "waitingLimit: 0 is less than 1"),
        (1, 1, 0, "deadline: 0.0 seconds is not above 0"),
    ]) func optionsOutOfRange(_ threads: Int, _ limit: Int, _ seconds: Double, _ words: String) async {
        let error = await #expect(throws: RenderPoolError.self) {
            try await pool {
                $0.workers = .threads(threads)
                $0.waitingLimit = limit
                $0.deadline = .seconds(seconds)
            }
        }
        #expect(error?.description == words)
    }

    @Test func aMachineWithoutTheDevice() async {
        let error = await #expect(throws: RenderPoolError.self) { try await pool { $0.device = .drm("/nowhere") } }
        guard case .unavailable? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func aDeviceThatGoesAwayCostsOnePicture() async throws {
        var options = RenderPool.Options()
        options.workers = .threads(1)
        let opened = Mutex(0)
        let pool = try await RenderPool(options, commands: nil) { () throws(RenderError) in
            let renderer = try Renderer(device: .software)
            let number = opened.withLock {
                $0 += 1
                return $0
            }
            // The pool gets the device's name from the first one.
            if number == 2 || number == 3 { renderer.loseDevice() }
            return renderer
        }
        for lost in 1...2 {
            let error = await #expect(throws: RenderPoolError.self) {
                if lost == 1 { _ = try await pool.render(Self.turned) } else { _ = try await pool.render(map(Self.turned).makeFrame()) }
            }
            guard case .unavailable(let words)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(words.contains("the GPU was reset, and the contents of its memory are lost"))
            #expect(pool.statistics.lostWorkers == lost && pool.statistics.failed == lost)
        }
        #expect(try await pool.render(Self.scene).bitmap() == Renderer(device: .software).render(map()).bitmap)
        await pool.close()
    }

    @Test func manyAtOnceWithCancellations() async throws {
        let pool = try await pool()
        let expected = try await pool.render(Self.scene).bytes
        let rounds = Seeds.isFull ? 10_000 : 300
        let areRight = try await withThrowingTaskGroup(of: Bool.self) { group in
            var areRight = true
            for number in 0..<rounds {
                if number >= 64 { areRight = try await group.next() != false && areRight }
                group.addTask {
                    let task = Task { try await pool.render(Self.scene).bytes }
                    if number % 3 == 0 { task.cancel() }
                    guard case .success(let bytes) = await task.result else { return true }
                    return bytes == expected
                }
            }
            return try await group.reduce(areRight) { $0 && $1 }
        }
        #expect(areRight)
        let statistics = pool.statistics
        #expect(statistics.finished + statistics.cancelled == rounds + 1 && statistics.failed == 0, "\(statistics)")
        #expect(statistics.finished >= rounds * 2 / 3)
        await pool.close()
        #expect(pool.statistics.waiting == 0 && pool.statistics.running == 0)
    }
}
