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
    private static let scenes = [
        "airports", "block", "bubbles", "city", "clusters", "countries-tilted", "countries", "density", "elements", "flight-paths",
        "hello", "helsinki-buildings", "helsinki-dark", "helsinki-gray", "helsinki", "population", "street", "track", "world-protomaps",
        "world-shortbread", "world",
    ]

    @Test func everySceneIsTested() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.root.appendingPathComponent("Examples").path)
        #expect(files.filter { $0.hasSuffix(".json") }.sorted() == Self.scenes.map { "\($0).json" })
    }

    /// Neither with one automatic side nor with two sides: an icon in an example or in the documentation has the proportions of its image.
    @Test func examplesAndDocsNeverSqueezeAnIcon() throws {
        for name in Self.scenes {
            let file = try SceneFile(contentsOf: Self.root.appendingPathComponent("Examples/\(name).json").path)
            if let fit = file.fit { file.mapView.camera = try file.mapView.camera(fitting: fit) }
            #expect(try file.mapView.inspection().diagnostics.isEmpty, "\(name)")
        }
        // The built-in pins are 26 × 36 pt, and the other images are squares.
        let texts = ["docs", "Examples", "python"].flatMap { folder in
            (FileManager.default.enumerator(atPath: Self.root.appendingPathComponent(folder).path)?.compactMap { $0 as? String } ?? [])
                .filter { $0.hasSuffix(".md") || $0.hasSuffix(".json") || $0.hasSuffix(".py") }.map { "\(folder)/\($0)" }
        }
        var count = 0
        for path in texts.sorted() + ["README.md", "Server/README.md"] {
            let text = try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
            for icon in text.matches(of: /"width": ([0-9.]+|"auto"),\s*"height": ([0-9.]+|"auto")/) {
                let start = text[..<icon.range.lowerBound].suffix(250)
                let object = String(start[(start.lastIndex(of: "{") ?? start.startIndex)...])
                guard object.contains("iconImage") || object.contains("\"marker\"") else { continue }
                count += 1
                guard let width = Double(icon.1), let height = Double(icon.2) else {
                    Issue.record("\(path): \(icon.0)")
                    continue
                }
                let isSquare = object.contains("cluster") || object.contains(".png") || object.contains(".svg")
                #expect(abs(width / height - (isSquare ? 1 : 26.0 / 36)) < 0.03, "\(path): \(object)\(icon.0)")
            }
        }
        #expect(count > 20)
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
