/// Sends rays through a closed surface and counts how often they are inside of it.
struct WindingCheck {
    private let positions: UnsafeBufferPointer<SIMD3<Float>>
    private let corners: UnsafeBufferPointer<SIMD3<UInt32>>
    /// 1 when fronts look outward, -1 when backs do.
    private let sign: Int
    private var hits: [UInt64] = []

    /// Hits of all rays of a grid, about: rays that meet very many triangles are fewer.
    private static let mostHits = 250_000

    /// Whether no ray is found on which the surface winds round a place the wrong way.
    ///
    /// Each piece is looked at by itself, with a grid of rays over its own box, so that small ones are not missed. One that is inside
    /// out may be a hollow in another, and then nothing is wrong; but whether it breaks out of that somewhere no samples can tell.
    static func isNowhereNegative(_ positions: [SIMD3<Float>], _ corners: [SIMD3<UInt32>], sign: Int) -> Bool {
        positions.withUnsafeBufferPointer { positions in
            let pieces = Pieces(corners, vertexCount: positions.count)
            return pieces.corners.withUnsafeBufferPointer { corners in
                var check = WindingCheck(positions: positions, corners: corners, sign: sign)
                for piece in pieces.ranges where check.isNegative(piece) { return false }
                return true
            }
        }
    }

    private init(positions: UnsafeBufferPointer<SIMD3<Float>>, corners: UnsafeBufferPointer<SIMD3<UInt32>>, sign: Int) {
        self.positions = positions
        self.corners = corners
        self.sign = sign
    }

    /// Whether some triangles wind the wrong way on a ray of grids along the three axes.
    private mutating func isNegative(_ range: Range<Int>) -> Bool {
        var (low, high) = (SIMD3<Float>(repeating: .infinity), SIMD3<Float>(repeating: -.infinity))
        for corner in corners[range] {
            for index in 0..<3 {
                low = pointwiseMin(low, positions[Int(corner[index])])
                high = pointwiseMax(high, positions[Int(corner[index])])
            }
        }
        // 4 rays a side for a box, 64 from 65,000 triangles on.
        let most = min(64, max(4, Int(Double(range.count).squareRoot() / 4)))
        for axis in 0..<3 {
            if isNegative(range, axis, SIMD3<Double>(low), SIMD3<Double>(high), side: most) { return true }
        }
        return false
    }

    private mutating func isNegative(
        _ range: Range<Int>, _ axis: Int, _ low: SIMD3<Double>, _ high: SIMD3<Double>, side most: Int
    ) -> Bool {
        let (uAxis, vAxis) = ((axis + 1) % 3, (axis + 2) % 3)
        let size = high - low
        guard size[uAxis] > 0, size[vAxis] > 0 else { return false }
        var side = most
        var grid = Grid(low: (low[uAxis], low[vAxis]), size: (size[uAxis], size[vAxis]), side: side)
        if range.count > 1024 || most > 8 {
            // As many rays as come to a bounded number of places looked at.
            let places = range.reduce(0) { $0 + (grid.span(triangle($1), uAxis, vAxis)?.count ?? 0) }
            if places > Self.mostHits {
                side = max(2, Int(Double(side) * (Double(Self.mostHits) / Double(places)).squareRoot()))
                grid = Grid(low: grid.low, size: grid.size, side: side)
            }
        }
        hits.removeAll(keepingCapacity: true)
        let (depth, depthScale) = (low[axis], size[axis] > 0 ? Double(1 << 30) / size[axis] : 0)
        for index in range {
            let triangle = triangle(index)
            guard let span = grid.span(triangle, uAxis, vAxis) else { continue }
            for row in span.rows {
                for column in span.columns {
                    let (u, v) = grid.place(column, row)
                    guard let hit = Self.hit(triangle, corners[index], u, v, axis, uAxis, vAxis) else { continue }
                    let quantized = UInt64(min(max((hit.depth - depth) * depthScale, 0), Double(1 << 30)))
                    hits.append(UInt64(row * side + column) << 32 | quantized << 1 | (hit.isLeaving ? 1 : 0))
                }
            }
        }
        hits.sort()
        return isAnyRayNegative()
    }

    /// Whether on a ray among the sorted hits the winding number is below 0 between two of them; hits as near to one another as
    /// rounding may put them count at once.
    private func isAnyRayNegative() -> Bool {
        let slack: UInt64 = 1100
        var (winding, index) = (0, 0)
        while index < hits.count {
            let ray = hits[index] >> 32
            winding += hits[index] & 1 == 0 ? sign : -sign
            let isLast = index + 1 == hits.count || hits[index + 1] >> 32 != ray
            let isApart = isLast || (hits[index + 1] & 0xFFFF_FFFF) >> 1 > (hits[index] & 0xFFFF_FFFF) >> 1 + slack
            if isApart, winding < 0 || isLast && winding != 0 { return true }
            if isLast { winding = 0 }
            index += 1
        }
        return false
    }

    @inline(__always)
    private func triangle(_ index: Int) -> (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>) {
        let corner = corners[index]
        return (positions[Int(corner.x)], positions[Int(corner.y)], positions[Int(corner.z)])
    }

    /// Where a ray meets a triangle, and whether it goes through from the back. Edges are reckoned the same way round for both
    /// triangles that share them, so that no ray slips between two.
    @inline(__always)
    private static func hit(
        _ triangle: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>), _ corner: SIMD3<UInt32>, _ u: Double, _ v: Double, _ axis: Int,
        _ uAxis: Int, _ vAxis: Int
    ) -> (depth: Double, isLeaving: Bool)? {
        func edge(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Double {
            let (au, av) = (Double(a[uAxis]), Double(a[vAxis]))
            return (Double(b[uAxis]) - au) * (v - av) - (Double(b[vAxis]) - av) * (u - au)
        }
        func side(_ a: SIMD3<Float>, _ first: UInt32, _ b: SIMD3<Float>, _ second: UInt32) -> (isLeft: Bool, weight: Double) {
            let value = first < second ? edge(a, b) : edge(b, a)
            return first < second ? (value >= 0, value) : (value < 0, -value)
        }
        let (a, b, c) = triangle
        let ab = side(a, corner.x, b, corner.y)
        let bc = side(b, corner.y, c, corner.z)
        guard ab.isLeft == bc.isLeft else { return nil }
        let ca = side(c, corner.z, a, corner.x)
        guard ca.isLeft == ab.isLeft else { return nil }
        let sum = ab.weight + bc.weight + ca.weight
        let mean = (Double(a[axis]) + Double(b[axis]) + Double(c[axis])) / 3
        let depth = (Double(a[axis]) * bc.weight + Double(b[axis]) * ca.weight + Double(c[axis]) * ab.weight) / sum
        return (depth.isFinite ? depth : mean, ab.isLeft)
    }

    /// The places of rays over a box. They lie off any regular place.
    private struct Grid {
        let low: (Double, Double)
        let size: (Double, Double)
        let side: Int
        private let step: (Double, Double)
        private static let phase = (0.437, 0.5633)

        init(low: (Double, Double), size: (Double, Double), side: Int) {
            self.low = low
            self.size = size
            self.side = side
            step = (size.0 / Double(side), size.1 / Double(side))
        }

        struct Span {
            var columns: ClosedRange<Int>
            var rows: ClosedRange<Int>
            var count: Int { columns.count * rows.count }
        }

        @inline(__always)
        func place(_ column: Int, _ row: Int) -> (u: Double, v: Double) {
            (low.0 + (Double(column) + Self.phase.0) * step.0, low.1 + (Double(row) + Self.phase.1) * step.1)
        }

        /// The rays that may meet a triangle.
        @inline(__always)
        func span(_ triangle: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>), _ uAxis: Int, _ vAxis: Int) -> Span? {
            func range(_ a: Float, _ b: Float, _ c: Float, _ low: Double, _ step: Double, _ phase: Double) -> ClosedRange<Int>? {
                // A ray more on each side, for rounding.
                let first = Int(max(0, ((Double(min(a, b, c)) - low) / step - phase - 1e-6).rounded(.up)))
                let last = Int(min(Double(side - 1), ((Double(max(a, b, c)) - low) / step - phase + 1e-6).rounded(.down)))
                return first <= last ? first...last : nil
            }
            let (a, b, c) = triangle
            guard let columns = range(a[uAxis], b[uAxis], c[uAxis], low.0, step.0, Self.phase.0),
                let rows = range(a[vAxis], b[vAxis], c[vAxis], low.1, step.1, Self.phase.1)
            else { return nil }
            return Span(columns: columns, rows: rows)
        }
    }
}

/// Triangles by the pieces that hang together.
private struct Pieces {
    /// Piece by piece.
    let corners: [SIMD3<UInt32>]
    let ranges: [Range<Int>]

    init(_ corners: [SIMD3<UInt32>], vertexCount: Int) {
        var parents = [UInt32](repeating: 0, count: vertexCount)
        for index in parents.indices { parents[index] = UInt32(index) }
        var sizes: [Int] = []
        var sorted: [SIMD3<UInt32>] = []
        parents.withUnsafeMutableBufferPointer { parents in
            func root(_ vertex: UInt32) -> UInt32 {
                var vertex = vertex
                while parents[Int(vertex)] != vertex {
                    // Every other one on the way is hung up higher.
                    parents[Int(vertex)] = parents[Int(parents[Int(vertex)])]
                    vertex = parents[Int(vertex)]
                }
                return vertex
            }
            func join(_ a: UInt32, _ b: UInt32) {
                let (a, b) = (root(a), root(b))
                if a < b { parents[Int(b)] = a } else { parents[Int(a)] = b }
            }
            for corner in corners {
                join(corner.x, corner.y)
                join(corner.y, corner.z)
            }
            // Pieces are numbered as they come.
            var numbers: [UInt32: Int] = [:]
            var last: (root: UInt32, number: Int) = (.max, 0)
            var pieces: [Int32] = []
            pieces.reserveCapacity(corners.count)
            for corner in corners {
                let own = root(corner.x)
                if own != last.root {
                    let number = numbers[own] ?? sizes.count
                    if number == sizes.count {
                        numbers[own] = number
                        sizes.append(0)
                    }
                    last = (own, number)
                }
                sizes[last.number] += 1
                pieces.append(Int32(last.number))
            }
            guard sizes.count > 1 else { return sorted = corners }
            var places = sizes
            var sum = 0
            for index in places.indices { (places[index], sum) = (sum, sum + places[index]) }
            sorted = corners
            for (index, corner) in corners.enumerated() {
                let piece = Int(pieces[index])
                sorted[places[piece]] = corner
                places[piece] += 1
            }
        }
        var start = 0
        ranges = sizes.map { size in
            defer { start += size }
            return start..<start + size
        }
        self.corners = sorted
    }
}
