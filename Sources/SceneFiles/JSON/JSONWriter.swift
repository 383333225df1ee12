/// Writes JSON, either compact or in a layout that is easy to read. Keys keep the given order, and numbers read back unchanged.
package struct JSONWriter {
    package enum Layout: Sendable {
        /// Everything on one line, without spaces.
        case compact
        /// Everything on one line, with spaces after commas and colons.
        case spaced
        /// A line for each member and element, indented by two spaces, except in lists written on one line.
        case indented
    }

    package private(set) var bytes: [UInt8] = []
    private let layout: Layout
    /// Whether the next element or member must be preceded by a comma.
    private var isAfterValue = false
    /// Whether a key was written last, whose value follows on the same line.
    private var isAfterKey = false
    /// Whether the elements of each open list are on separate lines, the outermost list first; unused if the layout is compact.
    private var hasLines: [Bool] = []

    package init(_ layout: Layout = .compact) {
        self.layout = layout
    }

    package init(capacity: Int) {
        self.init()
        bytes.reserveCapacity(capacity)
    }

    /// Returns the text that was written since the last call, so that long texts can be passed on in parts.
    package mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// The compact text of an object.
    /// - Parameter write: Writes the members.
    package static func object<Problem>(_ write: (inout JSONWriter) throws(Problem) -> Void) throws(Problem) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        try write(&writer)
        writer.endObject()
        return writer.bytes
    }
}

extension JSONWriter {
    /// - Parameter isOnOneLine: Whether all members are on one line, even in an indented text. Default false.
    package mutating func beginObject(isOnOneLine: Bool = false) { open(UInt8(ascii: "{"), hasLines: !isOnOneLine) }
    package mutating func endObject() { close(UInt8(ascii: "}")) }
    /// - Parameter isOnOneLine: Whether all elements are on one line, even in an indented text. Default false.
    package mutating func beginArray(isOnOneLine: Bool = false) { open(UInt8(ascii: "["), hasLines: !isOnOneLine) }
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    package mutating func key(_ key: String) {
        string(key)
        colon()
    }

    package mutating func string(_ text: String) {
        separate()
        var text = text
        text.withUTF8 { Self.append(quoted: $0.span, to: &bytes) }
    }

    package mutating func integer(_ value: Int) {
        separate()
        bytes += "\(value)".utf8
    }

    /// A finite number, with the fewest digits that read back as the same value.
    package mutating func number(_ value: Double) {
        if let whole = Int(exactly: value), value.sign == .plus || whole != 0 { return integer(whole) }
        separate()
        // Swift prints numbers such as -0.0, 0.1 and 1e+300, all valid JSON.
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

    /// Writes a member, unless its value is nil.
    package mutating func member(_ key: String, _ value: String?) { member(key, value) { $0.string($1) } }
    package mutating func member(_ key: String, _ value: Int?) { member(key, value) { $0.integer($1) } }
    package mutating func member(_ key: String, _ value: Double?) { member(key, value) { $0.number($1) } }
    package mutating func member(_ key: String, _ value: Bool?) { member(key, value) { $0.boolean($1) } }
    /// - Parameter text: A value that is already JSON text.
    package mutating func member(_ key: String, json text: (some Sequence<UInt8>)?) { member(key, text) { $0.text($1) } }

    private mutating func member<Value>(_ key: String, _ value: Value?, _ write: (inout JSONWriter, Value) -> Void) {
        guard let value else { return }
        self.key(key)
        write(&self, value)
    }

    package mutating func member(_ key: String, _ values: [String]) {
        self.key(key)
        beginArray()
        for value in values { string(value) }
        endArray()
    }

    package mutating func member(_ key: String, _ values: [Double]) {
        self.key(key)
        beginArray()
        for value in values { number(value) }
        endArray()
    }

    /// A value that is already JSON text.
    package mutating func text(_ text: some Sequence<UInt8>) {
        separate()
        bytes += text
    }

    /// A value of a document, with all its contents.
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
                colon()
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
            _ = tape.withUTF8(of: node) { Self.append(quoted: $0, to: &bytes) }
        case .number: number(tape.double(of: node) ?? 0, exact: tape.int(of: node))
        case .boolean: boolean(tape.bool(of: node) ?? false)
        case .null: null()
        }
    }

    /// Integers beyond 2⁵³ keep their digits.
    private mutating func number(_ value: Double, exact: Int?) {
        if let exact, exact != 0 { integer(exact) } else { number(value) }
    }

    private mutating func open(_ bracket: UInt8, hasLines: Bool) {
        separate()
        bytes.append(bracket)
        isAfterValue = false
        if layout != .compact { self.hasLines.append(hasLines && layout == .indented) }
    }

    private mutating func close(_ bracket: UInt8) {
        // An empty list stays on one line.
        if layout != .compact, hasLines.removeLast(), isAfterValue { breakLine() }
        bytes.append(bracket)
        isAfterValue = true
    }

    private mutating func colon() {
        bytes.append(UInt8(ascii: ":"))
        if layout != .compact { bytes.append(UInt8(ascii: " ")) }
        isAfterKey = true
    }

    private mutating func separate() {
        if isAfterKey {
            isAfterKey = false
        } else {
            if isAfterValue { bytes.append(UInt8(ascii: ",")) }
            if let hasLines = hasLines.last {
                if hasLines { breakLine() } else if isAfterValue { bytes.append(UInt8(ascii: " ")) }
            }
        }
        isAfterValue = true
    }

    private mutating func breakLine() {
        bytes.append(UInt8(ascii: "\n"))
        bytes += repeatElement(UInt8(ascii: " "), count: 2 * hasLines.count)
    }

    /// Appends a text that is UTF-8 in quotes; escapes quotes, backslashes and control characters (RFC 8259, section 7).
    static func append(quoted text: Span<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for index in text.indices {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case UInt8(ascii: "\n"): bytes += "\\n".utf8
            case UInt8(ascii: "\t"): bytes += "\\t".utf8
            case 0..<0x20, 0x7F:
                bytes += "\\u00".utf8
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static let digits = Array("0123456789abcdef".utf8)
}

extension JSONValue {
    /// The value with all its contents as text on one line, without spaces.
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }
}
