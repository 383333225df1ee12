import Foundation
import Testing
import WaymarkText

/// Shaping and line breaks against HarfBuzz's and ICU's own programs, and the rules that are Waymark's.
@Suite struct LayoutTests {
    @Test(arguments: expectedShapes.indices)
    func shapesAsHarfBuzzDoes(_ index: Int) throws {
        let expected = expectedShapes[index]
        let size = 1000.0
        let found = layout(expected.text, size: size, language: expected.language)
        let glyphs = found.glyphs.map { "\($0.id)@\($0.cluster) \(Int($0.x.rounded())),\(Int($0.y.rounded()))" }
        let wanted = expected.glyphs.map { "\($0.id)@\($0.cluster) \(Int(($0.x * size).rounded())),\(Int(($0.y * size).rounded()))" }
        #expect(glyphs == wanted, "\(expected.name)")
        #expect(abs(found.width - expected.width * size) < 0.01, "\(expected.name)")
        #expect(found.missing.isEmpty, "\(expected.name)")
        #expect(found.lines.count == 1)
    }

    @Test(arguments: expectedSegments.indices)
    func breaksLinesAsICUDoes(_ index: Int) {
        let expected = expectedSegments[index]
        let found = layout(expected.text, wrapWidth: 1e-6)
        #expect(found.texts == expected.segments, "\(expected.name)")
        #expect(found.width == found.lines.map(\.width).max())
    }

    @Test func wrapsAtTheWidth() {
        let text = "aa aa aa aa aa"
        let two = layout("aa aa").width
        let wide = layout(text, wrapWidth: two)
        #expect(wide.texts == ["aa aa", "aa aa", "aa"])
        #expect(wide.lines.allSatisfy { $0.width <= two })
        #expect(layout(text, wrapWidth: two - 0.01).texts == ["aa", "aa", "aa", "aa", "aa"])
        #expect(layout(text, wrapWidth: 1000).texts == [text])
        #expect(layout(text).texts == [text])
        #expect(layout("\(text)   ", wrapWidth: 1000).texts == [text])
    }

    @Test func trailingSpacesOfAWrappedLineHaveNoWidth() {
        let wrapped = layout("aa     bb", wrapWidth: layout("aa").width)
        #expect(wrapped.texts == ["aa", "bb"])
        #expect(wrapped.lines[0].width == layout("aa").width)
        // Without wrapping they count.
        #expect(layout("aa  ").width > layout("aa").width)
    }

    @Test func aWordTooLongSticksOut() {
        let wrapped = layout("a Donaudampfschifffahrt b", wrapWidth: 30)
        #expect(wrapped.texts == ["a", "Donaudampfschifffahrt", "b"])
        #expect(wrapped.width > 30)
    }

    @Test func koreanWrapsAtWords() {
        let text = "서울특별시청 앞 광장"
        #expect(layout(text, wrapWidth: 1).texts == ["서울특별시청", "앞", "광장"])
        // Hangul next to a script other than Latin follows ICU.
        #expect(layout("서울東京タ", wrapWidth: 1).texts == ["서울", "東", "京", "タ"])
        #expect(layout("한글".decomposedStringWithCanonicalMapping, wrapWidth: 1).lines.count == 1)
    }

    @Test(arguments: [
        "태평로1가", "제2롯데월드", "A동", "케이블TV방송", "제Ⅱ공장", "Café가", "Cafe\u{301}가", "１가", "가\u{302E}1", "3.14는", "Ｇ전자",
    ])
    func koreanNeverBreaksBetweenADigitOrLatinLetterAndASyllable(_ word: String) {
        #expect(layout(word, wrapWidth: 1).texts == [word])
        #expect(layout("\(word) \(word)", wrapWidth: 1).texts == [word, word])
        // A break that the user allows.
        #expect(layout("\(word)\u{200B}\(word)", wrapWidth: 1).lines.count == 2)
    }

    @Test func linesOfArabicRunFromRightToLeft() {
        let wrapped = layout("القاهرة عاصمة مصر", wrapWidth: 1)
        #expect(wrapped.texts == ["القاهرة", "عاصمة", "مصر"])
        for line in wrapped.lines {
            let clusters = wrapped.glyphs[line.glyphs].map(\.cluster)
            #expect(clusters == clusters.sorted(by: >))
            #expect(wrapped.glyphs[line.glyphs].first!.x == 0)
        }
    }

    /// A line is shaped by itself: ligatures and joining forms do not extend beyond the line's end.
    @Test func linesAreShapedByThemselves() {
        let whole = layout("شش شش", size: 100, wrapWidth: 1)
        let alone = layout("شش", size: 100)
        #expect(whole.lines.map(\.width) == [alone.width, alone.width])
        #expect(whole.glyphs.prefix(2).map(\.id) == alone.glyphs.map(\.id))
    }

    @Test(arguments: ["\n", "\r\n", "\r", "\u{2028}", "\u{2029}"])
    func newlinesBreak(_ newline: String) {
        let found = layout("a\(newline)b\(newline)\(newline)")
        #expect(found.texts == ["a", "b", "", ""])
        let bytes = newline.utf8.count
        #expect(found.lines.map(\.text) == [0..<1, 1 + bytes..<2 + bytes, 2 + 2 * bytes..<2 + 2 * bytes, 2 + 3 * bytes..<2 + 3 * bytes])
        #expect(abs(found.height - 4 * layout("a").height) < 1e-9)
    }

    @Test func emptyTextIsOneEmptyLine() {
        for text in ["", "\u{200B}", "\u{202E}\u{202C}", "\u{1}\u{7F}\u{9F}", "\u{FE0F}", "\u{200D}", "\u{2060}\u{FEFF}", "\u{E0001}"] {
            let found = layout(text)
            #expect(found.lines.count == 1)
            #expect(found.width == 0)
            #expect(found.glyphs.isEmpty, "\(text.unicodeScalars.map(\.value))")
            #expect(found.height == layout("a").height)
            #expect(found.missing.isEmpty)
        }
    }

    @Test func controlsDrawNothingAndTabsAreSpaces() {
        let plain = layout("ab c")
        let found = layout("a\u{0}\u{1B}b\u{85}\tc\u{7F}")
        #expect(found.glyphs.map(\.id) == plain.glyphs.map(\.id))
        #expect(found.width == plain.width)
        #expect(found.clusters == [0, 3, 6, 7])
    }

    @Test func bidiControlsAreObeyedAndHaveNoWidth() {
        let found = layout("\u{202E}abc\u{202C}")
        // A character that HarfBuzz removes counts as the character after it.
        #expect(found.clusters == [5, 4, 0])
        #expect(layout("a\u{200F}\u{2067}\u{2069}b").width == layout("ab").width)
    }

    @Test func paragraphsHaveDirectionsOfTheirOwn() {
        let found = layout("אב 1\nab 1")
        #expect(found.glyphs[found.lines[0].glyphs].map(\.cluster) == [5, 4, 2, 0])
        #expect(found.glyphs[found.lines[1].glyphs].map(\.cluster) == [7, 8, 9, 10])
    }

    @Test func scalesExactly() {
        let one = layout("Wörter und 서울 القاهرة", size: 10)
        let seven = layout("Wörter und 서울 القاهرة", size: 70)
        #expect(abs(one.width * 7 - seven.width) < 1e-9)
        #expect(one.glyphs.map(\.id) == seven.glyphs.map(\.id))
    }

    @Test(arguments: [0, -1, .nan, .infinity, -.infinity, 1e300])
    func sizesThatAreNone(_ size: Double) {
        let found = layout("abc 서울", size: size, wrapWidth: 50)
        #expect(found.width >= 0)
        if !(size > 0 && size.isFinite) { #expect(found.width == 0 && found.height == 0) }
        let block = TextBlock(parts: [.init(layout: found, pixelsPerPoint: 2, color: .black, haloColor: .white, haloRadius: 2)])
        #expect(library.ink(of: block, boxWidth: 10, phase: 0).isEmpty)
    }

    @Test func wrapWidthsThatAreNone() {
        #expect(layout("aa bb", wrapWidth: .nan).lines.count == 1)
        #expect(layout("aa bb", wrapWidth: -5).lines.count == 1)
        #expect(layout("aa bb", wrapWidth: .infinity).lines.count == 1)
    }
}
