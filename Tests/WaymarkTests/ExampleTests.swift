import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// The scenes of `Examples/` render without a warning, and their pictures in `docs/pictures` are current.
@Suite(.serialized) struct ExampleTests {
    init() { PinnedRasterizer.pin }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let scenes = ["block", "city", "clusters", "countries-tilted", "countries", "flight-paths", "hello", "street", "world"]

    @Test func everySceneIsTested() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.root.appendingPathComponent("Examples").path)
        #expect(files.filter { $0.hasSuffix(".json") }.sorted() == Self.scenes.map { "\($0).json" })
    }

    @Test(arguments: scenes) func theSceneRendersWithoutAWarning(_ name: String) throws {
        let file = try SceneFile(contentsOf: Self.root.appendingPathComponent("Examples/\(name).json").path)
        if let fit = file.fit { file.mapView.camera = try file.mapView.camera(fitting: fit) }
        let picture = try Renderer(device: "software").render(file.mapView)
        #expect(file.warnings.isEmpty)
        #expect(picture.diagnostics.isEmpty)

        // The pictures are made by tools/demo, by whatever rasterizer is there.
        let shown = Self.root.appendingPathComponent("docs/pictures/\(name).png")
        guard name != "hello" else { return }
        let comparison = PictureComparison(try Bitmap(contentsOf: shown.path), picture.bitmap, threshold: 8, allowed: 0.1)
        #expect(comparison.matches, "docs/pictures/\(name).png is out of date: \(comparison)")
    }
}
