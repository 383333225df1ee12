import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// The Swift code of docs/embedding.md, compiled and run exactly as printed there.
@Suite(.serialized) struct EmbeddingPageTests {
    init() { PinnedRasterizer.pin }

    @Test func aPool() async throws {
        let mapView = MapView(size: CGSize(width: 300, height: 200))
        mapView.add(Marker(position: LatLng(37.5, 127), image: .red))
        defer { try? FileManager.default.removeItem(atPath: "card.webp") }

        let pool = try await RenderPool()
        let scene = try SceneData(contentsOf: "Examples/hello.json")  // keep it: workers read it once
        let change = #"{"pixelRatio": 2, "change": {"hall": {"captionText": "Hall"}}}"#
        let card = try await pool.render(scene, changing: Data(change.utf8), as: .webp)
        try card.write(to: "card.webp")
        let picture = try await pool.render(mapView.makeFrame())  // the present content of a map
        print(picture.width, pool.statistics.finished)
        await pool.close()

        #expect(picture.width == 300 && pool.statistics.finished == 2)
        #expect(try Bitmap(contentsOf: "card.webp").width == 1200)
    }

    @Test func clusters() throws {
        let mapView = MapView(size: CGSize(width: 300, height: 200))
        let shops = (0..<120).map { LatLng(lat: Double($0) / 1000, lng: 0.5) }

        let layer = ClusterLayer(shops.map { Marker(position: $0) })
        let crowded = BasicClusterStyle()
        crowded.fillColor = .red
        let theme = ClusterTheme()
        theme.setStyle(crowded, forDensityRange: 100...)
        layer.theme = theme
        mapView.add(layer)

        for cluster in try mapView.visibleClusters() {
            print("\(cluster.count) shops in \(cluster.boundingBox)", cluster.expansionZoom.map { "split at zoom \($0)" } ?? "never split")
        }

        #expect(try mapView.visibleClusters().map(\.count) == [120])
    }

    @Test func theCodeOfThisTestIsThePages() throws {
        let source = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("docs/embedding.md")
        let blocks = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```swift\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }.filter { !$0.hasPrefix("dependencies:") }
        #expect(!blocks.isEmpty)
        for block in blocks {
            let indented = block.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "        \($0)" }
            #expect(source.contains(indented.joined(separator: "\n")), "the page has code that this test does not: \(block)")
        }
    }
}
