/// A text with names in braces: `"{count} in {sum:population}"`. `{{` and `}}` are literal braces.
package enum BracedText {
    package enum Piece: Hashable, Sendable {
        /// Characters shown unchanged; never empty.
        case literal(String)
        /// The text between braces, which may be empty.
        case name(String)
    }

    package struct Problem: Error, Equatable {
        package let text: String

        package init(text: String) { self.text = text }
    }

    /// The pieces of a text, in order; no two literals follow each other. If the text is invalid, throws its problem as one sentence.
    package static func pieces(of text: String) throws(Problem) -> [Piece] {
        var pieces: [Piece] = []
        var literal = ""
        var rest = Substring(text)
        while let character = rest.popFirst() {
            switch character {
            case "{" where rest.first == "{", "}" where rest.first == "}":
                rest.removeFirst()
                literal.append(character)
            case "{":
                guard let end = rest.firstIndex(of: "}") else { throw Problem(text: "a { has no matching }; write {{ for a literal brace") }
                if !literal.isEmpty { pieces.append(.literal(literal)) }
                literal = ""
                pieces.append(.name(String(rest[..<end])))
                rest = rest[rest.index(after: end)...]
            case "}":
                throw Problem(text: "a } has no matching {; write }} for a literal brace")
            default:
                literal.append(character)
            }
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        return pieces
    }
}
