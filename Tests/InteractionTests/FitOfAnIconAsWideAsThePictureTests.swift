import Foundation
import Testing
import WaymarkGeo
import WaymarkInteraction
import WaymarkScene
import WaymarkTestSupport

/// Boxes are half a pixel larger on every side while a camera is searched for, since icons are snapped to whole pixels: an icon that just
/// fits must not count as too large.
@Suite struct FitOfAnIconAsWideAsThePictureTests {
    @Test(arguments: [99.5, 100]) func fits(width: Double) throws {
        let mapView = MapView(size: CGSize(width: 100, height: 100))
        let marker = Marker(position: LatLng(lat: 10, lng: 10))
        (marker.width, marker.height) = (width, 50)
        mapView.add(marker)
        let camera = try mapView.camera(fitting: FitOptions(padding: 0, maxZoom: 17))
        #expect(camera.zoom == 17)
        #expect(abs(camera.center.lng - 10) < 1e-6)
    }
}
