import Foundation
import Testing
import WaymarkText

/// Letter spacing is added between letters with their marks, and separates no marks.
@Suite struct LetterSpacingTests {
    /// Texts, and the number of gaps between their letters.
    private static let counts: [(text: String, gaps: Int)] = [
        ("Hello", 4), ("a", 0), ("", 0), ("A b", 2), ("서울", 1), ("東京都", 2), ("Москва", 5), ("e\u{301}e\u{301}\u{323}x", 2), ("👩‍👩‍👧‍👦🍎", 1),
        ("น้ำผึ้ง", 2), ("נָמֵל", 2), ("a\u{200B}b", 1), ("🇰🇷🇯🇵", 1), ("हिन्दी", 1),
        // Joined letters stay together; their words do not.
        ("القاهرة", 0), ("مدينة نصر", 2), ("مَرْحَبًا", 0), ("می\u{200C}خواهم", 0), ("سـلام", 0), ("ܫܠܡܐ", 0), ("ߒߞߏ", 0), ("ᠮᠣᠩᠭᠣᠯ", 0),
        // A letter of another script next to them is spaced.
        ("aع", 1), ("عa", 1), ("ع1", 1), ("عa ع", 3),
    ]

    @Test(arguments: counts.indices, [0.3, -0.1, 2]) func everyGapIsAsWideAsAsked(_ index: Int, spacing: Double) {
        let (text, gaps) = Self.counts[index]
        let size = 40.0
        let (plain, spaced) = (layout(text, size: size), layout(text, size: size, letterSpacing: spacing))
        #expect(abs(spaced.width - plain.width - Double(gaps) * spacing * size) < 1e-6, "\(text)")
        #expect(spaced.glyphs.map(\.id) == plain.glyphs.map(\.id), "\(text)")
    }

    /// The parts of one letter, and joined letters, move as a whole.
    @Test(arguments: ["e\u{301}e\u{301}\u{323}x", "น้ำผึ้ง", "हिन्दी", "مَرْحَبًا", "👩‍👩‍👧‍👦🍎", "שָׁלוֹם"]) func marksStayWithTheirLetters(_ text: String) {
        let (plain, spaced) = (layout(text, size: 40), layout(text, size: 40, letterSpacing: 0.5))
        var shifts: [UInt32: Set<Int>] = [:]
        for (a, b) in zip(plain.glyphs, spaced.glyphs) {
            #expect(a.id == b.id && a.y == b.y && a.cluster == b.cluster)
            shifts[a.cluster, default: []].insert(Int((Double(b.x - a.x) / 20).rounded()))
            #expect(abs(Double(b.x - a.x).remainder(dividingBy: 20)) < 1e-3)
        }
        #expect(shifts.values.allSatisfy { $0.count == 1 })
    }

    /// Noto Sans has no ligature of f and i, so disabled ligatures are tested with a font that has one: Noto Serif.
    @Test func ligaturesAreLeftOut() throws {
        try #require(library.has(family: "Noto Serif"))
        let joined = layout("ffi", size: 40, family: "Noto Serif")
        let spaced = layout("ffi", size: 40, family: "Noto Serif", letterSpacing: 0.1)
        #expect(joined.glyphs.count < 3 && spaced.glyphs.count == 3)
        // Arabic needs its own.
        #expect(layout("لا", letterSpacing: 0.1).glyphs.map(\.id) == layout("لا").glyphs.map(\.id))
    }

    /// Lines wrap by their spaced width, and have no spacing at their ends.
    @Test func spacedLinesWrap() {
        let (two, three) = (layout("aa aa", size: 10, letterSpacing: 0.5).width, layout("aa aa aa", size: 10, letterSpacing: 0.5).width)
        let wrapped = layout("aa aa aa", size: 10, wrapWidth: two, letterSpacing: 0.5)
        #expect(wrapped.texts == ["aa aa", "aa"] && wrapped.width == two)
        #expect(layout("aa aa aa", size: 10, wrapWidth: two - 0.01, letterSpacing: 0.5).texts == ["aa", "aa", "aa"])
        #expect(layout("aa aa aa", size: 10, wrapWidth: three, letterSpacing: 0.5).texts == ["aa aa aa"])
        let arabic = layout("مصر القاهرة", size: 10, wrapWidth: 1, letterSpacing: 0.5)
        #expect(arabic.lines.map(\.width) == layout("مصر القاهرة", size: 10, wrapWidth: 1).lines.map(\.width))
    }

    @Test func spacingThatIsNone() {
        for spacing in [Double.nan, .infinity, -.infinity] {
            #expect(layout("Hello", letterSpacing: spacing).width == layout("Hello").width)
        }
        // Lines do not end before they begin.
        #expect(layout("iiii", letterSpacing: -100).width == 0)
    }
}
