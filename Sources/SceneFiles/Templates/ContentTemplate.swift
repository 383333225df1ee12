import WaymarkScene

/// The content that a view shows for a feature: an object of a scene file, with templates among its strings. It is parsed once and
/// evaluated for every feature.
struct ContentTemplate {
    private indirect enum Part {
        case fixed(JSONValue)
        /// - isText: Whether the result stays text even if it could be read as a number or as `true` or `false`.
        case text(TextTemplate, isText: Bool)
        /// - source: The image that the object shows, if the feature names it. If the feature has no image, the object is left out.
        case object([(key: String, part: Part)], source: TextTemplate?)
        case array([Part])
        /// The output of a scale, by its index.
        case scale(Int)
    }

    /// A number or a color that a scale determines.
    struct ContentScale {
        let property: Property
        /// The properties of the piece of content that has it.
        let list: PropertyList
        /// The path of the property within the content.
        let path: String
        /// The scale in the scene.
        let value: JSONValue
        let scale: PropertyScale
    }

    private var root: Part
    /// The indices of its properties.
    private(set) var properties: [Int] = []
    /// The properties whose absence omits a part of the content, or gives the part its default.
    private(set) var neededProperties: [Int] = []
    /// Whether the properties occur only in texts, where all values are valid.
    private(set) var isFreeText = true
    /// Whether the content contains no template, no doubled brace and no scale.
    private(set) var isFixed = true
    /// The scales in the content, in order.
    private(set) var scales: [ContentScale] = []

    /// The keys whose values are texts or names.
    private static let texts: Set<String> = ["text", "font", "image", "svg"]

    /// The key of an object that stands for the output of a scale until the output is known. No object in a scene has this key.
    private static let output: StaticString = ""

    /// The numbers and colors of content that scales can determine, by their names, which mean the same in all kinds of content.
    private static let scaled: [String: (property: Property, list: PropertyList)] = {
        let lists = [
            LabelProperties.table.list, StackProperties.table.list, ImageContentProperties.table.list, SVGContentProperties.table.list,
            ContentInsetProperties.table.list,
        ]
        let properties = lists.flatMap { list in list.properties.map { (property: $0, list: list) } }
        let scaled = properties.filter { $0.property.type.scaleKind != nil }
        return Dictionary(scaled.map { ($0.property.name, $0) }) { first, _ in first }
    }()

    /// Parses a value; throws for an unbalanced brace, and for an invalid scale.
    /// - Parameter names: The names of the properties used by templates; new ones are appended.
    init(_ value: JSONValue, names: inout [String]) throws(SceneFileError) {
        root = .fixed(value)
        root = try part(value, key: "", path: "", &names)
    }

    private mutating func part(_ value: JSONValue, key: String, path: String, _ names: inout [String]) throws(SceneFileError) -> Part {
        switch value.kind {
        case .object:
            if let (property, list) = Self.scaled[key], let scale = try property.type.readScale(value) {
                scales.append(ContentScale(property: property, list: list, path: path, value: value, scale: scale))
                isFixed = false
                return .scale(scales.count - 1)
            }
            var members: [(key: String, part: Part)] = []
            var source: TextTemplate?
            for (key, value) in try value.readMembers() {
                let part = try part(value, key: key, path: path + ".\(key)", &names)
                if key == "image" || key == "svg", case .text(let template, _) = part { source = template }
                members.append((key, part))
            }
            return .object(members, source: source)
        case .array:
            var elements: [Part] = []
            for element in try value.readArray() {
                elements.append(try part(element, key: "", path: path + "[\(elements.count)]", &names))
            }
            return .array(elements)
        case .string:
            // Style sheets contain braces themselves.
            if key == "svg", value.string?.drop(while: \.isWhitespace).first == "<" { return .fixed(value) }
            guard let template = try TextTemplate(value, names: &names) else { return .fixed(value) }
            isFixed = false
            properties += template.properties
            if key != "text", key != "font" { neededProperties += template.properties }
            if !template.properties.isEmpty, key != "text" { isFreeText = false }
            return .text(template, isText: Self.texts.contains(key))
        case .number, .boolean, .null: return .fixed(value)
        }
    }
}

extension ContentTemplate {
    /// The content for a feature, as a value that is read like a value in a file; nil if it is an image that the feature does not name.
    /// - Parameters:
    ///   - values: The feature's properties, by the index of the name; nil if missing.
    ///   - outputs: The outputs of the scales; nil where the default is kept.
    func value(
        _ values: [JSONNode?], outputs: [JSONText?], _ document: JSONDocument, _ tape: borrowing JSONTape
    ) throws(SceneFileError) -> JSONValue? {
        var writer = JSONWriter()
        guard try write(root, values, outputs, document, tape, into: &writer) else { return nil }
        return try JSONDocument(composed: writer.bytes).root
    }

    /// The content for a feature before the outputs of the scales are known.
    func unfinishedValue(
        _ values: [JSONNode?], _ document: JSONDocument, _ tape: borrowing JSONTape
    ) throws(SceneFileError) -> JSONValue? {
        let places = scales.indices.map { JSONText.object([(Self.output.description, .integer($0))]) }
        return try value(values, outputs: places, document, tape)
    }

    /// Finishes content with the outputs of the scales.
    static func finished(_ value: JSONValue, outputs: [JSONText?]) throws(SceneFileError) -> JSONValue {
        var writer = JSONWriter()
        try finish(value, outputs, into: &writer)
        return try JSONDocument(composed: writer.bytes).root
    }

    private static func finish(_ value: JSONValue, _ outputs: [JSONText?], into writer: inout JSONWriter) throws(SceneFileError) {
        switch value.kind {
        case .object:
            writer.beginObject()
            for (key, value) in try value.readMembers() {
                if value.kind == .object, let place = value[Self.output]?.int {
                    writer.member(key, json: outputs[place]?.bytes)
                } else {
                    writer.key(key)
                    try finish(value, outputs, into: &writer)
                }
            }
            writer.endObject()
        case .array:
            writer.beginArray()
            for element in try value.readArray() { try finish(element, outputs, into: &writer) }
            writer.endArray()
        case .string, .number, .boolean, .null: writer.value(value)
        }
    }

    /// Writes a part. Returns false, and writes nothing, if a required property is missing.
    private func write(
        _ part: Part, _ values: [JSONNode?], _ outputs: [JSONText?], _ document: JSONDocument, _ tape: borrowing JSONTape,
        into writer: inout JSONWriter
    ) throws(SceneFileError) -> Bool {
        switch part {
        case .fixed(let value): writer.value(value)
        case .scale(let index):
            guard let output = outputs[index] else { return false }
            writer.text(output.bytes)
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
            for member in members where isPresent(member.part, values, outputs, tape) {
                writer.key(member.key)
                _ = try write(member.part, values, outputs, document, tape, into: &writer)
            }
            writer.endObject()
        case .array(let elements):
            writer.beginArray()
            for element in elements where isPresent(element, values, outputs, tape) {
                _ = try write(element, values, outputs, document, tape, into: &writer)
            }
            writer.endArray()
        }
        return true
    }

    /// Whether a feature has the properties that a part requires.
    private func isPresent(_ part: Part, _ values: [JSONNode?], _ outputs: [JSONText?], _ tape: borrowing JSONTape) -> Bool {
        switch part {
        case .scale(let index): outputs[index] != nil
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
