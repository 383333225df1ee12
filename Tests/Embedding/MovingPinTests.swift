import Foundation
import Testing
import Waymark
import WaymarkTesting
import XCTest

/// The map of the tests: a pin, moved to the right by the distance in the environment.
///
/// This file belongs to no target of this package: tools/examples adds it to a copy of Examples/Embedding.
private func map() -> MapView {
    let mapView = MapView(size: CGSize(width: 60, height: 50))
    mapView.background = .white
    mapView.camera = Camera(center: LatLng(37.5670, 126.9784), zoom: 15)
    let pin = Marker(position: LatLng(37.5670, 126.9784))
    pin.id = "pin"
    pin.anchorOffset = CGPoint(x: ProcessInfo.processInfo.environment["PIN_OFFSET"].flatMap(Double.init) ?? 0, y: 0)
    mapView.add(pin)
    return mapView
}

@Suite struct MovingPinTests {
    @Test func aPin() {
        expectPicture(of: map(), named: "pin")
    }
}

final class OlderMovingPinTests: XCTestCase {
    func testAPin() {
        expectPicture(of: map(), named: "older-pin")
    }
}
