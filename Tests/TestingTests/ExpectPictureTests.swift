import Foundation
import Testing
import Waymark
import WaymarkComparison
import WaymarkTestSupport
import WaymarkTesting

/// A test of a map in a user's style, with the expectations next to this file.
@Suite struct ExpectPictureTests {
    private func map() -> MapView {
        let map = MapView(size: CGSize(width: 120, height: 90))
        map.background = .white
        map.camera = Camera(center: LatLng(37.5, 127), zoom: 12)
        let hall = Marker(position: LatLng(37.5, 127))
        hall.id = "hall"
        hall.captionText = "Hall"
        map.add(hall)
        return map
    }

    @Test func aMap() {
        PinnedRasterizer.pin
        #expect(expectPicture(of: map(), named: "hall"))
    }

    @Test func aSweep() {
        let map = map()
        let camera = map.camera
        #expect(expectPicture(of: map, named: "hall-around", at: .tilts([0, 60]).bearings(every: 120)))
        #expect(map.camera == camera)
    }
}
