import Testing
import WaymarkGeo
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// New overlays reuse the slots of removed ones, and inherit nothing else.
@Suite struct OverlaySlotTests {
    private func mapView() -> MapView {
        MapView(100, 100, Camera(center: LatLng(lat: 0, lng: 0), zoom: 4))
    }

    @Test func containersDoNotInheritFromRemovedShapes() throws {
        let mapView = mapView()
        let circle = Circle(center: LatLng(lat: 0, lng: 0), radius: 100_000)
        mapView.add(circle)
        #expect(try !mapView.frame().paths.isEmpty)
        mapView.remove(circle)
        mapView.add(Container())
        #expect(try mapView.frame().paths.isEmpty)
    }

    @Test func substitutesTakeThePlaceOfTheOriginal() throws {
        let mapView = mapView()
        let group = Container([Marker(position: LatLng(lat: 0, lng: 0)), Marker(position: LatLng(lat: 0, lng: 0))])
        let first = Marker(position: LatLng(lat: 0, lng: 0))
        let last = Marker(position: LatLng(lat: 0, lng: 0))
        for (name, overlay) in [("first", first), ("a", group.children[0]), ("b", group.children[1]), ("last", last)] { overlay.id = name }
        mapView.add([first, group, last])
        func order() throws -> [String] {
            try mapView.inspection().overlays.filter { $0.order != nil }.sorted { ($0.order ?? 0) < ($1.order ?? 0) }.map(\.id)
        }
        #expect(try order() == ["first", "a", "b", "last"])
        let larger = Container((0..<3).map { Marker("new \($0)") })
        let whole = mapView.substitute(larger, for: group)
        #expect(try order() == ["first", "new 0", "new 1", "new 2", "last"])
        let inner = mapView.substitute(nil, for: larger.children[1])
        #expect(try order() == ["first", "new 0", "new 2", "last"])
        let added = Marker("added")
        mapView.add(added)
        #expect(try order() == ["first", "new 0", "new 2", "last", "added"])
        mapView.withdraw(added)
        mapView.putBack(inner)
        #expect(try order() == ["first", "new 0", "new 1", "new 2", "last"])
        mapView.putBack(whole)
        #expect(try order() == ["first", "a", "b", "last"])
        mapView.forgetLayout()
        #expect(try order() == ["first", "a", "b", "last"])
        #expect(mapView.overlays.map(\.id) == ["first", nil, "last"])
    }
}
