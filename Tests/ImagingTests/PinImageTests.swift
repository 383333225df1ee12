import Foundation
import Testing
import WaymarkImaging

@Suite struct PinImageTests {
    static let symbols = Array(PinImage.symbols)
    static let widths = [20.0, 27, 34]
    static let ratios = [1.0, 2, 4]
    static let blue = Color(css: "#2e7df6")!

    static func draw(_ color: Color, _ symbol: Character?, _ width: Double, _ ratio: Double) throws -> Bitmap {
        let pin = try #require(PinImage(color: color, symbol: symbol, width: width))
        return pin.bitmap(width: Int((pin.naturalWidth * ratio).rounded()), height: Int((pin.naturalHeight * ratio).rounded()))
    }

    static func luminance(_ pixel: Bitmap.Pixel) -> Double {
        func linear(_ byte: UInt8) -> Double {
            let value = Double(byte) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(pixel.red) + 0.7152 * linear(pixel.green) + 0.0722 * linear(pixel.blue)
    }

    static func contrast(_ a: Bitmap.Pixel, _ b: Bitmap.Pixel) -> Double {
        let (a, b) = (luminance(a), luminance(b))
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    @Test func sizesAreWholePointsInTheShapeOfTheBuiltInPins() throws {
        let heights = try Self.widths.map { try #require(PinImage(color: .red, width: $0)).naturalHeight }
        #expect(heights == [28, 37, 47])
        #expect(PinImage(color: .red)?.naturalWidth == 27)
        #expect(PinImage(color: .red, width: 26)?.naturalHeight == 36)
    }

    @Test func whatCannotBeIsNil() {
        for symbol: Character in ["ä", "-", " ", "Ａ", "𝟏", "1️⃣", "\u{212A}"] { #expect(PinImage(color: .red, symbol: symbol) == nil) }
        for width in [0, 0.5, -1, 1000.5, Double.nan, .infinity] { #expect(PinImage(color: .red, width: width) == nil) }
        #expect(PinImage(color: Color(red: 2, green: 0, blue: 0)) == nil)
    }

    @Test func equalPinsHaveOneNameAndOthersHaveOthers() {
        #expect(PinImage(color: .red, symbol: "A") == PinImage(color: Color(css: "#f00")!.withAlpha(0.5), symbol: "a"))
        #expect(PinImage(color: .red, symbol: "A")?.name == "pin:ff0000-a-27")
        #expect(PinImage(color: Color(css: "#00007e")!, width: 20.5)?.name == "pin:00007e-20.5")
        #expect(VectorImage.pin(PinImage(color: .red)!).name == "pin:ff0000-27")
        #expect(VectorImage.builtIn(.red).name == "builtin:red")
        #expect(VectorImage.builtIn(.red).naturalHeight == 36)
        #expect(VectorImage.builtIn(.red).bitmap(width: 26, height: 36) == BuiltInImage.red.bitmap(width: 26, height: 36))
    }

    /// Below the highlight, the body has exactly the requested color.
    @Test(arguments: ["#000000", "#ffffff", "#7e7e7e", "#ffff00", "#0f0", "#123456"], widths)
    func theBodyIsOfItsColor(css: String, width: Double) throws {
        let color = try #require(Color(css: css))
        let bitmap = try Self.draw(color, "x", width, 4)
        #expect(bitmap[bitmap.width / 2, bitmap.height * 28 / 36] == color.premultipliedBytes)
    }

    /// Dot and symbol have one color, which stands out from every body; it is white wherever white does.
    @Test func dotAndSymbolShowOnEveryColor() throws {
        for red in 0...8 {
            for green in 0...8 {
                for blue in 0...8 {
                    let color = Color(red: Double(red) / 8, green: Double(green) / 8, blue: Double(blue) / 8)
                    let symbol = try #require(PinImage(color: color, symbol: "i")).symbolColor.premultipliedBytes
                    #expect(try symbol == Self.draw(color, nil, 20, 1)[10, 10])
                    #expect(Self.contrast(symbol, color.premultipliedBytes) > 1.9, "\(color)")
                }
            }
        }
        func symbolColor(_ css: String) throws -> Color {
            let color = try #require(Color(css: css))
            return try #require(PinImage(color: color, symbol: "i")).symbolColor
        }
        #expect(try symbolColor("#7e7e7e") == .white && symbolColor("#ff8800") == .white)
        #expect(try Self.luminance(symbolColor("#ffff00").premultipliedBytes) < 0.05)
    }

    /// A white pin shows on white, a black one on black: by the rim.
    @Test func theRimShows() throws {
        let white = try Self.draw(.white, nil, 26, 4)[52, 1]
        let black = try Self.draw(.black, nil, 26, 4)[52, 1]
        #expect(Self.contrast(white, Color.white.premultipliedBytes) > 1.9)
        #expect(Self.contrast(black, Color.black.premultipliedBytes) > 1.4)
    }

    /// The head of a pin with a symbol is empty: this module draws no letters.
    @Test func aSymbolLeavesTheHeadEmpty() throws {
        let (dotted, lettered) = (try Self.draw(Self.blue, nil, 26, 4), try Self.draw(Self.blue, "w", 26, 4))
        for y in 0..<dotted.height {
            for x in 0..<dotted.width {
                let (across, down) = (Double(x) + 0.5 - 52, Double(y) + 0.5 - 52)
                let isInDot = across * across + down * down < 24 * 24
                if !isInDot { #expect(dotted[x, y] == lettered[x, y]) }
                if isInDot { #expect(lettered[x, y].red < 0x60) }
            }
        }
    }

    @Test func theSymbolIsInTheMiddleOfTheHead() throws {
        let pin = try #require(PinImage(color: .red, symbol: "w", width: 26))
        #expect(pin.symbolPlace(width: 26, height: 36) == (13, 13, 12.5))
        #expect(pin.symbolPlace(width: 52, height: 72) == (26, 26, 25))
        // Not stretched with a stretched pin.
        #expect(pin.symbolPlace(width: 260, height: 36) == (130, 13, 12.5))
        #expect(pin.symbolPlace(width: 26, height: 72) == (13, 26, 12.5))
    }

    @Test func drawsAtAnySize() throws {
        let pin = try #require(PinImage(color: .red, symbol: "w"))
        #expect(pin.bitmap(width: 0, height: 10).pixels.isEmpty)
        for (width, height) in [(1, 1), (2, 3), (5, 200), (300, 4), (1000, 1370)] {
            let bitmap = pin.bitmap(width: width, height: height)
            #expect(bitmap == pin.bitmap(width: width, height: height))
            for offset in stride(from: 0, to: bitmap.pixels.count, by: 4) {
                let pixel = bitmap.pixels[offset..<offset + 4]
                #expect(pixel.max() == pixel.last)
            }
        }
    }
}
