import Foundation
import Testing
import WaymarkTestSupport
import WaymarkText

/// Wrapped text has the fewest lines, and among the breaks that give the fewest, those whose longest line is shortest.
@Suite struct BalancedLinesTests {
    private func width(_ text: String) -> Double { layout(text).width }

    @Test func amongTheFewestLinesTheLongestIsShortest() {
        let city = layout("Frankfurt am Main", wrapWidth: width("Frankfurt am"))
        #expect(city.texts == ["Frankfurt", "am Main"])
        #expect(city.width == max(width("Frankfurt"), width("am Main")))
        // As wide as the text, it has one line.
        #expect(layout("Frankfurt am Main", wrapWidth: width("Frankfurt am Main")).texts == ["Frankfurt am Main"])
        // Every paragraph is balanced by itself.
        #expect(layout("Frankfurt am Main\nFrankfurt am Main", wrapWidth: width("Frankfurt am")).texts == city.texts + city.texts)
    }

    @Test(arguments: ["北京市朝阳区建国路甲九十二号", "東京都千代田区丸の内一丁目九番一号", "台北市信義區市府路四十五號"])
    func noCharacterStandsAlone(_ text: String) {
        for end in text.indices.dropFirst(6) {
            let found = layout(text, language: "zh-Hans", wrapWidth: width(String(text[..<end])) + 0.5)
            guard found.lines.count == 2 else { continue }
            #expect(found.texts.allSatisfy { $0.count >= text.count / 2 - 1 }, "\(found.texts)")
        }
    }

    /// Against all possible breaks, with and without letter spacing.
    @Test(arguments: 0..<UInt64(Seeds.isFull ? 400 : 40)) func noOtherBreaksAreBetter(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let words = (0..<random.integer(2...9)).map { _ in
            let letters = random.once(in: 5) ? ["ل", "ب"] : ["a", "i", "m", "W", "é", "서"]
            return (0..<random.integer(1...9)).map { _ in random.one(of: letters) }.joined()
        }
        let spacing = random.one(of: [0, 0, 0.2])
        func width(_ words: ArraySlice<String>) -> Double {
            layout(words.joined(separator: " "), letterSpacing: spacing).width
        }
        let limit = random.number(20...120)
        var best: (lines: Int, longest: Double) = (.max, .infinity)
        for breaks in 0..<(1 << (words.count - 1)) {
            var lines: [Double] = []
            var start = 0
            for end in 1...words.count where end == words.count || breaks & (1 << (end - 1)) != 0 {
                // A single word may be too long.
                let line = width(words[start..<end])
                lines.append(line > limit && end - start > 1 ? .infinity : line)
                start = end
            }
            let longest = lines.max() ?? 0
            if longest < .infinity, (lines.count, longest) < best { best = (lines.count, longest) }
        }
        let found = layout(words.joined(separator: " "), wrapWidth: limit, letterSpacing: spacing)
        #expect(found.lines.count == best.lines, "\(words) \(limit)")
        #expect(abs(found.width - best.longest) < 0.01, "\(words) \(limit)")
    }

    @Test func aWordTooLongMakesNoOtherLineLonger() {
        let word = "Donaudampfschifffahrt"
        let found = layout("aa aa aa aa \(word) bb bb", wrapWidth: width("aa aa aa"))
        #expect(found.texts == ["aa aa", "aa aa", word, "bb bb"])
    }

    @Test func theLinesBesideTheLongestAreBalancedToo() {
        let long = "Oberammergau"
        #expect(layout("\(long) aa aa aa aa aa", wrapWidth: width("\(long)")).texts.first == long)
        let limit = width("\(long)") + 1
        let rest = layout("aa aa aa aa aa aa", wrapWidth: width("aa aa aa aa aa"))
        #expect(rest.texts == ["aa aa aa", "aa aa aa"])
        #expect(width("aa aa aa aa aa") < limit && width("aa aa aa aa aa aa") > limit, "the texts of this test no longer suit the font")
        #expect(layout("aa aa aa aa aa aa \(long)", wrapWidth: limit).texts == rest.texts + [long])
        #expect(layout("\(long) aa aa aa aa aa aa", wrapWidth: limit).texts == [long] + rest.texts)
    }

    @Test func greedyLinesAreAsLongAsPossible() {
        var request = TextRequest(text: "Frankfurt am Main", size: 12, wrapWidth: width("Frankfurt am"))
        request.wrapping = .greedy
        #expect(library.layout(request).texts == ["Frankfurt am", "Main"])
    }

    /// Many lines, whose widths have every value between the shortest and the longest.
    @Test func longTextsAreBalanced() {
        let text = (0..<5_000).map { String(repeating: "a", count: 1 + $0 * 7 % 13) }.joined(separator: " ")
        let found = layout(text, wrapWidth: 200)
        var greedy = found.request
        greedy.wrapping = .greedy
        #expect(found.lines.count == library.layout(greedy).lines.count)
        #expect(found.width <= library.layout(greedy).width)
    }
}
