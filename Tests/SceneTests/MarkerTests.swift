import Testing
import WaymarkGeo
import WaymarkScene

@Suite struct MarkerTests {
    @Test func addsAndRemoves() {
        let mapView = MapView(size: .init(width: 100, height: 100))
        let marker = Marker()
        marker.position = LatLng(lat: 37.5670135, lng: 126.9783740)
        marker.mapView = mapView
        #expect(mapView.overlays == [marker])
        #expect(marker.mapView === mapView)
        marker.mapView = nil
        #expect(mapView.overlays.isEmpty)
        #expect(marker.mapView == nil)
    }
}
