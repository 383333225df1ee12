import Foundation
import WaymarkGeo

/// Divides the world, from the largest square down, into the squares that a view shows.
struct TileSearch {
    private let projection: ViewProjection
    private let pyramid: TilePyramid
    private let pixelRatio: Double
    private var ground: VisibleGround
    /// The maximum number of squares. A picture that needs more gets larger ones.
    private let limit: Int
    /// The factor by which texels may be coarser than usual, as a binary logarithm.
    private var bias = 0.0
    private var leaves: [TileCell] = []
    /// The number of squares at which the search stops.
    private var mostLeaves = 0

    /// Tiles of the first zoom are left out where they would have to shrink by more than this many zooms, because they would be thousands.
    private static let mostZoomsBelowFirst = 2
    /// The maximum number of texels in tiles, in addition to four times the picture's pixels. They take 128 MiB.
    private static let texelLimit = 0x1p25
    /// The maximum number of samples that a pixel takes along the longer axis of its footprint.
    private static let mostSamples = 8.0

    /// - Parameter reach: The height in pt of objects on the ground that the view may show although it does not show the ground beneath
    ///   them.
    init(_ viewport: Viewport, _ pyramid: TilePyramid, reaching reach: Double = 0) {
        projection = viewport.projection
        self.pyramid = pyramid
        pixelRatio = viewport.pixelRatio
        ground = VisibleGround(viewport, reaching: reach)
        let texels = pyramid.usualTexels * pyramid.usualTexels
        let inPicture = Double(viewport.deviceWidth) * Double(viewport.deviceHeight) / texels
        limit = max(16, min(256, Int(Self.texelLimit / texels))) + 4 * Int(inPicture.rounded(.up))
    }

    /// Whether the camera looks straight down.
    var isLevel: Bool { projection.sinTilt == 0 }

    /// The squares, sorted.
    mutating func run() -> [TileCell] {
        guard !ground.corners.isEmpty else { return [] }
        mostLeaves = limit
        repeat {
            leaves = []
            for copy in ground.copies { visit(TileCell(zoom: 0, x: copy, y: 0)) }
            bias += 0.5
        } while leaves.count > limit && bias <= Double(TilePyramid.lastZoom)
        if !isLevel { balance() }
        return leaves.sorted()
    }

    /// The squares in a margin around those of the last run, sorted.
    /// - Parameters:
    ///   - cells: The result of the last run.
    ///   - margin: The width of the margin in pt at the view's center.
    mutating func surroundings(of cells: [TileCell], margin: Double) -> [TileCell] {
        guard !cells.isEmpty else { return [] }
        ground.margin = margin / projection.worldSize
        defer { ground.margin = 0 }
        // The bias is that of the last pass of the run.
        bias -= 0.5
        leaves = []
        // The search finds the squares of the run again. They may have used up the limit, so only the squares of the margin count.
        mostLeaves = cells.count + limit
        for copy in ground.copies { visit(TileCell(zoom: 0, x: copy, y: 0)) }
        bias += 0.5
        let known = Set(cells)
        let coarsest = leaves.reduce(cells[0].zoom) { min($0, $1.zoom) }
        let around = cells.reduce(into: Set<TileCell>()) { around, cell in
            for zoom in coarsest..<max(coarsest, cell.zoom) { around.insert(cell.ancestor(atZoom: zoom)) }
        }
        return leaves.sorted().filter { leaf in
            !around.contains(leaf) && !(coarsest...leaf.zoom).contains { known.contains(leaf.ancestor(atZoom: $0)) }
        }
    }

    /// The binary logarithm of the number of tiles across the world for which texels are as large as device pixels.
    private func idealZoom(depth: Double) -> Double {
        // A pixel's footprint grows with the depth across the view, and with its square along the view, where a pixel takes several
        // samples.
        let slant = depth / (projection.distance * projection.cosTilt)
        let pixelsPerPoint = pixelRatio * projection.distance / depth / max(1, slant / Self.mostSamples)
        return log2(pixelsPerPoint * projection.worldSize / pyramid.texels)
    }

    /// The number of texels per device pixel at the view's center, for tiles of the given zoom.
    func texelsPerPixel(ofZoom zoom: Int) -> Double {
        exp2(Double(zoom)) * pyramid.texels / (projection.worldSize * pixelRatio)
    }

    private mutating func visit(_ cell: TileCell) {
        guard leaves.count <= mostLeaves, isShown(cell) else { return }
        let ideal = idealZoom(depth: ground.nearestDepth(of: cell)) - bias
        // Quantized before rounding, so that the last bits have no effect.
        let wanted = Int(((ideal * 1024).rounded() / 1024 + 0.5).rounded(.down))
        if cell.zoom < min(wanted, pyramid.deepest) || cell.zoom < pyramid.minZoom && pyramid.minZoom - wanted <= Self.mostZoomsBelowFirst {
            for child in cell.children { visit(child) }
        } else if cell.zoom >= pyramid.minZoom {
            leaves.append(cell)
        }
    }

    private func isShown(_ cell: TileCell) -> Bool { isInSet(cell) && ground.touches(cell) }

    /// Whether the set may have tiles in the square.
    private func isInSet(_ cell: TileCell) -> Bool {
        let (size, bounds) = (cell.size, pyramid.bounds)
        guard Double(cell.y) * size < bounds.south, Double(cell.y + 1) * size > bounds.north, cell.y >= 0, cell.y < 1 << cell.zoom
        else { return false }
        // Tests the square on the first copy of the world and on the next copy to the east, into which the bounds may extend.
        let west = Double(cell.address.x) * size
        return [west, west + 1].contains { $0 < bounds.east && $0 + size > bounds.west }
    }

    /// Divides squares until neighbors differ by at most one zoom.
    private mutating func balance() {
        guard let finest = leaves.map(\.zoom).max(), let coarsest = leaves.map(\.zoom).min(), finest - coarsest > 1 else { return }
        var known = Set(leaves)
        var byZoom: [[TileCell]] = Array(repeating: [], count: finest + 1)
        for leaf in leaves.sorted() { byZoom[leaf.zoom].append(leaf) }
        for zoom in stride(from: finest, to: coarsest + 1, by: -1) {
            // Dividing adds squares only to lower zooms than this one.
            for leaf in byZoom[zoom] where known.contains(leaf) {
                for (dx, dy) in [(0, -1), (1, 0), (0, 1), (-1, 0)] {
                    let neighbor = TileCell(zoom: zoom, x: leaf.x + dx, y: leaf.y + dy)
                    guard neighbor.y >= 0, neighbor.y < 1 << zoom else { continue }
                    let lowerZooms = stride(from: zoom - 2, through: coarsest, by: -1)
                    if let lower = lowerZooms.first(where: { known.contains(neighbor.ancestor(atZoom: $0)) }) {
                        divide(toward: neighbor, from: lower, &known, &byZoom)
                    }
                }
            }
        }
        leaves = Array(known)
    }

    /// Divides the squares around a neighbor until they are only one zoom lower than the neighbor. After one division, the new squares may
    /// still be too large.
    private func divide(toward neighbor: TileCell, from zoom: Int, _ known: inout Set<TileCell>, _ byZoom: inout [[TileCell]]) {
        for lower in stride(from: zoom, to: neighbor.zoom - 1, by: 1) {
            guard known.remove(neighbor.ancestor(atZoom: lower)) != nil else { return }
            for child in neighbor.ancestor(atZoom: lower).children where isShown(child) {
                known.insert(child)
                byZoom[child.zoom].append(child)
            }
        }
    }
}

/// The part of the ground in the picture, nearer than the far limit, and the ground beneath everything in the picture up to some height: a
/// convex polygon.
private struct VisibleGround {
    /// The corners as fractions of the world from the view's center.
    let corners: [SIMD2<Double>]
    private let projection: ViewProjection
    private let low: SIMD2<Double>
    private let high: SIMD2<Double>
    private let nearest: Double
    private let farthest: Double
    /// The normals of the edges, pointing inward, with length 1.
    private let normals: [SIMD2<Double>]
    /// The maximum distance of shown squares from the polygon, as a fraction of the world.
    var margin = 0.0

    init(_ viewport: Viewport, reaching reach: Double) {
        projection = viewport.projection
        let world = viewport.worldSize
        let inPicture = viewport.groundCorners.map { SIMD2($0.x, $0.y) / world }
        corners = reach > 0 ? Self.hull(inPicture + viewport.corners(atHeight: reach).map { $0 / world }) : inPicture
        low = corners.reduce(SIMD2(repeating: .infinity)) { pointwiseMin($0, $1) }
        high = corners.reduce(SIMD2(repeating: -.infinity)) { pointwiseMax($0, $1) }
        let projection = projection
        let depths = inPicture.map { projection.depth(up: projection.turned(x: $0.x * world, y: $0.y * world).up, height: 0) }
        nearest = max(depths.min() ?? projection.distance, projection.near)
        farthest = min(depths.max() ?? projection.distance, projection.far)
        let middle = corners.reduce(SIMD2<Double>.zero, +) / Double(max(1, corners.count))
        let all = corners
        normals = all.indices.map { index in
            let edge = all[(index + 1) % all.count] - all[index]
            let normal = SIMD2(-edge.y, edge.x) / max((edge * edge).sum().squareRoot(), .leastNormalMagnitude)
            return ((middle - all[index]) * normal).sum() < 0 ? -normal : normal
        }
    }

    /// The corners of the convex hull of points, in order around it (Andrew, "Another efficient algorithm for convex hulls in two
    /// dimensions", 1979).
    private static func hull(_ points: [SIMD2<Double>]) -> [SIMD2<Double>] {
        let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        func chain(_ points: some Sequence<SIMD2<Double>>) -> [SIMD2<Double>] {
            var chain: [SIMD2<Double>] = []
            for point in points {
                while chain.count > 1 {
                    let (step, next) = (chain[chain.count - 1] - chain[chain.count - 2], point - chain[chain.count - 1])
                    guard step.x * next.y - step.y * next.x <= 0 else { break }
                    chain.removeLast()
                }
                chain.append(point)
            }
            return chain.dropLast()
        }
        return chain(sorted) + chain(sorted.reversed())
    }

    /// The copies of the world in the picture, at most three on each side of the first.
    var copies: ClosedRange<Int> {
        let (west, east) = (projection.centerX + low.x - margin, projection.centerX + high.x + margin)
        let (first, last) = (west.rounded(.down), east.rounded(.down))
        return Int(max(-3, min(0, first)))...Int(min(3, max(0, last)))
    }

    private func box(_ cell: TileCell) -> (low: SIMD2<Double>, high: SIMD2<Double>) {
        let size = cell.size
        return (
            SIMD2(Double(cell.x) * size - projection.centerX, Double(cell.y) * size - projection.centerY),
            SIMD2(Double(cell.x + 1) * size - projection.centerX, Double(cell.y + 1) * size - projection.centerY)
        )
    }

    /// Whether a square and the polygon overlap (separating axes).
    func touches(_ cell: TileCell) -> Bool {
        let box = box(cell)
        guard box.low.x < high.x + margin, box.low.y < high.y + margin, box.high.x > low.x - margin, box.high.y > low.y - margin
        else { return false }
        for (corner, normal) in zip(corners, normals) {
            // The corner of the square that is farthest inside.
            let inner = SIMD2(normal.x > 0 ? box.high.x : box.low.x, normal.y > 0 ? box.high.y : box.low.y)
            if ((inner - corner) * normal).sum() < -margin { return false }
        }
        return true
    }

    /// The smallest depth at which the picture may show the square.
    func nearestDepth(of cell: TileCell) -> Double {
        let box = box(cell)
        let world = projection.worldSize
        // Depth grows along one direction on the ground.
        let way = SIMD2(projection.sinBearing, -projection.cosBearing)
        let corner = SIMD2(way.x > 0 ? box.low.x : box.high.x, way.y > 0 ? box.low.y : box.high.y)
        return min(max(projection.depth(up: (corner * way).sum() * world, height: 0), nearest), farthest)
    }
}

extension Viewport {
    /// The points at which the rays through the corners of the picture, or through its side at the far limit, reach a height in pt. They
    /// are offsets in pt from the view's center. The height is limited to that of the camera.
    fileprivate func corners(atHeight height: Double) -> [SIMD2<Double>] {
        let top = max(0, farLimitY ?? 0)
        let corners = [SIMD2(0, top), SIMD2(size.width, top), SIMD2(size.width, size.height), SIMD2(0, size.height)]
        return corners.compactMap { corner in
            let (origin, direction) = projection.ray(through: corner)
            guard direction.z < 0 else { return nil }
            let place = origin + direction * ((min(height, 0.98 * origin.z) - origin.z) / direction.z)
            return SIMD2(place.x, place.y)
        }
    }
}
