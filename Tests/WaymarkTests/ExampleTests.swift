import Foundation
import Testing
import Waymark
import WaymarkTestSupport
import WaymarkTiles

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
        let picture = try Renderer(device: .software).render(file.mapView)
        #expect(file.warnings.isEmpty)
        #expect(picture.diagnostics.isEmpty)

        // tools/demo makes the pictures, with any rasterizer.
        let shown = Self.root.appendingPathComponent("docs/pictures/\(name).png")
        guard name != "hello" else { return }
        let comparison = PictureComparison(try Bitmap(contentsOf: shown.path), picture.bitmap, threshold: 8, allowed: 0.1)
        #expect(comparison.matches, "docs/pictures/\(name).png is out of date: \(comparison)")
    }

    /// As tools/demo draws it: over tiles of the land that are made first.
    @Test func flightsOverABaseMap() throws {
        func scene(_ name: String) throws -> MapView {
            let file = try SceneFile(contentsOf: Self.root.appendingPathComponent("Examples/tiles/\(name).json").path)
            #expect(file.warnings.isEmpty)
            return file.mapView
        }
        let scratch = ScratchFolder()
        let renderer = try Renderer(device: .software)
        let plan = try TilePlan(zooms: 0...3)
        let spool = try TileSpool("\(scratch.path)/spool", fingerprint: 1, renderer: "tests", isResuming: false)
        let run = TileRun(
            plan, of: try scene("plain"), with: renderer, into: spool, as: .png, options: EncodingOptions(), threadCount: 2)
        let isDone = try run.draw(report: { _ in true }, diagnose: { #expect($0.isEmpty) })
        #expect(isDone)
        let description = TileArchiveDescription(
            info: TileSetInfo(minZoom: 0, maxZoom: 3, tileSize: 512), format: .png, isRetina: false)
        try TileArchiveWriter.write(spool, description, as: .pmtiles, to: "\(scratch.path)/plain.pmtiles")

        let map = try scene("flights")
        map.baseMap = [BaseMapLayer(source: try TileArchive.open("\(scratch.path)/plain.pmtiles"))]
        let picture = try renderer.render(map)
        #expect(picture.diagnostics.isEmpty)
        let shown = try Bitmap(contentsOf: Self.root.appendingPathComponent("docs/pictures/world-tilted.png").path)
        let comparison = PictureComparison(shown, picture.bitmap, threshold: 8, allowed: 0.1)
        #expect(comparison.matches, "docs/pictures/world-tilted.png is out of date: \(comparison)")
    }
}
