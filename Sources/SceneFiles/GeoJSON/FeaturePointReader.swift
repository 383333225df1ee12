import WaymarkGeo
import WaymarkScene

/// Reads the points of a file of features for a cluster layer, without creating overlays.
struct FeaturePointReader {
    private(set) var lats: [Double] = []
    private(set) var lngs: [Double] = []
    /// The altitudes; empty as long as all are 0.
    private(set) var altitudes: [Double] = []
    /// The offset of each feature in the text.
    private(set) var starts: [UInt32] = []
    /// The feature of each point; empty as long as every point has the index of its feature.
    private(set) var features: [Int32] = []
    private(set) var parts: [Int32: String] = [:]
    private(set) var ids = FeatureIDs()
    /// The number of features without a geometry, and of geometries other than points.
    private var placeless = 0
    private var others = 0
    /// The templates that every feature must fit.
    var templates: FeatureTemplates
    private let usesAltitude: Bool
    /// Gives markers the names of their features as captions, for a file without styles; nil for no captions.
    let pointNames: PlainFile.PointNames?
    /// The last feature that was checked against the template.
    private var checked = -1
    /// Checks the features' own styles for errors. The styles are applied when points become markers.
    private(set) var style = SimpleStyle()

    init(_ templates: FeatureTemplates, usesAltitude: Bool, pointNames: PlainFile.PointNames? = nil) {
        self.templates = templates
        self.usesAltitude = usesAltitude
        self.pointNames = pointNames
    }
}

extension FeaturePointReader {
    mutating func read(_ chunks: FeatureChunks, _ scene: inout SceneReader) throws(SceneFileError) {
        let type = try chunks.readType()
        let isGeometry = !type.isString("FeatureCollection") && !type.isString("Feature")
        try chunks.forEach(withStarts: true) { (feature, tape) throws(SceneFileError) in
            starts.append(UInt32(feature.start))
            let geometry = isGeometry ? feature.node : try GeoJSONSyntax.geometry(ofFeature: feature.node, feature.document, tape)
            if let geometry { try readGeometry(geometry, "", feature, tape, &scene) } else { placeless += 1 }
        } endChunk: { inFile in
            style.locateErrors { chunks.file.located(inFile($0)) }
        }
    }

    private mutating func readGeometry(
        _ geometry: JSONNode, _ part: String, _ feature: ChunkFeature, _ tape: borrowing JSONTape, _ scene: inout SceneReader
    ) throws(SceneFileError) {
        let document = feature.document
        let type = try GeoJSONSyntax.type(ofGeometry: geometry, document, tape)
        if tape.isString(type, "Point") {
            let list = try GeoJSONSyntax.coordinates(of: geometry, document, tape)
            // An empty geometry counts as missing.
            guard tape.count(of: list) > 0 else {
                placeless += 1
                return
            }
            let position = try GeoJSONSyntax.position(list, usesAltitude: usesAltitude, document, tape)
            try append(position, part, feature, tape, &scene)
        } else if tape.isString(type, "MultiPoint") {
            let list = try GeoJSONSyntax.coordinates(of: geometry, document, tape)
            guard var rest = tape.elements(of: list) else { throw document.value(at: list).unexpected("an array of positions") }
            var number = 0
            while let point = rest.next(in: tape) {
                let position = try GeoJSONSyntax.position(point, usesAltitude: usesAltitude, document, tape)
                try append(position, "\(part)/\(number)", feature, tape, &scene)
                number += 1
            }
        } else if tape.isString(type, "GeometryCollection") {
            for (member, part) in try GeoJSONSyntax.geometries(ofCollection: geometry, part: part, document, tape) {
                try readGeometry(member, part, feature, tape, &scene)
            }
        } else if ["LineString", "MultiLineString", "Polygon", "MultiPolygon"].contains(tape.string(of: type)) {
            others += 1
        } else {
            throw GeoJSONSyntax.unknownType(type, document)
        }
    }

    private mutating func append(
        _ position: LatLng, _ part: String, _ feature: ChunkFeature, _ tape: borrowing JSONTape, _ scene: inout SceneReader
    ) throws(SceneFileError) {
        let (node, index, document, point) = (feature.node, feature.index, feature.document, lats.count)
        guard point < Int32.max else { throw document.error(at: node, "the layer has more than \(Int32.max) points") }
        try scene.room.takePoint()
        lats.append(position.lat)
        lngs.append(position.lng)
        if position.altitude != 0, altitudes.isEmpty { altitudes = [Double](repeating: 0, count: point) }
        if position.altitude != 0 || !altitudes.isEmpty { altitudes.append(position.altitude) }
        if index != point, features.isEmpty { features = (0..<Int32(point)).map { $0 } }
        if index != point || !features.isEmpty { features.append(Int32(index)) }
        if !part.isEmpty { parts[Int32(point)] = part }
        if checked != index {
            let properties = tape.member("properties", of: node)
            try templates.marker.check(node, properties: properties, document, tape, &scene)
            if let properties, style.read(properties, hasPins: !templates.marker.hasIcon, document, tape).icon != nil {
                templates.marker.noteStyle(of: "iconImage")
            }
        }
        checked = index
        if let id = try GeoJSONSyntax.id(of: node, document, tape) { ids.append(id, point: point) }
    }

    /// Warnings about features and geometries that were left out, one sentence each.
    var warnings: [String] {
        var warnings: [String] = []
        if placeless > 0 {
            warnings.append(
                placeless == 1 ? "a feature has no position and is left out" : "\(placeless) features have no position and are left out")
        }
        if others > 0 {
            warnings.append(
                others == 1
                    ? "a geometry is not a point, so the cluster layer leaves it out"
                    : "\(others) geometries are not points, so the cluster layer leaves them out")
        }
        return warnings + templates.marker.warnings
    }
}
