import Foundation
import Testing
import WaymarkGeo
import WaymarkInteraction
import WaymarkScene
import WaymarkTestSupport

/// Picking after a change of a map's setting uses the changed map.
@Suite struct PickingAfterChangeTests {
    private let mapView = MapView(size: CGSize(width: 200, height: 200))
    private let marker = Marker(position: LatLng(0, 0))
    private let middle = CGPoint(x: 100, y: 90)

    init() {
        mapView.add(marker)
    }

    @Test func aSettingOutOfRangeIsNoticed() {
        #expect(mapView.visibleObjects(at: middle) == [marker])
        mapView.modelSamples = 3
        #expect(mapView.visibleObjects(at: middle).isEmpty)
        #expect(mapView.takeReports().map(\.description).contains { $0.contains("modelSamples") })
        mapView.modelSamples = 4
        #expect(mapView.visibleObjects(at: middle) == [marker])
    }

    @Test func theSizeIsNoticed() {
        #expect(mapView.visibleObjects(at: middle) == [marker])
        mapView.size.width = 300
        #expect(mapView.visibleObjects(at: middle).isEmpty)
        #expect(mapView.visibleObjects(at: CGPoint(x: 150, y: 90)) == [marker])
    }

    /// Without a change of any overlay.
    @Test func anInfoWindowIsNoticed() {
        marker.title = "A title"
        let above = CGPoint(x: 100, y: 30)
        #expect(mapView.visibleObjects(at: above).isEmpty)
        mapView.selectedMarker = marker
        #expect(mapView.visibleObjects(at: above) == [marker])
        mapView.closeInfoWindow()
        #expect(mapView.visibleObjects(at: above).isEmpty)
    }
}
