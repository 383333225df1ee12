import Testing
import WaymarkImaging
import WaymarkText

/// Line boxes are 1.2 em in every script: 0.93 em above the baseline and 0.27 em below, and more where a line's own ink reaches farther.
@Suite struct LineBoxTests {
    /// Texts whose ink stays within 0.93 em and 0.27 em.
    private static let plain = [
        "Amsterdam", "Größe", "القاهرة", "مدينة نصر", "नई दिल्ली", "हिन्दी", "กรุงเทพ", "東京都", "서울특별시", "Москва", "Ωmega", "שלום", "မဝ", "🍎",
        "", "a\u{2014}b",
    ]

    @Test(arguments: plain, [1.0, 12, 17.5, 100]) func linesOfEveryScriptAreEquallyHigh(_ text: String, size: Double) {
        for weight in FontWeight.allCases {
            let line = layout(text, size: size, weight: weight).lines[0]
            #expect(abs(line.ascent - 0.93 * size) < 1e-9 && abs(line.descent - 0.27 * size) < 1e-9, "\(text): \(line)")
        }
    }

    @Test(arguments: [("القاهرة", "مدينة"), ("नई", "दिल्ली"), ("東京", "서울"), ("a", "b"), ("กรุง", "เทพ")])
    func linesStandTwelveTenthsApart(_ texts: (String, String)) {
        let both = layout("\(texts.0)\n\(texts.1)", size: 20)
        #expect(abs(both.lines[0].descent + both.lines[1].ascent - 24) < 1e-9)
        #expect(abs(both.height - 48) < 1e-9)
    }

    /// The box of a line whose ink reaches beyond 0.93 em or 0.27 em ends where its ink does, which is measured in pixels here.
    @Test(arguments: ["Ấ", "Ǟ", "ရန်ကုန်", "မြန်မာ", "ကျွန်ုပ်", "Z\u{302}\u{302}\u{302}", "क्ष्म्यू", "ཧྰུྃ", "g\u{323}\u{331}", "ปู้", "ﷺ", "ỹ"])
    func boxesGrowWithTheInk(_ text: String) throws {
        let size = 200.0
        let found = layout(text, size: size)
        let line = found.lines[0]
        let baseline = (line.ascent + 0.5).rounded(.down)
        let block = TextBlock(parts: [.init(layout: found, pixelsPerPoint: 1, color: .black)])
        let ink = block.ink()
        let bitmap = block.bitmap(in: ink)
        let rows = (0..<ink.height).filter { y in (0..<ink.width).contains { bitmap[$0, y].alpha > 0 } }
        let (first, last) = (Double(ink.y + (try #require(rows.first))), Double(ink.y + (try #require(rows.last)) + 1))
        // Ink ends somewhere in its first and last row, and a quarter pixel is the step in which marks are placed.
        #expect(abs(line.ascent - max(0.93 * size, baseline - first)) < 1.3, "\(text): \(line)")
        #expect(abs(line.descent - max(0.27 * size, last - baseline)) < 1.3, "\(text): \(line)")
    }

    /// Only the drawn glyphs count, not the fonts: a line in another script has the same height.
    @Test func onlyTheLinesOwnInkCounts() {
        let found = layout("Ấ\na\nမြ", size: 100)
        #expect(found.lines[0].ascent > 93.5)
        #expect(abs(found.lines[1].height - 120) < 1e-9)
        // Spaces have no ink.
        #expect(abs(layout("\u{3000} \u{A0}", size: 100).height - 120) < 1e-9)
    }
}
