import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport
import WaymarkText

/// Contents that once crashed, painted outside their place, or took minutes.
@Suite struct ContentFaultTests {
    private let mapView = MapView(city: 400, 400)

    private func image(_ content: OverlayContent) throws -> Bitmap {
        mapView.add(ViewOverlay(content: content, coordinates: LatLng(lat: 37.5670135, lng: 126.9783740)))
        return try #require(mapView.frame().images.first).bitmap
    }

    /// Colors above their alpha, which only add light.
    private struct Glow: ContentDrawing {
        var width: Double { 4 }
        var height: Double { 4 }

        func bitmap(pixelRatio: Double) throws -> Bitmap {
            let side = Int(4 * pixelRatio)
            let pixels = [[UInt8]](repeating: [200, 200, 200, 100], count: side * side).flatMap(\.self)
            return try #require(Bitmap(width: side, height: side, premultipliedPixels: pixels))
        }
    }

    @Test func colorsAboveTheirAlphaSaturate() throws {
        var stack = StackContent([.drawing(Glow())])
        stack.backgroundColor = .white
        let bitmap = try image(.stack(stack))
        #expect(bitmap[1, 1].red == 255 && bitmap[1, 1].alpha == 255)
    }

    @Test func aBorderWiderThanItsLabelFillsIt() throws {
        var label = LabelContent()
        (label.width, label.height, label.borderWidth, label.borderColor) = (20, 20, 60, .red)
        (label.backgroundColor, label.cornerRadius) = (.blue, 4)
        var stack = StackContent([.label(label)])
        (stack.width, stack.height, stack.insets) = (60, 60, EdgeInsets(top: 20, left: 20, bottom: 20, right: 20))
        let bitmap = try image(.stack(stack))
        for y in 0..<60 {
            for x in 0..<60 where !(20..<40).contains(x) || !(20..<40).contains(y) { #expect(bitmap[x, y].alpha == 0) }
        }
        #expect(bitmap[30, 30] == Color.red.premultipliedBytes && bitmap[30, 20] == Color.red.premultipliedBytes)
    }

    @Test func contentsAreCutAtTheEdgesOfTheStackAroundThem() throws {
        var label = LabelContent()
        (label.width, label.height, label.backgroundColor) = (50, 50, .blue)
        (label.borderWidth, label.borderColor) = (2, .red)
        var inner = StackContent([.label(label)])
        (inner.width, inner.height) = (20, 20)
        var outer = StackContent([.stack(inner)])
        (outer.width, outer.height) = (60, 60)
        let bitmap = try image(.stack(outer))
        #expect(bitmap[0, 0] == Color.red.premultipliedBytes && bitmap[19, 19] == Color.blue.premultipliedBytes)
        for place in 20..<60 { #expect(bitmap[place, 10].alpha == 0 && bitmap[10, place].alpha == 0) }
    }

    @Test(arguments: [String(repeating: String(repeating: "w", count: 60) + " ", count: 8000), String(repeating: "w", count: 500_000)])
    func onlyTheLinesThatFitOfALongTextAreLaidOut(text: String) throws {
        var label = LabelContent(text: text)
        (label.maxWidth, label.height) = (50, 40)
        // A separate library, whose layouts no other test counts.
        let (folder, source) = try someFonts()
        defer { withExtendedLifetime(folder) {} }
        mapView.fontSource = source
        _ = try image(.label(label))
        // Each of the lines that fit takes a few attempts; all lines of the text would take some 100,000.
        #expect(try FontLibrary.of(source).shapings < 1000)
        let rect = try #require(mapView.inspection().viewOverlays[0].rect)
        #expect(rect.height == 40 && rect.width <= 50)
    }

    @Test func everyPieceOfALongWordIsAsLongAsFits() throws {
        let width = try textSize("wwwwwwwww").width
        var label = LabelContent(text: "a " + String(repeating: "w", count: 31) + " b c")
        label.maxWidth = width.rounded(.up)
        _ = try image(.label(label))
        // "a", three lines of 9 letters, and one line with the other 4 and the rest.
        #expect(try mapView.inspection().viewOverlays[0].rect?.height == textSize("a\nw\nw\nw\nb").height.rounded(.up))
        label.maxLines = 2
        mapView.viewOverlays[0].content = .label(label)
        #expect(try mapView.inspection().viewOverlays[0].rect?.height == textSize("a\nw").height.rounded(.up))
    }
}
