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

    /// The coverage of a column of pixels through the dash of Noto Sans, which is a rectangle.
    private func column(_ radius: Double, blur: Double, x: Int = 50) -> [UInt8] {
        let block = TextBlock(parts: [
            .init(
                layout: layout("\u{2014}", size: 100), pixelsPerPoint: 1, color: .clear, haloColor: .white, haloRadius: radius,
                haloBlur: blur)
        ])
        let bitmap = block.bitmap(in: InkBounds(x: x, y: 0, width: 1, height: 120))
        return (0..<120).map { bitmap[0, $0].alpha }
    }

    @Test(arguments: [(3.0, 1.0), (8, 4), (4, 4), (8, 0.5)]) func blurSoftensTheOuterEdge(radius: Double, blur: Double) throws {
        let (sharp, soft) = (column(radius, blur: 0), column(radius, blur: blur))
        let full = try #require(sharp.firstIndex(of: 255))
        // From the edge of the sharp halo, which lies in the pixel before the first full one: full within it, clear beyond it.
        let edge = Double(full) - Double(sharp[full - 1]) / 255
        for row in 0...60 {
            let outward = edge - Double(row) - 0.5
            if outward > blur + 0.6 { #expect(soft[row] == 0, "row \(row)") }
            if outward < -blur - 0.6 { #expect(soft[row] == 255, "row \(row)") }
            if abs(outward) < blur - 0.5 { #expect(soft[row] > 0 && soft[row] < 255, "row \(row)") }
            if row > 0 { #expect(soft[row] >= soft[row - 1]) }
        }
        // What fades within the width is added beyond it.
        let (sharpSum, softSum) = (sharp.reduce(0) { $0 + Int($1) }, soft.reduce(0) { $0 + Int($1) })
        #expect(abs(sharpSum - softSum) < 255 / 10)
        // The ink has room for it.
        func ink(_ blur: Double) -> InkBounds {
            let part = TextBlock.Part(
                layout: layout("가g"), pixelsPerPoint: 1, color: .black, haloColor: .white, haloRadius: radius, haloBlur: blur)
            return TextBlock(parts: [part]).ink()
        }
        let (inner, outer) = (ink(0), ink(blur))
        #expect(outer.x <= inner.x - Int(blur) && outer.height >= inner.height + 2 * Int(blur))
    }

    @Test func colorGlyphsHaveSoftHalosToo() {
        func bitmap(_ blur: Double) -> [UInt8] {
            let block = TextBlock(parts: [
                .init(layout: layout("🍎", size: 40), pixelsPerPoint: 1, color: .clear, haloColor: .white, haloRadius: 6, haloBlur: blur)
            ])
            let bitmap = block.bitmap(in: InkBounds(x: -20, y: -20, width: 90, height: 90))
            return (0..<90 * 90).map { bitmap[$0 % 90, $0 / 90].alpha }
        }
        let (sharp, soft) = (bitmap(0), bitmap(4))
        #expect(soft.count { $0 > 0 } > sharp.count { $0 > 0 } + 200)
        #expect(soft.count { $0 > 0 && $0 < 255 } > 3 * sharp.count { $0 > 0 && $0 < 255 })
    }

    /// Without a width there is no outline that a blur could soften.
    @Test func aBlurAloneDrawsNothing() {
        #expect(column(0, blur: 4).allSatisfy { $0 == 0 })
    }
}
