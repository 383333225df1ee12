import Foundation
import Testing
import Waymark
import WaymarkSceneFiles
import WaymarkTestSupport

/// Answers of a pool besides pictures: questions, limits, and errors with their key path.
@Suite(.serialized) struct RenderPoolAnswerTests {
    init() { PinnedRasterizer.pin }

    private static let scene = RenderPoolTests.scene

    private func pool(_ change: (inout RenderPool.Options) -> Void = { _ in }) async throws -> RenderPool {
        var options = RenderPool.Options()
        options.workers = .threads(1)
        options.device = .software
        change(&options)
        return try await RenderPool(options)
    }

    private func change(_ set: (inout ViewChange) -> Void) -> SceneChange {
        var change = SceneChange()
        set(&change.view)
        return change
    }

    @Test func questionsAreAnsweredAsByTheMap() async throws {
        let pool = try await pool()
        let map = try SceneFile(data: Data(Self.scene.bytes)).mapView
        map.camera.bearing = 30
        let turn = change { $0.bearing = 30 }
        let report = try await pool.inspect(Self.scene, changing: turn)
        #expect(try report.inspection() == map.inspection() && report.warnings.isEmpty)
        let icon = try #require(report.inspection()?.overlays.first?.icon?.quad?.first)
        let point = CGPoint(x: icon.x + 3, y: icon.y + 3)
        #expect(
            String(decoding: try await pool.pick(Self.scene, at: point, changing: turn).json, as: UTF8.self)
                == #"[{"id":"hall","type":"marker","part":"icon"}]"#)
        #expect(String(decoding: try await pool.pick(Self.scene, at: CGPoint(x: 1, y: 1)).json, as: UTF8.self) == "[]")
        for point in [CGPoint(x: 121, y: 5), CGPoint(x: Double.nan, y: 5)] {
            let error = await #expect(throws: RenderPoolError.self) { try await pool.pick(Self.scene, at: point) }
            guard case .invalid(_, path: "at")? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(try await pool.render(Self.scene).width == 120)
    }

    @Test func errorsHaveTheirPlace() async throws {
        let pool = try await pool { $0.scenes.resources = .none }
        for (scene, path) in [
            (#"{"waymark": 1, "overlays": [{"type": "marker", "position": {"lat": 95, "lng": 0}}]}"#, "overlays[0].position.lat"),
            (#"{"waymark": 1, "camera": {"center": [0, 0], "zoom": 99}}"#, "camera.zoom"), ("{", "byte 1 (line 1, column 2)"),
            (#"{"waymark": 1, "overlays": [{"type": "geojson", "source": "a.geojson"}]}"#, "overlays[0].source"),
            (#"{"waymark": 1, "size": {"width": 70000, "height": 1}}"#, "size.width"),
        ] {
            let error = await #expect(throws: RenderPoolError.self) { try await pool.render(SceneData(Data(scene.utf8), name: "")) }
            guard case .invalid(let message, path: path)? = error, message.hasPrefix(path + ": ") else {
                Issue.record("\(path): \(String(describing: error))")
                continue
            }
        }
        let opaque = try SceneChange(json: Data(#"{"change": {"hall": {"alpha": 2}}}"#.utf8))
        let error = await #expect(throws: RenderPoolError.self) { try await pool.render(Self.scene, changing: opaque) }
        #expect(error == .invalid("change.hall.alpha: 2 is outside 0…1", path: "change.hall.alpha"))
        let padded = change { $0.padding = 4 }
        let problem = "padding requires a fitted camera, but the camera's center or zoom is given; use fit instead"
        let unfitted = await #expect(throws: RenderPoolError.self) { try await pool.render(Self.scene, changing: padded) }
        #expect(unfitted == .invalid("padding: \(problem)", path: "padding"))
        #expect(throws: PropertyError(path: "padding", problem: problem)) { try padded.view.check(on: Self.scene) }
        #expect(try await pool.render(SceneData(Data(#"{"waymark": 1}"#.utf8)), changing: padded).width == 512)
    }

    @Test func limits() async throws {
        let pool = try await pool { ($0.pixelLimit, $0.overlayLimit) = (120 * 90, 2) }
        #expect(try await pool.render(Self.scene).width == 120)
        let change = self.change { $0.size = CGSize(width: 121, height: 90) }
        let large = await #expect(throws: RenderPoolError.self) { try await pool.render(Self.scene, changing: change) }
        let size = "121 × 90 device pixels, 10890 in all,"
        #expect(large == .invalid("size: \(size) exceed the limit of 10800", path: "size"))
        // Inspecting or picking would use the same size.
        for ratio in [2.0, 8] {
            let change = self.change { $0.pixelRatio = ratio }
            await #expect(throws: RenderPoolError.self) { try await pool.inspect(Self.scene, changing: change) }
            await #expect(throws: RenderPoolError.self) { try await pool.pick(Self.scene, at: .zero, changing: change) }
        }
        let point = #"{"type": "marker", "position": [127, 37]}"#
        for (members, count) in [
            (#""overlays": [\#(point), \#(point), \#(point)]"#, 3),
            (#""overlays": [{"type": "container", "children": [\#(point), \#(point)]}]"#, 3),
            (#""overlays": [{"type": "clusterLayer", "markers": [\#(point), \#(point), \#(point)]}]"#, 4),
            (#""overlays": [\#(point), \#(point)], "symbols": [{"position": [127, 37], "captionText": "x"}]"#, 3),
        ] {
            let scene = SceneData(Data(#"{"waymark": 1, "size": {"width": 9, "height": 9}, \#(members)}"#.utf8), name: "")
            let many = await #expect(throws: RenderPoolError.self) { try await pool.render(scene) }
            #expect(
                many
                    == .invalid(
                        "overlays: \(count) overlays and symbols exceed the limit of 2", path: "overlays"),
                "\(members)")
        }
        #expect(try await pool.render(Self.scene).width == 120)
        await #expect(throws: RenderPoolError.self) { try await self.pool { $0.pixelLimit = 0 } }
        await #expect(throws: RenderPoolError.self) { try await self.pool { $0.overlayLimit = -1 } }
    }
}
