import WaymarkTiles

/// The areas, lines and points of a tile that a base map draws, by role, clipped to the tile and in flat arrays. No object exists per feature.
///
/// Positions are fractions of the tile: 0 at its left and upper edges, 1 at the opposite ones. Points on an edge have exactly these values,
/// so the areas of two neighboring tiles meet without a gap.
package struct TileGeometry: Sendable {
    /// The contents that were prepared. All other contents are empty.
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
    /// Buildings with heights. `areas` contains them, too.
    package private(set) var buildings = TileBuildings()
    /// The contents that are left out.
    private var refusals: [Refusal] = []

    /// A layer that cannot be read, or one of the contents that exceeds a limit, and the reason.
    package struct Refusal: Equatable, Sendable {
        /// The contents that lack something.
        package let contents: TileContents
        /// The only layer that is left out, empty for layers without a readable name; nil for all of the contents.
        package let layer: String?
        package let reason: TileRefusal
    }

    /// A position in fractions of a tile. Their 24 bits resolve 0.02 pt in a tile that is enlarged from zoom 14 to zoom 24.
    package typealias Point = SIMD2<Float>

    package func areas(_ role: MapRole) -> TileShapes { areas[Int(role.rawValue)] }
    package func lines(_ role: MapRole) -> TileShapes { lines[Int(role.rawValue)] }

    /// The refusals that affect the given contents. Cached tiles may have other contents, too.
    package func refusals(of contents: TileContents) -> [Refusal] { refusals.filter { !$0.contents.isDisjoint(with: contents) } }
    /// Whether the given contents are left out completely, because they exceed a limit.
    package func isLeftOut(_ contents: TileContents) -> Bool { refusals.contains { $0.layer == nil && $0.contents == contents } }

    /// The number of points of the given contents: the points of areas, lines, named roads and buildings, and the labels.
    package func pointCount(of contents: TileContents) -> Int {
        var count = 0
        if contents.contains(.ground) { count += (areas + lines).reduce(piers.points.count) { $0 + $1.points.count } }
        if contents.contains(.labels) { count += labels.count }
        if contents.contains(.roads) { count += roads.points.count }
        if contents.contains(.buildings) { count += buildings.rings.points.count }
        return count
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

    /// The size in memory. Arrays that grow reserve up to twice the memory that they need.
    var byteCount: Int { 8 * points.capacity + 4 * ends.capacity + 16 * boxes.capacity + lineEnds.capacity }
}

/// The kind of an end of a line.
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

    /// Reads everything of the given contents that has a role. A layer that cannot be read, and contents that exceed a limit, are left out.
    /// The result for each of the contents does not depend on the other contents.
    package init(_ tile: VectorTile, _ schema: MapSchema, _ contents: TileContents = .ground, limits: Limits = .usual) {
        self.init(contents: contents)
        var clippers = (ground: TileClipper(), roads: TileClipper())
        var collector = RoadCollector()
        var remaining = contents
        if tile.hasUnreadableName { refusals.append(Refusal(contents: contents, layer: "", reason: TileRefusal("its name is not UTF-8"))) }
        for schemaLayer in schema.layers {
            let wanted = schemaLayer.contents.intersection(remaining)
            guard !wanted.isEmpty else { continue }
            if tile.repeatedNames.contains(schemaLayer.name) {
                let reason = TileRefusal("an earlier layer has the same name")
                refusals.append(Refusal(contents: wanted, layer: schemaLayer.name, reason: reason))
            }
            let layer: VectorLayer?
            do throws(VectorTileError) { layer = try tile.layer(named: schemaLayer.name) } catch {
                var clause = error
                clause.layer = nil
                refusals.append(Refusal(contents: wanted, layer: schemaLayer.name, reason: TileRefusal("\(clause)")))
                continue
            }
            guard let layer else { continue }
            let roles = schema.roles(of: layer)
            func read(_ content: TileContents, _ body: () throws(TileRefusal) -> Void) {
                guard wanted.contains(content) else { return }
                do throws(TileRefusal) { try body() } catch {
                    remaining.remove(content)
                    refusals.append(Refusal(contents: content, layer: nil, reason: error))
                }
            }
            read(.ground) { () throws(TileRefusal) in
                try readGround(layer, roles, isLand: schema.landLayer == layer.name, &clippers.ground, limits)
            }
            read(.labels) { () throws(TileRefusal) in try labels.read(layer, schemaLayer, roles, limits) }
            read(.roads) { () throws(TileRefusal) in
                if let names = schemaLayer.ofNames { try collector.read(layer, names, &clippers.roads, limits) }
            }
            read(.buildings) { () throws(TileRefusal) in
                if let keys = schemaLayer.buildingKeys { try buildings.read(layer, roles, keys, limits) }
            }
        }
        if isLeftOut(.ground) {
            let none = TileGeometry(contents: contents)
            (areas, lines, piers) = (none.areas, none.lines, none.piers)
        }
        if isLeftOut(.labels) { labels = TileLabels() }
        if isLeftOut(.buildings) { buildings = TileBuildings() }
        for index in lines.indices where lines[index].count > 0 { lines[index] = lines[index].joined() }
        if !isLeftOut(.roads) { roads = collector.roads() }
    }

    private mutating func readGround(
        _ layer: VectorLayer, _ roles: [MapRole?], isLand: Bool, _ clipper: inout TileClipper, _ limits: Limits
    ) throws(TileRefusal) {
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
                    if role == .land, !isLand {
                        clipper.add(ring: points, of: features.coordinates, isHole: isHole, to: &piers)
                    } else {
                        clipper.add(ring: points, of: features.coordinates, isHole: isHole, to: &areas[index])
                    }
                case .lines: clipper.add(line: points, of: features.coordinates, to: &lines[index])
                case .points, .unknown: break
                }
            }
            try Limits.check(clipper.pointCount, limits.points, "points in areas and lines")
        }
    }
}

extension TileGeometry {
    /// The limits for each of a tile's contents. The tiles of real maps are far below them. The size of a tile does not limit its
    /// contents, because features may share their attributes.
    package struct Limits: Sendable {
        /// The points of all areas and lines, and the points of named roads.
        package var points = 1 << 22
        /// The points of buildings. Extruded, each has up to six vertices.
        package var buildingPoints = 1 << 20
        /// The labels, and the different names of roads.
        package var names = 1 << 18
        /// The bytes of the names of labels, and the bytes of the names of roads, in all languages.
        package var nameBytes = 1 << 25
        /// The comparisons of the outlines of buildings with parts of buildings.
        package var comparisons = 1 << 22

        package init() {}

        package static let usual = Limits()

        /// - Throws: The reason why contents are left out, if a count exceeds its limit.
        static func check(_ count: Int, _ limit: Int, _ what: String) throws(TileRefusal) {
            guard count > limit else { return }
            throw TileRefusal("the tile has more than \(limit) \(what)")
        }
    }
}
