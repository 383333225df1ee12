/// Finds the roles of the features of a layer. A class is looked up once for each distinct value, and nothing is allocated per feature.
struct RoleReader {
    private let schemaLayer: SchemaLayer
    private let layer: VectorLayer
    /// The use of each key of the layer: 0 if it does not matter, 1 or 2 for a key of the schema, `hiding` for the key that hides features. A
    /// layer may have a key twice.
    private let keyUses: [UInt8]
    private static let hiding: UInt8 = 255
    /// The code of each value, for each kind of geometry and each key of the schema.
    private var codes: [RoleCode]
    /// Whether each value of the hiding key hides a feature; nil for values that have not been looked up yet.
    private var verdicts: [Bool?]

    init(_ schemaLayer: SchemaLayer, _ layer: VectorLayer) {
        self.schemaLayer = schemaLayer
        self.layer = layer
        keyUses = (0..<layer.keyCount).map { key in
            if let hiding = schemaLayer.hiding, layer.key(key, is: hiding.key) { return Self.hiding }
            return UInt8((schemaLayer.keys.firstIndex { layer.key(key, is: $0) } ?? -1) + 1)
        }
        codes = Array(repeating: .unknown, count: 3 * schemaLayer.keys.count * layer.valueCount)
        verdicts = Array(repeating: nil, count: schemaLayer.hiding == nil ? 0 : layer.valueCount)
    }

    /// The role of each feature; nil for those that are not drawn.
    mutating func roles() -> [MapRole?] {
        let features = layer.features
        let (kinds, starts, attributes) = (features.kinds, features.attributeStarts, features.attributes)
        let tables = [.points, .lines, .polygons].map { schemaLayer.table(for: $0) }
        var roles = [MapRole?](repeating: nil, count: features.count)
        for feature in roles.indices where kinds[feature] != .unknown {
            let kind = Int(kinds[feature].rawValue) - 1
            guard let table = tables[kind] else { continue }
            // If a feature has several values for a key, the first counts.
            var (first, second) = (RoleCode.unknown, RoleCode.unknown)
            var (isHidingKnown, isHidden) = (false, false)
            for attribute in Int(starts[feature])..<Int(starts[feature + 1]) {
                let use = keyUses[Int(attributes[2 * attribute])]
                if use == 0 { continue }
                let value = Int(attributes[2 * attribute + 1])
                if use == 1 {
                    if first == .unknown { first = code(of: value, row: kind * schemaLayer.keys.count, table) }
                } else if use == 2 {
                    if second == .unknown { second = code(of: value, row: kind * schemaLayer.keys.count + 1, table) }
                } else if !isHidingKnown {
                    (isHidingKnown, isHidden) = (true, hides(value))
                }
            }
            let role = first.isDecisive ? first.role : second.isDecisive ? second.role : table.otherwise
            roles[feature] = role.flatMap { isHidden && schemaLayer.hiding?.hides($0) == true ? nil : $0 }
        }
        return roles
    }

    /// - Parameter row: The number of the combination of a kind of geometry and a key.
    private mutating func code(of value: Int, row: Int, _ table: RoleTable) -> RoleCode {
        let index = row * layer.valueCount + value
        if codes[index] != .unknown { return codes[index] }
        // A class is a text or a whole number; the tables have no texts of other values.
        codes[index] = table.code(of: layer.value(value).text)
        return codes[index]
    }

    /// Whether the value of the hiding key hides a feature.
    private mutating func hides(_ index: Int) -> Bool {
        if let known = verdicts[index] { return known }
        let isHiding = isHiding(layer.value(index))
        verdicts[index] = isHiding
        return isHiding
    }

    private func isHiding(_ value: VectorValue) -> Bool {
        if let text = schemaLayer.hiding?.text { return value == .text(text) }
        return switch value {
        case .boolean(let isTrue): isTrue
        case .integer(let number): number != 0
        case .unsigned(let number): number != 0
        case .float(let number): number != 0
        case .double(let number): number != 0
        case .none, .text: false
        }
    }
}
