import CWaymarkText

/// Line break opportunities of a paragraph.
enum LineBreaker {
    /// ICU's line breaks, except those between two Hangul letters: Korean wraps at words. Entry `i` states whether a line can begin at unit
    /// `i`.
    static func breaks(of paragraph: Paragraph, _ shaper: TextShaper) -> [Bool] {
        let text = paragraph.text
        var breaks = shaper.breaks(WM_TEXT_BREAK_LINE, text).map { $0 != 0 }
        for unit in text.indices.dropFirst() where breaks[unit] && isHangul(text[unit]) {
            // Tone marks and variation selectors belong to the preceding letter.
            var before = unit - 1
            while before > 0, (0x302E...0x302F).contains(text[before]) || (0xFE00...0xFE0F).contains(text[before]) { before -= 1 }
            if isHangul(text[before]) { breaks[unit] = false }
        }
        return breaks
    }

    /// The spaces that have no width at the end of a wrapped line (UAX #14).
    static func isSpace(_ unit: UInt16) -> Bool {
        switch unit {
        case 0x20, 0x1680, 0x2000...0x2006, 0x2008...0x200B, 0x205F, 0x3000: true
        default: false
        }
    }

    /// Whether a unit is a Hangul syllable or one of its letters.
    static func isHangul(_ unit: UInt16) -> Bool {
        switch unit {
        case 0x1100...0x11FF, 0x3131...0x318E, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xD7B0...0xD7FB: true
        default: false
        }
    }
}
