import WaymarkFrame
import WaymarkGeo
import WaymarkMeshes
import WaymarkTiles
import WaymarkVectorTiles

/// The extruded buildings of a tile as meshes, which do not depend on the view. The unit of length is the tile's width, in all directions.
///
/// Buildings are closed solids, but have no floors on the ground. Where the edge of the tile cuts a building, a wall closes it. The other
/// half of the building hides that wall, if the tile with the other half is drawn. All surfaces of one direction have one color, so
/// nothing is visible where walls of two buildings lie in one plane.
struct BuildingMesh: Sendable {
    /// Buildings in one square of the tile, which are drawn or left out together.
    struct Block: Sendable {
        let mesh: FrameMesh
        /// The origin of the mesh as a fraction of the tile.
        let origin: SIMD2<Double>
        /// The box around the mesh, from its origin: x east, y north, z up.
        let low: SIMD3<Double>
        let high: SIMD3<Double>
        /// The triangles, for rays.
        let triangles: TriangleTree
    }

    let blocks: [Block]
    /// The rings of footprints that are drawn flat, because they have too many corners to be divided into triangles in a reasonable time.
    let flatRings: [Int]
    let byteCount: Int

    /// The zoom of tiles that are as large as a block.
    private static let blockZoom = 16
    /// The maximum number of times that a tile is divided.
    private static let mostDivisions = 2
    /// The maximum number of comparisons of corners for the roofs of a tile, which take some tenths of a second. Tiles of cities need a
    /// hundredth of this number.
    private static let mostComparisons = 40_000_000

    init(_ buildings: TileBuildings, _ address: TileAddress) {
        let roofs = BuildingRoofs(buildings, budget: Self.mostComparisons)
        let side = 1 << max(0, min(Self.blockZoom - address.zoom, Self.mostDivisions))
        var members = [[Int]](repeating: [], count: side * side)
        for building in 0..<buildings.count where !roofs.isFlat(building) {
            let box = buildings.rings.boxes[buildings.rings(of: building).lowerBound]
            let middle = (box.lowHalf + box.highHalf) / 2 * Float(side)
            // The box lies within the tile.
            let (column, row) = (min(Int(middle.x), side - 1), min(Int(middle.y), side - 1))
            members[row * side + column].append(building)
        }
        let hidden = hiddenWalls(of: buildings, roofs)
        let scale = HeightScale(address)
        var blocks: [Block] = []
        for (number, buildingsOfBlock) in members.enumerated() where !buildingsOfBlock.isEmpty {
            let origin = (SIMD2(Double(number % side), Double(number / side)) + 0.5) / Double(side)
            var writer = BlockWriter(buildings, origin, scale)
            for building in buildingsOfBlock { writer.add(building, roofs.triangles(of: building), hidden) }
            let part = side == 1 ? "" : ", part \(number + 1) of \(side * side)"
            if let block = writer.block(name: "buildings of tile \(address)\(part)") { blocks.append(block) }
        }
        self.blocks = blocks
        flatRings = (0..<buildings.count).filter(roofs.isFlat).flatMap(buildings.rings(of:))
        byteCount = blocks.reduce(256) { sum, block in
            sum + 256 + block.mesh.vertices.count * MemoryLayout<MeshVertex>.stride + block.mesh.indices.count * 4
                + block.triangles.byteCount
        }
    }
}

/// The height of one meter in tile widths. On the map, it grows with the distance from the equator. Within a tile, it changes in
/// proportion to y.
private struct HeightScale {
    private let north: Double
    private let south: Double

    init(_ address: TileAddress) {
        let side = Double(1 << address.zoom)
        func scale(_ row: Int) -> Double {
            WebMercator.pointsPerMeter(lat: WebMercator.latitude(fromY: Double(row) / side), worldSize: side)
        }
        (north, south) = (scale(address.y), scale(address.y + 1))
    }

    func height(_ meters: Float, y: Float) -> Double { Double(meters) * (north + (south - north) * Double(y)) }
}

/// The triangles of the roofs of a tile.
private struct BuildingRoofs {
    private var triangles: [UInt32] = []
    /// The end of the triangles of each building.
    private var ends: [Int] = []
    private var areFlat: [Bool] = []

    /// The share of the budget that one building may take, so that it does not flatten the others.
    private static let greatestShare = 10

    init(_ buildings: TileBuildings, budget: Int) {
        var (budget, clipper) = (budget, EarClipper())
        let most = budget / Self.greatestShare
        var points: [SIMD2<Double>] = []
        var ringEnds: [Int] = []
        for building in 0..<buildings.count {
            points.removeAll(keepingCapacity: true)
            ringEnds.removeAll(keepingCapacity: true)
            for ring in buildings.rings(of: building) {
                // North is up.
                for point in buildings.rings.points[buildings.rings.range(ring)] { points.append(SIMD2(Double(point.x), -Double(point.y))) }
                ringEnds.append(points.count)
            }
            var own = min(budget, most)
            let given = own
            let isDivided = own > 0 && clipper.divide(points, ends: ringEnds, budget: &own)
            budget -= given - own
            if isDivided { triangles += clipper.triangles }
            areFlat.append(!isDivided)
            ends.append(triangles.count)
        }
    }

    func isFlat(_ building: Int) -> Bool { areFlat[building] }

    /// The indices of points, relative to the first point of the building.
    func triangles(of building: Int) -> ArraySlice<UInt32> { triangles[(building == 0 ? 0 : ends[building - 1])..<ends[building]] }
}

/// For each point of the rings, whether the wall from there to the next point is never visible, because the building on the other side is
/// at least as high and as deep.
private func hiddenWalls(of buildings: TileBuildings, _ roofs: BuildingRoofs) -> [Bool] {
    let points = buildings.rings.points
    var areHidden = [Bool](repeating: false, count: points.count)
    /// A wall, and the heights of its building.
    struct Wall {
        var point: Int
        var isForward: Bool
        var heights: SIMD2<Float>
    }
    var walls: [SIMD4<Float>: Wall] = Dictionary(minimumCapacity: points.count)
    for building in 0..<buildings.count where !roofs.isFlat(building) {
        let heights = buildings.heights[building]
        for ring in buildings.rings(of: building) {
            let range = buildings.rings.range(ring)
            for point in range {
                let (a, b) = (points[point], points[point + 1 == range.upperBound ? range.lowerBound : point + 1])
                let isForward = a.x < b.x || a.x == b.x && a.y < b.y
                let key = isForward ? SIMD4(lowHalf: a, highHalf: b) : SIMD4(lowHalf: b, highHalf: a)
                guard let other = walls[key] else {
                    walls[key] = Wall(point: point, isForward: isForward, heights: heights)
                    continue
                }
                guard other.isForward != isForward else { continue }
                if other.heights.x <= heights.x, heights.y <= other.heights.y { areHidden[point] = true }
                if heights.x <= other.heights.x, other.heights.y <= heights.y { areHidden[other.point] = true }
            }
        }
    }
    return areHidden
}

/// Writes the buildings of a block.
private struct BlockWriter {
    private let buildings: TileBuildings
    private let origin: SIMD2<Double>
    private let scale: HeightScale
    private var vertices: [MeshVertex] = []
    private var indices: [UInt32] = []
    /// The end of the indices of each building.
    private var ends: [Int] = []
    private var (low, high) = (SIMD3<Float>(repeating: .infinity), SIMD3<Float>(repeating: -.infinity))
    /// The edges of a building that lie on an edge of the tile, for each of the tile's four edges.
    private var cuts: [[SIMD2<Float>]] = [[], [], [], []]

    init(_ buildings: TileBuildings, _ origin: SIMD2<Double>, _ scale: HeightScale) {
        (self.buildings, self.origin, self.scale) = (buildings, origin, scale)
    }

    /// - Parameters:
    ///   - triangles: The triangles of the roof.
    ///   - hiddenWalls: See `hiddenWalls(of:_:)`.
    mutating func add(_ building: Int, _ triangles: ArraySlice<UInt32>, _ hiddenWalls: [Bool]) {
        let heights = buildings.heights[building]
        let rings = buildings.rings(of: building)
        let points = buildings.rings.range(rings.lowerBound).lowerBound..<buildings.rings.range(rings.upperBound - 1).upperBound
        var first = UInt32(vertices.count)
        for point in points { append(buildings.rings.points[point], heights.y, normal: [0, 0, 1]) }
        for index in triangles { indices.append(first + index) }
        if heights.x > 0 {
            first = UInt32(vertices.count)
            for point in points { append(buildings.rings.points[point], heights.x, normal: [0, 0, -1]) }
            for index in triangles.reversed() { indices.append(first + index) }
        }
        for ring in rings {
            let range = buildings.rings.range(ring)
            for point in range where !hiddenWalls[point] {
                let (a, b) = (
                    buildings.rings.points[point], buildings.rings.points[point + 1 == range.upperBound ? range.lowerBound : point + 1]
                )
                if let edge = Self.edge(a, b) { cuts[edge].append(edge < 2 ? [a.y, b.y] : [a.x, b.x]) } else { addWall(a, b, heights) }
            }
        }
        for edge in 0..<4 where !cuts[edge].isEmpty { addCuts(edge, heights) }
        ends.append(indices.count)
    }

    /// The edge of the tile on which two points lie: west, east, north or south.
    private static func edge(_ a: TileGeometry.Point, _ b: TileGeometry.Point) -> Int? {
        if a.x == b.x, a.x == 0 || a.x == 1 { return a.x == 0 ? 0 : 1 }
        if a.y == b.y, a.y == 0 || a.y == 1 { return a.y == 0 ? 2 : 3 }
        return nil
    }

    /// Closes a building where an edge of the tile cuts it. The clipped ring may pass along that edge several times: where it passes in both
    /// directions, there is nothing to close.
    private mutating func addCuts(_ edge: Int, _ heights: SIMD2<Float>) {
        func point(_ place: Float) -> TileGeometry.Point {
            let fixed: Float = edge & 1 == 0 ? 0 : 1
            return edge < 2 ? [fixed, place] : [place, fixed]
        }
        let steps = cuts[edge]
        cuts[edge].removeAll(keepingCapacity: true)
        if steps.count == 1 { return addWall(point(steps[0].x), point(steps[0].y), heights) }
        // The direction in which the ring passes from each place to the next.
        var changes = steps.flatMap { [(place: $0.min(), step: $0.x < $0.y ? 1 : -1), (place: $0.max(), step: $0.x < $0.y ? -1 : 1)] }
        changes.sort { ($0.place, $0.step) < ($1.place, $1.step) }
        var passes = 0
        for (change, next) in zip(changes, changes.dropFirst()) {
            passes += change.step
            guard passes != 0, change.place < next.place else { continue }
            let (a, b) = (point(change.place), point(next.place))
            if passes > 0 { addWall(a, b, heights) } else { addWall(b, a, heights) }
        }
    }

    /// Adds the wall between two points of a ring. The building is to the right of the way from a to b.
    private mutating func addWall(_ a: TileGeometry.Point, _ b: TileGeometry.Point, _ heights: SIMD2<Float>) {
        let step = SIMD2<Double>(Double(b.x) - Double(a.x), Double(b.y) - Double(a.y))
        let length = (step * step).sum().squareRoot()
        guard length > 0 else { return }
        // The normal points to the left of the way, with y to the north.
        let normal = SIMD3(Float(step.y / length), Float(step.x / length), 0)
        let first = UInt32(vertices.count)
        append(b, heights.x, normal: normal)
        append(a, heights.x, normal: normal)
        append(a, heights.y, normal: normal)
        append(b, heights.y, normal: normal)
        indices += [first, first + 1, first + 2, first, first + 2, first + 3]
    }

    private mutating func append(_ point: TileGeometry.Point, _ meters: Float, normal: SIMD3<Float>) {
        let position = SIMD3(
            Float(Double(point.x) - origin.x), Float(origin.y - Double(point.y)), Float(scale.height(meters, y: point.y)))
        (low, high) = (pointwiseMin(low, position), pointwiseMax(high, position))
        vertices.append(MeshVertex(position, normal: normal))
    }

    /// The mesh; nil without triangles.
    func block(name: String) -> BuildingMesh.Block? {
        guard !indices.isEmpty else { return nil }
        return BuildingMesh.Block(
            mesh: FrameMesh(
                key: FrameMesh.nextKey(), name: name, vertices: vertices, indices: indices, isWithinTexture: true, hasFaceNormals: true),
            origin: origin, low: SIMD3<Double>(low), high: SIMD3<Double>(high),
            triangles: TriangleTree(vertices, indices, ends: ends))
    }
}
