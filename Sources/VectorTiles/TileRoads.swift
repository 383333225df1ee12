import WaymarkRaster
import WaymarkTiles

/// The named roads and rivers of a tile, clipped to the tile: the lines along which their names are written.
///
/// Lines with the same name that meet inside the tile are joined into one line, because tiles divide a street at every crossing. The role
/// of such a line is the most frequent role among the lines with its name.
package struct TileRoads: Sendable {
    /// The points of all lines, concatenated. A closed line ends with its first point.
    package private(set) var points: [TileGeometry.Point] = []
    /// The end of the points of each line.
    private var ends: [Int32] = []
    /// The box around each line: its low x and y, and its high x and y.
    package private(set) var boxes: [SIMD4<Float>] = []
    /// The length of each line.
    package private(set) var lengths: [Float] = []
    package private(set) var roles: [MapRole] = []
    /// The index in `names` of the name of each line.
    package private(set) var nameIndices: [Int32] = []
    /// The distinct names of all lines.
    package let names: [TileName]

    /// - Parameter names: The names of the lines to be added.
    package init(names: [TileName] = []) { self.names = names }

    package var count: Int { ends.count }
    package var isEmpty: Bool { ends.isEmpty }

    /// The points of a line.
    package func range(_ line: Int) -> Range<Int> { (line == 0 ? 0 : Int(ends[line - 1]))..<Int(ends[line]) }

    package func name(of line: Int) -> TileName { names[Int(nameIndices[line])] }

    /// The approximate size in memory.
    var byteCount: Int { 8 * points.capacity + 29 * ends.capacity + names.reduce(0) { $0 + $1.byteCount } }

    /// The part of the tile that a tile of a higher zoom shows.
    func part(_ part: TilePart, _ clipper: inout TileClipper) -> TileRoads {
        var result = TileRoads(names: names)
        for line in 0..<count {
            let (low, high) = (part.position(boxes[line].lowHalf), part.position(boxes[line].highHalf))
            guard low.x <= 1, low.y <= 1, high.x >= 0, high.y >= 0 else { continue }
            var pieces = TileShapes()
            clipper.add(line: points[range(line)], part, to: &pieces)
            for piece in 0..<pieces.count { result.append(pieces.points[pieces.range(piece)], roles[line], name: nameIndices[line]) }
        }
        return result
    }

    /// Adds a line of at least two points.
    package mutating func append(_ line: some Collection<TileGeometry.Point>, _ role: MapRole, name: Int32) {
        var (length, before) = (0.0, PlanePoint.zero)
        var (low, high) = (TileGeometry.Point(repeating: .infinity), TileGeometry.Point(repeating: -.infinity))
        for (number, point) in line.enumerated() {
            if number > 0 { length += (PlanePoint(point) - before).length }
            before = PlanePoint(point)
            (low, high) = (pointwiseMin(low, point), pointwiseMax(high, point))
        }
        points += line
        ends.append(Int32(points.count))
        boxes.append(SIMD4(lowHalf: low, highHalf: high))
        lengths.append(Float(length))
        roles.append(role)
        nameIndices.append(name)
    }
}

extension MapRole {
    /// Whether names are written along lines of this role.
    package var hasNamesAlongLines: Bool { MapRole.motorway.rawValue...MapRole.path.rawValue ~= rawValue || self == .water }

    /// The kind of lines that a named line of this role is joined with.
    package var lineKind: LineKind { self == .water ? .river : self == .path ? .path : .road }

    /// Roads are joined with roads, paths with paths, and rivers with rivers.
    package enum LineKind: UInt8, Sendable { case road, path, river }
}

/// Collects the named lines of a tile.
struct RoadCollector {
    private struct GroupKey: Hashable {
        var name: Int32
        var kind: MapRole.LineKind
    }

    /// The lines of one name and kind.
    private struct LineGroup {
        var name: Int32
        var shapes = TileShapes()
        /// The number of lines of each role.
        var counts: [MapRole: Int] = [:]

        /// The most frequent role or, among equally frequent roles, the most important one.
        var role: MapRole {
            counts.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }!.key
        }
    }

    private var names: [TileName] = []
    private var numbers: [TileName: Int32] = [:]
    private var groups: [LineGroup] = []
    private var indices: [GroupKey: Int] = [:]
    /// The bytes of the names of all lines, as the tile states them.
    private var nameBytes = 0

    /// The largest distance of an omitted point from its line, as a fraction of the tile: half a unit of the coordinates in usual tiles.
    private static let tolerance = 1.0 / 8192

    /// Reads the named lines of a layer.
    /// - Parameter schemaLayer: The layer's `ofNames`.
    mutating func read(
        _ layer: VectorLayer, _ schemaLayer: SchemaLayer, _ clipper: inout TileClipper, _ limits: TileGeometry.Limits
    ) throws(TileRefusal) {
        let features = layer.features
        var reader = NameReader(layer)
        var roles = RoleReader(schemaLayer, layer)
        clipper.extent = layer.extent
        for (feature, role) in roles.roles().enumerated() where features.kinds[feature] == .lines {
            guard let role, role.hasNamesAlongLines, let name = try reader.name(of: feature, limits, bytes: &nameBytes) else { continue }
            let group = group(name, role.lineKind)
            for part in features.parts(of: feature) {
                clipper.add(line: features.points(of: part), of: features.coordinates, to: &groups[group].shapes)
                groups[group].counts[role, default: 0] += 1
            }
            try TileGeometry.Limits.check(names.count, limits.names, "names of roads")
            try TileGeometry.Limits.check(clipper.pointCount, limits.points, "points in named roads")
        }
    }

    private mutating func group(_ name: TileName, _ kind: MapRole.LineKind) -> Int {
        let number = numbers[name] ?? Int32(names.count)
        if number == names.count {
            numbers[name] = number
            names.append(name)
        }
        let key = GroupKey(name: number, kind: kind)
        if let known = indices[key] { return known }
        indices[key] = groups.count
        groups.append(LineGroup(name: number))
        return groups.count - 1
    }

    /// The lines that were read, joined and simplified.
    func roads() -> TileRoads {
        var roads = TileRoads(names: names)
        for group in groups where !group.shapes.isEmpty {
            let (shapes, role) = (group.shapes.joined(), group.role)
            for line in 0..<shapes.count {
                var points = shapes.points[shapes.range(line)].map { PlanePoint($0) }
                if shapes.lineEnds[2 * line] == .closed { points.append(points[0]) }
                let kept = points.withUnsafeBufferPointer { LineSimplifier.simplify($0, tolerance: Self.tolerance) }
                roads.append(kept.map { TileGeometry.Point(points[Int($0)]) }, role, name: group.name)
            }
        }
        return roads
    }
}
