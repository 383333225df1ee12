import Testing
import WaymarkSystem

/// Messages with long names.
@Suite struct MessageTextTests {
    private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    @Test func theMiddleIsLeftOut() {
        #expect("abcdef".shortened(to: 6) == "abcdef" && "abcdefg".shortened(to: 6) == "abc…fg" && "abcdefg".shortened(to: 5) == "ab…fg")
        #expect("".shortened(to: 0) == "" && "a".shortened(to: 1) == "a" && "ab".shortened(to: 1) == "…")
        // Counted by scalars: an accent does not make a text longer.
        #expect("e\u{301}\(repeated("\u{301}", 100))".shortened(to: 5).unicodeScalars.count == 5)
    }

    @Test func aMessageOf300ScalarsStays() {
        let message = repeated("한", 300)
        #expect(message.shortMessage == message && (message + "x").shortMessage.unicodeScalars.count == 300)
    }

    @Test func controlCharactersAreEscaped() {
        #expect("a.json: b\n.png\u{1B}[2J\r\u{7F}é\u{200D}".shortMessage == "a.json: b\\n.png\\u{1b}[2J\\u{d}\\u{7f}é\u{200D}")
    }

    @Test func longWordsAreCutFirst() {
        let message = "\(repeated("f", 400))/scene.json: \(repeated("overlays[3].", 50))alpha: 95 is outside 0…1"
        let short = message.shortMessage
        #expect(short.unicodeScalars.count <= 300 && short.hasPrefix("ffff") && short.hasSuffix(".alpha: 95 is outside 0…1"))
        #expect(short.contains("/scene.json: overlays[3].overlays[3].") && short.split(separator: " ").count == 6)
        // The words of sentences stay.
        let words = "scene.json: \(repeated("x", 10_000)): cannot read the file: No such file or directory".shortMessage
        #expect(words.hasPrefix("scene.json: xxx") && words.hasSuffix("xxx: cannot read the file: No such file or directory"))
    }

    @Test func withoutLongWordsTheMiddleIsCut() {
        let short = "warning: scene.json: \(repeated("a caption ", 1000)): 2 is outside 0…1".shortMessage
        #expect(
            short.unicodeScalars.count == 300 && short.hasPrefix("warning: scene.json: a caption ") && short.hasSuffix(": 2 is outside 0…1")
        )
    }
}
