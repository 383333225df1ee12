import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// The scales of a template. While a file is read, the values of its features are collected in columns. Afterwards, the scales are
/// resolved, and set the properties of the collected overlays. Scales that are already resolved are applied to each overlay when it is
/// made.
struct TemplateScales {
    private(set) var fields: [Field] = []
    private(set) var columns: [Column] = []
    /// Whether the scales have their domains and classes.
    private(set) var isResolved = false
    /// The number of features read.
    private var rowCount = 0
    /// The collected overlays, and the row of the feature of each.
    private var overlays: [AnyObject] = []
    private var rows: [Int32] = []
    /// The names of properties in the file, for hints; set if a scale needs one that no feature has.
    private var knownNames: [String] = []
    /// The number of steps to which outputs are rounded; 0 for exact outputs.
    private var steps = 0

    /// A property that a scale determines.
    struct Field {
        let property: Property
        /// The name of the property, or its path if it is within content.
        let name: String
        /// The properties of the piece of content that has it; nil if the overlay has it.
        let content: PropertyList?
        /// The scale in the scene.
        let value: JSONValue
        let given: PropertyScale
        var scale: PropertyScale
        let column: Int
        /// The legend that the scale requests.
        let legend: LegendElement?
        /// Whether all values count as missing, because a logarithmic axis has no value above 0.
        var lacksValues = false

        /// Whether it is a property of a piece of content, which is read with the output.
        var isOfContent: Bool { content != nil }

        /// Whether it may have a list with a number for each point of a line.
        var allowsLists: Bool { if case .lineColor = property.type { true } else { false } }

        /// Whether overlays share styles that contain the value. This is true for colors, and for numbers in a range such as sizes, but
        /// not for altitudes, which are positions.
        var isRounded: Bool {
            switch property.type {
            case .color, .lineColor, .size: true
            case .number(_, let range): range != .finite && property.changes != .position
            default: false
            }
        }
    }

    /// The values of a property of the features: numbers, or the indices of categories.
    struct Column {
        /// The index of the property in the template's list of names.
        let name: Int
        let categories: CategoryTable?
        /// Whether a feature may have a list with a number for each point of a line.
        var allowsLists = false
        /// The value of each feature; NaN if it is missing.
        var values: [Double] = []
        /// The values of points of lines.
        var pointValues: [Double] = []
        /// The value of the current feature, and whether it is a list.
        var current = Double.nan
        var isList = false
        /// Whether any feature has the property.
        var isKnown = false
        /// Whether any feature has a date, which is the number of seconds since 1970.
        var hasDates = false
        var missingCount = 0
        /// The number of features with a list, which only the color of a line can use.
        var listCount = 0
        var othersCount = 0
        var textCount = 0
        var firstText = ""
    }

    /// In larger files, outputs between two neighbors are rounded to steps, so that overlays share their styles.
    private static let mostExactFeatures = 65_536
    private static let stepsOfMany = 256
}

extension TemplateScales {
    var isEmpty: Bool { fields.isEmpty }

    /// Whether overlays have to be collected.
    var isCollecting: Bool { !fields.isEmpty && !isResolved }

    /// - Parameters:
    ///   - content: The path of the property and the properties beside it, if it belongs to a piece of content.
    ///   - value: The scale in the scene.
    ///   - legend: The legend that the scale requests.
    ///   - names: The names of the properties used by the template; a new one is appended.
    mutating func add(
        _ scale: PropertyScale, for property: Property, of content: (path: String, list: PropertyList)? = nil, _ value: JSONValue,
        legend: LegendElement?,
        names: inout [String]
    ) {
        let name = names.firstIndex(of: scale.by) ?? names.count
        if name == names.count { names.append(scale.by) }
        let categories = scale.categories.map(CategoryTable.init)
        let column = columns.firstIndex { $0.name == name && $0.categories?.names == categories?.names } ?? columns.count
        if column == columns.count { columns.append(Column(name: name, categories: categories)) }
        let field = Field(
            property: property, name: content?.path ?? property.name, content: content?.list, value: value, given: scale, scale: scale,
            column: column, legend: legend)
        if field.allowsLists, categories == nil { columns[column].allowsLists = true }
        fields.append(field)
    }

    /// Whether a scale determines one of the given properties.
    func determines(_ names: Set<String>) -> Bool { fields.contains { names.contains($0.name) } }

    /// The numbers of the features, by property.
    var numbers: [ScaleNumbers.Column] {
        columns.indices.compactMap { index in
            let column = columns[index]
            guard column.categories == nil, let field = fields.first(where: { $0.column == index }) else { return nil }
            return .init(
                name: field.given.by, values: column.values, pointValues: column.pointValues, hasDates: column.hasDates)
        }
    }

    /// The properties that keep their defaults in a feature without a property.
    /// - Parameter name: The index of the property.
    func properties(withoutOutputFor name: Int) -> [String] {
        fields.filter { columns[$0.column].name == name && $0.given.keepsDefault.ofMissing }.map(\.name)
    }
}

// Reading.
extension TemplateScales {
    /// Reads the values of a feature.
    /// - Parameters:
    ///   - values: The feature's properties, by the index of the name; nil if missing or null.
    ///   - isMissing: Whether the feature lacks each property; set for empty texts.
    mutating func read(
        _ values: [JSONNode?], _ document: JSONDocument, _ tape: borrowing JSONTape, _ isMissing: inout [Bool]
    ) throws(SceneFileError) {
        for index in columns.indices {
            let name = columns[index].name
            columns[index].isList = false
            if values[name] != nil { columns[index].isKnown = true }
            if let node = values[name], !tape.isString(node, "") {
                columns[index].current = try columns[index].read(node, document, tape)
            } else {
                columns[index].current = .nan
                columns[index].missingCount += 1
                isMissing[name] = true
            }
            if !isResolved { columns[index].values.append(columns[index].current) }
        }
        if !isResolved { rowCount += 1 }
    }

    /// Records that a feature has a property, although its value is null.
    mutating func note(_ name: Int) {
        for index in columns.indices where columns[index].name == name { columns[index].isKnown = true }
    }

    /// Adds the numbers of a line's points.
    mutating func addPointValues(_ numbers: [Double?], of property: String) {
        for field in fields where field.given.by == property && columns[field.column].allowsLists {
            columns[field.column].pointValues += numbers.lazy.compactMap(\.self)
            return
        }
    }

    /// Sets the properties of the current feature's overlay, or collects it.
    mutating func apply(to overlay: AnyObject) {
        if isCollecting {
            overlays.append(overlay)
            rows.append(Int32(truncatingIfNeeded: rowCount - 1))
            return
        }
        for field in fields where !field.isOfContent { field.set(columns[field.column].current, steps: steps, on: overlay) }
    }

    /// The number of the current feature, from 0.
    var row: Int { rowCount - 1 }

    /// The outputs for pieces of content, as values of a scene file; nil where the default is kept.
    /// - Parameter indices: The indices of the scales, in the order in which they were added.
    /// - Parameter row: The number of the feature; nil for the current one.
    func outputs(of indices: Range<Int>, row: Int? = nil) -> [JSONText?] {
        fields[indices].map { field in
            let column = columns[field.column]
            return field.text(at: row.map { column.values[$0] } ?? column.current, steps: steps)
        }
    }

    /// The number of scales.
    var count: Int { fields.count }

    /// Gives each line whose points have values its scale.
    func setLineScales(of overlay: AnyObject) {
        for field in fields where columns[field.column].isList {
            guard case .lineColor(let accessor) = field.property.type, case .colors(let scale) = field.scale else { continue }
            accessor.set(overlay, LineColor(color: accessor.get(overlay).color, scale: scale))
        }
    }
}

extension TemplateScales.Column {
    /// The value of a property that is not missing.
    fileprivate mutating func read(
        _ node: JSONNode, _ document: JSONDocument, _ tape: borrowing JSONTape
    ) throws(SceneFileError) -> Double {
        if let categories {
            let place: Int?
            switch tape.kind(of: node) {
            case .string: place = tape.withUTF8(of: node) { categories.index(of: $0) } ?? nil
            case .number, .boolean: place = categories.index(of: try TextTemplate.text(of: node, document, tape))
            case .array, .object, .null: return noteText("a list or an object")
            }
            if place == nil { othersCount += 1 }
            return place.map(Double.init) ?? PropertyScale.others
        }
        if let number = tape.double(of: node) { return number }
        if allowsLists, tape.kind(of: node) == .array {
            isList = true
            listCount += 1
            return .nan
        }
        switch tape.kind(of: node) {
        case .string:
            let text = tape.string(of: node) ?? ""
            // Tables converted to GeoJSON may have numbers as strings.
            if let number = text.plainNumber { return number }
            guard let seconds = CivilTime.seconds(of: text) else { return noteText(text.quotedBriefly) }
            hasDates = true
            return seconds
        case .boolean: return noteText(tape.bool(of: node) == true ? "true" : "false")
        case .array, .object, .number, .null: return noteText("a list or an object")
        }
    }

    /// Counts a value that is not a number.
    private mutating func noteText(_ text: @autoclosure () -> String) -> Double {
        if textCount == 0 { firstText = text() }
        textCount += 1
        missingCount += 1
        return .nan
    }
}

extension TemplateScales.Field {
    /// Sets the property of an overlay, if the scale has an output.
    /// - Parameters:
    ///   - value: The value in the column.
    ///   - steps: The number of steps to which outputs that make styles are rounded; 0 for exact outputs.
    fileprivate func set(_ value: Double, steps: Int, on overlay: AnyObject) {
        let value = lacksValues ? .nan : value
        let steps = isRounded ? steps : 0
        switch property.type {
        case .number(let accessor, _): if let number = scale.number(at: value, steps: steps) { accessor.set(overlay, number) }
        case .size(let accessor, _):
            guard let number = scale.number(at: value, steps: steps) else { return }
            // A size of 0 means the size of the image.
            if number > 0 { accessor.set(overlay, number) } else { Self.removeIcon(of: overlay) }
        case .integer(let accessor, _): if let number = integer(at: value, steps: steps) { accessor.set(overlay, number) }
        case .wholeNumber(let accessor, _): if let number = integer(at: value, steps: steps) { accessor.set(overlay, number) }
        case .color(let accessor): if let color = scale.color(at: value, steps: steps) { accessor.set(overlay, color) }
        case .lineColor(let accessor):
            if accessor.get(overlay).scale != nil, case .colors(let scale) = scale {
                accessor.set(overlay, LineColor(color: scale.missing ?? accessor.get(overlay).color, scale: lacksValues ? nil : scale))
            } else if let color = scale.color(at: value, steps: steps) {
                accessor.set(overlay, LineColor(color: color))
            }
        // No other property has a scale.
        default: break
        }
    }

    /// The output as a value of a scene file; nil if the property keeps its default.
    fileprivate func text(at value: Double, steps: Int) -> JSONText? {
        let value = lacksValues ? .nan : value
        let steps = isRounded ? steps : 0
        switch property.type {
        case .number: return scale.number(at: value, steps: steps).map(JSONText.number)
        // A size of 0 means the natural size.
        case .size: return scale.number(at: value, steps: steps).map { .number(max($0, Self.leastSize)) }
        case .integer, .wholeNumber: return integer(at: value, steps: steps).map(JSONText.integer)
        default: return scale.color(at: value, steps: steps).map { .string($0.description) }
        }
    }

    /// A size that is drawn as one pixel.
    private static let leastSize = 0.01

    private func integer(at value: Double, steps: Int) -> Int? {
        scale.number(at: value, steps: steps).flatMap { Int(exactly: $0.rounded()) }
    }

    private static func removeIcon(of overlay: AnyObject) {
        if let marker = overlay as? Marker { marker.iconImage = .empty }
        if let symbol = overlay as? Box<Symbol> { symbol.value.iconImage = nil }
    }
}

// Resolving.
extension TemplateScales {
    /// Records the names of the file's properties, if a scale needs a property that no feature has.
    mutating func noteNames(in chunks: FeatureChunks) {
        let declared = chunks.file.declaredNames
        for field in fields where declared.contains(field.given.by) { columns[field.column].isKnown = true }
        guard rowCount > 0, columns.contains(where: { !$0.isKnown }) else { return }
        // Features of other geometries may have it.
        let unknown = Set(fields.lazy.filter { [columns] in !columns[$0.column].isKnown }.map(\.given.by))
        let found = chunks.propertyNames(among: Array(unknown))
        for field in fields where found.contains(field.given.by) { columns[field.column].isKnown = true }
        if found.count < unknown.count { knownNames = chunks.propertyNames }
    }

    /// Determines the domains and classes, and sets the properties of the collected overlays.
    /// - Parameters:
    ///   - sample: An overlay with the constant properties of the template.
    ///   - varying: The properties that differ among the features, besides those that scales determine.
    ///   - data: The numbers of all templates of the overlay.
    ///   - overlay: The name of the overlay in the scene.
    ///   - template: The key of the template.
    ///   - file: The name of the file of features.
    mutating func resolve(
        of sample: AnyObject, varying: Set<String>, _ data: inout ScaleNumbers, overlay: String, template: String, file: String,
        _ scene: inout SceneReader
    ) throws(SceneFileError) {
        guard isCollecting else { return }
        for index in fields.indices {
            let field = fields[index]
            let column = columns[field.column]
            if rowCount > 0, !column.isKnown {
                let name = field.given.by
                var error = (field.value["by"] ?? field.value).error(
                    "no feature of \(file) has the property \(name.quotedBriefly)\(hint(for: name, [:], among: knownNames))")
                // The error is in the scene, although the features are being read.
                error.file = scene.file
                throw error
            }
            // A template without features has no legend that others determine.
            let numbers = column.categories != nil || rowCount == 0 ? [] : data.numbers(for: field.given)
            let scale = numbers.isEmpty ? field.given : data.resolved(field.given, for: numbers)
            fields[index].scale = scale
            let hasNumbers = numbers.contains { !$0.isNaN }
            fields[index].lacksValues = field.given.needsPositiveData && hasNumbers && !numbers.contains { $0 > 0 }
            let own = field.allowsLists && !column.pointValues.isEmpty ? column.values + column.pointValues : column.values
            scene.warnings += Self.warnings(fields[index], scale, column, numbers, own: own)
            var (low, high) = (Double.infinity, -Double.infinity)
            for number in numbers where number.isFinite { (low, high) = (min(low, number), max(high, number)) }
            var resolved = MapScale(
                overlay: overlay, template: template, property: field.name, given: field.given, resolved: scale,
                range: low <= high ? low...high : nil,
                missingCount: fields[index].lacksValues ? rowCount : column.missingCount + (field.allowsLists ? 0 : column.listCount),
                othersCount: column.othersCount)
            resolved.setSymbol(of: sample) { symbol(of: sample, varying, at: index) }
            resolved.hasDates = !numbers.isEmpty && data.areDates(for: field.given)
            resolved.hasFeatures = rowCount > 0
            resolved.legend = legend(of: resolved, at: index)
            scene.scales.append(resolved)
        }
        scene.warnings += textWarnings(file)
        isResolved = true
        steps = rowCount > Self.mostExactFeatures ? Self.stepsOfMany : 0
        for field in fields where !field.isOfContent {
            let values = columns[field.column].values
            for (overlay, row) in zip(overlays, rows) { field.set(values[Int(row)], steps: steps, on: overlay) }
        }
        (overlays, rows) = ([], [])
    }

    /// Frees the values, once the scales are resolved.
    mutating func dropValues() {
        for index in columns.indices { (columns[index].values, columns[index].pointValues) = ([], []) }
    }

    /// What a legend shows for the features.
    private func symbol(of sample: AnyObject, _ varying: Set<String>, at index: Int) -> LegendSymbol {
        let field = fields[index]
        var standard: Color?
        if case .color(let accessor) = field.property.type { standard = accessor.get(field.content?.make() ?? sample) }
        // The color of a piece of content is shown as an area.
        if field.isOfContent { return LegendSymbol(.area, color: standard) }
        let others = fields.indices.lazy.filter { $0 != index }.map { fields[$0].name }
        return LegendSymbol(
            of: sample, showing: field.name, standard: standard, varying: varying.union(others),
            isProportional: otherSide(of: index) != nil)
    }

    /// The legend of a scale, if the scale requests one. The width and the height share one legend.
    private func legend(of scale: MapScale, at index: Int) -> LegendElement? {
        guard var element = fields[index].legend else { return nil }
        if let other = otherSide(of: index), other < index, fields[other].legend != nil { return nil }
        element.legend.showScale(scale)
        return element
    }

    /// The field of the height for the field of the width, or the reverse; nil unless both have the same scale.
    private func otherSide(of index: Int) -> Int? {
        let sides = ["width", "height"]
        guard sides.contains(fields[index].name) else { return nil }
        return fields.indices.first { other in
            other != index && sides.contains(fields[other].name) && fields[other].given == fields[index].given
        }
    }
}
