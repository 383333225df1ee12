import WaymarkGeo

/// JSON to be printed: keys in the order given, numbers with fixed decimals. Foundation's encoder has neither.
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

    /// On several lines: objects indented by two blanks, arrays of numbers and points on one line.
    var text: String {
        var output = ""
        write(into: &output, indent: "")
        return output
    }

    private var isFlat: Bool {
        switch self {
        case .object(let members): members.isEmpty
        case .array(let elements): elements.allSatisfy(\.isFlat)
        default: true
        }
    }

    private func write(into output: inout String, indent: String) {
        switch self {
        case .null: output += "null"
        case .boolean(let value): output += value ? "true" : "false"
        case .integer(let value): output += String(value)
        case .length(let value): output += value.isFinite ? fixed(value, 3) : "null"
        case .degrees(let value): output += value.isFinite ? fixed(value, 9) : "null"
        case .string(let value): output += Self.quoted(value)
        case .array(let elements):
            list(elements, "[", "]", isFlat: isFlat, into: &output, indent) { element, output, indent in
                element.write(into: &output, indent: indent)
            }
        case .object(let members):
            list(members, "{", "}", isFlat: members.isEmpty, into: &output, indent) { member, output, indent in
                output += Self.quoted(member.0) + ": "
                member.1.write(into: &output, indent: indent)
            }
        }
    }

    private func list<Element>(
        _ elements: [Element], _ open: String, _ close: String, isFlat: Bool, into output: inout String, _ indent: String,
        _ body: (Element, inout String, String) -> Void
    ) {
        output += open
        let inner = indent + "  "
        for (index, element) in elements.enumerated() {
            if index > 0 { output += isFlat ? ", " : "," }
            if !isFlat { output += "\n" + inner }
            body(element, &output, inner)
        }
        if !isFlat { output += "\n" + indent }
        output += close
    }

    /// RFC 8259: quotes, backslashes and control characters are escaped.
    private static func quoted(_ text: String) -> String {
        var output = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\t": output += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f:
                let hex = String(scalar.value, radix: 16)
                output += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output + "\""
    }
}
