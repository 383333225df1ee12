import WaymarkGeo
import WaymarkScene

/// Reads the points of a file of features into symbols of the base map.
struct SymbolReader {
    private(set) var symbols: [Symbol] = []
    /// The name of the file in warnings.
    private let name: String
    private var template: SymbolTemplate
    /// Whether the scene has a template, so that properties missing in features are reported.
    private let hasTemplate: Bool
    private var geometries: GeoJSONReader
    /// The number of features that are not points.
    private var leftOut = 0
    /// A second list of the symbols, if scales have to be determined from all features.
    private var collected: [Box<Symbol>] = []

    /// The prefix that, together with a feature's index, names the symbol of a feature without an id.
    private static let prefix = "symbol-"

    init(template: SymbolTemplate, hasTemplate: Bool, name: String) {
        self.template = template
        self.hasTemplate = hasTemplate
        self.name = name
        geometries = GeoJSONReader(prefix: Self.prefix, templates: FeatureTemplates(), usesAltitude: false, name: name)
    }

    mutating func read(_ chunks: FeatureChunks, _ scene: inout SceneReader) throws(SceneFileError) {
        let type = try chunks.readType()
        guard type.isString("FeatureCollection") || type.isString("Feature") else {
            throw type.unexpected("\"FeatureCollection\" or \"Feature\"")
        }
        try chunks.forEach { (feature, tape) throws(SceneFileError) in
            try readFeature(feature, in: chunks, tape, &scene)
        }
        if template.scales.isCollecting {
            var numbers = ScaleNumbers(template.scales)
            try template.resolveScales(of: "symbols", template: "symbol", file: name, chunks, &numbers, &scene)
            symbols = collected.map(\.value)
            collected = []
        }
        if hasTemplate { scene.warnings += template.warnings.map { Diagnostic(message: "\(name): \($0)") } }
        if leftOut > 0 {
            scene.warnings.append(
                Diagnostic(message: "\(name): \(leftOut) feature\(leftOut == 1 ? " is" : "s are") left out, because symbols are points"))
        }
    }

    /// Reads the data reported when the symbol is picked: the kind, the category and the phone, unless the template sets them, and all
    /// other properties that are texts, numbers or booleans.
    private func readFields(
        _ properties: JSONNode, into symbol: inout Symbol, _ document: JSONDocument, _ tape: borrowing JSONTape
    ) throws(SceneFileError) {
        guard var rest = tape.members(of: properties) else { return }
        while let (key, value) = rest.next(in: tape) {
            guard let name = tape.string(of: key), [.string, .number, .boolean].contains(tape.kind(of: value)) else { continue }
            let text = try TextTemplate.text(of: value, document, tape)
            switch name {
            case "name": break
            case "kind": if !template.sets("kind"), !text.isEmpty { symbol.kind = text }
            case "category": if !template.sets("category") { symbol.category = text }
            case "phone": if !template.sets("phone") { symbol.phone = text }
            default: symbol.fields[name] = text
            }
        }
    }

    private mutating func append(_ symbol: Symbol) {
        symbols.append(symbol)
        guard template.scales.isCollecting else { return }
        let box = Box(symbol)
        collected.append(box)
        template.collect(box)
    }

    private mutating func readFeature(
        _ place: ChunkFeature, in chunks: FeatureChunks, _ tape: borrowing JSONTape, _ scene: inout SceneReader
    ) throws(SceneFileError) {
        let (feature, document) = (place.node, place.document)
        guard tape.kind(of: feature) == .object else { throw document.value(at: feature).unexpected("a feature object") }
        guard let geometry = tape.member("geometry", of: feature) else { throw document.error(at: feature, "missing key \"geometry\"") }
        guard tape.kind(of: geometry) != .null else { return }
        let type = try GeoJSONSyntax.type(ofGeometry: geometry, document, tape)
        let isMany = tape.isString(type, "MultiPoint")
        guard isMany || tape.isString(type, "Point") else {
            leftOut += 1
            return
        }
        let properties = tape.member("properties", of: feature)
        var symbol = try template.overlay(of: feature, properties: properties, document, tape, &scene).value
        if let properties { try readFields(properties, into: &symbol, document, tape) }
        let list = try GeoJSONSyntax.coordinates(of: geometry, document, tape)
        guard tape.count(of: list) > 0 else { return }
        let given = try geometries.claimID(of: place, in: chunks, tape, &scene)
        let id = given ?? "\(Self.prefix)\(place.index)"
        guard isMany else {
            try scene.room.take()
            if given == nil { scene.madeUpIDs.symbols.append(symbols.count) }
            symbol.id = id
            symbol.position = try GeoJSONSyntax.position(list, usesAltitude: false, document, tape)
            append(symbol)
            return
        }
        if given != nil { scene.madeUpIDs.hasPartsOfGiven = true }
        guard var rest = tape.elements(of: list) else { throw document.value(at: list).unexpected("an array of positions") }
        var number = 0
        while let point = rest.next(in: tape) {
            try scene.room.take()
            scene.madeUpIDs.symbols.append(symbols.count)
            symbol.id = "\(id)/\(number)"
            symbol.position = try GeoJSONSyntax.position(point, usesAltitude: false, document, tape)
            append(symbol)
            number += 1
        }
    }
}

extension SceneReader {
    /// Reads the symbols of the base map: a list of symbols, or a GeoJSON file and a template.
    mutating func readSymbols(_ value: JSONValue, into mapView: MapView) throws(SceneFileError) {
        guard value.kind == .object else {
            var symbols: [Symbol] = []
            guard value.kind == .array else { throw value.unexpected("an object with a source, or an array of symbols") }
            for element in try value.readArray() {
                let box = SymbolProperties.table.make()
                try decode(element, SymbolProperties.table.list, into: box)
                var symbol = box.value
                if let id = symbol.id {
                    try claim(id, at: element)
                } else {
                    madeUpIDs.symbols.append(symbols.count)
                    symbol.id = "symbol-\(symbols.count)"
                }
                symbols.append(symbol)
            }
            room.note(symbols.count)
            mapView.symbols = symbols
            warnOfNothing(symbols, "symbols")
            return
        }
        var source: JSONValue?
        var template: SymbolTemplate?
        try decode(value, SymbolSourceProperties.table.list, into: Box(())) { (part, member, reader) throws(SceneFileError) in
            // The table has no other parts.
            if case .source = part { source = member }
            if case .symbolTemplate = part { template = try SymbolTemplate(member, SymbolProperties.table, &reader) }
        }
        guard let source else { return }
        let hasTemplate = template != nil
        if template == nil { template = try SymbolTemplate.plain(&self) }
        guard let template else { return }
        var reader = SymbolReader(template: template, hasTemplate: hasTemplate, name: try source.readString())
        try withFeatures(source, usesAltitude: false) { (chunks, scene) throws(SceneFileError) in
            try reader.read(chunks, &scene)
        }
        mapView.symbols = reader.symbols
        warnOfNothing(reader.symbols, try source.readString())
    }

    private mutating func warnOfNothing(_ symbols: [Symbol], _ name: String) {
        let count = symbols.count { $0.captionText.isEmpty && $0.iconImage == nil }
        guard count > 0 else { return }
        let has = count == 1 ? " has" : "s have"
        warnings.append(Diagnostic(message: "\(name): \(count) symbol\(has) no text and no icon"))
    }
}

extension SymbolTemplate {
    /// The default template of symbols, which takes the text from the property `name`, and the rank from `rank`.
    static func plain(_ reader: inout SceneReader) throws(SceneFileError) -> SymbolTemplate {
        let document = try JSONDocument(composed: Array(#"{"captionText": "{name}", "rank": "{rank}"}"#.utf8))
        return try SymbolTemplate(document.root, SymbolProperties.table, &reader)
    }
}
