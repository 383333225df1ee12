import Foundation
import Testing
import WaymarkImaging
import WaymarkTestSupport
import WaymarkText

/// Hostile texts: laying them out ends, in bounded memory, with a sensible result.
@Suite struct HostileTextTests {
    static let texts: [(name: String, text: String)] = [
        ("one line", String(repeating: "abcde fghi ", count: 9_091)),
        ("one word", String(repeating: "a", count: 100_000)),
        ("Hangul", String(repeating: "서울", count: 50_000)),
        ("Thai", String(repeating: "กรุงเทพ", count: 14_000)),
        ("Khmer coeng", String(repeating: "ក្", count: 50_000)),
        ("viramas", String(repeating: "\u{94D}", count: 100_000)),
        ("Myanmar stack", String(repeating: "က္", count: 50_000)),
        ("Tibetan stack", "ཀ" + String(repeating: "\u{F90}", count: 50_000)),
        ("jamo", String(repeating: "\u{1100}\u{1161}\u{11A8}\u{302E}", count: 25_000)),
        ("leading jamo", String(repeating: "\u{1100}", count: 100_000)),
        ("marks", "a" + String(repeating: "\u{301}", count: 100_000)),
        ("marks of all kinds", "a" + String(repeating: "\u{301}\u{5B0}\u{93C}\u{20DD}\u{64B}\u{E48}", count: 20_000)),
        ("Arabic marks", "ب" + String(repeating: "\u{64E}\u{651}", count: 50_000)),
        ("Zalgo", String(repeating: "Z\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}\u{316}\u{317}\u{318}\u{319}", count: 9_000)),
        ("overrides", String(repeating: "\u{202E}\u{202D}", count: 50_000) + "abc"),
        ("isolates", String(repeating: "\u{2067}a\u{2066}ב", count: 25_000)),
        ("closings", String(repeating: "\u{202C}\u{2069}", count: 50_000) + "abc"),
        ("directions", String(repeating: "aא1ع", count: 25_000)),
        ("brackets", "א" + String(repeating: "([{", count: 33_000)),
        ("variation selectors", String(repeating: "\u{FE0F}\u{FE0E}\u{E0100}", count: 33_000)),
        ("joiners", String(repeating: "👩\u{200D}", count: 50_000)),
        ("tags", "🏴" + String(repeating: "\u{E0067}", count: 100_000)),
        ("flags", String(repeating: "🇰", count: 100_001)),
        ("noncharacters", String(repeating: "\u{FFFE}\u{FFFF}\u{1FFFF}", count: 33_000)),
        ("private", String(repeating: "\u{E000}\u{F0000}", count: 50_000)),
        ("nulls", String(repeating: "\u{0}", count: 100_000)),
        ("spaces", String(repeating: " ", count: 100_000)),
        ("ideographic spaces", String(repeating: "\u{3000}a", count: 50_000)),
        ("soft hyphens", String(repeating: "a\u{AD}", count: 50_000)),
        ("every character", String(String.UnicodeScalarView((0...0x10FFFF).filter { $0 % 11 == 0 }.compactMap(Unicode.Scalar.init)))),
    ]

    @Test(arguments: texts.indices)
    func longTextsEnd(_ index: Int) throws {
        let (name, text) = Self.texts[index]
        for wrapWidth in Seeds.isFull ? [0.0, 1, 100, 1e9] : [0, 1] {
            // Not kept: the next texts are as large.
            defer { Self.ownLibrary.evict(through: .max, bytes: .max) }
            let found = Self.ownLibrary.layout(TextRequest(text: text, size: 12, wrapWidth: wrapWidth))
            #expect(found.width.isFinite && found.height > 0, "\(name)")
            #expect(found.lines.count <= text.unicodeScalars.count + 1)
            // Lines follow one another, and each has its own glyphs.
            var end = 0
            for line in found.lines {
                #expect(line.text.lowerBound >= end && line.width >= 0)
                end = line.text.upperBound
                for glyph in found.glyphs[line.glyphs] where !(line.text.lowerBound...line.text.upperBound).contains(Int(glyph.cluster)) {
                    Issue.record("\(name): a glyph of \(glyph.cluster) in \(line.text)")
                    break
                }
            }
            #expect(end <= text.utf8.count)
            guard wrapWidth != 100 else { continue }
            let block = TextBlock(
                parts: [.init(layout: found, pixelsPerPoint: 1, color: .black, haloColor: .white, haloRadius: 1)])
            let ink = library.ink(of: block, boxWidth: 0, phase: 0)
            let bitmap = library.bitmap(of: block, boxWidth: 0, phase: 0, in: ink.clipped)
            #expect(bitmap.width <= 512 && bitmap.height <= 512)
        }
    }

    private static let ownLibrary = try! FontLibrary(.system)

    @Test func aMillionNewlines() throws {
        defer { Self.ownLibrary.evict(through: .max, bytes: .max) }
        let found = Self.ownLibrary.layout(TextRequest(text: String(repeating: "\n", count: 1_000_000), size: 12))
        #expect(found.lines.count == 1_000_001)
        #expect(found.byteCount < 100 << 20)
    }

    @Test func hugeGlyphsAreDrawnInPartsOnly() {
        for text in ["B", "한", "🍎", "\u{10FFFD}"] {
            for size in [511.0, 2000, 16_000] {
                let block = TextBlock(parts: [
                    .init(layout: layout(text, size: size), pixelsPerPoint: 1, color: .black, haloColor: .white, haloRadius: 40)
                ])
                let ink = block.ink()
                #expect(ink.width > Int(size / 4) && ink.height > Int(size / 4), "\(text) \(size)")
                let before = FontLibrary.glyphBytes
                let rect = InkBounds(x: ink.x + ink.width / 2 - 100, y: ink.y + ink.height / 2 - 100, width: 200, height: 200)
                #expect(block.bitmap(in: rect).width == 200)
                if size > 600 { #expect(FontLibrary.glyphBytes <= before + 1 << 20) }
            }
        }
    }

    @Test func numbersThatAreNone() {
        let found = layout("abc")
        for number in [Double.nan, .infinity, -.infinity, -1, 1e300, 0] {
            let block = TextBlock(parts: [
                .init(layout: found, pixelsPerPoint: number, color: .black, haloColor: .white, haloRadius: 1),
                .init(
                    layout: found, pixelsPerPoint: 1, color: Color(red: number, green: 0, blue: 0), haloColor: .white, haloRadius: number),
            ])
            let ink = library.ink(of: block, boxWidth: 10, phase: 0)
            let bitmap = library.bitmap(of: block, boxWidth: 10, phase: 0, in: ink.clipped)
            #expect(bitmap.width == max(0, ink.clipped.width) && bitmap.height == max(0, ink.clipped.height), "\(number)")
            // The height of a block is the sum of its parts', so one part without a finite size leaves nothing to draw.
            #expect(ink.isEmpty == !(abs(number) < 1e6), "\(number)")
        }
    }

    /// Random texts of the characters that are hardest to lay out.
    @Test func randomTexts() {
        let alphabet: [Unicode.Scalar] = Array(
            ("ab 1,.()-\u{A0}\u{AD}\n\r\t\u{0}אבשׁ\u{5B0}عربي\u{64E}\u{200D}\u{200C}\u{200B}\u{2060}\u{202A}\u{202E}\u{202C}\u{2066}\u{2067}\u{2069}กรุ้\u{E33}"
                + "कि्षខ្មែ\u{17D2}한글\u{1112}\u{1161}\u{11AB}東、「ー👩🏽\u{FE0F}\u{FE0E}🇰1\u{20E3}\u{301}\u{E0067}\u{FFFE}\u{E000}\u{10FFFD}\u{2028}")
                .unicodeScalars)
        for seed in 0..<(Seeds.isFull ? 20_000 : 300) {
            var random = SplitMix64(seed: UInt64(seed))
            var text = ""
            for _ in 0..<random.integer(0...60) { text.unicodeScalars.append(alphabet[random.integer(0...alphabet.count - 1)]) }
            let wrapWidth = random.once(in: 2) ? 0 : random.number(0.1...100)
            let found = layout(text, wrapWidth: wrapWidth)
            for line in found.lines {
                let places = found.glyphs[line.glyphs].map(\.cluster)
                #expect(places.allSatisfy { line.text.contains(Int($0)) }, "seed \(seed)")
            }
            if wrapWidth > 0 {
                // Every line fits, or has no possible break, as its words laid out alone show.
                for line in found.lines where line.width > wrapWidth + 0.01 {
                    let bytes = Array(text.utf8)[line.text]
                    let alone = layout(String(decoding: bytes, as: UTF8.self), wrapWidth: 1e-6)
                    #expect(alone.lines.filter { $0.width > 0 }.count <= 2, "seed \(seed)")
                }
            }
            let block = TextBlock(
                parts: [.init(layout: found, pixelsPerPoint: 1, color: .black, haloColor: .white, haloRadius: 1)])
            let ink = block.ink().clipped
            let bitmap = block.bitmap(in: ink)
            #expect(bitmap.width == max(0, ink.width) && bitmap.height == max(0, ink.height), "seed \(seed)")
        }
    }
}
