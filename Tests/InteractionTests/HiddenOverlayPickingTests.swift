import Foundation
import Testing
import WaymarkGeo
import WaymarkInteraction
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Hidden or out-of-zoom markers in a cluster layer, and such view overlays, were not found when invisible objects were requested.
@Suite struct HiddenOverlayPickingTests {
    private let mapView = MapView(city: 400, 400)
    private let layer = ClusterLayer()

    private func position(_ x: Double, _ y: Double) throws -> LatLng { try #require(mapView.geoCoordinates(from: CGPoint(x: x, y: y))) }

    private func marker(_ id: String, _ x: Double, _ y: Double, _ change: (Marker) -> Void = { _ in }) throws -> Marker {
        let marker = Marker(position: try position(x, y))
        marker.id = id
        change(marker)
        return marker
    }

    private func entries() throws -> [Inspection.OverlayEntry] { try Composer.of(mapView).place(mapView).inspection().overlays }

    @Test(arguments: [ClusterStrategy.grid, .hierarchical(radius: 60)])
    func markersOfALayerAreFoundWhereTheirIconsWouldBe(strategy: ClusterStrategy) throws {
        layer.id = "layer"
        layer.strategy = strategy
        layer.add(try marker("shown", 60, 200))
        layer.add(try marker("hidden", 160, 200) { $0.isHidden = true })
        layer.add(try marker("zoom", 260, 200) { $0.minZoom = 15 })
        layer.add(try marker("far", 260, 900) { $0.isHidden = true })
        mapView.add(layer)
        for (x, id) in [(160.0, "hidden"), (260, "zoom")] {
            #expect(mapView.all(x, 190) == [id] && mapView.visible(x, 190).isEmpty)
            #expect(mapView.hits(at: CGPoint(x: x, y: 190), HitOptions(includesInvisible: true)).map(\.isVisible) == [false])
            // With the tolerance.
            #expect(mapView.objects(at: CGPoint(x: x, y: 202)).count == 1 && mapView.objects(at: CGPoint(x: x, y: 203)).isEmpty)
        }
        #expect(mapView.all(60, 190) == ["shown"])
        #expect(
            try entries().map { "\($0.id) \($0.reason?.name ?? "-")" } == ["layer -", "shown -", "hidden hidden", "zoom outOfZoom"])
        let entry = try #require(entries().first { $0.id == "hidden" })
        #expect(entry.icon?.isVisible == false && entry.icon?.quad?[2].y == 200 && entry.anchor == .init(x: 160, y: 200))
        // Shown again, and out of a layer that is hidden.
        layer.markers[1].isHidden = false
        #expect(mapView.visible(160, 190) == ["hidden"])
        layer.markers[1].isHidden = true
        layer.isHidden = true
        #expect(mapView.all(160, 190).isEmpty && mapView.all(60, 190).isEmpty)
        #expect(try entries().map(\.id) == ["layer"])
    }

    @Test func aLayerOfHiddenMarkersAloneHasThem() throws {
        layer.add(try marker("a", 100, 200) { $0.isHidden = true })
        layer.add(try marker("b", 300, 200) { $0.isHidden = true })
        mapView.add(layer)
        #expect(mapView.all(100, 190) == ["a"] && mapView.all(300, 190) == ["b"])
        #expect(try entries().map(\.reason) == [.empty, .hidden, .hidden])
    }

    /// Points without objects: hidden points, and points at other zooms.
    @Test func pointsOfAFileAreFoundToo() throws {
        layer.setSource(Points(try [60.0, 160, 260].map { try position($0, 200) }))
        mapView.add(layer)
        for id in ["1", "2"] {
            let x = id == "1" ? 160.0 : 260
            #expect(mapView.all(x, 190) == [id] && mapView.visible(x, 190).isEmpty)
        }
        #expect(try entries().map(\.reason) == [nil, nil, .hidden, .outOfZoom])
        // As an object, and when it is removed.
        let marker = try #require(mapView.objects(at: CGPoint(x: 160, y: 190)).first as? Marker)
        #expect(marker.clusterLayer === layer && mapView.all(160, 190) == ["1"])
        layer.remove(marker)
        #expect(mapView.all(160, 190).isEmpty)
    }

    @Test func aHiddenMarkerIsInItsOrderAmongTheOthers() throws {
        layer.add(try marker("shown", 200, 200) { $0.zIndex = 1 })
        layer.add(try marker("high", 202, 200) { ($0.isHidden, $0.zIndex) = (true, 5) })
        layer.add(try marker("low", 198, 200) { ($0.isHidden, $0.zIndex) = (true, -5) })
        mapView.add(layer)
        try mapView.put("top", 200, 190) { $0.zIndex = 9 }
        try mapView.put("bottom", 200, 190) { $0.zIndex = -9 }
        #expect(mapView.all(200, 190) == ["top", "high", "shown", "low", "bottom"])
    }

    @Test func viewOverlaysAreFoundIfTheyCanBeSelected() throws {
        let hidden = ViewOverlay(content: .label("hidden"), coordinates: try position(100, 200))
        (hidden.id, hidden.isSelectable, hidden.isHidden) = ("hidden", true, true)
        let zoom = ViewOverlay(content: .label("zoom"), coordinates: try position(300, 200))
        (zoom.id, zoom.isSelectable, zoom.minZoom) = ("zoom", true, 15)
        mapView.add(hidden)
        mapView.add(zoom)
        #expect(mapView.all(100, 200) == ["hidden"] && mapView.visible(100, 200).isEmpty)
        #expect(mapView.all(300, 200) == ["zoom"] && mapView.visible(300, 200).isEmpty)
        hidden.isSelectable = false
        hidden.isHidden = false
        zoom.minZoom = 0
        #expect(mapView.all(100, 200).isEmpty && mapView.visible(300, 200) == ["zoom"])
    }
}

/// Three points that become markers on request: the second is hidden, and the third is shown from zoom 15 on.
private final class Points: ClusterSource {
    let points: ClusterPoints
    let hasEqualVisibilities = false
    var count: Int { points.lats.count }

    init(_ positions: [LatLng]) {
        points = ClusterPoints(lats: positions.map(\.lat), lngs: positions.map(\.lng)) { "\($0)" }
    }

    func makeMarker(_ index: Int) -> Marker {
        let marker = Marker(position: points.position(index))
        marker.setMadeUpID("\(index)")
        marker.isHidden = index == 1
        if index == 2 { marker.minZoom = 15 }
        return marker
    }

    func visibility(_ index: Int) -> PointVisibility { PointVisibility(makeMarker(index)) }
    func values(of properties: [String]) -> [ClusterValues] { properties.map { _ in ClusterValues() } }
    func nearestProperty(to name: String) -> String? { nil }
    func index(ofID id: String) -> Int? { Int(id) }
}
