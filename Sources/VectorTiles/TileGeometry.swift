import WaymarkTiles

/// The areas, lines and points of a tile that a base map draws, by role, clipped to the tile and in flat arrays. No object exists per feature.
///
/// Positions are fractions of the tile: 0 at its left and upper edges, 1 at the opposite ones. Points on an edge have exactly these values,
/// so the areas of two neighboring tiles meet without a gap.
package struct TileGeometry: Sendable {
    /// What was prepared. Everything else is empty.
    package let contents: TileContents
    /// The areas of each role.
    private var areas: [TileShapes]
    /// The lines of each role.
    private var lines: [TileShapes]
    /// Land that is not part of the ground, such as piers: it lies above the water.
    package private(set) var piers: TileShapes
    /// Places, waters, peaks and points of interest.
    package private(set) var labels = TileLabels()
    /// Named roads and rivers.
    package private(set) var roads = TileRoads()
    /// Buildings with heights, which `areas` has, too.
    package private(set) var buildings = TileBuildings()
    /// The layers that are left out.
    package private(set) var refusals: [LayerRefusal] = []

    /// A layer that cannot be read, and the reason.
    package struct LayerRefusal: Equatable, Sendable {
        package let name: String
        package let reason: TileRefusal
    }

    /// Fractions of a tile have 24 bits, which is 0.02 pt for a tile that is enlarged from zoom 14 to zoom 24.
    package typealias Point = SIMD2<Float>

    /// The number of points of a tile: far more than any tile of a map has.
    package static let pointLimit = 1 << 22

    package func areas(_ role: MapRole) -> TileShapes { areas[Int(role.rawValue)] }
    package func lines(_ role: MapRole) -> TileShapes { lines[Int(role.rawValue)] }

    /// The number of points of all areas, lines, labels, named roads and buildings.
    package var pointCount: Int {
        let inAreas = areas.reduce(piers.points.count + labels.count + roads.points.count) { $0 + $1.points.count }
        return lines.reduce(inAreas + buildings.rings.points.count) { $0 + $1.points.count }
    }
    /// The approximate size in memory.
    package var byteCount: Int {
        let others = piers.byteCount + labels.byteCount + roads.byteCount + buildings.byteCount
        return (areas + lines).reduce(others) { $0 + $1.byteCount }
    }
}

/// Rings or lines in flat arrays.
package struct TileShapes: Sendable {
    /// The points of all rings or lines, concatenated. The last point of a ring is joined to its first.
    ///
    /// Exterior rings turn clockwise on the map, and holes counterclockwise, so an area is where the winding number is not 0. Rings may
    /// overlap.
    package internal(set) var points: [TileGeometry.Point] = []
    /// The end of the points of each ring or line.
    package internal(set) var ends: [Int32] = []
    /// The box around each ring or line: its low x and y, and its high x and y.
    package internal(set) var boxes: [SIMD4<Float>] = []
    /// The start and the end of each line, alternating; empty for rings.
    package internal(set) var lineEnds: [LineEnd] = []

    package init() {}

    package var count: Int { ends.count }
    package var isEmpty: Bool { ends.isEmpty }

    /// The points of a ring or line.
    package func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index]) }

    /// Appends a ring of other shapes.
    mutating func append(_ other: TileShapes, _ ring: Int) {
        points += other.points[other.range(ring)]
        ends.append(Int32(points.count))
        boxes.append(other.boxes[ring])
    }

    /// The size in memory. Arrays that grow reserve up to twice what they need.
    var byteCount: Int { 8 * points.capacity + 4 * ends.capacity + 16 * boxes.capacity + lineEnds.capacity }
}

/// What is at an end of a line.
package enum LineEnd: UInt8, Sendable {
    /// Nothing: the line ends there.
    case free
    /// Another line of the same role, which covers the end of this one.
    case attached
    /// The edge of the tile, where the line may continue in the next tile.
    case edge
    /// The other end of the same line.
    case closed
}

extension TileGeometry {
    private init(contents: TileContents) {
        self.contents = contents
        let none = MapRole.allCases.map { _ in TileShapes() }
        (areas, lines, piers) = (none, none, TileShapes())
    }

    /// The part of the tile that a tile of a higher zoom shows, where the set lacks that tile.
    package func part(_ part: TilePart) -> TileGeometry {
        var result = TileGeometry(contents: contents)
        result.refusals = refusals
        var clipper = TileClipper()
        for index in areas.indices { clipper.add(areas[index], part, to: &result.areas[index]) }
        for index in lines.indices { clipper.add(lines[index], part, to: &result.lines[index]) }
        clipper.add(piers, part, to: &result.piers)
        result.labels = labels.part(part)
        result.roads = roads.part(part, &clipper)
        result.buildings = buildings.part(part, &clipper)
        return result
    }

    /// Reads everything of the given contents that has a role. A layer that cannot be read is left out, and `refusals` gives the reason.
    /// - Throws: `VectorTileError` if the tile has too many points.
    package init(_ tile: VectorTile, _ schema: MapSchema, _ contents: TileContents = .ground) throws(VectorTileError) {
        self.init(contents: contents)
        var clipper = TileClipper()
        var collector = RoadCollector()
        for schemaLayer in schema.layers where schemaLayer.has(contents) {
            let layer: VectorLayer?
            do throws(VectorTileError) { layer = try tile.layer(named: schemaLayer.name) } catch {
                var clause = error
                clause.layer = nil
                refusals.append(LayerRefusal(name: schemaLayer.name, reason: TileRefusal("\(clause)")))
                continue
            }
            guard let layer else { continue }
            let roles = schema.roles(of: layer)
            if contents.contains(.ground), schemaLayer.hasShapes {
                try read(layer, roles, isGround: schema.landLayer == layer.name, &clipper)
            }
            if contents.contains(.labels), schemaLayer.hasLabels { labels.read(layer, schemaLayer, roles) }
            if contents.contains(.roads), let names = schemaLayer.ofNames { try collector.read(layer, names, &clipper) }
            if contents.contains(.buildings), let keys = schemaLayer.buildingKeys { try buildings.read(layer, roles, keys, &clipper) }
        }
        for index in lines.indices where lines[index].count > 0 { lines[index] = lines[index].joined() }
        roads = collector.roads()
    }

    private mutating func read(
        _ layer: VectorLayer, _ roles: [MapRole?], isGround: Bool, _ clipper: inout TileClipper
    ) throws(VectorTileError) {
        let features = layer.features
        clipper.extent = layer.extent
        for (feature, role) in roles.enumerated() {
            guard let role, features.kinds[feature] == .polygons ? role.hasAreas : role.hasLines else { continue }
            let index = Int(role.rawValue)
            for part in features.parts(of: feature) {
                let points = features.points(of: part)
                switch features.kinds[feature] {
                case .polygons:
                    let isHole = features.areHoles[part]
                    if role == .land, !isGround {
                        clipper.add(ring: points, of: features.coordinates, isHole: isHole, to: &piers)
                    } else {
                        clipper.add(ring: points, of: features.coordinates, isHole: isHole, to: &areas[index])
                    }
                case .lines: clipper.add(line: points, of: features.coordinates, to: &lines[index])
                case .points, .unknown: break
                }
            }
            try Self.check(clipper, layer, feature)
        }
    }

    /// - Throws: `VectorTileError` if the tile has too many points.
    static func check(_ clipper: TileClipper, _ layer: VectorLayer, _ feature: Int) throws(VectorTileError) {
        guard clipper.pointCount > pointLimit else { return }
        throw VectorTileError(.tooLarge("the tile has more than \(pointLimit) points"), layer: layer.name, feature: feature)
    }
}
