import Foundation

/// Credits of tile sets, which are plain text or HTML, as plain text.
enum AttributionText {
    /// The most characters of a set's credits that are shown.
    private static let limit = 500
    /// What follows these bytes of the credits is not read: a letter may have any number of marks.
    private static let byteLimit = 8192

    /// The text without its tags, with its character references resolved and its white space collapsed.
    static func plain(_ html: String) -> String {
        var text = ""
        let beginning = html.utf8.count > byteLimit ? String(decoding: html.utf8.prefix(byteLimit), as: UTF8.self) : html
        var rest = beginning[...]
        // Once a tag has no end, no later one has.
        var hasTags = true
        while let character = rest.first {
            if hasTags, character == "<", isTag(rest) {
                guard let end = endOfTag(rest) else {
                    hasTags = false
                    continue
                }
                // Words on both sides of a line break or a paragraph stay apart.
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

    /// Whether a tag or a comment is at the start of the text, and not only the character `<`.
    private static func isTag(_ text: Substring) -> Bool {
        text.dropFirst().first.map { $0.isLetter || $0 == "/" || $0 == "!" } ?? false
    }

    /// Behind a tag or a comment at the start of the text; nil when it has no end.
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

    /// The character that a reference such as `&copy;` or `&#169;` at the start of the text stands for, and the index behind it.
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
