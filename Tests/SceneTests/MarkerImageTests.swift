import Testing
import WaymarkImaging
import WaymarkScene

@Suite struct MarkerImageTests {
    @Test func equalPinsAreOneImage() throws {
        let pin = try #require(MarkerImage.pin(color: .red, symbol: "A"))
        #expect(pin == MarkerImage.pin(color: .red, symbol: "a", width: 27))
        #expect(pin != MarkerImage.pin(color: .red, symbol: "b"))
        #expect(pin != MarkerImage.pin(color: .red, symbol: "a", width: 20))
        #expect(pin != MarkerImage.pin(color: .blue, symbol: "a"))
        #expect(pin.reuseIdentifier == "pin:ff0000-a-27")
    }

    @Test func invalidSymbolsAndWidthsGiveNoPin() {
        #expect(MarkerImage.pin(color: .red, symbol: "é") == nil)
        #expect(MarkerImage.pin(color: .red, width: 0) == nil)
    }

    @Test func titleAndSnippetAreKeptAndCopied() {
        let marker = Marker()
        #expect(marker.title == nil && marker.snippet == nil)
        marker.title = "City Hall"
        marker.snippet = "Open until six"
        marker.tag = 7
        let copy = Marker()
        copy.copyProperties(of: marker)
        #expect(copy.title == "City Hall" && copy.snippet == "Open until six" && copy.tag == 7)
    }
}
