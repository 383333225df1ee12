import WaymarkScene

/// The content that a view shows for a feature: an object of a scene file, with templates among its strings. Parsed once, evaluated for
/// every feature.
struct ContentTemplate {
    private indirect enum Part {
        case fixed(JSONValue)
        /// - isText: Whether the result stays text even if it could be read as a number or as `true` or `false`.
        case text(TextTemplate, isText: Bool)
        /// - source: The image that the object shows, if the feature names it. If the feature has no image, the object is left out.
        case object([(key: String, part: Part)], source: TextTemplate?)
        case array([Part])
    }

    private let root: Part
    /// The indices of its properties.
    let properties: [Int]
    /// The properties whose absence omits a part of it, or gives the part its default.
    let neededProperties: [Int]
    /// Whether the properties occur only in texts, where all values are valid.
    let isFreeText: Bool
    /// Whether it contains no template and no doubled brace.
    let isFixed: Bool

    /// The keys whose values are texts or names.
    private static let texts: Set<String> = ["text", "font", "image", "svg"]

    /// Parses a value; throws for an unbalanced brace.
    /// - Parameter names: The names of the properties used by templates; new ones are appended.
    init(_ value: JSONValue, names: inout [String]) throws(SceneFileError) {
        var found = Findings()
        root = try Self.part(value, key: "", &names, &found)
        (properties, neededProperties) = (found.properties, found.needed)
        (isFreeText, isFixed) = (found.isFreeText, found.isFixed)
    }

    /// The information collected while a value is parsed.
    private struct Findings {
        var properties: [Int] = []
        var needed: [Int] = []
        var isFreeText = true
        var isFixed = true
    }

    private static func part(
        _ value: JSONValue, key: String, _ names: inout [String], _ found: inout Findings
    ) throws(SceneFileError) -> Part {
        switch value.kind {
        case .object:
            var members: [(key: String, part: Part)] = []
            var source: TextTemplate?
            for (key, value) in try value.readMembers() {
                let part = try part(value, key: key, &names, &found)
                if key == "image" || key == "svg", case .text(let template, _) = part { source = template }
                members.append((key, part))
            }
            return .object(members, source: source)
        case .array:
            var elements: [Part] = []
            for element in try value.readArray() { elements.append(try part(element, key: "", &names, &found)) }
            return .array(elements)
        case .string:
            // Style sheets contain braces themselves.
            if key == "svg", value.string?.drop(while: \.isWhitespace).first == "<" { return .fixed(value) }
            guard let template = try TextTemplate(value, names: &names) else { return .fixed(value) }
            found.isFixed = false
            found.properties += template.properties
            if key != "text", key != "font" { found.needed += template.properties }
            if !template.properties.isEmpty, key != "text" { found.isFreeText = false }
            return .text(template, isText: texts.contains(key))
        case .number, .boolean, .null: return .fixed(value)
        }
    }
}

extension ContentTemplate {
    /// The content for a feature, as a value that is read like one of a file; nil if it is an image that the feature does not name.
    /// - Parameter values: The feature's properties, by the index of the name; nil if missing.
    func value(
        _ values: [JSONNode?], _ document: JSONDocument, _ tape: borrowing JSONTape
    ) throws(SceneFileError) -> JSONValue? {
        var writer = JSONWriter()
        guard try write(root, values, document, tape, into: &writer) else { return nil }
        return try JSONDocument(composed: writer.bytes).root
    }

    /// Writes a part. Returns false, and writes nothing, if a required property is missing.
    private func write(
        _ part: Part, _ values: [JSONNode?], _ document: JSONDocument, _ tape: borrowing JSONTape, into writer: inout JSONWriter
    ) throws(SceneFileError) -> Bool {
        switch part {
        case .fixed(let value): writer.value(value)
        case .text(let template, let isText):
            let text = try template.text(values, document, tape)
            if isText {
                writer.string(text)
            } else if !isWhole(template, values, tape) {
                return false
            } else if let number = text.plainNumber {
                writer.number(number)
            } else if text == "true" || text == "false" {
                writer.boolean(text == "true")
            } else {
                writer.string(text)
            }
        case .object(let members, let source):
            if let source, !isWhole(source, values, tape) { return false }
            writer.beginObject()
            for member in members where isPresent(member.part, values, tape) {
                writer.key(member.key)
                _ = try write(member.part, values, document, tape, into: &writer)
            }
            writer.endObject()
        case .array(let elements):
            writer.beginArray()
            for element in elements where isPresent(element, values, tape) {
                _ = try write(element, values, document, tape, into: &writer)
            }
            writer.endArray()
        }
        return true
    }

    /// Whether a feature has the properties that a part requires.
    private func isPresent(_ part: Part, _ values: [JSONNode?], _ tape: borrowing JSONTape) -> Bool {
        switch part {
        case .fixed, .array: true
        case .text(let template, let isText): isText || isWhole(template, values, tape)
        case .object(_, let source): source.map { isWhole($0, values, tape) } ?? true
        }
    }

    /// Whether a feature has all properties of a template. Data converted from tables has an empty string for a missing value.
    private func isWhole(_ template: TextTemplate, _ values: [JSONNode?], _ tape: borrowing JSONTape) -> Bool {
        for index in template.properties {
            guard let node = values[index], !tape.isString(node, "") else { return false }
        }
        return true
    }
}
