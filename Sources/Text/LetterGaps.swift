import CWaymarkText

/// The positions in a paragraph where letter spacing is allowed: between two letters with their marks, as defined in CSS Text Module Level
/// 3 ("Tracking: the letter-spacing property"), but not after the last letter of a line.
///
/// Letters of joining scripts are not spaced, because that would tear them apart, but the words of these scripts are.
struct LetterGaps {
    /// Whether a grapheme cluster begins at each UTF-16 unit; empty if one begins at every unit.
    private let starts: [UInt8]
    /// The script at each UTF-16 unit if it joins its letters, otherwise 0; empty without joining scripts.
    private let joined: [UInt32]

    init(_ paragraph: Paragraph, _ shaper: TextShaper) {
        guard !paragraph.isSimple else {
            (starts, joined) = ([], [])
            return
        }
        starts = shaper.breaks(WM_TEXT_BREAK_CLUSTER, paragraph.text)
        var script: UInt32 = 0
        joined = zip(paragraph.text, TextShaper.scripts(paragraph.text)).map { unit, own in
            // Marks, joiners and the tatweel belong to the preceding letter.
            if own != ISO15924.inherited, unit != 0x640 { script = Self.isJoined(own) ? own : 0 }
            return script
        }
    }

    /// Whether spacing is allowed between the clusters that begin at these units, which are adjacent.
    func isBetween(_ unit: Int, _ other: Int) -> Bool {
        guard unit != other else { return false }
        guard !starts.isEmpty else { return true }
        return starts[max(unit, other)] != 0 && (joined[unit] == 0 || joined[unit] != joined[other])
    }

    static func isJoined(_ script: UInt32) -> Bool { joinedScripts.contains(script) }

    /// The scripts with joining types in the Unicode Character Database (ArabicShaping.txt).
    private static let joinedScripts = Set(
        ["Arab", "Syrc", "Mand", "Mani", "Phlp", "Rohg", "Sogd", "Adlm", "Nkoo", "Mong", "Phag", "Chrs", "Ougr"].map(ISO15924.tag))
}
