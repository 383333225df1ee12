/// A JSON value that can be printed for readers: objects over several lines, arrays of simple values on one.
enum SchemaValue: Equatable {
    case text(String)
    case number(Double)
    case boolean(Bool)
    case null
    case array([SchemaValue])
    /// Members in the order in which they are printed.
    case object([(String, SchemaValue)])

    static func == (a: SchemaValue, b: SchemaValue) -> Bool { a.text == b.text }
}

extension SchemaValue {
    /// The JSON text on one line.
    var text: String { printed(indent: nil) }

    /// The JSON text over several lines, ending with a line feed.
    var page: String { printed(indent: "") + "\n" }

    /// - Parameter indent: The indentation of the line; nil prints everything on one line.
    private func printed(indent: String?) -> String {
        switch self {
        case .text(let text):
            var writer = JSONWriter()
            writer.string(text)
            return String(decoding: writer.bytes, as: UTF8.self)
        case .number(let number): return number.plainText
        case .boolean(let flag): return flag ? "true" : "false"
        case .null: return "null"
        case .array(let elements):
            let isPlain = elements.allSatisfy(\.isPlain)
            return Self.list(elements.map { ("", $0) }, "[", "]", isPlain ? nil : indent)
        case .object(let members):
            return Self.list(
                members.map { (Self.text($0.0).text + ": ", $0.1) }, "{", "}",
                members.allSatisfy(\.1.isPlain) && members.count <= 1 ? nil : indent)
        }
    }

    private static func list(_ items: [(key: String, value: SchemaValue)], _ open: String, _ close: String, _ indent: String?) -> String {
        guard let indent, !items.isEmpty else {
            return open + items.map { $0.key + $0.value.printed(indent: nil) }.joined(separator: ", ") + close
        }
        let inner = indent + "  "
        let lines = items.map { inner + $0.key + $0.value.printed(indent: inner) }
        return open + "\n" + lines.joined(separator: ",\n") + "\n" + indent + close
    }

    private var isPlain: Bool {
        switch self {
        case .text, .number, .boolean, .null: true
        case .array(let elements): elements.isEmpty
        case .object: false
        }
    }
}

extension SchemaValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int) { self = .number(Double(value)) }
    init(booleanLiteral value: Bool) { self = .boolean(value) }
    init(arrayLiteral elements: SchemaValue...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, SchemaValue)...) { self = .object(elements) }

    /// The same object with more members; values other than objects are returned unchanged.
    func adding(_ members: [(String, SchemaValue)]) -> SchemaValue {
        guard case .object(let own) = self else { return self }
        return .object(own + members)
    }
}
