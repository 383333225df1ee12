import Testing
import WaymarkImaging
import WaymarkScene

@Suite struct PinTests {
    @Test func equalPinsShareOneRasterOfTheirExactSize() throws {
        let mapView = MapView(100, 100, pixelRatio: 1.5)
        for lng in [0.0, 1, 2] { mapView.add(0, lng) { $0.iconImage = MarkerImage.pin(color: .red, symbol: "a") } }
        mapView.add(0, 3) { $0.iconImage = MarkerImage.pin(color: .red, symbol: "b") }
        let frame = try mapView.frame()
        #expect(frame.images.map(\.name) == ["pin:ff0000-a-27", "pin:ff0000-b-27"])
        // 27 · 1.5 = 40.5 and 37 · 1.5 = 55.5, halves up.
        #expect(frame.images.map { [$0.bitmap.width, $0.bitmap.height] } == [[41, 56], [41, 56]])
        let other = MapView(100, 100, pixelRatio: 1.5)
        other.add(0, 0) { $0.iconImage = MarkerImage.pin(color: .red, symbol: "A") }
        #expect(try other.frame().images[0].key == frame.images[0].key)
    }
}
