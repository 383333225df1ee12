import Testing
import WaymarkGeo
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Invalid shapes are not drawn, and a diagnostic reports them.
@Suite struct ShapeProblemTests {
    private let mapView = MapView(300, 200, Camera(zoom: 4))
    private let a = LatLng(lat: 0, lng: 0)
    private let b = LatLng(lat: 1, lng: 0)

    @Test func eachHasItsReason() throws {
        let line = Polyline(points: [a, LatLng(lat: .nan, lng: 0)])
        let ring = Polygon(rings: [[a, b, a]])
        let route = Route(points: [a, b])
        route.progress = 2
        let hidden = Circle(center: a, radius: .nan)
        hidden.isHidden = true
        let group = Container([Circle(center: a, radius: -1), line])
        mapView.add(group)
        mapView.add([ring, route, hidden])
        let inspection = try mapView.inspection()
        #expect(inspection.overlays.map(\.reason) == [.outOfView, .invalid, .invalid, .invalid, .invalid, .hidden])
        #expect(
            inspection.diagnostics.words == [
                "warning: container-0/circle-0: radius: -1 is outside 0…20000000",
                "warning: container-0/polyline-1: points[1].lat: nan is outside -90…90",
                "warning: polygon-1: rings[0]: a ring needs at least 3 points before it closes, not 2",
                "warning: route-2: progress: 2 is outside -1…1", "warning: circle-3: radius: nan is outside 0…20000000",
            ])
    }
}
