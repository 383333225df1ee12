import Testing
import WaymarkImaging
import WaymarkTestSupport
import WaymarkText

@Suite struct PinLetterTests {
    static let symbols = Array(PinImage.symbols)
    static let widths = [20.0, 27, 34]
    static let blue = Color(css: "#2e7df6")!

    static func draw(_ symbol: Character?, _ width: Double, _ ratio: Double, color: Color = blue) throws -> Bitmap {
        let pin = try #require(PinImage(color: color, symbol: symbol, width: width))
        return library.bitmap(
            of: .pin(pin), width: Int((pin.naturalWidth * ratio).rounded()), height: Int((pin.naturalHeight * ratio).rounded()))
    }

    /// The share of each pixel that the letter covers, 0…1: the difference from the pin without a letter.
    static func ink(_ symbol: Character, _ width: Double, _ ratio: Double) throws -> (coverage: [[Double]], bare: Bitmap) {
        let pin = try #require(PinImage(color: .black, symbol: symbol, width: width))
        let lettered = try draw(symbol, width, ratio, color: .black)
        let bare = pin.bitmap(width: lettered.width, height: lettered.height)
        let coverage = (0..<bare.height).map { y in
            (0..<bare.width).map { x in
                let (from, to) = (Double(bare[x, y].red), Double(lettered[x, y].red))
                return from < 255 ? max(0, to - from) / (255 - from) : 0
            }
        }
        return (coverage, bare)
    }

    @Test func whatIsNoLetteredPinIsDrawnAsItIs() throws {
        #expect(library.bitmap(of: .builtIn(.red), width: 26, height: 36) == BuiltInImage.red.bitmap(width: 26, height: 36))
        let pin = try #require(PinImage(color: .red))
        #expect(library.bitmap(of: .pin(pin), width: 54, height: 74) == pin.bitmap(width: 54, height: 74))
    }

    /// The upper and lower edges of letters that are level there lie on the edges of pixels.
    @Test(arguments: widths, [1.0, 1.5, 2, 3])
    func levelEdgesAreSharp(width: Double, ratio: Double) throws {
        for symbol in "ehilz" as String {
            let (coverage, _) = try Self.ink(symbol, width, ratio)
            let rows = coverage.map { $0.max() ?? 0 }
            let touched = rows.indices.filter { rows[$0] > 0.02 }
            let (first, last) = (try #require(touched.first), try #require(touched.last))
            #expect(rows[first] > 0.95 && rows[last] > 0.95, "\(symbol)")
        }
    }

    /// Symmetric letters are symmetric about the middle of the head, within a fraction of a pixel.
    @Test(arguments: widths, [1.0, 1.5, 2, 4])
    func lettersAreCentered(width: Double, ratio: Double) throws {
        for symbol in "hiotx08" as String {
            let (coverage, bare) = try Self.ink(symbol, width, ratio)
            var (mass, across, top, bottom) = (0.0, 0.0, Double.infinity, 0.0)
            for (y, row) in coverage.enumerated() {
                for (x, share) in row.enumerated() where share > 0.02 {
                    (mass, across) = (mass + share, across + share * (Double(x) + 0.5))
                    (top, bottom) = (min(top, Double(y)), Double(y + 1))
                }
            }
            #expect(abs(across / mass - Double(bare.width) / 2) < 0.35, "\(symbol)")
            let middle = Double(bare.width) / 2
            #expect(abs((top + bottom) / 2 - middle) <= 1.01, "\(symbol)")
        }
    }

    /// Letters with their weight on one side are placed between the middle of their box and their center of mass.
    @Test func oneSidedLettersAreCenteredByEye() throws {
        for symbol in "flprj" as String {
            let (coverage, bare) = try Self.ink(symbol, 26, 8)
            var (mass, across, left, right) = (0.0, 0.0, Double.infinity, 0.0)
            for row in coverage {
                for (x, share) in row.enumerated() where share > 0.02 {
                    (mass, across) = (mass + share, across + share * (Double(x) + 0.5))
                    (left, right) = (min(left, Double(x)), max(right, Double(x + 1)))
                }
            }
            let (box, center) = ((left + right) / 2, Double(bare.width) / 2)
            #expect(abs((box + across / mass) / 2 - center) < 1, "\(symbol)")
        }
    }

    /// At 20 pixels across, each symbol differs from each other one in at least six pixels' worth of ink.
    @Test func noSymbolIsTakenForAnother() throws {
        let pictures = try Self.symbols.map { try Self.draw($0, 20, 1) }
        for (a, first) in pictures.enumerated() {
            for (b, second) in pictures.enumerated().dropFirst(a + 1) {
                let difference = stride(from: 0, to: first.pixels.count, by: 4).reduce(0) {
                    $0 + abs(Int(first.pixels[$1]) - Int(second.pixels[$1]))
                }
                // A zero is a narrow O.
                let least = Set([Self.symbols[a], Self.symbols[b]]) == ["0", "o"] ? 3 : 6
                #expect(difference > least * 200, "\(Self.symbols[a]) and \(Self.symbols[b])")
            }
        }
    }

    /// A symbol stays within the head, and changes nothing of the pin's shape.
    @Test(arguments: symbols)
    func theSymbolLiesInTheHead(symbol: Character) throws {
        let pin = try #require(PinImage(color: Self.blue, symbol: symbol, width: 26))
        let (bare, lettered) = (pin.bitmap(width: 104, height: 144), try Self.draw(symbol, 26, 4))
        var ink = 0
        for y in 0..<bare.height {
            for x in 0..<bare.width {
                let (across, down) = (Double(x) + 0.5 - 52, Double(y) + 0.5 - 52)
                if across * across + down * down > 45 * 45 {
                    #expect(bare[x, y] == lettered[x, y])
                } else if lettered[x, y].red == 255 {
                    ink += 1
                }
                #expect(lettered[x, y].alpha == bare[x, y].alpha)
            }
        }
        #expect((350...1700).contains(ink), "\(ink)")
    }

    @Test func drawsAtAnySize() throws {
        let pin = try #require(PinImage(color: .red, symbol: "w"))
        #expect(library.bitmap(of: .pin(pin), width: 0, height: 10).pixels.isEmpty)
        for (width, height) in [(1, 1), (2, 3), (5, 200), (300, 4), (1000, 1370)] {
            let bitmap = library.bitmap(of: .pin(pin), width: width, height: height)
            #expect(bitmap == library.bitmap(of: .pin(pin), width: width, height: height))
            for offset in stride(from: 0, to: bitmap.pixels.count, by: 4) {
                let pixel = bitmap.pixels[offset..<offset + 4]
                #expect(pixel.max() == pixel.last)
            }
        }
    }
}
