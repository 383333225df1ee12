import Testing
import WaymarkImaging
import WaymarkText

/// A halo covers the area within its width of a letter, without holes, however wide it is.
@Suite struct HaloTests {
    static let letters = ["o", "8", "A", "&", "서", "ع", "ß", "@"]

    @Test(arguments: letters, [1.0, 3, 8, 20]) func halosAreTheLettersWidenedByADisc(_ letter: String, radius: Double) {
        let size = 40.0
        func bitmap(halo: Double) -> Bitmap {
            let text = layout(letter, size: size)
            let block = TextBlock(parts: [
                .init(layout: text, pixelsPerPoint: 1, color: halo > 0 ? .clear : .white, haloColor: .white, haloRadius: halo)
            ])
            return block.bitmap(in: InkBounds(x: -25, y: -25, width: 95, height: 105))
        }
        let (glyph, halo) = (bitmap(halo: 0), bitmap(halo: radius))
        // The pixels that are half covered or more: where a letter ends in a thin tip, it reaches a pixel farther.
        var ink: [(x: Int, y: Int)] = []
        for y in 0..<glyph.height {
            for x in 0..<glyph.width where glyph[x, y].alpha > 127 { ink.append((x, y)) }
        }
        var (holes, spills) = (0, 0)
        for y in 0..<halo.height {
            for x in 0..<halo.width {
                var nearest = Double.infinity
                for place in ink { nearest = min(nearest, Double((place.x - x) * (place.x - x) + (place.y - y) * (place.y - y))) }
                nearest = nearest.squareRoot()
                if nearest < radius - 0.5, halo[x, y].alpha < 255 { holes += 1 }
                if nearest > radius + 2, halo[x, y].alpha > 0 { spills += 1 }
            }
        }
        #expect(holes == 0 && spills == 0, "\(letter) \(radius)")
    }

    /// A straight edge moves by exactly the width, in whole pixels and parts of one.
    @Test(arguments: [0.25, 0.5, 1, 1.5, 3, 8]) func edgesMoveByTheWidth(_ radius: Double) throws {
        // The dash of Noto Sans is a rectangle.
        func column(_ radius: Double) -> [Double] {
            let block = TextBlock(parts: [
                .init(
                    layout: layout("\u{2014}", size: 100), pixelsPerPoint: 1, color: radius > 0 ? .clear : .white, haloColor: .white,
                    haloRadius: radius)
            ])
            let bitmap = block.bitmap(in: InkBounds(x: 50, y: 0, width: 1, height: 120))
            return (0..<120).map { Double(bitmap[0, $0].alpha) / 255 }
        }
        let (bare, widened) = (column(0), column(radius))
        #expect(abs(widened.reduce(0, +) - bare.reduce(0, +) - 2 * radius) < 0.02)
    }
}
