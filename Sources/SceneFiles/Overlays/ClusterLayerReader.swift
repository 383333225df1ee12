import WaymarkScene

/// The markers that a scene lists in a cluster layer; their type may be omitted.
enum ClusterMarkerProperties {
    static let table = PropertyTable<Marker>(
        { Marker() }, inheriting: MarkerProperties.table.list,
        [.part("type", .type, "The overlay's type, which may be left out.")])
}

extension SceneReader {
    /// - Parameter name: The name of a layer without an id.
    mutating func readClusterLayer(_ value: JSONValue, into layer: ClusterLayer, name: OverlayID) throws(SceneFileError) -> ClusterLayer {
        var (source, markers): (JSONValue?, JSONValue?)
        var templates = FeatureTemplates()
        var ofSource: [(value: JSONValue, what: String)] = []
        var usesAltitude = false
        try decode(value, layer.type.properties, into: layer) { (part, member, reader) throws(SceneFileError) in
            switch part {
            case .source: source = member
            case .clusterMarkers: markers = member
            case .markerTemplate:
                ofSource.append((member, "a template"))
                templates.marker = try MarkerTemplate(member, MarkerProperties.table, &reader)
            case .usesAltitude:
                ofSource.append((member, "useAltitude"))
                usesAltitude = try member.readBoolean()
            case .theme: layer.theme = try reader.readTheme(member)
            default: break
            }
        }
        if source == nil, let (value, what) = ofSource.first { throw value.error("\(what) requires a source, but this layer has none") }
        // The layer's id is claimed before its markers' ids.
        try claimID(of: layer, name: name, at: value)
        let prefix = "\(layer.id ?? "")/"
        if let markers { try readMarkers(markers, into: layer, prefix) }
        if let source { try readPoints(source, into: layer, prefix: prefix, templates, usesAltitude: usesAltitude) }
        return layer
    }

    private mutating func readMarkers(_ value: JSONValue, into layer: ClusterLayer, _ prefix: String) throws(SceneFileError) {
        room.notePoints(value.count)
        for (index, element) in zip(0..., try value.readArray()) {
            if element.kind == .object, let type = element["type"], !type.isString("marker") {
                throw type.unexpected("\"marker\", the only type in a cluster layer")
            }
            let marker = Marker()
            try decode(element, ClusterMarkerProperties.table.list, into: marker)
            try claimID(of: marker, name: OverlayID(start: "\(prefix)marker-", element: index), at: element)
            layer.add(marker)
        }
    }

    private mutating func readPoints(
        _ source: JSONValue, into layer: ClusterLayer, prefix: String, _ templates: FeatureTemplates, usesAltitude: Bool
    ) throws(SceneFileError) {
        let name = try source.readString()
        try withFeatures(source, usesAltitude: usesAltitude, areClustered: true) { (chunks, reader) throws(SceneFileError) in
            var features = FeaturePointReader(templates, usesAltitude: usesAltitude)
            try reader.read(&features, of: chunks, named: name, into: layer, prefix: prefix)
            reader.warnings += features.warnings.map { Diagnostic(message: "\(name): \($0)") }
            reader.warnings += features.style.warnings(prefix: "\(name): ")
        }
    }

    private mutating func read(
        _ features: inout FeaturePointReader, of chunks: FeatureChunks, named name: String, into layer: ClusterLayer, prefix: String
    ) throws(SceneFileError) {
        try features.read(chunks, &self)
        try features.templates.resolveScales(of: String(prefix.dropLast()), file: name, chunks, &self)
        let points = FeaturePoints(features, chunks: chunks, file: name, prefix: prefix, self)
        try claimIDs(of: points)
        featureSources.append(points)
        layer.setSource(points)
    }

    /// Adds a cluster layer with the points of a file of features that is the scene itself.
    mutating func cluster(_ chunks: FeatureChunks, on mapView: MapView) throws(SceneFileError) {
        let names = PlainFile.PointNames(hideSymbols: !mapView.symbols.isEmpty)
        var features = FeaturePointReader(FeatureTemplates(), usesAltitude: false, pointNames: mapView.showsPlainFile ? names : nil)
        let layer = ClusterLayer()
        let name = OverlayID(start: "\(OverlayType.clusterLayer.rawValue)-", element: 0)
        layer.setMadeUpID(name)
        if mapView.showsPlainFile { layer.theme = names.clusterTheme }
        try read(&features, of: chunks, named: file, into: layer, prefix: "\(name.text)/")
        warnings += features.style.warnings(prefix: "")
        if layer.count > 0 { mapView.adopt(layer) }
    }

    /// Throws if a feature has an id that is in use.
    private func claimIDs(of points: FeaturePoints) throws(SceneFileError) {
        func refuse(_ id: String?, _ point: Int, _ owner: String) throws(SceneFileError) {
            throw SceneFileError(
                path: "features[\(points.feature(point))].id",
                problem: "the id \((id ?? "").quotedBriefly) is already used by \(owner)")
        }
        if let (first, second) = points.firstDuplicate {
            try refuse(points.featureID(first), second, "features[\(points.feature(first))]\(points.hint(first, second))")
        }
        if let (id, point, owner) = firstShared(with: points) { try refuse(id, point, owner) }
        for other in otherSources {
            guard let (point, id) = points.firstShared(with: other), let owner = other.point(ofFeatureID: id) else { continue }
            try refuse(id, point, other.place(ofPoint: owner))
        }
    }
}

// Themes.
extension SceneReader {
    fileprivate mutating func readTheme(_ value: JSONValue) throws(SceneFileError) -> ClusterTheme {
        let theme = ClusterTheme()
        var ranges: [ClosedRange<Int>] = []
        for element in try value.readArray() {
            let (range, style) = try element.readObject(synonyms: ["range": "densityRange", "density": "densityRange"]) {
                (object) throws(SceneFileError) in (try object.required("densityRange"), try object.required("style"))
            }
            let density = try readDensityRange(range)
            guard theme.setStyle(try readStyle(style), forDensityRange: density) else {
                let other = ranges.firstIndex { $0.overlaps(density) } ?? 0
                throw range.error("the range overlaps the densityRange of theme[\(other)]")
            }
            ranges.append(density)
        }
        return theme
    }

    /// `[first, last]`, both included; null means no upper end.
    private func readDensityRange(_ value: JSONValue) throws(SceneFileError) -> ClosedRange<Int> {
        var bounds: [Int] = []
        for (index, element) in zip(0..., try value.readArray(count: 2...2)) {
            bounds.append(index == 1 && element.kind == .null ? .max : try element.readInteger(in: 2 ... .max))
        }
        guard bounds[0] <= bounds[1] else { throw value.error("the first number, \(bounds[0]), is above the second, \(bounds[1])") }
        return bounds[0]...bounds[1]
    }

    private mutating func readStyle(_ value: JSONValue) throws(SceneFileError) -> ClusterStyle {
        let hasImage = value.member("image") != nil
        let style: ClusterStyle = hasImage ? ImageClusterStyle(image: .empty) : BasicClusterStyle()
        try decode(value, hasImage ? ClusterStyleProperties.image.list : ClusterStyleProperties.basic.list, into: style)
        // These checks go beyond the ranges of single properties.
        if let found = style.values.problem {
            throw ((found.path == "size" ? value["size"] : value["text"]) ?? value).error(found.problem)
        }
        return style
    }
}
