import Testing
import WaymarkImaging
import WaymarkScene
import WaymarkTestSupport
import WaymarkText

@Suite struct PinTests {
    @Test func equalPinsShareOneRasterOfTheirExactSize() throws {
        let mapView = MapView(100, 100, pixelRatio: 1.5)
        for (lng, symbol) in ["a", "a", "a", "b"].enumerated() {
            let pin = try #require(MarkerImage.pin(color: .red, symbol: Character(symbol)))
            mapView.add(0, Double(lng)) { $0.iconImage = pin }
        }
        let frame = try mapView.frame()
        #expect(frame.images.map(\.name) == ["pin:ff0000-a-27", "pin:ff0000-b-27"])
        // 27 · 1.5 = 40.5 and 37 · 1.5 = 55.5; halves are rounded up.
        #expect(frame.images.map { [$0.bitmap.width, $0.bitmap.height] } == [[41, 56], [41, 56]])
        let other = MapView(100, 100, pixelRatio: 1.5)
        let capital = try #require(MarkerImage.pin(color: .red, symbol: "A"))
        other.add(0, 0) { $0.iconImage = capital }
        #expect(try other.frame().images[0].key == frame.images[0].key)
    }

    @Test func withoutFontsAPinHasNoLetterAndSaysSo() throws {
        let folder = ScratchFolder()
        let map = MapView(100, 100)
        let pin = try #require(PinImage(color: .red, symbol: "a"))
        map.fontSource = .folder(folder.path)
        let image = try #require(MarkerImage.pin(color: .red, symbol: "a"))
        for lng in [0.0, 1] { map.add(0, lng) { $0.iconImage = image } }
        let bare = try map.frame()
        #expect(bare.images.map(\.bitmap) == [pin.bitmap(width: 27, height: 37)])
        let message = "the letters of pins are not drawn: \(FontError.noFonts(.folder(folder.path)))"
        #expect(try map.inspection().diagnostics.map(\.message) == [message])
        // With fonts, the letters are drawn and the warning disappears.
        map.fontSource = .system
        let lettered = try map.frame()
        #expect(lettered.images[0].bitmap != bare.images[0].bitmap && lettered.images[0].name == "pin:ff0000-a-27")
        #expect(try map.inspection().diagnostics.isEmpty)
    }
}
