import Foundation
import Testing
import Waymark
import WaymarkTestSupport

@Suite(.serialized) struct RendererTests {
    init() { PinnedRasterizer.pin }

    @Test func drawsAMarker() throws {
        let mapView = MapView(size: CGSize(width: 64, height: 64))
        mapView.camera = Camera(center: LatLng(lat: 0, lng: 0), zoom: 3)
        mapView.add(Marker(position: LatLng(lat: 0, lng: 0)))
        let picture = try Renderer().render(mapView)
        #expect(picture.bitmap[32, 20].alpha == 255)
        #expect(picture.bitmap[2, 2].alpha == 0)
    }
}
