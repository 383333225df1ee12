import Dispatch
import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// The Swift code of docs/embedding.md, compiled and run as it is printed there.
@Suite(.serialized) struct EmbeddingPageTests {
    init() { PinnedRasterizer.pin }

    @Test func fourPicturesAtOnce() throws {
        let names = (0..<4).map { "card-\($0).png" }
        defer { for name in names { try? FileManager.default.removeItem(atPath: name) } }

        DispatchQueue.concurrentPerform(iterations: 4) { index in
            do {
                let renderer = try Renderer()
                let mapView = MapView(size: CGSize(width: 300, height: 200))
                mapView.add(Marker(position: LatLng(37.5 + Double(index), 127), image: .red))
                mapView.camera = try mapView.camera()
                try renderer.render(mapView).write(to: "card-\(index).png")
            } catch {
                print(error.localizedDescription)
            }
        }

        for name in names { #expect(try Bitmap(contentsOf: name).width == 300) }
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
            print("\(cluster.count) shops in \(cluster.boundingBox), apart from zoom \(cluster.expansionZoom ?? 24) on")
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
