import Foundation

/// The arguments of the command line, consumed in order.
struct Arguments {
    /// An error in the arguments.
    struct Mistake: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    private var words: [String]

    init(_ words: some Sequence<String>) {
        self.words = Array(words)
    }

    /// The next argument that is not an option.
    mutating func next(_ what: String) throws -> String {
        guard let word = words.first, !word.hasPrefix("-") else { throw Mistake("missing \(what)") }
        return words.removeFirst()
    }

    /// The value of an option; nil without the option.
    mutating func text(_ name: String) throws -> String? {
        guard let index = words.firstIndex(of: name) else { return nil }
        guard index + 1 < words.count else { throw Mistake("\(name) lacks its value") }
        defer { words.removeSubrange(index...index + 1) }
        return words[index + 1]
    }

    mutating func number(_ name: String) throws -> Double? {
        guard let text = try text(name) else { return nil }
        guard let number = Double(text), number.isFinite else { throw Mistake("\(name): \(text) is not a number") }
        return number
    }

    /// The value of an option, converted by `make`.
    mutating func choice<Choice>(_ name: String, of make: (String) -> Choice?) throws -> Choice? {
        guard let text = try text(name) else { return nil }
        guard let choice = make(text) else { throw Mistake("\(name): \(text) is unknown") }
        return choice
    }

    /// `WxH` in pt.
    mutating func size(_ name: String) throws -> CGSize? {
        guard let text = try text(name) else { return nil }
        let sides = text.split(separator: "x").compactMap { Double($0) }
        guard sides.count == 2 else { throw Mistake("\(name): \(text) is not WxH") }
        return CGSize(width: sides[0], height: sides[1])
    }

    /// Throws if arguments are left.
    func finish() throws {
        if let word = words.first { throw Mistake("\(word) is one too many") }
    }
}
