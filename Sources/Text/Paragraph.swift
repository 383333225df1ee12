import CWaymarkText
import Foundation

/// One paragraph in UTF-16, without control characters, and with spaces instead of tabs.
struct Paragraph {
    private(set) var text: [UInt16] = []
    /// The UTF-8 offset of every unit in the request's text, followed by the offset of the paragraph's end.
    private(set) var offsets: [Int] = []
    /// Whether every unit is a separate grapheme cluster, and the whole paragraph runs from left to right.
    private(set) var isSimple = true

    /// The paragraphs of a text. There is always at least one.
    static func all(of string: String) -> [Paragraph] {
        var found: [Paragraph] = []
        var paragraph = Paragraph()
        var offset = 0
        var follows = false
        for scalar in string.unicodeScalars {
            let start = offset
            offset += UTF8.width(scalar)
            let wasReturn = follows
            follows = scalar == "\r"
            switch scalar.value {
            case 0x0A where wasReturn:
                // This is the second half of CR LF. The next line begins after it.
                break
            case 0x0A, 0x0D, 0x2028, 0x2029:
                paragraph.offsets.append(start)
                found.append(paragraph)
                paragraph = Paragraph()
            case 0x09: paragraph.append(" ", at: start)
            // Control characters, and interlinear annotation characters, which are meaningless in plain text.
            case 0...0x1F, 0x7F...0x9F, 0xFFF9...0xFFFB: break
            default: paragraph.append(scalar, at: start)
            }
        }
        paragraph.offsets.append(offset)
        found.append(paragraph)
        return found
    }
}

extension Paragraph {
    /// The character that begins at a unit.
    func character(at unit: Int) -> UInt32 {
        let high = UInt32(text[unit])
        guard high & 0xFC00 == 0xD800, unit + 1 < text.count else { return high }
        return 0x10000 + (high - 0xD800) << 10 + UInt32(text[unit + 1]) - 0xDC00
    }

    /// The characters of a range whose ends are character boundaries.
    func characters(_ range: Range<Int>) -> [UInt32] {
        var found: [UInt32] = []
        var unit = range.lowerBound
        while unit < range.upperBound {
            let character = character(at: unit)
            found.append(character)
            unit += character > 0xFFFF ? 2 : 1
        }
        return found
    }
}

private extension Paragraph {
    mutating func append(_ scalar: Unicode.Scalar, at offset: Int) {
        for unit in UTF16.encode(scalar)! {
            text.append(unit)
            offsets.append(offset)
        }
        if isSimple { isSimple = Self.isSimple(scalar.value) }
    }

    /// Whether a unit is a Latin letter or sign, kana, an ideograph or a Hangul syllable. Each of these is a separate cluster, and runs
    /// from left to right.
    static func isSimple(_ character: UInt32) -> Bool {
        switch character {
        case 0xA9, 0xAD, 0xAE: false
        case 0x20...0x2FF, 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3: true
        default: false
        }
    }
}
