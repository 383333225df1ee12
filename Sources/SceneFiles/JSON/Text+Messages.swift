import WaymarkGeo

/// A number without a trailing `.0`, and, from 10,000 on, with commas between groups of three digits.
package func grouped(_ value: Double) -> String {
    guard let whole = Int(exactly: value), abs(whole) >= 10_000 else { return plain(value) }
    var digits = String(abs(whole))
    var groups: [String] = []
    while digits.count > 3 {
        groups.insert(String(digits.suffix(3)), at: 0)
        digits.removeLast(3)
    }
    return (whole < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
}

extension Unicode.Scalar {
    /// `U+0009`
    var codePoint: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Whether the scalar is invisible or affects the layout of other characters: control and format characters, and separators other
    /// than space.
    var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate: true
        case .spaceSeparator: self != " "
        default: false
        }
    }
}

extension String {
    /// The text, truncated to `length` characters with an ellipsis as the last.
    func cut(to length: Int) -> String {
        // The search starts at the beginning, because counting all characters of a long text is slow.
        guard let end = index(startIndex, offsetBy: length, limitedBy: endIndex), end != endIndex else { return self }
        return prefix(length - 1) + "…"
    }

    /// The text in quotation marks on one line, truncated at 40 characters; quotes, backslashes and invisible characters are escaped.
    package var quotedBriefly: String {
        var text = ""
        // A character may consist of any number of scalars.
        for scalar in cut(to: 40).unicodeScalars.prefix(200) {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case _ where scalar.isInvisible: text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return "\"\(text)\""
    }

    /// Whether the text needs no quotation marks in a key path.
    var isPlainName: Bool {
        guard let first = utf8.first, utf8.count <= 40, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= first) else { return false }
        return utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "$"):
                true
            default: false
            }
        }
    }
}

extension String {
    /// The value of a text that is a JSON number; nil for any other text.
    var plainNumber: Double? {
        guard let last = utf8.last, UInt8(ascii: "0")...UInt8(ascii: "9") ~= last, utf8.allSatisfy(Self.isOfNumber),
            let number = Double(self), number.isFinite
        else { return nil }
        return number
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"),
            UInt8(ascii: "E"):
            true
        default: false
        }
    }
}

extension Double {
    /// The number as a person would write it: `95`, `0.5`, `1e+300`.
    package var plainText: String {
        if let whole = Int(exactly: self), abs(self) < 1e15 { return "\(whole)" }
        return "\(self)"
    }
}
