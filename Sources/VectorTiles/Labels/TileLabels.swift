import WaymarkTiles

/// The points of a tile that have a role, in columns: places, waters, peaks and points of interest.
///
/// A point belongs to the tile that contains it. Tiles repeat the points near their edges; those outside of the tile are left out.
package struct TileLabels: Sendable {
    package private(set) var roles: [MapRole] = []
    /// Positions as fractions of the tile, each at least 0 and less than 1.
    package private(set) var positions: [TileGeometry.Point] = []
    /// The importance of each point among the points of the same role: lower numbers are more important; see `RankRule`.
    package private(set) var ranks: [Float] = []
    /// The names of each point; nil for points of interest without a name.
    package private(set) var names: [TileName?] = []
    /// The heights of peaks in m, −500…9000; NaN where none is known.
    package private(set) var elevations: [Float] = []
    /// The index of each point's feature in the tile's layer.
    private var features: [Int32] = []
    /// The layer of each point, by index in `layers`.
    private var layerNumbers: [UInt8] = []
    /// The first attribute of each point, followed by the number of all attributes. Names are not among the attributes.
    private var attributeStarts: [Int32] = [0]
    /// The indices of the key and of the value of each attribute, alternating.
    private var attributes: [UInt32] = []
    /// Every part of a tile shares the layers.
    private var layers: [LabelLayer] = []
    /// The bytes of all names, as a tile states them.
    private var nameBytes = 0

    package init() {}

    package var count: Int { roles.count }
    package var isEmpty: Bool { roles.isEmpty }
}

/// The data that the labels of a layer share.
private struct LabelLayer: Sendable {
    let name: String
    let keys: [String]
    /// The values that labels have.
    var values: [VectorValue] = []
    /// The keys that contain the category, in order of precedence.
    let categoryKeys: [UInt32]

    var byteCount: Int {
        values.reduce(keys.reduce(0) { $0 + 64 + $1.utf8.count }) { $0 + $1.byteCount }
    }
}

extension TileLabels {
    /// The name of a label's layer.
    package func layer(of label: Int) -> String { layers[Int(layerNumbers[label])].name }

    /// The label's name within its tile: the layer and the index of the feature. It is the same in every picture. The numbers that a tile
    /// gives its features need not differ.
    package func identity(of label: Int) -> String { "\(layer(of: label))/\(features[label])" }

    /// The keys and values that determine the category of a label, in order of precedence.
    package func categories(of label: Int) -> [(key: String, value: String)] {
        let layer = layers[Int(layerNumbers[label])]
        return layer.categoryKeys.compactMap { key in
            value(of: label, key: key).map { (layer.keys[Int(key)], $0.text) }
        }
    }

    /// All attributes of a label except for its names, in the order of the tile.
    package func fields(of label: Int) -> [(key: String, value: VectorValue)] {
        let layer = layers[Int(layerNumbers[label])]
        return attributes(of: label).map { (layer.keys[Int(attributes[2 * $0])], layer.values[Int(attributes[2 * $0 + 1])]) }
    }

    private func attributes(of label: Int) -> Range<Int> { Int(attributeStarts[label])..<Int(attributeStarts[label + 1]) }

    private func value(of label: Int, key: UInt32) -> VectorValue? {
        attributes(of: label).first { attributes[2 * $0] == key }.map {
            layers[Int(layerNumbers[label])].values[Int(attributes[2 * $0 + 1])]
        }
    }

    /// The approximate size in memory.
    var byteCount: Int {
        let names = names.reduce(0) { $0 + ($1?.byteCount ?? 0) }
        return 72 * count + names + 4 * attributes.count + layers.reduce(0) { $0 + $1.byteCount }
    }
}

extension TileLabels {
    /// Appends the points of a layer that have a role and, except for points of interest, a name.
    mutating func read(
        _ layer: VectorLayer, _ schemaLayer: SchemaLayer, _ roles: [MapRole?], _ limits: TileGeometry.Limits
    ) throws(TileRefusal) {
        let columns = layer.features
        guard layers.count < Int(UInt8.max), roles.indices.contains(where: { roles[$0]?.isLabel == true && columns.kinds[$0] == .points })
        else { return }
        let keys = (0..<layer.keyCount).map(layer.key)
        let categoryKeys = schemaLayer.categoryKeys.compactMap { name in keys.firstIndex(of: name).map(UInt32.init) }
        var result = LabelLayer(name: layer.name, keys: keys, categoryKeys: categoryKeys)
        let isName = keys.map(NameReader.isName)
        var names = NameReader(layer)
        let ranks = RankReader(schemaLayer.ranking, keys)
        /// For each value of the layer, the index of the same value in the labels, or -1.
        var numbers = [Int32](repeating: -1, count: layer.valueCount)
        for (feature, role) in roles.enumerated() {
            guard let role, role.isLabel, columns.kinds[feature] == .points, let part = columns.parts(of: feature).first,
                let point = columns.points(of: part).first
            else { continue }
            let (x, y) = (Int(columns.coordinates[2 * point]), Int(columns.coordinates[2 * point + 1]))
            guard 0..<layer.extent ~= x, 0..<layer.extent ~= y else { continue }
            let name = try names.name(of: feature, limits, bytes: &nameBytes)
            guard name != nil || role == .poiLabel else { continue }
            self.roles.append(role)
            // A position is less than 1 even after rounding to 24 bits.
            let position = SIMD2(Double(x), Double(y)) / Double(layer.extent)
            positions.append(pointwiseMin(TileGeometry.Point(position), TileGeometry.Point(repeating: Float(1).nextDown)))
            let measured = ranks.values(of: feature, in: layer)
            self.ranks.append(measured.rank)
            elevations.append(role == .peakLabel ? measured.elevation : .nan)
            self.names.append(name)
            features.append(Int32(feature))
            layerNumbers.append(UInt8(layers.count))
            for attribute in columns.attributes(of: feature) {
                let (key, value) = (columns.attributes[2 * attribute], Int(columns.attributes[2 * attribute + 1]))
                if isName[Int(key)] { continue }
                if numbers[value] < 0 {
                    numbers[value] = Int32(result.values.count)
                    result.values.append(layer.value(value))
                }
                attributes += [key, UInt32(numbers[value])]
            }
            attributeStarts.append(Int32(attributes.count / 2))
            try TileGeometry.Limits.check(count, limits.names, "labels")
        }
        layers.append(result)
    }

    /// The labels in a part of the tile.
    func part(_ part: TilePart) -> TileLabels {
        var result = TileLabels()
        result.layers = layers
        for label in 0..<count {
            let position = part.position(positions[label])
            guard position.x >= 0, position.y >= 0, position.x < 1, position.y < 1 else { continue }
            result.roles.append(roles[label])
            result.positions.append(
                pointwiseMin(TileGeometry.Point(position), TileGeometry.Point(repeating: Float(1).nextDown)))
            result.ranks.append(ranks[label])
            result.elevations.append(elevations[label])
            result.names.append(names[label])
            result.features.append(features[label])
            result.layerNumbers.append(layerNumbers[label])
            result.attributes += attributes[2 * Int(attributeStarts[label])..<2 * Int(attributeStarts[label + 1])]
            result.attributeStarts.append(Int32(result.attributes.count / 2))
        }
        return result
    }
}

extension VectorValue {
    /// The value as plain text.
    package var text: String {
        switch self {
        case .none: ""
        case .text(let text): text
        case .float(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .double(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .integer(let number): "\(number)"
        case .unsigned(let number): "\(number)"
        case .boolean(let isTrue): isTrue ? "true" : "false"
        }
    }

    fileprivate var byteCount: Int {
        if case .text(let text) = self { 32 + text.utf8.count } else { 24 }
    }
}

extension TileName {
    /// The approximate size in memory.
    var byteCount: Int { 64 + all.reduce(local.utf8.count) { $0 + $1.key.utf8.count + $1.text.utf8.count } }
}
