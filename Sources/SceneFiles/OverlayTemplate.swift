import WaymarkScene

/// What all overlays of one kind of a GeoJSON overlay have in common, and what each takes from the properties of its feature.
struct OverlayTemplate<Kind: TemplateKind> {
    /// nil when everything is as it is by default.
    private let prototype: Kind.Product?
    /// The template in the scene file, for its keys.
    private let object: JSONValue?
    private let fields: [Field]
    /// The properties that are asked for.
    private let names: [String]
    private let nameBytes: [[UInt8]]
    /// Which of the things that simplestyle tells too are told here.
    private(set) var hasIcon = false
    private(set) var hasTitle = false
    private(set) var hasSnippet = false
    /// In how many features each property is missing.
    private var missing: [Int]
    private var values: [JSONNode?]

    /// A key whose value has properties in it.
    private struct Field {
        let key: JSONNode
        let name: String
        /// As it is written.
        let source: String
        let template: TextTemplate
        let use: Use
    }

    private enum Use {
        /// Text: what is missing is empty in it.
        case text
        /// A name, which may look like a number.
        case name
        case value

        init(key: String) {
            switch key {
            case "title", "snippet", "captionText", "subCaptionText": self = .text
            case "iconImage", "mapLayerType", "capType", "joinType", "captionAlign", "captionAligns", "captionFontWeight", "captionFont":
                self = .name
            default: self = .value
            }
        }
    }

    /// The template of plain ones.
    init() {
        prototype = nil
        object = nil
        fields = []
        names = []
        nameBytes = []
        missing = []
        values = []
    }

    init(_ value: JSONValue, _ images: inout ImageTable) throws(SceneFileError) {
        let overlay = Kind.make()
        var fields: [Field] = []
        var names: [String] = []
        try value.readObject { (object) throws(SceneFileError) in
            try object.replace { (key, value) throws(SceneFileError) in
                guard let source = value.string, source.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) else {
                    return .none
                }
                let template: TextTemplate
                do throws(TextTemplate.Problem) {
                    template = try TextTemplate(source, names: &names)
                } catch {
                    throw value.error("\(value.brief): \(error.text)")
                }
                guard !template.properties.isEmpty else {
                    let text = template.parts.map { if case .literal(let text) = $0 { text } else { "" } }.joined()
                    return .value(JSONValue(document: value.document, node: value.node, text: text))
                }
                let name = value.document.tape.string(of: key) ?? ""
                fields.append(Field(key: key, name: name, source: source, template: template, use: Use(key: name)))
                return .deferral
            }
            try Kind.readProperties(&object, of: overlay, &images)
        }
        hasIcon = value["iconImage"] != nil
        hasTitle = value["title"] != nil
        hasSnippet = value["snippet"] != nil
        prototype = overlay
        object = value
        self.fields = fields
        self.names = names
        nameBytes = names.map { Array($0.utf8) }
        missing = names.map { _ in 0 }
        values = names.map { _ in nil }
    }
}

extension OverlayTemplate {
    /// Whether the template itself tells something.
    func tells(_ key: StaticString) -> Bool { object?[key] != nil }

    /// Whether there is a template at all.
    var isPlain: Bool { object == nil }

    /// The overlay of a feature, without a place.
    mutating func overlay(
        of feature: JSONNode, properties: JSONNode?, _ document: JSONDocument, _ tape: borrowing JSONTape, _ images: inout ImageTable
    ) throws(SceneFileError) -> Kind.Product {
        let overlay = Kind.make()
        if let prototype { Kind.copyProperties(of: prototype, to: overlay) }
        guard !fields.isEmpty, let object else { return overlay }
        if let properties {
            tape.members(nameBytes, of: properties, into: &values)
        } else {
            for index in values.indices { values[index] = nil }
        }
        var isMissing = names.map { _ in false }
        for index in values.indices where values[index].map({ tape.kind(of: $0) == .null }) ?? true {
            values[index] = nil
            isMissing[index] = true
        }
        var made: [(key: JSONNode, value: JSONValue)] = []
        made.reserveCapacity(fields.count)
        for field in fields {
            do throws(SceneFileError) {
                if let value = try value(of: field, properties ?? feature, document, tape, &isMissing) { made.append((field.key, value)) }
            } catch {
                throw Self.error(error, of: field)
            }
        }
        for index in missing.indices where isMissing[index] { missing[index] += 1 }
        var reader = ObjectReader(object, values: made)
        do throws(SceneFileError) {
            try Kind.readProperties(&reader, of: overlay, &images)
        } catch {
            let key = reader.lastKey?.description
            guard let field = fields.first(where: { $0.name == key }) else { throw error }
            throw Self.error(error, of: field)
        }
        return overlay
    }

    /// What stands in a feature for a field; nil when its default is to stay.
    private func value(
        of field: Field, _ place: JSONNode, _ document: JSONDocument, _ tape: borrowing JSONTape, _ isMissing: inout [Bool]
    ) throws(SceneFileError) -> JSONValue? {
        if field.use != .text {
            var isWhole = true
            for case .property(let index) in field.template.parts {
                // An empty string is how tables tell that there is nothing.
                if let node = values[index], !tape.isString(node, "") { continue }
                isMissing[index] = true
                isWhole = false
            }
            guard isWhole else { return nil }
        }
        guard let only = field.template.onlyProperty, let node = values[only] else {
            return JSONValue(document: document, node: place, text: try field.template.text(values, document, tape))
        }
        if field.use == .value, tape.kind(of: node) != .string { return JSONValue(document: document, node: node) }
        return JSONValue(document: document, node: node, text: try TextTemplate.text(of: node, document, tape))
    }

    private static func error(_ error: SceneFileError, of field: Field) -> SceneFileError {
        var error = error
        error.problem += ", for \(field.name.quotedBriefly): \(field.source.quotedBriefly)"
        return error
    }

    /// What the features lacked, a sentence for each property.
    var warnings: [String] {
        names.indices.filter { missing[$0] > 0 }.map { index in
            let users = fields.filter { $0.template.properties.contains(index) }
            let texts = users.filter { $0.use == .text }.map(\.name.quotedBriefly)
            let others = users.filter { $0.use != .text }.map(\.name.quotedBriefly)
            let parts = [
                others.isEmpty
                    ? nil : "\(others.joined(separator: ", ")) \(others.count == 1 ? "keeps its default" : "keep their defaults")",
                texts.isEmpty ? nil : "\(texts.joined(separator: ", ")) \(texts.count == 1 ? "goes" : "go") without it",
            ]
            return "the property \(names[index].quotedBriefly) is missing in \(missing[index]) feature\(missing[index] == 1 ? "" : "s"): "
                + parts.compactMap(\.self).joined(separator: " and ")
        }
    }
}
