import Foundation
import Testing
import WaymarkInteraction
import WaymarkScene
import WaymarkTestSupport

/// Where the window of the selected marker lies over its icon, the marker is found once, by its topmost part.
@Suite struct SelectedMarkerPickingTests {
    @Test func theMarkerIsFoundOnce() throws {
        let mapView = MapView(city: 400, 400)
        let log = EventLog()
        mapView.delegate = log
        let marker = try mapView.put("a", 200, 200) {
            $0.title = "A"
            $0.infoWindowAnchor = CGPoint(x: 0.5, y: 1)
        }
        try mapView.put("under", 200, 200) { $0.zIndex = -1 }
        mapView.selectedMarker = marker
        let point = CGPoint(x: 200, y: 195)
        #expect(mapView.hits(at: point).map(\.part) == [.infoWindow, .icon])
        #expect(mapView.objects(at: point).map { ($0 as? Overlay)?.id } == ["a", "under"])
        #expect(mapView.tap(at: point).count == 2)
    }

    @Test func didSelectNamesItOnce() throws {
        let mapView = MapView(city: 400, 400)
        let log = EventLog()
        mapView.delegate = log
        let marker = try mapView.put("a", 200, 200) {
            $0.title = "A"
            $0.infoWindowAnchor = CGPoint(x: 0.5, y: 1)
        }
        try mapView.put("over", 200, 200) { $0.globalZIndex = 900_000 }
        mapView.selectedMarker = marker
        log.calls = []
        mapView.tap(at: CGPoint(x: 200, y: 195))
        #expect(log.calls.last == "didSelect over a")
    }
}
