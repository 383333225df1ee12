import Foundation
import Testing
import WaymarkGeo
import WaymarkInteraction
import WaymarkScene

@Suite struct FitTests {
    @Test func nothingToFitIsTheWholeWorld() throws {
        let mapView = MapView(size: CGSize(width: 200, height: 100))
        #expect(try mapView.camera(fitting: FitOptions()) == Camera())
    }
}
