/// Finds whether rings cross themselves or one another, in bounded time.
package enum RingCrossings {
    package enum Answer: Equatable, Sendable {
        case none
        /// Two edges cross here.
        case crossing(PlanePoint)
        /// The limit of comparisons was reached before a crossing was found.
        case unknown
    }

    /// The maximum number of compared pairs of edges. Comparing that many takes tenths of a second.
    package static let mostPairs = 20_000_000

    /// Searches for edges that cross, in their interiors or at shared points, and for edges that overlap in the same direction. Touching is
    /// not crossing.
    ///
    /// Edges are entered into the cells of a grid that they cross, and compared with the edges already in them, so that the first of many
    /// crossings is found early.
    package static func find(_ rings: Contours, mostPairs: Int = mostPairs) -> Answer {
        let edges = edges(rings)
        guard edges.count > 3 else { return .none }
        let low = edges.reduce(edges[0].a) { pointwiseMin($0, pointwiseMin($1.a, $1.b)) }
        let high = edges.reduce(edges[0].a) { pointwiseMax($0, pointwiseMax($1.a, $1.b)) }
        let side = max(1, min(1024, Int(Double(edges.count).squareRoot())))
        let size = high - low
        // Rings without width or height get a single column or row.
        func scale(_ size: Double) -> Double {
            let scale = Double(side) / size
            return scale.isFinite ? scale : 0
        }
        let scaling = PlanePoint(scale(size.x), scale(size.y))
        // Linked lists of edges by cell: the edge entered last in each cell, and for each edge the one entered before it.
        var heads = [Int32](repeating: -1, count: side * side)
        var entries: [(edge: Int32, before: Int32)] = []
        var pairs = 0
        for (number, edge) in edges.enumerated() {
            let (a, b) = ((edge.a - low) * scaling, (edge.b - low) * scaling)
            let firstRow = cell(min(a.y, b.y), side)
            let lastRow = max(firstRow, cell(max(a.y, b.y), side))
            for row in firstRow...lastRow {
                let (west, east) = span(a, b, row, isOne: firstRow == lastRow)
                let firstColumn = cell(west, side)
                for column in firstColumn...max(firstColumn, cell(east, side)) {
                    var entry = heads[row * side + column]
                    while entry >= 0 {
                        let other = edges[Int(entries[Int(entry)].edge)]
                        if edge.crosses(other) { return .crossing(edge.a / 2 + edge.b / 2) }
                        pairs += 1
                        if pairs > mostPairs { return .unknown }
                        entry = entries[Int(entry)].before
                    }
                    entries.append((Int32(number), heads[row * side + column]))
                    heads[row * side + column] = Int32(entries.count - 1)
                    pairs += 1
                }
            }
            if pairs > mostPairs { return .unknown }
        }
        return .none
    }

    /// The cell of a number; the first cell if the number is not finite.
    @inline(__always)
    private static func cell(_ value: Double, _ side: Int) -> Int {
        guard value > 0 else { return 0 }
        return value < Double(side) ? Int(value) : side - 1
    }

    /// The range that an edge spans in a row of cells, with a margin for rounding.
    private static func span(_ a: PlanePoint, _ b: PlanePoint, _ row: Int, isOne: Bool) -> (west: Double, east: Double) {
        let (west, east) = (min(a.x, b.x), max(a.x, b.x))
        guard !isOne, a.y != b.y else { return (west, east) }
        let slope = (b.x - a.x) / (b.y - a.y)
        let (first, second) = (a.x + (Double(row) - a.y) * slope, a.x + (Double(row + 1) - a.y) * slope)
        return (max(west, min(first, second) - 1e-6), min(east, max(first, second) + 1e-6))
    }

    private struct Edge {
        var a: PlanePoint
        var b: PlanePoint
        /// The point before `a` on the ring.
        var before: PlanePoint

        /// Whether the rings cross where the two edges meet.
        func crosses(_ other: Edge) -> Bool {
            let (own, its) = (b - a, other.b - other.a)
            let (first, second) = (own.cross(other.a - a), own.cross(other.b - a))
            if first != 0, second != 0, (first < 0) == (second < 0) { return false }
            let (third, fourth) = (its.cross(a - other.a), its.cross(b - other.a))
            if third != 0, fourth != 0, (third < 0) == (fourth < 0) { return false }
            if first != 0, second != 0, third != 0, fourth != 0 { return true }
            if first == 0, second == 0, own.dot(its) > 0 {
                // The edges are collinear. They cross if they overlap in the same direction by more than a point.
                let (from, to) = (own.dot(other.a - a), own.dot(other.b - a))
                return max(from, 0) < min(to, own.dot(own))
            }
            // Each point belongs to the edge that begins there.
            if a == other.a { return Self.crosses(at: a, before, b, other.before, other.b) }
            if third == 0, other.holds(a) { return Self.crosses(at: a, before, b, other.a, other.b) }
            if first == 0, holds(other.a) { return Self.crosses(at: other.a, other.before, other.b, a, b) }
            return false
        }

        /// Whether a point on its line is between its ends.
        private func holds(_ point: PlanePoint) -> Bool {
            let (along, whole) = ((b - a).dot(point - a), (b - a).dot(b - a))
            return along > 0 && along < whole
        }

        /// Whether one path through a point passes from one side of another path to the other. Leaving along the other path does not count.
        private static func crosses(at point: PlanePoint, _ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint, _ d: PlanePoint) -> Bool {
            let (from, to) = (a - point, b - point)
            guard let first = side(c - point, from, to), let second = side(d - point, from, to) else { return false }
            return first != second
        }

        /// Whether a direction is between two others, turning from x toward y; nil if it is one of them.
        private static func side(_ direction: PlanePoint, _ from: PlanePoint, _ to: PlanePoint) -> Bool? {
            let (first, second) = (from.cross(direction), direction.cross(to))
            if first == 0, from.dot(direction) > 0 { return nil }
            if second == 0, to.dot(direction) > 0 { return nil }
            let turn = from.cross(to)
            if turn > 0 { return first > 0 && second > 0 }
            if turn < 0 { return !(first <= 0 && second <= 0) }
            // The direction is the same, or the reverse.
            return from.dot(to) < 0 ? first > 0 : false
        }
    }

    private static func edges(_ rings: Contours) -> [Edge] {
        (0..<rings.count).flatMap { index -> [Edge] in
            var ring: [PlanePoint] = []
            for point in rings[index] where point != ring.last { ring.append(point) }
            while ring.count > 1, ring.last == ring.first { ring.removeLast() }
            guard ring.count > 1 else { return [] }
            return ring.indices.map { place in
                Edge(a: ring[place], b: ring[(place + 1) % ring.count], before: ring[(place + ring.count - 1) % ring.count])
            }
        }
    }
}
