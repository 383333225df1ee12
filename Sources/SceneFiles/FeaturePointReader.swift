import WaymarkGeo
import WaymarkScene

/// Reads the points of a GeoJSON file for a cluster layer, without an overlay for each.
struct FeaturePointReader {
    private(set) var lats: [Double] = []
    private(set) var lngs: [Double] = []
    /// Empty as long as all are 0.
    private(set) var altitudes: [Double] = []
    /// By feature: where it begins in the text.
    private(set) var starts: [UInt32] = []
    /// By point: its feature; empty as long as that has the same index.
    private(set) var features: [Int32] = []
    private(set) var parts: [Int32: String] = [:]
    private(set) var ids = FeatureIDs()
    /// Features without a geometry, and geometries that are no points.
    private var placeless = 0
    private var others = 0
    private let geometries: GeoJSONReader

    init(usesAltitude: Bool = false) {
        geometries = GeoJSONReader(prefix: "", templates: FeatureTemplates(), usesAltitude: usesAltitude)
    }
}

extension FeaturePointReader {
    mutating func read(_ chunks: FeatureChunks) throws(SceneFileError) {
        let root = chunks.frame.root
        guard let type = root["type"] else { throw root.error("missing key \"type\"") }
        try root.checkReferenceSystem()
        let isCollection = type.isString("FeatureCollection")
        if isCollection {
            guard let features = root["features"] else { throw root.error("missing key \"features\"") }
            guard features.kind == .array else { throw features.unexpected("an array") }
        }
        do throws(FeatureChunkError) {
            try chunks.forEach { (document, first, starts) throws(SceneFileError) in
                try document.withTape { (tape) throws(SceneFileError) in
                    guard var rest = tape.elements(of: tape.root) else { return }
                    var index = first
                    while let feature = rest.next(in: tape) {
                        self.starts.append(UInt32(starts[index - first]))
                        try read(feature, index, isFeature: isCollection || type.isString("Feature"), document, tape)
                        index += 1
                    }
                }
            }
        } catch {
            throw error.error
        }
    }

    private mutating func read(
        _ feature: JSONNode, _ index: Int, isFeature: Bool, _ document: JSONDocument, _ tape: borrowing JSONTape
    ) throws(SceneFileError) {
        guard isFeature else { return try readGeometry(feature, "", feature, index, document, tape) }
        guard tape.kind(of: feature) == .object else { throw document.value(at: feature).unexpected("a feature object") }
        guard let type = tape.member("type", of: feature) else { throw document.error(at: feature, "missing key \"type\"") }
        guard tape.isString(type, "Feature") else { throw document.value(at: type).unexpected("\"Feature\"") }
        guard let geometry = tape.member("geometry", of: feature) else { throw document.error(at: feature, "missing key \"geometry\"") }
        guard tape.kind(of: geometry) != .null else {
            placeless += 1
            return
        }
        try readGeometry(geometry, "", feature, index, document, tape)
    }

    private mutating func readGeometry(
        _ geometry: JSONNode, _ part: String, _ feature: JSONNode, _ index: Int, _ document: JSONDocument, _ tape: borrowing JSONTape
    ) throws(SceneFileError) {
        guard tape.kind(of: geometry) == .object else { throw document.value(at: geometry).unexpected("a geometry object or null") }
        guard let type = tape.member("type", of: geometry) else { throw document.error(at: geometry, "missing key \"type\"") }
        if tape.isString(type, "Point") {
            let list = try geometries.coordinates(of: geometry, document, tape)
            // An empty geometry counts as none.
            guard tape.count(of: list) > 0 else {
                placeless += 1
                return
            }
            try append(try geometries.readPosition(list, document, tape), part, feature, index, document, tape)
        } else if tape.isString(type, "MultiPoint") {
            let list = try geometries.coordinates(of: geometry, document, tape)
            guard var rest = tape.elements(of: list) else { throw document.value(at: list).unexpected("an array of positions") }
            var number = 0
            while let point = rest.next(in: tape) {
                try append(try geometries.readPosition(point, document, tape), "\(part)/\(number)", feature, index, document, tape)
                number += 1
            }
        } else if tape.isString(type, "GeometryCollection") {
            guard let list = tape.member("geometries", of: geometry) else {
                throw document.error(at: geometry, "missing key \"geometries\"")
            }
            guard var rest = tape.elements(of: list) else { throw document.value(at: list).unexpected("an array of geometries") }
            let isOne = tape.count(of: list) == 1
            var number = 0
            while let member = rest.next(in: tape) {
                guard tape.kind(of: member) != .null else { continue }
                try readGeometry(member, isOne ? part : "\(part)/\(number)", feature, index, document, tape)
                number += 1
            }
        } else if ["LineString", "MultiLineString", "Polygon", "MultiPolygon"].contains(tape.string(of: type)) {
            others += 1
        } else {
            throw document.value(at: type).unexpected(
                "a geometry type: Point, MultiPoint, LineString, MultiLineString, Polygon, MultiPolygon or GeometryCollection")
        }
    }

    private mutating func append(
        _ position: LatLng, _ part: String, _ feature: JSONNode, _ index: Int, _ document: JSONDocument, _ tape: borrowing JSONTape
    ) throws(SceneFileError) {
        let point = lats.count
        guard point < Int32.max else { throw document.error(at: feature, "a layer has at most \(Int32.max) points") }
        lats.append(position.lat)
        lngs.append(position.lng)
        if position.altitude != 0, altitudes.isEmpty { altitudes = [Double](repeating: 0, count: point) }
        if position.altitude != 0 || !altitudes.isEmpty { altitudes.append(position.altitude) }
        if index != point, features.isEmpty { features = (0..<Int32(point)).map { $0 } }
        if index != point || !features.isEmpty { features.append(Int32(index)) }
        if !part.isEmpty { parts[Int32(point)] = part }
        if let id = try Self.id(of: feature, document, tape) { ids.append(id, point: point) }
    }

    /// The id that a feature gives; nil when it has none.
    static func id(
        of feature: JSONNode, _ document: JSONDocument, _ tape: borrowing JSONTape
    ) throws(SceneFileError) -> String? {
        guard let node = tape.member("id", of: feature), tape.kind(of: node) != .null else { return nil }
        let value = document.value(at: node)
        guard let given = value.string ?? value.int.map(String.init) ?? value.double.map({ "\($0)" }) else {
            throw value.unexpected("a string or a number")
        }
        return given
    }

    /// The id of a document that is a feature.
    static func id(of document: JSONDocument) -> String? {
        document.withTape { tape in (try? id(of: tape.root, document, tape)) ?? nil }
    }

    /// What was left out, one sentence each.
    var warnings: [String] {
        var warnings: [String] = []
        if placeless > 0 {
            warnings.append(placeless == 1 ? "a feature has no position; left out" : "\(placeless) features have no position; left out")
        }
        if others > 0 {
            warnings.append(
                others == 1
                    ? "a geometry is no point; a cluster layer leaves it out"
                    : "\(others) geometries are no points; a cluster layer leaves them out")
        }
        return warnings
    }
}
