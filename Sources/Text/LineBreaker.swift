import CWaymarkText

/// Line break opportunities of a paragraph.
enum LineBreaker {
    /// ICU's line breaks, except those within Korean words: between two Hangul letters, and between a Hangul letter and a digit or a Latin
    /// letter (CSS Text Module Level 3, `word-break: keep-all`). Entry `i` states whether a line can begin at unit `i`.
    static func breaks(of paragraph: Paragraph, _ shaper: TextShaper) -> [Bool] {
        let text = paragraph.text
        var breaks = shaper.breaks(WM_TEXT_BREAK_LINE, text).map { $0 != 0 }
        guard text.contains(where: isHangul) else { return breaks }
        let scripts = TextShaper.scripts(text)
        for unit in text.indices.dropFirst() where breaks[unit] {
            // Marks belong to the preceding letter.
            var before = unit - 1
            while before > 0, isMark(text[before], scripts[before]) { before -= 1 }
            let (isAfterHangul, isBeforeHangul) = (isHangul(text[before]), isHangul(text[unit]))
            guard isAfterHangul || isBeforeHangul else { continue }
            if isAfterHangul || isDigit(text[before]) || scripts[before] == ISO15924.latin,
                isBeforeHangul || isDigit(text[unit]) || scripts[unit] == ISO15924.latin
            {
                breaks[unit] = false
            }
        }
        return breaks
    }

    /// Whether a unit is a mark, a joiner, a variation selector, or one of the two tone marks of Hangul.
    private static func isMark(_ unit: UInt16, _ script: UInt32) -> Bool {
        script == ISO15924.inherited || (0x302E...0x302F).contains(unit)
    }

    /// Whether a unit is a European digit, of normal or full width.
    private static func isDigit(_ unit: UInt16) -> Bool {
        (0x30...0x39).contains(unit) || (0xFF10...0xFF19).contains(unit)
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
