import Foundation

/// Converts the credits of tile sets, which are plain text or HTML, to plain text.
enum AttributionText {
    /// The maximum number of characters shown of a set's credits.
    private static let limit = 500
    /// The maximum number of bytes read of the credits, because a letter may have any number of marks.
    private static let byteLimit = 8192

    /// The text without its tags, with its character references resolved and its white space collapsed.
    static func plain(_ html: String) -> String {
        var text = ""
        let beginning = html.utf8.count > byteLimit ? String(decoding: html.utf8.prefix(byteLimit), as: UTF8.self) : html
        var rest = beginning[...]
        // After a tag without an end, no later tag has one.
        var hasTags = true
        while let character = rest.first {
            if hasTags, character == "<", isTag(rest) {
                guard let end = endOfTag(rest) else {
                    hasTags = false
                    continue
                }
                // A line break or a paragraph separates words.
                let name = rest.dropFirst().prefix { $0.isLetter || $0 == "/" }.lowercased()
                if ["br", "p", "/p", "div", "/div", "li", "/li", "br/"].contains(name) { text += " " }
                rest = rest[end...]
            } else if character == "&", let (resolved, end) = reference(rest) {
                text += resolved
                rest = rest[end...]
            } else {
                text.append(character)
                rest = rest.dropFirst()
            }
        }
        let words = text.split { $0.isWhitespace || $0.isNewline || $0 == "\0" }.joined(separator: " ")
        return words.count > limit ? words.prefix(limit - 1) + "…" : words
    }

    /// Whether the text starts with a tag or a comment, not merely with the character `<`.
    private static func isTag(_ text: Substring) -> Bool {
        text.dropFirst().first.map { $0.isLetter || $0 == "/" || $0 == "!" } ?? false
    }

    /// The end of the tag or comment at the start of the text; nil when it is not closed.
    private static func endOfTag(_ text: Substring) -> String.Index? {
        if text.hasPrefix("<!--") { return text.range(of: "-->").map(\.upperBound) ?? text.endIndex }
        var quote: Character?
        for index in text.indices.dropFirst() {
            let character = text[index]
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == ">" {
                return text.index(after: index)
            }
        }
        return nil
    }

    /// The character of a reference such as `&copy;` or `&#169;` at the start of the text, and the index after the reference.
    private static func reference(_ text: Substring) -> (String, String.Index)? {
        guard let end = text.prefix(12).firstIndex(of: ";") else { return nil }
        let name = text[text.index(after: text.startIndex)..<end]
        let behind = text.index(after: end)
        if name.hasPrefix("#") {
            let digits = name.dropFirst()
            let code = digits.lowercased().hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            guard let code, code > 0, let scalar = Unicode.Scalar(code) else { return nil }
            return (String(Character(scalar)), behind)
        }
        return names[String(name)].map { ($0, behind) }
    }

    private static let names = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "copy": "©", "reg": "®", "trade": "™", "middot": "·",
        "bull": "•", "ndash": "–", "mdash": "—", "hellip": "…", "laquo": "«", "raquo": "»", "auml": "ä", "ouml": "ö", "uuml": "ü",
        "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "eacute": "é", "egrave": "è", "agrave": "à", "ccedil": "ç", "ntilde": "ñ",
        "iacute": "í", "oacute": "ó", "aacute": "á",
    ]
}
