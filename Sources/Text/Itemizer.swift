import CWaymarkText
import Foundation

/// A run: a range of a paragraph with one face, script and direction.
struct TextRun {
    var range: Range<Int>
    let face: FontFace
    let script: UInt32
    let level: UInt8

    var isRightToLeft: Bool { level & 1 == 1 }
}

/// Divides paragraphs into runs, and records characters missing from all faces.
struct Itemizer {
    let openFonts: OpenFonts
    let shaper: TextShaper
    let request: FontRequest
    /// The face whose missing-glyph sign is drawn for characters missing from all faces.
    let primary: FontFace
    /// The maximum number of UTF-16 units of a grapheme cluster that are shaped together: HarfBuzz searches backward for the base of every
    /// mark, so a hundred thousand marks would take a minute.
    private static let mostClusterUnits = 512
    /// The maximum number of UTF-16 units of a run that are shaped together, with and without spaces: HarfBuzz takes quadratic time for a
    /// syllable with that many conjuncts.
    private static let manyRunUnits = 512
    private static let mostRunUnits = 1024

    /// The first missing character of each script, in the order found.
    private(set) var missing: [(script: UInt32, character: UInt32)] = []

    /// The runs in the order of the text.
    mutating func runs(of paragraph: Paragraph) -> [TextRun] {
        let count = paragraph.text.count
        guard count > 0 else { return [] }
        let scripts = TextShaper.scripts(paragraph.text)
        let resolved = Self.resolved(scripts)
        let levels = paragraph.isSimple ? nil : shaper.levels(paragraph.text)
        let ends = paragraph.isSimple ? nil : shaper.breaks(WM_TEXT_BREAK_CLUSTER, paragraph.text)
        var runs: [TextRun] = []
        var previous: FontFace?
        var start = 0
        while start < count {
            var end = start + 1
            if let ends { while end < count, ends[end] == 0 { end += 1 } }
            let level = levels?[start] ?? 0
            let script = resolved[start]
            let isCommon = !ISO15924.isReal(scripts[start])
            for piece in pieces(start..<end, of: paragraph, script: isCommon ? script : scripts[start], isCommon: isCommon, previous) {
                // Later pieces of a cluster have another face, or were split off to limit the time.
                let mayJoin = piece.range.lowerBound == start && !Self.isLongEnough(runs.last, paragraph)
                if mayJoin, let last = runs.last, last.face === piece.face, last.script == script, last.level == level {
                    runs[runs.count - 1].range = last.range.lowerBound..<piece.range.upperBound
                } else {
                    runs.append(TextRun(range: piece.range, face: piece.face, script: script, level: level))
                }
                previous = piece.face
            }
            start = end
        }
        return runs
    }
}

private extension Itemizer {
    typealias Piece = (range: Range<Int>, face: FontFace)

    /// The script of every unit, with common and inherited characters resolved: they take the script of the preceding character, or, at the
    /// start, of the first character with a script.
    static func resolved(_ scripts: [UInt32]) -> [UInt32] {
        var script = scripts.first(where: ISO15924.isReal) ?? ISO15924.common
        return scripts.map { own in
            if ISO15924.isReal(own) { script = own }
            return script
        }
    }

    /// The faces of one grapheme cluster. There is one face, unless no single face has all characters.
    mutating func pieces(
        _ range: Range<Int>, of paragraph: Paragraph, script: UInt32, isCommon: Bool, _ previous: FontFace?
    ) -> [Piece] {
        let first = paragraph.character(at: range.lowerBound)
        if range.count == (first > 0xFFFF ? 2 : 1) {
            // Spaces and invisible characters stay with the preceding run; but after emoji, spaces would become as wide as emoji.
            if first == 0x20, let previous, !previous.isColor, previous.has(first) { return [(range, previous)] }
            if first >= 0xAD, wm_text_properties(first) & UInt32(WM_TEXT_IGNORABLE) != 0 { return [(range, previous ?? primary)] }
            let isEmoji = first >= 0x231A && wm_text_properties(first) & UInt32(WM_TEXT_EMOJI_PRESENTATION) != 0
            let stack = openFonts.stack(script: script, isCommon: isCommon, isEmoji: isEmoji, request: request)
            if let face = openFonts.face(for: first, in: stack) { return [(range, face)] }
            note(first)
            return [(range, primary)]
        }

        let characters = paragraph.characters(range)
        let visible = characters.filter { wm_text_properties($0) & UInt32(WM_TEXT_IGNORABLE) == 0 }
        guard !visible.isEmpty else { return Self.cut(range, paragraph).map { ($0, previous ?? primary) } }
        let stack = openFonts.stack(script: script, isCommon: isCommon, isEmoji: Self.isEmoji(characters), request: request)
        if let face = openFonts.face(for: visible, in: stack) ?? faceOfEqual(visible, stack) {
            return Self.cut(range, paragraph).map { ($0, face) }
        }
        return split(range, of: paragraph, stack)
    }

    /// The face that has canonically equivalent characters, which HarfBuzz then composes or decomposes.
    func faceOfEqual(_ characters: [UInt32], _ stack: OpenFonts.Stack) -> FontFace? {
        // A cluster of thousands of marks has no equivalent worth searching for.
        guard characters.count <= 16 else { return nil }
        var text = ""
        text.unicodeScalars.append(contentsOf: characters.compactMap(Unicode.Scalar.init))
        for form in [text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping] {
            let equal = form.unicodeScalars.map(\.value)
            if equal != characters, let face = openFonts.face(for: equal, in: stack) { return face }
        }
        return nil
    }

    /// Whether the next cluster must begin a new run.
    static func isLongEnough(_ run: TextRun?, _ paragraph: Paragraph) -> Bool {
        guard let range = run?.range, range.count >= manyRunUnits else { return false }
        return range.count >= mostRunUnits || paragraph.text[range.upperBound - 1] == 0x20
    }

    static func cut(_ range: Range<Int>, _ paragraph: Paragraph) -> [Range<Int>] {
        guard range.count > mostClusterUnits else { return [range] }
        var ranges: [Range<Int>] = []
        var start = range.lowerBound
        while start < range.upperBound {
            var end = min(start + mostClusterUnits, range.upperBound)
            if end < range.upperBound, paragraph.text[end] & 0xFC00 == 0xDC00 { end -= 1 }
            ranges.append(start..<end)
            start = end
        }
        return ranges
    }

    /// Splits a cluster that no single face covers into its characters.
    mutating func split(_ range: Range<Int>, of paragraph: Paragraph, _ stack: OpenFonts.Stack) -> [Piece] {
        var pieces: [Piece] = []
        var unit = range.lowerBound
        while unit < range.upperBound {
            let character = paragraph.character(at: unit)
            let end = unit + (character > 0xFFFF ? 2 : 1)
            let isIgnorable = wm_text_properties(character) & UInt32(WM_TEXT_IGNORABLE) != 0
            var face = pieces.last?.face
            // While the base's face has the marks, it places them.
            if !isIgnorable, face?.has(character) != true {
                face = openFonts.face(for: character, in: stack)
                if face == nil { note(character) }
            }
            let chosen = face ?? primary
            if let last = pieces.last, last.face === chosen, last.range.count < Self.mostClusterUnits {
                pieces[pieces.count - 1].range = last.range.lowerBound..<end
            } else {
                pieces.append((unit..<end, chosen))
            }
            unit = end
        }
        return pieces
    }

    mutating func note(_ character: UInt32) {
        let script = TextShaper.script(of: character)
        if !missing.contains(where: { $0.script == script }) { missing.append((script, character)) }
    }

    /// Whether a grapheme cluster has emoji presentation (UTS #51).
    static func isEmoji(_ characters: [UInt32]) -> Bool {
        let first = wm_text_properties(characters[0])
        let isKeycap = characters.contains(0x20E3)
        if characters.contains(0xFE0E) { return false }
        if characters.contains(0xFE0F) { return isKeycap || first & UInt32(WM_TEXT_PICTOGRAPH) != 0 }
        if first & UInt32(WM_TEXT_EMOJI_PRESENTATION) != 0 { return true }
        guard first & UInt32(WM_TEXT_PICTOGRAPH) != 0 else { return false }
        return characters.dropFirst().contains {
            wm_text_properties($0) & UInt32(WM_TEXT_EMOJI_PRESENTATION | WM_TEXT_EMOJI_MODIFIER) != 0
        }
    }
}

/// Script tags: four letters in 32 bits, as in HarfBuzz.
enum ISO15924 {
    static let common = tag("Zyyy")
    static let inherited = tag("Zinh")
    static let unknown = tag("Zzzz")
    static let latin = tag("Latn")

    static func tag(_ letters: String) -> UInt32 {
        letters.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Whether a script is an actual one, as opposed to common or inherited characters shared by many scripts.
    static func isReal(_ script: UInt32) -> Bool {
        script != common && script != inherited && script != unknown
    }
}
