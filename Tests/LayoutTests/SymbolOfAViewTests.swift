import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// A symbol's icon may be a view. Errors in it are reported for the symbol's property.
@Suite struct SymbolOfAViewTests {
    private struct Refusal: Error {}

    private struct Square: ContentDrawing {
        var side = 10.0
        var color = Color.red
        var fails = false
        var width: Double { side }
        var height: Double { side }

        func bitmap(pixelRatio: Double) throws -> Bitmap {
            if fails { throw Refusal() }
            let pixels = Int((side * pixelRatio).rounded())
            return Bitmap(width: pixels, height: pixels, fill: color)
        }
    }

    private let mapView = MapView(city: 200, 200)

    private func show(_ content: OverlayContent, text: String = "") {
        var symbol = Symbol(position: mapView.camera.center)
        (symbol.iconImage, symbol.captionText) = (OverlayImage(content: content), text)
        mapView.symbols = [symbol]
    }

    private func words() throws -> [String] { try mapView.placement().diagnostics.map(\.description) }

    @Test func itIsDrawnAtEveryPixelRatio() throws {
        show(.drawing(Square()))
        for ratio in [1.0, 2, 1] {
            mapView.pixelRatio = ratio
            let frame = try mapView.frame()
            #expect(frame.sprites.count == 1 && Double(frame.sprites[0].acrossX) == 10 * ratio)
            let image = try #require(frame.images.first).bitmap
            #expect(image.width == Int(10 * ratio) && image[2, 2] == Color.red.premultipliedBytes)
        }
        show(.drawing(Square(side: 20, color: .blue)))
        #expect(try #require(mapView.frame().images.first).bitmap[2, 2] == Color.blue.premultipliedBytes)
        #expect(try words().isEmpty)
    }

    @Test func whatCannotBeDrawnIsToldOfTheIcon() throws {
        show(.drawing(Square(fails: true)), text: "Park")
        #expect(try words() == ["symbol-0: iconImage: the drawing failed: Refusal(); the symbol is drawn without this property"])
        #expect(try mapView.frame().sprites.count == 1)
        let gone = OverlayContent.image(OverlayImage(path: "/nonexistent/a.png"))
        show(.stack(StackContent([gone, .drawing(Square())])))
        let word = try #require(try words().first)
        #expect(
            word.hasPrefix("symbol-0: iconImage.stack[0].image: ") && word.hasSuffix("; only the rest of the content is drawn"), "\(word)")
        #expect(try mapView.frame().sprites.count == 1)
        show(.drawing(Square()))
        #expect(try words().isEmpty)
    }

    /// A marker's icon may be a view in two ways.
    @Test func ofMarkers() throws {
        let marker = Marker(position: mapView.camera.center)
        marker.id = "m"
        marker.iconImage = OverlayImage(content: .drawing(Square(fails: true)))
        mapView.add(marker)
        #expect(try words() == ["m: iconImage: the drawing failed: Refusal(); the default icon is drawn in its place"])
        marker.iconImage = .red
        marker.iconView = .drawing(Square(fails: true))
        #expect(try words() == ["m: iconView: the drawing failed: Refusal(); the default icon is drawn in its place"])
    }
}
