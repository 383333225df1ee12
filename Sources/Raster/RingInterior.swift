/// Determines which points are inside a ring, by the even-odd rule.
///
/// The edges are sorted into rows of equal height, so that a query examines the edges of only one row.
package struct RingInterior {
    private let low: Double
    private let scale: Double
    private var rows: [[(a: PlanePoint, b: PlanePoint)]]

    package init(_ ring: [PlanePoint]) {
        let ys = ring.map(\.y)
        low = ys.min() ?? 0
        let height = (ys.max() ?? 0) - low
        let count = max(1, min(1024, ring.count / 4))
        scale = height > 0 ? Double(count) / height : 0
        rows = Array(repeating: [], count: count)
        for index in ring.indices {
            let (a, b) = (ring[index], ring[(index + 1) % ring.count])
            for row in row(min(a.y, b.y))...row(max(a.y, b.y)) { rows[row].append((a, b)) }
        }
    }

    /// Whether a point is inside; nil on the ring itself.
    package func contains(_ point: PlanePoint) -> Bool? {
        var isInside = false
        for (a, b) in rows[row(point.y)] {
            let (along, toPoint) = (b - a, point - a)
            let side = along.cross(toPoint)
            if side == 0, toPoint.dot(along) >= 0, toPoint.dot(toPoint) <= along.dot(along) { return nil }
            guard (a.y > point.y) != (b.y > point.y) else { continue }
            // The ray toward larger x meets the edge.
            if (side > 0) == (b.y > a.y) { isInside.toggle() }
        }
        return isInside
    }

    private func row(_ y: Double) -> Int {
        let row = (y - low) * scale
        return row > 0 ? min(rows.count - 1, Int(min(row, 1e6))) : 0
    }
}
