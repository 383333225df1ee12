import WaymarkScene

/// A text with feature properties: `"{name}\n{population}"`. `{{` and `}}` are literal braces. The text is parsed once and evaluated for
/// every feature.
package struct TextTemplate: Equatable {
    package enum Part: Equatable {
        case literal(String)
        /// A property, by its index in the list of names.
        case property(Int)
    }

    package let parts: [Part]

    /// Throws the problem of the text, as one sentence.
    /// - Parameter names: The names of the properties used by templates; new ones are appended.
    package init(_ text: String, names: inout [String]) throws(BracedText.Problem) {
        var parts: [Part] = []
        for piece in try BracedText.pieces(of: text) {
            switch piece {
            case .literal(let literal): parts.append(.literal(literal))
            case .name(""): throw BracedText.Problem(text: "{} needs a property name; write {{}} for literal braces")
            case .name(let name):
                let place = names.firstIndex(of: name) ?? names.count
                if place == names.count { names.append(name) }
                parts.append(.property(place))
            }
        }
        self.parts = parts
    }

    /// Reads a value of a scene file; nil for a value that is not a string with braces.
    init?(_ value: JSONValue, names: inout [String]) throws(SceneFileError) {
        guard let text = value.string, text.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) else { return nil }
        do throws(BracedText.Problem) { try self.init(text, names: &names) } catch { throw value.error("\(value.brief): \(error.text)") }
    }
}

extension TextTemplate {
    /// The indices of the text's properties, in order.
    package var properties: [Int] {
        parts.compactMap { if case .property(let place) = $0 { place } else { nil } }
    }

    /// The property, if the template contains nothing else.
    package var onlyProperty: Int? {
        if parts.count == 1, case .property(let place) = parts[0] { place } else { nil }
    }

    /// The text for a feature. Missing and null properties are empty, and a line that consists only of such properties is left out.
    /// Numbers are printed plainly: `24874500`, `0.5`.
    package func text(_ values: [JSONNode?], _ document: JSONDocument, _ tape: borrowing JSONTape) throws(SceneFileError) -> String {
        var lines: [String] = []
        var line = ""
        var lacks = false
        func endLine() {
            if !lacks || !line.isEmpty { lines.append(line) }
            (line, lacks) = ("", false)
        }
        for part in parts {
            switch part {
            case .literal(let literal):
                for (number, piece) in literal.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                    if number > 0 { endLine() }
                    line += piece
                }
            case .property(let place):
                var text = ""
                if let node = values[place] { text = try Self.text(of: node, document, tape) }
                line += text
                lacks = lacks || text.isEmpty
            }
        }
        endLine()
        return lines.joined(separator: "\n")
    }

    /// A string unchanged, a number printed plainly, `true` or `false`; empty for null.
    package static func text(of node: JSONNode, _ document: JSONDocument, _ tape: borrowing JSONTape) throws(SceneFileError) -> String {
        switch tape.kind(of: node) {
        case .string, .number: text(of: node, tape) ?? ""
        case .boolean: tape.bool(of: node) == true ? "true" : "false"
        case .null: ""
        case .array, .object: throw document.value(at: node).unexpected("a string, a number, true or false")
        }
    }

    /// A string unchanged, or a number printed plainly; nil for other values.
    package static func text(of node: JSONNode, _ tape: borrowing JSONTape) -> String? {
        switch tape.kind(of: node) {
        case .string: tape.string(of: node)
        case .number: tape.int(of: node).map { "\($0)" } ?? tape.double(of: node)?.plainText
        case .boolean, .null, .array, .object: nil
        }
    }
}
