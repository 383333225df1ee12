import WaymarkSceneFiles

/// The parts that all generated pages share. Each page is a single file that loads no other files, and is light or dark like the reader's
/// system.
package enum HTMLPage {
    /// The first lines of the head.
    package static let head = #"""
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy"
          content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
        """#

    /// The first rules of the style: text, and the colors that other rules use.
    package static let style = #"""
        :root {
          color-scheme: light dark;
          --paper: #f6f7f8; --card: #ffffff; --ink: #1b2127; --soft: #5b6670; --line: #d9dee3; --accent: #1f6fd6; --on-accent: #ffffff;
          --chosen: #e6f0fc; --good: #1a7f4b; --bad: #b3261e;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #14181c; --card: #1d2329; --ink: #e8ecef; --soft: #9aa6b1; --line: #333c45; --accent: #6aa9f7; --on-accent: #0c1116;
            --chosen: #22344a; --good: #5cc48d; --bad: #ff8a80;
          }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
        """#
}

extension HTMLPage {
    /// A value for a name in a template.
    package enum Value {
        /// A text, to be escaped.
        case text(String)
        /// Markup whose texts are already escaped.
        case markup(String)
        /// The content of a script element of the type `application/json`.
        case json(JSONText)

        fileprivate var markup: String {
            switch self {
            case .text(let text): return text.escapedForMarkup()
            case .markup(let markup): return markup
            case .json(let json):
                let text = json.bytes
                var bytes: [UInt8] = []
                bytes.reserveCapacity(text.count)
                // Only `<` could end the script, and JSON contains it only in strings.
                for byte in text { if byte == UInt8(ascii: "<") { bytes += "\\u003c".utf8 } else { bytes.append(byte) } }
                return String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    /// Fills a template: replaces each name between two `@` with its value.
    ///
    /// The template is scanned once. Values are not scanned, so a value that contains a name is not changed.
    package static func filled(_ template: String, _ values: [String: Value]) -> String {
        var pieces = template.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).map { String(Substring($0)) }[...]
        var page = pieces.popFirst() ?? ""
        while let piece = pieces.popFirst() {
            if let value = values[piece], let next = pieces.popFirst() {
                page += value.markup + next
            } else {
                page += "@" + piece
            }
        }
        return page
    }
}
