/// A value in a document. Keeps the document alive; to traverse very many values, use ``JSONDocument/withTape(_:)``.
package struct JSONValue {
    package let document: JSONDocument
    package let node: JSONNode
    /// The text that a template produced from the value. It is read instead of the value, while errors still name the node.
    private let made: MadeText?

    package init(document: JSONDocument, node: JSONNode) {
        self.document = document
        self.node = node
        made = nil
    }

    /// Creates a value from a text that was produced from the node. The text is a string, and also a number or a boolean if it parses as
    /// one.
    init(document: JSONDocument, node: JSONNode, text: String) {
        self.document = document
        self.node = node
        made = MadeText(text)
    }

    /// The text is stored on the heap, because few of the many stored values have one.
    private final class MadeText {
        let text: String

        init(_ text: String) { self.text = text }
    }
}

extension JSONValue {
    package var kind: JSONKind { made == nil ? document.tape.kind(of: node) : .string }

    /// The value as a number; nil for another type. Integers beyond 2⁵³ are rounded.
    package var double: Double? {
        if let made { return made.text.plainNumber }
        return document.tape.double(of: node)
    }

    /// The value as an integer, in any notation (`3`, `3.0`, `3e0`); nil unless it is integral and fits.
    package var int: Int? {
        if let made { return Int(made.text) ?? made.text.plainNumber.flatMap(Int.init(wholeNumber:)) }
        return document.tape.int(of: node)
    }

    package var bool: Bool? {
        if let made { return made.text == "true" ? true : made.text == "false" ? false : nil }
        return document.tape.bool(of: node)
    }

    package var string: String? { made?.text ?? document.tape.string(of: node) }

    /// Whether this is the given string. No `String` is created.
    package func isString(_ text: StaticString) -> Bool {
        if let made { return made.text == text.description }
        return document.tape.isString(node, text)
    }

    /// Passes the unescaped bytes of a string to `body`; nil for another type.
    package func withUTF8<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        if let made {
            return try body(made.text.utf8Span.span)
        }
        return try document.tape.withUTF8(of: node, body)
    }

    /// The number of elements or members; 0 for another type.
    package var count: Int { made == nil ? document.tape.count(of: node) : 0 }

    /// The first member with this key; nil if it is missing, and for values other than objects.
    package subscript(key: StaticString) -> JSONValue? {
        guard made == nil else { return nil }
        return document.tape.member(key, of: node).map { JSONValue(document: document, node: $0) }
    }

    /// The first member with this key, unless it is null, which is equivalent to leaving the key out.
    package func member(_ key: StaticString) -> JSONValue? {
        guard let value = self[key], value.kind != .null else { return nil }
        return value
    }

    /// The elements of an array; nil for another type.
    package var elements: Elements? {
        guard made == nil else { return nil }
        return document.tape.elements(of: node).map { Elements(document: document, rest: $0) }
    }

    /// The members of an object in file order, repeated keys included; nil for another type.
    package var members: Members? {
        guard made == nil else { return nil }
        return document.tape.members(of: node).map { Members(document: document, rest: $0) }
    }
}

extension JSONValue {
    package struct Elements: Sequence, IteratorProtocol {
        fileprivate let document: JSONDocument
        fileprivate var rest: JSONTape.Elements

        package mutating func next() -> JSONValue? {
            rest.next(in: document.tape).map { JSONValue(document: document, node: $0) }
        }
    }

    package struct Members: Sequence, IteratorProtocol {
        fileprivate let document: JSONDocument
        fileprivate var rest: JSONTape.Members

        package mutating func next() -> (key: String, value: JSONValue)? {
            guard let member = rest.next(in: document.tape) else { return nil }
            return (document.tape.string(of: member.key) ?? "", JSONValue(document: document, node: member.value))
        }
    }
}

extension JSONValue {
    /// The key path from the root of the document: `overlays[3].position.lat`; empty for the root.
    package var path: String { document.tape.path(to: node) }

    /// An error at this value.
    package func error(_ problem: String) -> SceneFileError { SceneFileError(path: path, problem: problem) }
}
