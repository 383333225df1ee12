/// JSON that tests build and read, independent of the project's JSON code.
indirect enum JSONTree: Equatable, ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([JSONTree])
    case object([Member])

    struct Member: Equatable {
        var key: String
        var value: JSONTree
    }

    init(stringLiteral value: String) { self = .string(value) }
    init(floatLiteral value: Double) { self = .number(value) }
    init(integerLiteral value: Int) { self = .number(Double(value)) }
    init(booleanLiteral value: Bool) { self = .boolean(value) }
    init(arrayLiteral elements: JSONTree...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSONTree)...) { self = .object(elements.map { Member(key: $0.0, value: $0.1) }) }
    init(nilLiteral: ()) { self = .null }

    var text: String {
        switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .number(let value): "\(value)"
        // No test needs to escape more.
        case .string(let value): "\"\(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        case .array(let elements): "[\(elements.map(\.text).joined(separator: ", "))]"
        case .object(let members): "{\(members.map { "\"\($0.key)\": \($0.value.text)" }.joined(separator: ", "))}"
        }
    }

    var bytes: [UInt8] { Array(text.utf8) }

    var elements: [JSONTree] {
        if case .array(let elements) = self { elements } else { [] }
    }

    var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// A member of an object; nil removes it, a new one is added at the end.
    subscript(key: String) -> JSONTree? {
        get {
            guard case .object(let members) = self else { return nil }
            return members.first { $0.key == key }?.value
        }
        set {
            guard case .object(var members) = self else { return }
            let index = members.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
            self = .object(members)
        }
    }

    /// RFC 7396, word for word its pseudocode.
    func merged(with patch: JSONTree) -> JSONTree {
        guard case .object(let members) = patch else { return patch }
        var target = self
        if case .object = target {} else { target = .object([]) }
        for member in members {
            if member.value == .null {
                target[member.key] = nil
            } else {
                target[member.key] = (target[member.key] ?? .null).merged(with: member.value)
            }
        }
        return target
    }
}
