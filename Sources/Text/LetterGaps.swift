import CWaymarkText

/// Where letter spacing may stand in a paragraph: between two letters with their marks, as CSS Text Module Level 3 has it ("Tracking: the
/// letter-spacing property"), but not after the last one of a line.
///
/// Letters of scripts that join them are not spread, since that would tear them apart; the words of such a script are.
struct LetterGaps {
    /// By UTF-16 unit: whether a grapheme cluster begins there; empty when one does everywhere.
    private let starts: [UInt8]
    /// By UTF-16 unit: the script, where it is one that joins its letters, or 0; empty when there is none.
    private let joined: [UInt32]

    init(_ paragraph: Paragraph, _ shaper: TextShaper) {
        guard !paragraph.isSimple else {
            (starts, joined) = ([], [])
            return
        }
        starts = shaper.breaks(WM_TEXT_BREAK_CLUSTER, paragraph.text)
        var script: UInt32 = 0
        joined = zip(paragraph.text, TextShaper.scripts(paragraph.text)).map { unit, own in
            // Marks, joiners and the tatweel belong to the letter before them.
            if own != ISO15924.inherited, unit != 0x640 { script = Self.isJoined(own) ? own : 0 }
            return script
        }
    }

    /// Whether spacing stands between the clusters that begin at these units, which stand side by side.
    func isBetween(_ unit: Int, _ other: Int) -> Bool {
        guard unit != other else { return false }
        guard !starts.isEmpty else { return true }
        return starts[max(unit, other)] != 0 && (joined[unit] == 0 || joined[unit] != joined[other])
    }

    static func isJoined(_ script: UInt32) -> Bool { joinedScripts.contains(script) }

    /// Those with joining types in the Unicode Character Database (ArabicShaping.txt).
    private static let joinedScripts = Set(
        ["Arab", "Syrc", "Mand", "Mani", "Phlp", "Rohg", "Sogd", "Adlm", "Nkoo", "Mong", "Phag", "Chrs", "Ougr"].map(ISO15924.tag))
}
