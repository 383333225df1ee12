import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkTestSupport

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

    @Test func defaults() {
        let marker = Marker()
        #expect(marker.position == nil && marker.id == nil && marker.type == .marker)
        #expect(marker.iconImage == MarkerImage.green && MarkerImage.default == MarkerImage.green)
        #expect(marker.width == 0 && marker.height == 0 && Marker.sizeAuto == 0)
        #expect(marker.anchor == CGPoint(x: 0.5, y: 1))
        #expect(marker.angle == 0 && marker.alpha == 1 && !marker.isFlat && !marker.iconPerspectiveEnabled)
        #expect(marker.zIndex == 0 && marker.globalZIndex == 200_000 && marker.mapLayerType == .foreground)
        #expect(marker.isVisible && !marker.isHidden && marker.altitude == 0 && marker.minZoom == 0 && marker.maxZoom == 24)
    }

    @Test func theDefaultIconReplacesAnother() {
        let marker = Marker()
        marker.iconImage = MarkerImage.red
        #expect(marker.iconImage == MarkerImage.red)
        marker.iconImage = MarkerImage.default
        #expect(marker.iconImage == MarkerImage.green)
    }

    @Test(arguments: Seeds.all) func copyingTakesEverythingOver(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let marker = Marker(position: LatLng(lat: 1, lng: 2))
        for _ in 0..<40 { random.one(of: MarkerEdit.allCases).apply(to: marker, &random, invalid: 10) }
        let copy = marker.copy()
        // Mirrors also find forgotten properties.
        func state(_ marker: Marker) -> [String] {
            let own = Mirror(reflecting: marker).children.map { "\($0.label ?? "") \($0.value)" }
            let shared =
                [marker.zIndex, marker.globalZIndex].map { "\($0)" } + ["\(marker.altitude) \(marker.mapLayerType) \(marker.isHidden)"]
            return own + shared + [
                "\(marker.minZoom) \(marker.maxZoom) \(marker.hiddenZooms) \(marker.iconTintColor) \(marker.anchorOffset)"
            ]
        }
        #expect(state(copy) == state(marker))
    }
}
