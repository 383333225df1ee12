import WaymarkGeo

/// JSON to be printed. Keys keep their order, and lengths and degrees have a fixed number of decimal places. Foundation's encoder offers
/// neither.
package indirect enum JSONText {
    case null
    case boolean(Bool)
    case integer(Int)
    /// A number, with the fewest digits that read back as the same value.
    case number(Double)
    /// A length in pt or px, to three decimal places.
    case length(Double)
    /// An angle in degrees, to nine decimal places.
    case degrees(Double)
    case string(String)
    case array([JSONText])
    case object([(String, JSONText)])

    /// The text on several lines. Arrays of numbers, points and strings are on one line, and so are objects with a single such value.
    package var text: String { text(.indented) }

    /// The text on one line, with spaces after commas and colons.
    var line: String { text(.spaced) }

    /// The text on one line, without spaces.
    package var bytes: [UInt8] { bytes(.compact) }

    private func text(_ layout: JSONWriter.Layout) -> String { String(decoding: bytes(layout), as: UTF8.self) }

    private func bytes(_ layout: JSONWriter.Layout) -> [UInt8] {
        var writer = JSONWriter(layout)
        write(into: &writer)
        return writer.bytes
    }

    /// Whether the value contains no objects with members, so that it is written on one line.
    private var isFlat: Bool {
        switch self {
        case .object(let members): members.isEmpty
        case .array(let elements): elements.allSatisfy(\.isFlat)
        case .null, .boolean, .integer, .number, .length, .degrees, .string: true
        }
    }

    private var isList: Bool { if case .array(let elements) = self { !elements.isEmpty } else { false } }

    package func write(into writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .boolean(let value): writer.boolean(value)
        case .integer(let value): writer.integer(value)
        case .number(let value): if value.isFinite { writer.number(value) } else { writer.null() }
        case .length(let value): Self.write(value, decimals: 3, into: &writer)
        case .degrees(let value): Self.write(value, decimals: 9, into: &writer)
        case .string(let value): writer.string(value)
        case .array(let elements):
            writer.beginArray(isOnOneLine: isFlat)
            for element in elements { element.write(into: &writer) }
            writer.endArray()
        case .object(let members):
            writer.beginObject(isOnOneLine: members.count == 1 && members[0].1.isFlat && !members[0].1.isList)
            for (key, value) in members {
                writer.key(key)
                value.write(into: &writer)
            }
            writer.endObject()
        }
    }

    private static func write(_ value: Double, decimals: Int, into writer: inout JSONWriter) {
        if value.isFinite { writer.text(fixed(value, decimals).utf8) } else { writer.null() }
    }
}

/// Any `Encoder` writes the same numbers as the text.
extension JSONText: Encodable {
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .boolean(let value): try value.encode(to: encoder)
        case .integer(let value): try value.encode(to: encoder)
        case .number(let value): try value.encode(to: encoder)
        case .length(let value): try Self.encode(value, decimals: 3, to: encoder)
        case .degrees(let value): try Self.encode(value, decimals: 9, to: encoder)
        case .string(let value): try value.encode(to: encoder)
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .object(let members):
            var container = encoder.container(keyedBy: MemberKey.self)
            for (key, value) in members { try container.encode(value, forKey: MemberKey(stringValue: key)) }
        }
    }

    private static func encode(_ value: Double, decimals: Int, to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if value.isFinite, let number = Double(fixed(value, decimals)) { try container.encode(number) } else { try container.encodeNil() }
    }

    private struct MemberKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension JSONText: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
    package init(arrayLiteral elements: JSONText...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONText)...) { self = .object(elements) }
}

extension JSONText: Equatable {
    package static func == (a: JSONText, b: JSONText) -> Bool { a.text == b.text }
}
