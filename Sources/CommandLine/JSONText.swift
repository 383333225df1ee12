import WaymarkGeo
import WaymarkSceneFiles

/// JSON to be printed: keys in the order given, numbers with fixed decimals. Foundation's encoder offers neither.
indirect enum JSONText {
    case null
    case boolean(Bool)
    case integer(Int)
    /// pt or px, 3 decimals.
    case length(Double)
    /// 9 decimals.
    case degrees(Double)
    case string(String)
    case array([JSONText])
    case object([(String, JSONText)])

    /// The text on several lines; arrays of numbers, points and strings on one.
    var text: String {
        var writer = JSONWriter(.indented)
        write(into: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Whether it holds no members, and so fits a line.
    private var isFlat: Bool {
        switch self {
        case .object(let members): members.isEmpty
        case .array(let elements): elements.allSatisfy(\.isFlat)
        case .null, .boolean, .integer, .length, .degrees, .string: true
        }
    }

    private func write(into writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .boolean(let value): writer.boolean(value)
        case .integer(let value): writer.integer(value)
        case .length(let value): Self.write(value, decimals: 3, into: &writer)
        case .degrees(let value): Self.write(value, decimals: 9, into: &writer)
        case .string(let value): writer.string(value)
        case .array(let elements):
            writer.beginArray(isOnOneLine: isFlat)
            for element in elements { element.write(into: &writer) }
            writer.endArray()
        case .object(let members):
            writer.beginObject()
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
