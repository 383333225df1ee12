/// The characters that may remain unescaped in HTML or XML.
package enum MarkupEncoding {
    /// All of Unicode, for a UTF-8 file.
    case utf8
    /// Only ASCII, so that the text works in a page of any encoding.
    case ascii
}

extension String {
    /// The text as the content of an element, or as an attribute in quotation marks, in HTML and in XML 1.0.
    ///
    /// Works on scalars, like the parsers of HTML and XML: a `<` with a combining accent is one `Character` but still begins an element.
    /// Tabs and line breaks become numeric references, because attributes would turn them into spaces. Other control characters, which XML
    /// does not allow, become U+FFFD.
    package func escapedForMarkup(_ encoding: MarkupEncoding = .utf8) -> String {
        var text = ""
        text.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0x26: text += "&amp;"
            case 0x3C: text += "&lt;"
            case 0x3E: text += "&gt;"
            case 0x22: text += "&quot;"
            case 0x27: text += "&#39;"
            case 0x09, 0x0A, 0x0D: text += "&#\(scalar.value);"
            case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: text += encoding == .ascii ? "&#65533;" : "\u{FFFD}"
            case 0x80...: if encoding == .ascii { text += "&#\(scalar.value);" } else { text.unicodeScalars.append(scalar) }
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
