import Foundation
import Testing
import WaymarkText

/// The outlines of glyphs as polygons, and the units of texts along curves.
@Suite struct GlyphOutlineTests {
    private func units(_ text: String, letterSpacing: Double = 0) -> TextLayout {
        var request = TextRequest(text: text, size: 40, letterSpacing: letterSpacing)
        request.hasUnits = true
        return library.layout(request)
    }

    /// The area inside polygons by the nonzero rule, as the area of their union if none overlap.
    private func area(_ outline: GlyphOutline) -> Double {
        var (sum, start) = (0.0, 0)
        for end in outline.ends {
            var before = outline.points[end - 1]
            for point in outline.points[start..<end] {
                sum += before.x * point.y - before.y * point.x
                before = point
            }
            start = end
        }
        return abs(sum / 2)
    }

    /// The area of the polygons is that of the coverage that FreeType draws.
    @Test(arguments: ["g", "8", "한", "字", "ж", "ß"]) func outlinesHaveTheAreaOfTheGlyph(_ text: String) throws {
        let shaped = layout(text, size: 64)
        let glyph = try #require(shaped.glyphs.first)
        let outline = shaped.outline(of: glyph, pixelsPerEm: 64, tolerance: 0.02)
        let bitmap = TextBlock(parts: [.init(layout: shaped, pixelsPerPoint: 1, color: .black)]).bitmap()
        let covered = stride(from: 3, to: bitmap.pixels.count, by: 4).reduce(0.0) { $0 + Double(bitmap.pixels[$1]) / 255 }
        #expect(covered > 100)
        #expect(abs(area(outline) - covered) < 0.02 * covered, "\(area(outline)) \(covered)")
    }

    /// A coarser outline is near the finer one, and has fewer points.
    @Test func theToleranceBoundsTheError() throws {
        let shaped = layout("S", size: 64)
        let glyph = try #require(shaped.glyphs.first)
        let (fine, coarse) = (
            shaped.outline(of: glyph, pixelsPerEm: 512, tolerance: 0.01), shaped.outline(of: glyph, pixelsPerEm: 512, tolerance: 2)
        )
        #expect(coarse.points.count < fine.points.count / 2)
        for point in fine.points {
            let nearest = coarse.points.indices.map { index -> Double in
                let (a, b) = (coarse.points[index], coarse.points[(index + 1) % coarse.points.count])
                let step = b - a
                let square = (step * step).sum()
                let share = square > 0 ? min(1, max(0, ((point - a) * step).sum() / square)) : 0
                let off = point - a - step * share
                return (off * off).sum().squareRoot()
            }
            #expect(nearest.min()! < 2.1)
        }
    }

    @Test func emojiArePictures() throws {
        let shaped = layout("🍎", size: 20)
        let glyph = try #require(shaped.glyphs.first)
        #expect(shaped.isPicture(glyph) && shaped.outline(of: glyph, pixelsPerEm: 20, tolerance: 0.1).points.isEmpty)
        let picture = try #require(shaped.picture(of: glyph))
        #expect(picture.bitmap.width > 64 && picture.width > 0.8 && picture.width < 1.6 && picture.y < 0)
        let letter = library.layout(TextRequest(text: "a", size: 20))
        #expect(letter.picture(of: letter.glyphs[0]) == nil)
    }

    /// Units adjoin in visual order, and hold all glyphs.
    @Test(
        arguments: [
            "Hello", "a b", "서울", "東京都", "e\u{301}x", "हिन्दी", "น้ำผึ้ง", "👩‍👩‍👧‍👦🍎", "مدينة نصر", "abc عربي def", "שלום 12", "ffi",
        ], [0.0, 0.25]) func unitsCoverTheLine(_ text: String, spacing: Double)
    {
        let layout = units(text, letterSpacing: spacing)
        #expect(layout.units.flatMap(\.glyphs) == Array(layout.glyphs.indices), "\(text)")
        #expect(layout.units.first?.start == 0 && abs((layout.units.last?.end ?? 0) - layout.width) < 1e-6, "\(text)")
        for (a, b) in zip(layout.units, layout.units.dropFirst()) {
            let gap = b.start - a.end
            #expect(abs(gap) < 1e-6 || spacing > 0 && abs(gap - spacing * 40) < 1e-6, "\(text): \(gap)")
            #expect(a.end >= a.start)
        }
        // Only layouts for curves list them.
        #expect(library.layout(TextRequest(text: text, size: 40, letterSpacing: spacing)).units.isEmpty)
    }

    /// Clusters are one unit, and so are the words of scripts that join their letters.
    @Test(arguments: [
        ("Hello", 5), ("e\u{301}x", 2), ("서울", 2), ("🍎a", 2), ("مدينة", 1), ("مدينة نصر", 3), ("ab مدينة", 4), ("น้ำ", 1),
    ]) func clustersAndJoinedWordsStayWhole(_ text: String, count: Int) {
        #expect(units(text).units.count == count, "\(text): \(units(text).units)")
    }
}
