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
        var change = SceneChange()  // what is different in one picture
        change.view.pixelRatio = 2
        try change.set(\Marker.captionText, to: "Hall", of: "hall")
        try change.add(Circle(center: LatLng(37.5670, 126.9784), radius: 150))
        let card = try await pool.render(scene, changing: change, as: .webp)
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

    @Test func imagesFromFiles() throws {
        let mapView = MapView(size: CGSize(width: 64, height: 64))

        let airport = Marker(position: LatLng(37.5583, 126.7906), image: OverlayImage(path: "Examples/images/airport.png"))
        (airport.width, airport.height) = (24, 24)
        mapView.add(airport)

        mapView.camera = Camera(center: LatLng(37.5583, 126.7906), zoom: 14)
        let picture = try Renderer().render(mapView)
        #expect(picture.diagnostics.isEmpty && Set(picture.bitmap.pixels).count > 10)
    }

    @Test func positions() throws {
        let mapView = MapView(size: CGSize(width: 300, height: 200))
        mapView.camera = Camera(center: LatLng(37.5665, 126.978), zoom: 14)
        let hall = Marker(position: LatLng(37.5665, 126.978))
        hall.id = "hall"
        hall.captionText = "City Hall"
        mapView.add(hall)

        let entry = try mapView.inspection().overlays.first { $0.id == "hall" }
        if let caption = entry?.caption?.rect {
            print("the caption is \(caption.width) × \(caption.height) pt, from (\(caption.x), \(caption.y))")
        }

        #expect(entry?.caption?.rect?.y == 100)
    }

    @Test func aBaseMapOfVectorTiles() throws {
        let mapView = MapView(size: CGSize(width: 64, height: 64))
        mapView.camera = Camera(center: LatLng(60.1686, 24.944), zoom: 14)

        var city = BaseMapLayer(source: try TileArchive.open("Examples/helsinki/helsinki.mbtiles"))
        city.theme = .dark
        city.roleColors = [.water: Color(hex: 0x102a43)]
        mapView.baseMap = [city]

        let picture = try Renderer().render(mapView)
        #expect(picture.diagnostics.isEmpty && Set(picture.bitmap.pixels).count > 10)
    }

    @Test func theCodeOfThisTestIsThePages() throws {
        try expectCode(ofPage: "docs/embedding.md", besides: "dependencies:")
    }
}
