/// Text as lines of glyphs, in pt, independent of pixels. A layout is immutable, so that caches can share it.
package final class TextLayout: Sendable {
    package struct Line: Equatable, Sendable {
        /// The sum of the advances and of the spacing between letters, without the spaces at which the line was wrapped.
        package let width: Double
        /// The extent above the baseline: 0.93 em, or more if the line's ink extends farther.
        package let ascent: Double
        /// The extent below the baseline: 0.27 em, or more if the line's ink extends farther.
        package let descent: Double
        /// A range of `TextLayout.glyphs`, from left to right.
        package let glyphs: Range<Int>
        /// UTF-8 offsets in the request's text, without the characters that end the line.
        package let text: Range<Int>

        package var height: Double { ascent + descent }
    }

    package struct Glyph: Equatable, Sendable {
        /// The font's index in the library.
        package let font: UInt16
        package let id: UInt32
        /// The position in pt to the right of the line's left edge.
        package let x: Float
        /// The position in pt above the baseline.
        package let y: Float
        /// The UTF-8 offset of the first character that the glyph represents.
        package let cluster: UInt32
    }

    /// A piece of a line that stays straight where the text follows a curve: a cluster of characters, such as a letter with its marks or a
    /// ligature, or a word of a script that joins its letters.
    package struct Unit: Equatable, Sendable {
        /// A range of `TextLayout.glyphs`.
        package let glyphs: Range<Int>
        /// The start and the end of the unit from the line's left edge, in pt.
        package let start: Double
        package let end: Double

        package init(glyphs: Range<Int>, start: Double, end: Double) {
            (self.glyphs, self.start, self.end) = (glyphs, start, end)
        }
    }

    package let request: TextRequest
    /// The width of the widest line.
    package let width: Double
    package let height: Double
    /// The lines from top to bottom; at least one.
    package let lines: [Line]
    package let glyphs: [Glyph]
    /// The units of all lines, each from left to right; empty unless requested.
    package let units: [Unit]
    /// The first missing character of each script with characters missing from all fonts.
    package let missing: [FontGap]
    /// An estimate of the layout's memory.
    package let byteCount: Int
    /// The faces of the glyphs.
    let faces: [FontFace]

    init(request: TextRequest, lines: [Line], glyphs: [Glyph], units: [Unit], missing: [FontGap], faces: [FontFace]) {
        self.request = request
        self.lines = lines
        self.glyphs = glyphs
        self.units = units
        self.missing = missing
        self.faces = faces
        width = lines.map(\.width).max() ?? 0
        height = lines.reduce(0) { $0 + $1.height }
        byteCount =
            256 + 2 * request.text.utf8.count + lines.count * MemoryLayout<Line>.stride + glyphs.count * MemoryLayout<Glyph>.stride
            + missing.count * 64 + units.count * MemoryLayout<Unit>.stride
    }
}

extension TextLayout {
    func face(_ index: UInt16) -> FontFace {
        faces.first { $0.index == index }!
    }
}

/// A character missing from all fonts, as an example of its script.
package struct FontGap: Hashable, Sendable, CustomStringConvertible {
    /// The name of the script in English, such as "Thai".
    package let script: String
    package let character: UInt32

    package init(script: String, character: UInt32) {
        self.script = script
        self.character = character
    }

    /// The character and its script, such as `U+1F9FF (Common)`.
    package var description: String {
        let digits = String(character, radix: 16, uppercase: true)
        return "U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits) (\(script))"
    }
}
