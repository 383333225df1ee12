import Foundation
import Testing
import WaymarkGeo
import WaymarkLayout
import WaymarkScene

@Suite struct PlacementTests {
    @Test func anIconStandsOnItsAnchor() throws {
        let mapView = MapView(size: CGSize(width: 100, height: 100))
        mapView.camera = Camera(center: LatLng(lat: 10, lng: 20), zoom: 5)
        mapView.add(Marker(position: LatLng(lat: 10, lng: 20)))
        let entry = try #require(try Composer.of(mapView).place(mapView).inspection(of: mapView).overlays.first)
        #expect(entry.anchor == .init(x: 50, y: 50))
        #expect(entry.icon?.quad?[3].y == 50)
    }
}
