import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// The README's Swift code, compiled and run exactly as printed there, and other facts that the README must agree with.
@Suite(.serialized) struct ReadmeTests {
    init() { PinnedRasterizer.pin }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The blocks of the README in a language, in their order.
    private func blocks(_ language: String) throws -> [String] {
        try text("README.md").components(separatedBy: "```\(language)\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }

    @Test func theLibraryCodeRuns() throws {
        defer { for file in ["city-hall.png", "tour.png"] { try? FileManager.default.removeItem(atPath: file) } }

        let mapView = MapView(size: CGSize(width: 400, height: 300), pixelRatio: 2)
        mapView.camera = Camera(center: LatLng(lat: 37.5666, lng: 126.9784), zoom: 14, bearing: 30, tilt: 45)
        let hall = Marker(position: LatLng(lat: 37.5670135, lng: 126.9783740))
        hall.captionText = "서울특별시청"
        mapView.add(hall)  // or hall.mapView = mapView, as in some mobile map SDKs
        let renderer = try Renderer()  // keep it: one renderer for many pictures
        try renderer.render(mapView).write(to: "city-hall.png")

        #expect(try Bitmap(contentsOf: "city-hall.png").width == 800)

        let palace = Circle(center: LatLng(lat: 37.5797, lng: 126.977), radius: 150)
        palace.fillColor = .red.withAlpha(0.3)
        let tour = Container([palace, Polyline(points: [LatLng(lat: 37.567, lng: 126.978), LatLng(lat: 37.5797, lng: 126.977)])])
        tour.minZoom = 12  // nothing in it is drawn below zoom 12
        let tree = LocalModel(mesh: try ModelFile(contentsOf: "Examples/models/tree.obj").mesh, coordinates: LatLng(37.571, 126.982))
        tree.scale = 30  // 240 m high
        tree.addLight(DirectionalLight(direction: [0.5, 0.7, -0.7]))  // the direction of travel: east, north, up
        mapView.add([tour, tree])
        mapView.camera = try mapView.camera(fitting: FitOptions(bearing: 30, tilt: 45))  // everything is in view
        try renderer.render(mapView).write(to: "tour.png")

        #expect(try renderer.render(mapView).diagnostics.isEmpty)
        #expect(try mapView.inspection().overlays.allSatisfy(\.isVisible))
        // The inside of the circle, left of the line, is a translucent red.
        let point = try #require(mapView.point(from: LatLng(lat: 37.5797, lng: 126.976)))
        let pixel = try Bitmap(contentsOf: "tour.png")[Int(point.x * 2), Int(point.y * 2)]
        #expect(pixel.red == pixel.alpha && pixel.green == 0 && (70...85).contains(pixel.alpha), "\(pixel)")
    }

    @Test func theCodeOfThisTestIsTheReadmes() throws {
        let source = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
        let code = try blocks("swift").filter { !$0.hasPrefix(".package(") }
        #expect(code.count == 2)
        for block in code {
            let body = block.replacingOccurrences(of: "import Foundation\nimport Waymark\n\n", with: "")
            let indented = body.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "        \($0)" }
            #expect(source.contains(indented.joined(separator: "\n")), "the README has code that this test does not: \(block)")
        }
    }

    @Test func theSceneIsTheExample() throws {
        #expect(try blocks("json") == [text("Examples/hello.json")])
    }

    @Test func itIsShortAndItsLinksLead() throws {
        let readme = try text("README.md")
        #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 131)
        for page in ["README.md", "CONTRIBUTING.md", "Examples/README.md", "docs/architecture.md"] {
            let folder = Self.root.appendingPathComponent(page).deletingLastPathComponent()
            for link in try text(page).matches(of: /\]\(([^)#]+)\)/).map({ String($0.output.1) }) where !link.contains("://") {
                #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent(link).path), "\(page) links to \(link)")
            }
        }
    }

    @Test func theChangelogBeginsWithTheVersion() throws {
        let heading = try text("CHANGELOG.md").split(separator: "\n").first { $0.hasPrefix("## ") }
        #expect(heading == "## \(waymarkVersion)")
    }

    @Test func theExamplesAreListed() throws {
        let list = try text("Examples/README.md")
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.root.appendingPathComponent("Examples").path)
        where name != "README.md" && !name.hasPrefix("__") {
            #expect(list.contains("`\(name)`") || list.contains("`\(name)/`"), "Examples/README.md does not list \(name)")
        }
    }
}
