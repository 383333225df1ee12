import Testing
import WaymarkImaging

@Suite struct BitmapTests {
    @Test func startsTransparent() {
        let bitmap = Bitmap(width: 3, height: 2)
        #expect(bitmap.pixels == [UInt8](repeating: 0, count: 24))
        #expect(!bitmap.isOpaque)
        #expect(Bitmap(width: 0, height: 5).pixels.isEmpty)
    }

    @Test func readsAndWritesPixels() {
        var bitmap = Bitmap(width: 3, height: 2, fill: .white)
        #expect(bitmap.isOpaque)
        bitmap[2, 1] = .init(red: 1, green: 2, blue: 3, alpha: 4)
        #expect(bitmap.pixels.suffix(4) == [1, 2, 3, 4])
        #expect(bitmap[2, 1] == .init(red: 1, green: 2, blue: 3, alpha: 4))
        #expect(bitmap[1, 1] == .init(red: 255, green: 255, blue: 255, alpha: 255))
        #expect(!bitmap.isOpaque)
    }

    @Test func takesNoWrongNumberOfBytes() {
        #expect(Bitmap(width: 2, height: 2, straightPixels: [UInt8](repeating: 0, count: 15)) == nil)
        #expect(Bitmap(width: 2, height: 2, premultipliedPixels: [UInt8](repeating: 0, count: 17)) == nil)
        #expect(Bitmap(width: -2, height: -2, premultipliedPixels: [UInt8](repeating: 0, count: 16)) == nil)
    }

    /// A picture of 256 by 256 pixels, its columns colors and its rows alphas.
    static func allPairs(_ pixel: (UInt8, UInt8) -> [UInt8]) -> [UInt8] {
        (0...255).flatMap { (alpha: Int) -> [UInt8] in (0...255).flatMap { (color: Int) -> [UInt8] in pixel(UInt8(color), UInt8(alpha)) } }
    }

    /// All 65,536 pairs of a color and an alpha, against exact division.
    @Test func premultipliesEveryPairExactly() throws {
        let straight = Self.allPairs { color, alpha in [color, 0, 255, alpha] }
        let bitmap = try #require(Bitmap(width: 256, height: 256, straightPixels: straight))
        for alpha in 0...255 {
            for color in 0...255 {
                let exact = UInt8((2 * color * alpha + 255) / 510)
                let expected = Bitmap.Pixel(red: exact, green: 0, blue: UInt8(alpha), alpha: UInt8(alpha))
                if bitmap[color, alpha] != expected { Issue.record("\(color) under alpha \(alpha)") }
            }
        }
    }

    @Test func unpremultipliesEveryPairExactly() throws {
        let premultiplied = Self.allPairs { color, alpha in [color, 0, alpha, alpha] }
        let straight = try #require(Bitmap(width: 256, height: 256, premultipliedPixels: premultiplied)).straightPixels
        for alpha in 0...255 {
            for color in 0...255 {
                let exact = alpha == 0 ? 0 : min(255, (2 * color * 255 + alpha) / (2 * alpha))
                let offset = (alpha * 256 + color) * 4
                let expected = [UInt8(exact), 0, alpha == 0 ? 0 : 255, UInt8(alpha)]
                if Array(straight[offset..<offset + 4]) != expected { Issue.record("\(color) under alpha \(alpha)") }
            }
        }
    }

    @Test func premultiplyingUndoesUnpremultiplying() throws {
        let pixels = Self.allPairs { color, alpha in [min(color, alpha), 0, alpha, alpha] }
        let bitmap = try #require(Bitmap(width: 256, height: 256, premultipliedPixels: pixels))
        #expect(Bitmap(width: 256, height: 256, straightPixels: bitmap.straightPixels) == bitmap)
    }
}
