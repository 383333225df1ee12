/// Whether rings cross themselves or one another, in bounded time.
package enum RingCrossings {
    package enum Answer: Equatable, Sendable {
        case none
        /// Two edges cross here.
        case crossing(PlanePoint)
        /// Not found within the bound.
        case unknown
    }

    /// Pairs of edges that are compared at most, some tenths of a second.
    package static let mostPairs = 20_000_000

    /// Looks for edges that cross in their interiors. Touching is not crossing.
    ///
    /// Edges are put into the cells of a grid that they pass, and compared with those that are there already, so that the
    /// first crossing is found early where there are many.
    package static func find(_ rings: Contours, mostPairs: Int = mostPairs) -> Answer {
        let edges = edges(rings)
        guard edges.count > 3, let low = edges.map({ pointwiseMin($0.a, $0.b) }).reduce(pointwiseMin),
            let high = edges.map({ pointwiseMax($0.a, $0.b) }).reduce(pointwiseMax)
        else { return .none }
        let side = max(1, min(1024, Int(Double(edges.count).squareRoot())))
        let size = high - low
        // What is no wider than nothing has one column, or one row.
        func scale(_ size: Double) -> Double {
            let scale = Double(side) / size
            return scale.isFinite ? scale : 0
        }
        let scaling = PlanePoint(scale(size.x), scale(size.y))
        // Lists of edges by cell: the last one in, and the one before each.
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
                        if edge.crosses(other) { return .crossing((edge.a + edge.b) / 2) }
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

    /// The cell of any number: the first one of what is none.
    @inline(__always)
    private static func cell(_ value: Double, _ side: Int) -> Int {
        guard value > 0 else { return 0 }
        return value < Double(side) ? Int(value) : side - 1
    }

    /// From where to where an edge goes in a row of cells, a little more for rounding.
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

        /// Whether each one's ends lie on both sides of the other, or both lie along one another with their insides.
        func crosses(_ other: Edge) -> Bool {
            let (own, its) = (b - a, other.b - other.a)
            let (first, second) = (own.cross(other.a - a), own.cross(other.b - a))
            guard (first < 0) != (second < 0), first != 0, second != 0 else { return false }
            let (third, fourth) = (its.cross(a - other.a), its.cross(b - other.a))
            return (third < 0) != (fourth < 0) && third != 0 && fourth != 0
        }
    }

    private static func edges(_ rings: Contours) -> [Edge] {
        (0..<rings.count).flatMap { index -> [Edge] in
            let ring = Array(rings[index])
            return ring.indices.compactMap { place in
                let edge = Edge(a: ring[place], b: ring[(place + 1) % ring.count])
                return edge.a == edge.b ? nil : edge
            }
        }
    }
}

extension Array<PlanePoint> {
    fileprivate func reduce(_ join: (PlanePoint, PlanePoint) -> PlanePoint) -> PlanePoint? {
        first.map { dropFirst().reduce($0, join) }
    }
}
