/// JSON being written: compact, on one line, keys in the order given, numbers so that they read back as they were.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    /// Whether another element or member needs a comma before it.
    private var isAfterValue = false

    package init() {}

    package init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }
}

extension JSONWriter {
    package mutating func beginObject() { open(UInt8(ascii: "{")) }
    package mutating func endObject() { close(UInt8(ascii: "}")) }
    package mutating func beginArray() { open(UInt8(ascii: "[")) }
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    package mutating func key(_ key: String) {
        string(key)
        bytes.append(UInt8(ascii: ":"))
        isAfterValue = false
    }

    package mutating func string(_ text: String) {
        separate()
        var text = text
        text.withUTF8 { append(quoted: $0.span) }
    }

    package mutating func integer(_ value: Int) {
        separate()
        bytes += "\(value)".utf8
    }

    /// A finite number in the fewest digits that read back as the same.
    package mutating func number(_ value: Double) {
        if let whole = Int(exactly: value), value.sign == .plus || whole != 0 { return integer(whole) }
        separate()
        // Swift writes -0.0, 0.1 and 1e+300, all of which are JSON.
        bytes += "\(value)".utf8
    }

    package mutating func boolean(_ value: Bool) {
        separate()
        bytes += (value ? "true" : "false").utf8
    }

    package mutating func null() {
        separate()
        bytes += "null".utf8
    }

    /// A value that is JSON text already.
    package mutating func text(_ text: some Sequence<UInt8>) {
        separate()
        bytes += text
    }

    /// A value of a document, with everything in it.
    package mutating func value(_ value: JSONValue) {
        value.document.withTape { copy(value.node, $0) }
    }

    // simdjson bounds the depth at 1,000.
    private mutating func copy(_ node: JSONNode, _ tape: borrowing JSONTape) {
        switch tape.kind(of: node) {
        case .object:
            guard var members = tape.members(of: node) else { return }
            beginObject()
            while let member = members.next(in: tape) {
                copy(member.key, tape)
                bytes.append(UInt8(ascii: ":"))
                isAfterValue = false
                copy(member.value, tape)
            }
            endObject()
        case .array:
            guard var elements = tape.elements(of: node) else { return }
            beginArray()
            while let element = elements.next(in: tape) { copy(element, tape) }
            endArray()
        case .string:
            separate()
            _ = tape.withUTF8(of: node) { append(quoted: $0) }
        case .number: number(tape.double(of: node) ?? 0, exact: tape.int(of: node))
        case .boolean: boolean(tape.bool(of: node) ?? false)
        case .null: null()
        }
    }

    /// Integers beyond 2⁵³ keep their digits.
    private mutating func number(_ value: Double, exact: Int?) {
        if let exact, exact != 0 { integer(exact) } else { number(value) }
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        isAfterValue = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        isAfterValue = true
    }

    private mutating func separate() {
        if isAfterValue { bytes.append(UInt8(ascii: ",")) }
        isAfterValue = true
    }

    /// RFC 8259: quotes, backslashes and control characters are escaped; the rest is written as it is.
    private mutating func append(quoted text: Span<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        for index in text.indices {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20, 0x7F:
                bytes += "\\u00".utf8
                bytes.append(Self.digits[Int(byte >> 4)])
                bytes.append(Self.digits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
