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

    /// Below the light, the body is exactly the colour asked for.
    @Test(arguments: ["#000000", "#ffffff", "#7e7e7e", "#ffff00", "#0f0", "#123456"], widths)
    func theBodyIsOfItsColor(css: String, width: Double) throws {
        let color = try #require(Color(css: css))
        let bitmap = try Self.draw(color, "x", width, 4)
        #expect(bitmap[bitmap.width / 2, bitmap.height * 28 / 36] == color.premultipliedBytes)
    }

    /// Dot and symbol stand out from every body; white does wherever it can.
    @Test func dotAndSymbolShowOnEveryColor() throws {
        for red in 0...8 {
            for green in 0...8 {
                for blue in 0...8 {
                    let color = Color(red: Double(red) / 8, green: Double(green) / 8, blue: Double(blue) / 8)
                    let symbol = try Self.draw(color, "i", 20, 1)[10, 10]
                    let dot = try Self.draw(color, nil, 20, 1)[10, 10]
                    #expect(symbol == dot)
                    #expect(Self.contrast(symbol, color.premultipliedBytes) > 1.9, "\(color)")
                }
            }
        }
        #expect(try Self.draw(Color(css: "#7e7e7e")!, "i", 20, 1)[10, 10] == Color.white.premultipliedBytes)
        #expect(try Self.draw(Color(css: "#ff8800")!, "i", 20, 1)[10, 10] == Color.white.premultipliedBytes)
        #expect(try Self.luminance(Self.draw(Color(css: "#ffff00")!, "i", 20, 1)[10, 10]) < 0.05)
    }

    /// A white pin shows on white, a black one on black: by the rim.
    @Test func theRimShows() throws {
        let white = try Self.draw(.white, nil, 26, 4)[52, 1]
        let black = try Self.draw(.black, nil, 26, 4)[52, 1]
        #expect(Self.contrast(white, Color.white.premultipliedBytes) > 1.9)
        #expect(Self.contrast(black, Color.black.premultipliedBytes) > 1.4)
    }

    /// In upright letters every pixel is ink or none at the sizes of simplestyle: strokes are fitted to the pixels.
    @Test(arguments: ["e", "f", "h", "i", "l", "t"] as [Character], widths)
    func uprightLettersAreCrisp(symbol: Character, width: Double) throws {
        let bitmap = try Self.draw(Self.blue, symbol, width, 1)
        let half = bitmap.width / 2
        var ink = 0
        for y in half / 2...half * 3 / 2 {
            for x in half / 2...half * 3 / 2 {
                let red = bitmap[x, y].red
                #expect(red <= 0x5a || red == 255, "\(x), \(y)")
                if red == 255 { ink += 1 }
            }
        }
        #expect(ink > bitmap.width)
    }

    @Test(arguments: widths, ratios)
    func symbolsAreCentredOrEven(width: Double, ratio: Double) throws {
        for symbol in "ahimotuvwxy08" as String {
            let bitmap = try Self.draw(Self.blue, symbol, width, ratio)
            var differences = 0
            for y in 0..<bitmap.height {
                for x in 0..<bitmap.width where abs(Int(bitmap[x, y].red) - Int(bitmap[bitmap.width - 1 - x, y].red)) > 1 {
                    differences += 1
                }
            }
            #expect(differences == 0, "\(symbol)")
        }
    }

    /// At 20 pixels across, each symbol differs from each other one in at least six pixels' worth of ink.
    @Test func noSymbolIsTakenForAnother() throws {
        let pictures = try Self.symbols.map { try Self.draw(Self.blue, $0, 20, 1) }
        for (a, first) in pictures.enumerated() {
            for (b, second) in pictures.enumerated().dropFirst(a + 1) {
                let difference = stride(from: 0, to: first.pixels.count, by: 4).reduce(0) {
                    $0 + abs(Int(first.pixels[$1]) - Int(second.pixels[$1]))
                }
                #expect(difference > 6 * 200, "\(Self.symbols[a]) and \(Self.symbols[b])")
            }
        }
    }

    /// A symbol stays inside the head, and the pin around it is the pin without one.
    @Test(arguments: symbols)
    func theSymbolLiesInTheHead(symbol: Character) throws {
        let plain = try Self.draw(Self.blue, nil, 26, 4)
        let labelled = try Self.draw(Self.blue, symbol, 26, 4)
        var ink = 0
        for y in 0..<plain.height {
            for x in 0..<plain.width {
                let across = Double(x) + 0.5 - 52
                let down = Double(y) + 0.5 - 52
                if across * across + down * down > 44 * 44 {
                    #expect(plain[x, y] == labelled[x, y])
                } else if labelled[x, y].red == 255 {
                    ink += 1
                }
                #expect(labelled[x, y].alpha == plain[x, y].alpha)
            }
        }
        #expect((500...1700).contains(ink))
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
