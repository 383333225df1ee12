import WaymarkScene

/// The properties that all overlays of one kind in a GeoJSON file share, and those set from each feature.
struct OverlayTemplate<Kind: AnyObject> {
    private let table: PropertyTable<Kind>
    /// The constant properties; nil when all have their defaults.
    private var prototype: PropertyCopy?
    /// The template's value in the scene file.
    private var object: JSONValue?
    /// The fields in file order.
    private var fields: [Field] = []
    /// The indices of the fields, in the order of their properties in the table.
    private var readingOrder: [Int] = []
    /// The names of the feature properties that the fields use.
    private var names: [String] = []
    private var nameBytes: [[UInt8]] = []
    /// Whether the template sets properties that simplestyle also sets.
    private(set) var hasIcon = false
    private(set) var hasTitle = false
    private(set) var hasSnippet = false
    /// The number of features in which each property is missing.
    private var missing: [Int] = []
    private var values: [JSONNode?] = []
    /// Whether the current feature lacks each property. Stored here between features, to reuse its memory.
    private var isMissing: [Bool] = []
    /// The properties that scales determine.
    private(set) var scales = TemplateScales()
    /// The properties that the features' own styles determine.
    private var styled: [String] = []
    /// The contents with scales, each with the index of its field: of the current feature, and of all collected overlays.
    private var contents: [(field: Int, value: JSONValue)] = []
    private var collectedContents: [(overlay: Kind, row: Int, field: Int, value: JSONValue)] = []
    /// The object whose properties `check` sets.
    private var sample: Kind?

    /// A key whose value contains feature properties.
    private struct Field {
        enum Form {
            /// The template, and its text as written.
            case text(TextTemplate, source: String)
            /// Content, and the indices of its scales.
            case content(ContentTemplate, scales: Range<Int>)
        }

        let property: Property
        let form: Form
        let use: TemplateUse
        /// The indices of its properties.
        let places: [Int]
        /// Whether all texts fit the property.
        let isFreeText: Bool

        init(_ property: Property, _ use: TemplateUse, _ source: String, _ template: TextTemplate) {
            self.property = property
            self.use = use
            form = .text(template, source: source)
            places = template.properties
            isFreeText = if use == .text, case .text(_, .free) = property.type { true } else { false }
        }

        init(_ property: Property, _ content: ContentTemplate, scales: Range<Int>) {
            self.property = property
            // Missing properties are omitted from the content's texts.
            use = .text
            form = .content(content, scales: scales)
            places = content.properties
            isFreeText = content.isFreeText
        }
    }

    /// An empty template, for overlays with their defaults.
    init(_ table: PropertyTable<Kind>) {
        self.table = table
    }

    init(_ value: JSONValue, _ table: PropertyTable<Kind>, _ reader: inout SceneReader) throws(SceneFileError) {
        let members = try PropertyMembers(value, table.list, isTemplate: true)
        let prototype = table.make()
        var fields: [(place: Int, field: Field)] = []
        var names: [String] = []
        var scales = TemplateScales()
        var fixed: [(place: Int, value: JSONValue)] = []
        for place in members.placesInFileOrder {
            let property = table.list.properties[place]
            guard let member = members.value(at: place), let use = property.template else { continue }
            if case .content = property.type, member.kind == .object {
                let content = try ContentTemplate(member, names: &names)
                guard !content.isFixed else {
                    fixed.append((place, member))
                    continue
                }
                let first = scales.count
                for inner in content.scales {
                    let path = property.name + inner.path
                    scales.add(
                        inner.scale, for: inner.property, of: (path, inner.list), inner.value,
                        legend: try reader.readLegend(of: inner.value, inner.scale, path), names: &names)
                }
                fields.append((place, Field(property, content, scales: first..<scales.count)))
                continue
            }
            if member.kind == .object, let scale = try property.type.readScale(member) {
                scales.add(scale, for: property, member, legend: try reader.readLegend(of: member, scale, property.name), names: &names)
                continue
            }
            guard let template = try TextTemplate(member, names: &names), let source = member.string else {
                fixed.append((place, member))
                continue
            }
            guard template.properties.isEmpty else {
                fields.append((place, Field(property, use, source, template)))
                continue
            }
            let text = template.parts.map { if case .literal(let text) = $0 { text } else { "" } }.joined()
            fixed.append((place, JSONValue(document: member.document, node: member.node, text: text)))
        }
        for (place, value) in fixed.sorted(by: { $0.place < $1.place }) {
            try reader.read(value, table.list.properties[place], into: prototype)
        }
        try members.checkKeys()
        self.table = table
        self.prototype = PropertyCopy(of: prototype, table.list)
        object = value
        self.fields = fields.map(\.field)
        self.scales = scales
        readingOrder = fields.indices.sorted { fields[$0].place < fields[$1].place }
        hasIcon = value.member("iconImage") != nil
        hasTitle = value.member("title") != nil
        hasSnippet = value.member("snippet") != nil
        self.names = names
        nameBytes = names.map { Array($0.utf8) }
        missing = names.map { _ in 0 }
        values = names.map { _ in nil }
        isMissing = names.map { _ in false }
    }
}

extension OverlayTemplate {
    /// Whether the template sets the given property.
    func sets(_ key: StaticString) -> Bool { object?.member(key) != nil }

    /// Whether one of the given properties depends on the feature.
    func varies(_ names: Set<String>) -> Bool { fields.contains { names.contains($0.property.name) } || scales.determines(names) }

    /// Notes that a feature's own style determines a property, which legends then do not show.
    mutating func noteStyle(of name: String) {
        if scales.isCollecting, !styled.contains(name) { styled.append(name) }
    }

    /// An overlay with the constant properties of the template.
    func plainOverlay() -> Kind {
        let overlay = table.make()
        prototype?.apply(to: overlay)
        return overlay
    }

    /// Whether the scene has no template.
    var isPlain: Bool { object == nil }

    /// The overlay of a feature, without position or geometry.
    mutating func overlay(
        of feature: JSONNode, properties: JSONNode?, _ document: JSONDocument, _ tape: borrowing JSONTape, _ reader: inout SceneReader
    ) throws(SceneFileError) -> Kind {
        let overlay = plainOverlay()
        guard !fields.isEmpty || !scales.isEmpty else { return overlay }
        var isMissing = findValues(properties, tape)
        if !scales.isEmpty { try scales.read(values, document, tape, &isMissing) }
        for index in readingOrder {
            try set(fields[index], of: overlay, properties ?? feature, document, tape, &isMissing, &reader)
        }
        if scales.isCollecting {
            scales.setLineScales(of: overlay)
            try noteContents(document, tape)
        } else if !scales.isEmpty {
            scales.apply(to: overlay)
        }
        count(&isMissing)
        return overlay
    }

    /// Throws the same errors as `overlay`, for a feature whose overlay is created later, and counts its missing properties.
    mutating func check(
        _ feature: JSONNode, properties: JSONNode?, _ document: JSONDocument, _ tape: borrowing JSONTape, _ reader: inout SceneReader
    ) throws(SceneFileError) {
        guard !fields.isEmpty || !scales.isEmpty else { return }
        var isMissing = findValues(properties, tape)
        let isFirst = sample == nil
        let sample = sample ?? table.make()
        self.sample = sample
        for index in readingOrder {
            // Texts are not composed here, because only a list or an object does not fit a text. The constant parts are the same in all
            // features.
            if !isFirst, fields[index].isFreeText, !fields[index].places.contains(where: { isCompound(values[$0], tape) }) { continue }
            try set(fields[index], of: sample, properties ?? feature, document, tape, &isMissing, &reader)
        }
        if !scales.isEmpty { try scales.read(values, document, tape, &isMissing) }
        count(&isMissing)
    }

    /// Keeps an overlay of the current feature until the scales are resolved.
    mutating func collect(_ overlay: Kind) {
        guard scales.isCollecting else { return }
        scales.apply(to: overlay)
        for content in contents { collectedContents.append((overlay, scales.row, content.field, content.value)) }
    }

    /// Keeps the contents of the current feature that need the outputs of scales.
    private mutating func noteContents(_ document: JSONDocument, _ tape: borrowing JSONTape) throws(SceneFileError) {
        contents = []
        for index in readingOrder {
            guard case .content(let content, let own) = fields[index].form, !own.isEmpty,
                let value = try content.unfinishedValue(values, document, tape)
            else { continue }
            contents.append((index, value))
        }
    }

    /// Adds the numbers of a line's points, for the scale of a property.
    mutating func addPointValues(_ numbers: [Double?], of property: String) { scales.addPointValues(numbers, of: property) }

    /// Determines the scales from all features, and sets the properties and contents of the overlays that were collected.
    /// - Parameters:
    ///   - name: The name of the overlay in the scene.
    ///   - template: The key of this template.
    ///   - file: The name of the file of features.
    ///   - numbers: Those of all templates of the overlay.
    mutating func resolveScales(
        of name: String, template: String, file: String, _ chunks: FeatureChunks, _ numbers: inout ScaleNumbers,
        _ reader: inout SceneReader
    ) throws(SceneFileError) {
        guard scales.isCollecting else { return }
        scales.noteNames(in: chunks)
        let varying = Set(styled).union(fields.map(\.property.name))
        try scales.resolve(
            of: plainOverlay(), varying: varying, &numbers, overlay: name, template: template, file: file, &reader)
        for (overlay, row, index, value) in collectedContents {
            guard case .content(_, let own) = fields[index].form else { continue }
            do throws(SceneFileError) {
                let value = try ContentTemplate.finished(value, outputs: scales.outputs(of: own, row: row))
                try reader.read(value, fields[index].property, into: overlay)
            } catch {
                throw Self.error(error, of: fields[index])
            }
        }
        (contents, collectedContents) = ([], [])
        scales.dropValues()
    }

    private func isCompound(_ node: JSONNode?, _ tape: borrowing JSONTape) -> Bool {
        guard let node else { return false }
        return switch tape.kind(of: node) {
        case .array, .object: true
        case .string, .number, .boolean, .null: false
        }
    }

    /// Finds the values of the properties that the fields use, and returns for each field whether the feature lacks it.
    private mutating func findValues(_ properties: JSONNode?, _ tape: borrowing JSONTape) -> [Bool] {
        if let properties {
            tape.members(nameBytes, of: properties, into: &values)
        } else {
            for index in values.indices { values[index] = nil }
        }
        // The array is moved out, so that no memory is allocated for each feature.
        var isMissing: [Bool] = []
        swap(&isMissing, &self.isMissing)
        // The array was not put back if the last feature had an error.
        if isMissing.count != names.count { isMissing = names.map { _ in false } }
        for index in values.indices {
            isMissing[index] = false
            if let node = values[index] {
                guard tape.kind(of: node) == .null else { continue }
                scales.note(index)
                values[index] = nil
            }
            isMissing[index] = true
        }
        return isMissing
    }

    private mutating func count(_ isMissing: inout [Bool]) {
        for index in missing.indices where isMissing[index] { missing[index] += 1 }
        swap(&isMissing, &self.isMissing)
    }

    private func set(
        _ field: Field, of overlay: Kind, _ place: JSONNode, _ document: JSONDocument, _ tape: borrowing JSONTape,
        _ isMissing: inout [Bool], _ reader: inout SceneReader
    ) throws(SceneFileError) {
        do throws(SceneFileError) {
            switch field.form {
            case .text(let template, _):
                guard let value = try value(of: field, template, place, document, tape, &isMissing) else { return }
                try reader.read(value, field.property, into: overlay)
            case .content(let content, let own):
                for index in content.neededProperties where values[index].map({ tape.isString($0, "") }) ?? true { isMissing[index] = true }
                let outputs = scales.isResolved ? scales.outputs(of: own) : own.map { _ in nil }
                guard let value = try content.value(values, outputs: outputs, document, tape) else { return }
                do throws(SceneFileError) {
                    try reader.read(value, field.property, into: overlay)
                } catch {
                    throw document.error(at: place, error.path.isEmpty ? error.problem : "\(error.path): \(error.problem)")
                }
            }
        } catch {
            throw Self.error(error, of: field)
        }
    }

    /// The value of a field for a feature; nil if the property keeps its default.
    private func value(
        of field: Field, _ template: TextTemplate, _ place: JSONNode, _ document: JSONDocument, _ tape: borrowing JSONTape,
        _ isMissing: inout [Bool]
    ) throws(SceneFileError) -> JSONValue? {
        if field.use != .text {
            var isWhole = true
            for case .property(let index) in template.parts {
                // Data converted from tables has an empty string for a missing value.
                if let node = values[index], !tape.isString(node, "") { continue }
                isMissing[index] = true
                isWhole = false
            }
            guard isWhole else { return nil }
        }
        guard let only = template.onlyProperty, let node = values[only] else {
            return JSONValue(document: document, node: place, text: try template.text(values, document, tape))
        }
        if field.use == .value, tape.kind(of: node) != .string { return JSONValue(document: document, node: node) }
        return JSONValue(document: document, node: node, text: try TextTemplate.text(of: node, document, tape))
    }

    private static func error(_ error: SceneFileError, of field: Field) -> SceneFileError {
        var error = error
        error.problem += "; the value is for \(field.property.name.quotedBriefly)"
        if case .text(_, let source) = field.form { error.problem += ": \(source.quotedBriefly)" }
        return error
    }

    /// The properties that are missing in features, one sentence each.
    var warnings: [String] {
        names.indices.filter { missing[$0] > 0 }.compactMap { index in
            let users = fields.filter { $0.places.contains(index) }
            let texts = users.filter { $0.use == .text }.map(\.property.name.quotedBriefly)
            let others =
                users.filter { $0.use != .text }.map(\.property.name.quotedBriefly)
                + scales.properties(withoutOutputFor: index).map(\.quotedBriefly)
            // A scale has an output for missing values.
            guard !texts.isEmpty || !others.isEmpty else { return nil }
            let parts = [
                others.isEmpty
                    ? nil : "\(others.joined(separator: ", ")) \(others.count == 1 ? "keeps its default" : "keep their defaults")",
                texts.isEmpty ? nil : "\(texts.joined(separator: ", ")) \(texts.count == 1 ? "omits" : "omit") it",
            ]
            return "the property \(names[index].quotedBriefly) is missing in \(missing[index]) feature\(missing[index] == 1 ? "" : "s"): "
                + parts.compactMap(\.self).joined(separator: " and ")
        }
    }
}

typealias MarkerTemplate = OverlayTemplate<Marker>
typealias PolylineTemplate = OverlayTemplate<Polyline>
typealias PolygonTemplate = OverlayTemplate<Polygon>
typealias SymbolTemplate = OverlayTemplate<Box<Symbol>>

/// The templates of a `geojson` overlay.
struct FeatureTemplates {
    var marker = MarkerTemplate(MarkerProperties.table)
    var polyline = PolylineTemplate(PolylineProperties.table)
    var polygon = PolygonTemplate(PolygonProperties.table)

    /// The properties that are missing in features, one sentence each.
    var warnings: [String] { marker.warnings + polyline.warnings + polygon.warnings }

    /// Whether overlays have to be collected until scales are resolved.
    var isCollecting: Bool { marker.scales.isCollecting || polyline.scales.isCollecting || polygon.scales.isCollecting }

    /// Determines the scales from all features. See ``OverlayTemplate/resolveScales(of:template:file:_:_:_:)``.
    mutating func resolveScales(
        of name: String, file: String, _ chunks: FeatureChunks, _ reader: inout SceneReader
    ) throws(SceneFileError) {
        guard isCollecting else { return }
        var numbers = ScaleNumbers(marker.scales, polyline.scales, polygon.scales)
        try marker.resolveScales(of: name, template: "marker", file: file, chunks, &numbers, &reader)
        try polyline.resolveScales(of: name, template: "polyline", file: file, chunks, &numbers, &reader)
        try polygon.resolveScales(of: name, template: "polygon", file: file, chunks, &numbers, &reader)
    }
}
