import WaymarkGeo
import WaymarkScene

/// The points of a file of features shown by a cluster layer. The file's text is kept, and a feature is read again when its point becomes a
/// marker. A point therefore takes only 25 bytes in addition to the text.
final class FeaturePoints: ClusterSource {
    private(set) var points: ClusterPoints
    private let text: FeatureText
    /// The positions of features with ids, by id.
    private let ids: FeatureIDs
    private let prefix: String
    /// The file's name in the scene.
    private let file: String
    /// The points that were renamed because their own generated names were taken, keyed by name.
    private var renamed: [String: Int32] = [:]
    private let maker: FeatureMarkers
    private let chunks: FeatureChunks

    /// The visibility of all points, or nil if it depends on the feature.
    private let commonVisibility: PointVisibility?

    var count: Int { points.lats.count }
    var hasEqualVisibilities: Bool { commonVisibility != nil }

    /// - Parameters:
    ///   - file: The file's name in the scene.
    ///   - prefix: The beginning of the names of points without ids.
    init(_ reader: FeaturePointReader, chunks: FeatureChunks, file: String, prefix: String, _ scene: SceneReader) {
        let text = FeatureText(file: chunks.file, starts: reader.starts, features: reader.features, parts: reader.parts)
        let ids = reader.ids.sorted()
        self.text = text
        self.ids = ids
        self.prefix = prefix
        self.file = file
        self.chunks = chunks
        points = ClusterPoints(lats: reader.lats, lngs: reader.lngs, altitudes: reader.altitudes) { index in
            FeaturePoints.name(index, text, ids, prefix: prefix).name
        }
        maker = FeatureMarkers(reader.templates, pointNames: reader.pointNames, scene)
        commonVisibility =
            reader.templates.marker.varies(["isVisible", "isHidden", "minZoom", "maxZoom", "hiddenZooms", "isFitted"])
            ? nil : maker.visibility
    }

    func makeMarker(_ index: Int) -> Marker {
        let marker = text.withFeature(index, maker.marker) ?? Marker()
        marker.position = points.position(index)
        let (name, isGiven) = Self.name(index, text, ids, prefix: prefix)
        if isGiven { marker.id = name } else { marker.setMadeUpID(points.id(index)) }
        return marker
    }

    func visibility(_ index: Int) -> PointVisibility { commonVisibility ?? PointVisibility(makeMarker(index)) }

    func values(of properties: [String]) -> [ClusterValues] {
        var ofFeatures = [ClusterValues](repeating: ClusterValues(), count: properties.count)
        let keys = properties.map { Array($0.utf8) }
        var values = [JSONNode?](repeating: nil, count: keys.count)
        try? chunks.forEach { (feature, tape) throws(SceneFileError) in
            for index in values.indices { values[index] = nil }
            if let properties = tape.member("properties", of: feature.node) { tape.members(keys, of: properties, into: &values) }
            for (index, node) in values.enumerated() {
                guard let node, tape.kind(of: node) != .null, !tape.isString(node, "") else {
                    ofFeatures[index].append(nil)
                    continue
                }
                // Tables converted to GeoJSON may have numbers as strings.
                if let number = tape.double(of: node) ?? tape.string(of: node).flatMap(Double.init) {
                    ofFeatures[index].append(number)
                } else {
                    ofFeatures[index].appendInvalid()
                }
            }
        }
        for index in ofFeatures.indices where !text.features.isEmpty || ofFeatures[index].millionths.count != count {
            let all = ofFeatures[index].millionths
            ofFeatures[index].millionths = (0..<count).map { all[text.feature($0)] }
        }
        return ofFeatures
    }

    func nearestProperty(to name: String) -> String? {
        nearestName(to: name, among: chunks.propertyNames.filter { $0 != name })
    }

    func index(ofID id: String) -> Int? {
        if let point = renamed[id] { return Int(point) }
        // The name may be the id of a feature, or such an id with the index of a part.
        for head in [id[...]] + id.indices.filter({ id[$0] == "/" }).map({ id[..<$0] }) {
            if let index = ids.indices(of: String(head)).first(where: { points.id($0) == id }) { return index }
        }
        guard id.hasPrefix(prefix) else { return nil }
        return text.point(named: id.dropFirst(prefix.count)).flatMap { points.id($0) == id ? $0 : nil }
    }

    /// The first point whose feature has an id.
    func point(ofFeatureID id: String) -> Int? { ids.indices(of: id).first { text.withFeature($0, GeoJSONSyntax.id) == id } }

    /// Gives generated names of points a suffix if they conflict with given ids or with names generated from other ids.
    /// - Parameters:
    ///   - given: Ids that may be given elsewhere.
    ///   - others: Other files, whose points keep their names.
    ///   - isGiven: Whether an id is given elsewhere, except by a feature of a file.
    static func settle(
        _ sources: [FeaturePoints], given: [some Collection<String>], others: [FeaturePoints], isGiven: @escaping (String) -> Bool
    ) {
        // All generated names contain a slash.
        let slash = UInt8(ascii: "/")
        let mayCollide = (sources + others).contains(where: \.ids.hasSlashes) || given.contains { $0.contains { $0.utf8.contains(slash) } }
        guard mayCollide else { return }
        var taken = TakenNames { name in
            isGiven(name) || sources.contains { $0.point(ofFeatureID: name) != nil } || others.contains { $0.index(ofID: name) != nil }
        }
        for source in sources { source.settle { taken.take($0) } }
    }

    private func settle(_ take: (String) -> String) {
        var names: [Int: String] = [:]
        for index in 0..<count where !ids.has(index) || !text.part(index).isEmpty {
            let name = Self.name(index, text, ids, prefix: prefix).name
            let free = take(name)
            guard free != name else { continue }
            names[index] = free
            renamed[free] = Int32(index)
        }
        guard !names.isEmpty else { return }
        points.id = { [text, ids, prefix, names] in names[$0] ?? Self.name($0, text, ids, prefix: prefix).name }
    }

    /// The id given by the feature of a point.
    func featureID(_ point: Int) -> String? { text.withFeature(point, GeoJSONSyntax.id) ?? nil }

    /// The index of a point's feature.
    func feature(_ point: Int) -> Int { text.feature(point) }

    /// The first points of the first two features with the same id, if any.
    var firstDuplicate: (first: Int, second: Int)? {
        for (a, b) in ids.collisions where feature(a) != feature(b) {
            guard text.withFeature(a, GeoJSONSyntax.id) == text.withFeature(b, GeoJSONSyntax.id) else { continue }
            return (min(a, b), max(a, b))
        }
        return nil
    }

    /// The location of a point's feature, for errors: `features[3] of cities.geojson`.
    func place(ofPoint point: Int) -> String {
        "\(text.file.located(SceneFileError(path: "features[\(feature(point))]", problem: "")).path) of \(file)"
    }

    /// A hint for an id that is also the id of a point's feature.
    /// - Parameter isNumber: Whether the other id is a number.
    func hint(_ isNumber: Bool?, ofPoint point: Int) -> String {
        text.withFeature(point) { GeoJSONSyntax.hint(isNumber, GeoJSONSyntax.isNumber(idOf: $0.root)) } ?? ""
    }

    /// A hint for two features with one id.
    func hint(_ first: Int, _ second: Int) -> String {
        text.withFeature(first) { hint(GeoJSONSyntax.isNumber(idOf: $0.root), ofPoint: second) } ?? ""
    }

    /// The first point whose feature's id is also used by a feature of another file.
    func firstShared(with other: FeaturePoints) -> (index: Int, id: String)? {
        guard !other.ids.isEmpty else { return nil }
        for point in ids.points {
            guard let id = text.withFeature(Int(point), GeoJSONSyntax.id) ?? nil else { continue }
            if other.point(ofFeatureID: id) != nil { return (Int(point), id) }
        }
        return nil
    }

    /// The id given by a feature, with the index of a part, or a name generated from the feature's index.
    private static func name(_ index: Int, _ text: FeatureText, _ ids: FeatureIDs, prefix: String) -> (name: String, isGiven: Bool) {
        let part = text.part(index)
        guard ids.has(index), let id = text.withFeature(index, { GeoJSONSyntax.id(of: $0) }) ?? nil else {
            return ("\(prefix)\(text.feature(index))\(part)", false)
        }
        return (id + part, part.isEmpty)
    }
}

/// The text of a file, and the offsets of its points' features.
struct FeatureText: Sendable {
    let file: FeatureFile
    /// The offset of each feature.
    let starts: [UInt32]
    /// The feature of each point; empty if every point has the index of its feature.
    let features: [Int32]
    /// The suffixes, such as `/2`, of points whose feature has several parts, keyed by point.
    let parts: [Int32: String]

    func feature(_ point: Int) -> Int { features.isEmpty ? point : Int(features[point]) }

    func part(_ point: Int) -> String { parts.isEmpty ? "" : parts[Int32(point)] ?? "" }

    /// The point with a name generated from the feature's index and the part.
    func point(named name: Substring) -> Int? {
        let index = name.prefix { $0 != "/" }
        guard let feature = Int32(index) else { return nil }
        guard !features.isEmpty else { return feature >= 0 && feature < starts.count ? Int(feature) : nil }
        // Points are in the order of features.
        return features[features.partitioningIndex { $0 >= feature }...].prefix { $0 == feature }.indices
            .first { part($0) == name.dropFirst(index.count) }
    }

    /// Parses the feature of a point and passes it to `body`. The result is never nil, because the feature was parsed before.
    func withFeature<Result>(_ point: Int, _ body: (JSONDocument) -> Result) -> Result? {
        (try? file.feature(at: Int(starts[feature(point)]))).map(body)
    }
}

/// The points with ids, and an index that finds an id by its hash, so that the ids themselves need not be kept.
struct FeatureIDs: Sendable {
    private var hashes: [UInt64] = []
    private var owners: [Int32] = []
    /// Whether one of the ids contains a slash, like generated names.
    private(set) var hasSlashes = false

    var isEmpty: Bool { hashes.isEmpty }

    mutating func append(_ id: String, point: Int) {
        hashes.append(Self.hash(id))
        owners.append(Int32(point))
        hasSlashes = hasSlashes || id.utf8.contains(UInt8(ascii: "/"))
    }

    /// Sorted by hash.
    func sorted() -> FeatureIDs {
        let order = hashes.indices.sorted { (hashes[$0], owners[$0]) < (hashes[$1], owners[$1]) }
        var sorted = self
        sorted.hashes = order.map { hashes[$0] }
        sorted.owners = order.map { owners[$0] }
        sorted.points = owners
        return sorted
    }

    /// The points with ids, ascending.
    private(set) var points: [Int32] = []

    /// Whether a point's feature has an id.
    func has(_ point: Int) -> Bool {
        let index = points.partitioningIndex { Int($0) >= point }
        return index < points.count && Int(points[index]) == point
    }

    /// The points whose ids have the same hash as an id, ascending.
    func indices(of id: String) -> [Int] {
        let hash = Self.hash(id)
        return hashes[hashes.partitioningIndex { $0 >= hash }...].prefix { $0 == hash }.indices.map { Int(owners[$0]) }
    }

    /// Pairs of points whose ids have equal hashes.
    var collisions: [(Int, Int)] {
        zip(hashes.indices, hashes.indices.dropFirst()).filter { hashes[$0] == hashes[$1] }.map { (Int(owners[$0]), Int(owners[$1])) }
    }

    /// FNV-1a of 64 bits (RFC 9923).
    private static func hash(_ text: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }
}

/// Creates markers from features by a template.
private final class FeatureMarkers {
    private var templates: FeatureTemplates
    private let pointNames: PlainFile.PointNames?
    private var scene: SceneReader
    private var style = SimpleStyle()

    init(_ templates: FeatureTemplates, pointNames: PlainFile.PointNames?, _ scene: SceneReader) {
        self.templates = templates
        self.pointNames = pointNames
        self.scene = scene.forFeatures
    }

    /// The marker of a feature, without a position.
    func marker(_ document: JSONDocument) -> Marker {
        document.withTape { tape in
            let properties = tape.member("properties", of: tape.root)
            // The feature fitted the template when the file was read.
            guard let marker = try? templates.marker.overlay(of: tape.root, properties: properties, document, tape, &scene) else {
                return Marker()
            }
            if let properties {
                style.apply(properties, to: marker, templates.marker, document, tape)
                pointNames?.add(to: marker, properties, tape)
            }
            return marker
        }
    }

    /// The visibility that the template gives all markers.
    var visibility: PointVisibility { PointVisibility(templates.marker.plainOverlay()) }
}
