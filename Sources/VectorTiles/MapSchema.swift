/// A schema of vector tiles: the layers that it has, and the role of each class of features in them.
package struct MapSchema: Sendable {
    /// The name and the version, such as "OpenMapTiles 3".
    package let name: String
    /// The credits that a set with this schema owes if its metadata states none.
    package let attribution: String
    /// The layer of the land. Sets with another schema have land wherever there is nothing else.
    package let landLayer: String?
    /// The layers whose features have roles.
    let layers: [SchemaLayer]
    /// All other layers of the schema.
    private let otherLayers: Set<String>
    /// The layers that show that a set has this schema, because sets with other schemas do not have them.
    private let markers: Set<String>
    /// The layers whose presence shows that a set does not have this version of the schema.
    private let foreignLayers: Set<String>

    /// Creates a schema. Each text contains the names of layers, with spaces between them.
    init(
        _ name: String, markers: String, others: String = "", foreign: String = "", attribution: String = Self.openStreetMap,
        landLayer: String? = nil, _ layers: [SchemaLayer]
    ) {
        self.name = name
        self.attribution = attribution
        self.landLayer = landLayer
        self.layers = layers
        self.markers = Self.words(markers)
        otherLayers = Self.words(others)
        foreignLayers = Self.words(foreign)
    }

    static let openStreetMap = "© OpenStreetMap contributors"

    private static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }
}

/// A layer of a schema.
package struct SchemaLayer: Sendable {
    package let name: String
    /// The attributes whose values are the class of a feature. If several have a role, the first counts.
    let keys: [String]
    let points: RoleTable?
    let lines: RoleTable?
    let areas: RoleTable?
    /// The roles of the roads and rivers along which the names of this layer are written; nil without such names. The other roles of the
    /// table have no effect.
    let lineNames: RoleTable?
    /// The attribute that hides a feature; nil for none.
    let hiding: HidingRule?
    /// The attributes that determine the importance of this layer's points.
    let ranking: RankRule
    /// The attributes that determine the category of a point, the most precise first.
    let categoryKeys: [String]
    /// The attributes with the heights of buildings; nil for a layer without buildings.
    let buildingKeys: BuildingKeys?
    /// The contents of a tile to which the layer contributes.
    let contents: TileContents

    init(
        _ name: String, _ keys: String = "class", points: RoleTable? = nil, lines: RoleTable? = nil, areas: RoleTable? = nil,
        lineNames: RoleTable? = nil, hiddenBy hiding: HidingRule? = nil, ranks ranking: RankRule = .none, categories: String? = nil,
        buildings buildingKeys: BuildingKeys? = nil
    ) {
        self.name = name
        self.keys = keys.split(separator: " ").map(String.init)
        self.points = points
        self.lines = lines
        self.areas = areas
        self.lineNames = lineNames
        self.hiding = hiding
        self.ranking = ranking
        self.buildingKeys = buildingKeys
        categoryKeys = (categories ?? keys).split(separator: " ").map(String.init)
        var contents: TileContents = []
        if areas?.allRoles.contains(where: \.hasAreas) == true || lines?.allRoles.contains(where: \.hasLines) == true {
            contents.insert(.ground)
        }
        if points?.allRoles.contains(where: \.isLabel) == true { contents.insert(.labels) }
        if lineNames != nil { contents.insert(.roads) }
        if buildingKeys != nil { contents.insert(.buildings) }
        self.contents = contents
        assert(1...2 ~= self.keys.count, "RoleReader compares two keys")
    }

    /// Whether names are written along lines of the layer.
    package var hasLineNames: Bool { lineNames != nil }

    /// The roads and rivers along which the names of the layer are written, as a layer of their own; nil without such names.
    var ofNames: SchemaLayer? {
        lineNames.map { SchemaLayer(name, keys.joined(separator: " "), lines: $0, hiddenBy: hiding) }
    }

    /// The table for a kind of geometry.
    func table(for kind: VectorGeometry) -> RoleTable? {
        switch kind {
        case .unknown: nil
        case .points: points
        case .lines: lines
        case .polygons: areas
        }
    }
}

/// An attribute that hides features.
struct HidingRule: Sendable {
    let key: String
    /// The text that the attribute must have; nil if it must be true or a number other than 0.
    var text: String?
    /// The roles that the attribute hides; nil for all.
    var roles: Set<MapRole>?

    func hides(_ role: MapRole) -> Bool { roles?.contains(role) ?? true }

    /// Sea borders.
    static let maritime = HidingRule(key: "maritime")

    /// Minor ways in tunnels. Under a city, there are many that cross streets and buildings, and nobody on the surface can use them. Main
    /// roads are drawn in tunnels, too, because otherwise they would be interrupted.
    static func tunnel(_ key: String, _ text: String? = nil) -> HidingRule {
        HidingRule(key: key, text: text, roles: [.minor, .service, .path, .rail])
    }
}

/// The roles of classes.
struct RoleTable: Sendable {
    private let roles: [String: RoleCode]
    /// The role of all other classes, and of features without a class; nil if these are not drawn.
    let otherwise: MapRole?

    /// - Parameters:
    ///   - classes: The classes of each role, with spaces between.
    ///   - ignored: Classes that are not drawn although `otherwise` has a role, or although another key of the layer has one.
    init(_ classes: KeyValuePairs<MapRole, String>, ignored: String = "", otherwise: MapRole? = nil) {
        var roles: [String: RoleCode] = [:]
        func insert(_ names: String, _ code: RoleCode) {
            for name in names.split(separator: " ") {
                let previous = roles.updateValue(code, forKey: String(name))
                assert(previous == nil, "the class \(name) has two roles")
            }
        }
        for (role, names) in classes { insert(names, RoleCode(role)) }
        insert(ignored, .ignored)
        self.roles = roles
        self.otherwise = otherwise
    }

    /// The same role for all classes.
    static func all(_ role: MapRole, ignored: String = "") -> RoleTable { RoleTable([:], ignored: ignored, otherwise: role) }

    func code(of name: String) -> RoleCode { roles[name] ?? .absent }

    /// All roles in the table.
    var allRoles: [MapRole] { roles.values.compactMap(\.role) + (otherwise.map { [$0] } ?? []) }
}

/// The result of looking up a class, in one byte.
struct RoleCode: Equatable, Sendable {
    private let number: UInt8

    private init(number: UInt8) { self.number = number }
    init(_ role: MapRole) { number = role.rawValue + 3 }

    /// The class has not been looked up yet.
    static let unknown = RoleCode(number: 0)
    /// The table does not have the class.
    static let absent = RoleCode(number: 1)
    static let ignored = RoleCode(number: 2)

    /// Whether the table has the class.
    var isDecisive: Bool { number > 1 }
    /// The role; nil for `ignored`.
    var role: MapRole? { number < 3 ? nil : MapRole(rawValue: number - 3) }
}

extension MapSchema {
    /// All schemas that are recognized.
    package static let all = [openMapTiles, protomaps, shortbread]

    /// The schema of a set of tiles.
    ///
    /// A set may have additional layers and lack some. It therefore has the schema to which most of its layers belong: at least half of
    /// them, and among these a layer that no other schema has.
    /// - Parameter layerNames: The names of all layers of the set.
    /// - Throws: `VectorTileError` with the layers, if they belong to no known schema.
    package static func recognized(in layerNames: [String]) throws(VectorTileError) -> MapSchema {
        let names = Set(layerNames)
        var best: (schema: MapSchema, count: Int)?
        for schema in all {
            let known = names.intersection(schema.layerNames).count
            guard !schema.markers.isDisjoint(with: names), schema.foreignLayers.isDisjoint(with: names), 2 * known >= names.count else {
                continue
            }
            if known > best?.count ?? 0 { best = (schema, known) }
        }
        guard let best else { throw VectorTileError(.unknownSchema(layers: layerNames)) }
        return best.schema
    }

    /// The names of all layers of the schema.
    package var layerNames: Set<String> { otherLayers.union(layers.map(\.name)) }

    /// The roles that its features can have.
    package var roles: Set<MapRole> {
        var roles: Set<MapRole> = []
        for layer in layers {
            for table in [layer.points, layer.lines, layer.areas] { roles.formUnion(table?.allRoles ?? []) }
            for role in layer.lineNames?.allRoles ?? [] where role.hasNamesAlongLines {
                roles.insert(role == .water ? .waterLabel : .roadLabel)
            }
        }
        return roles
    }

    /// The layer with a name; nil if its features have no roles.
    package func layer(named name: String) -> SchemaLayer? { layers.first { $0.name == name } }

    /// The role of each feature of a layer; nil for features that are not drawn.
    package func roles(of layer: VectorLayer) -> [MapRole?] {
        guard let schemaLayer = self.layer(named: layer.name) else { return Array(repeating: nil, count: layer.features.count) }
        var reader = RoleReader(schemaLayer, layer)
        return reader.roles()
    }
}
