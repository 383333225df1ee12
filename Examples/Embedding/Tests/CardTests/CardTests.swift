import Foundation
import Testing
import Waymark
import WaymarkTesting
import XCTest

/// The map under test.
private func map() -> MapView {
    let mapView = MapView(size: CGSize(width: 160, height: 120))
    mapView.background = .white
    mapView.camera = Camera(center: LatLng(37.5670, 126.9784), zoom: 15)
    let hall = Marker(position: LatLng(37.5670, 126.9784), image: .red)
    hall.id = "hall"
    hall.captionText = "Hall"
    mapView.add(hall)
    let gate = Marker(position: LatLng(37.5674, 126.9772))
    gate.id = "gate"
    gate.isFlat = true
    mapView.add(gate)
    return mapView
}

@Suite struct CardTests {
    @Test func looksAsExpected() {
        expectPicture(of: map(), named: "card")
    }

    @Test func fromAllSides() {
        expectPicture(of: map(), named: "around", at: .tilts([0, 60]).bearings(every: 90))
    }

    @Test func whereThingsAre() throws {
        let hall = try #require(try map().inspection().overlays.first { $0.id == "hall" })
        #expect(hall.isVisible && hall.anchor == Inspection.Point(x: 80, y: 60))
    }
}

/// The same with XCTest.
final class OlderCardTests: XCTestCase {
    func testLooksAsExpected() {
        expectPicture(of: map(), named: "older-card")
    }
}
