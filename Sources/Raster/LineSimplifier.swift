/// Simplifies lines to a tolerance in one pass (Zhao and Saalfeld, "Linear-Time Sleeve-Fitting Polyline Simplification Algorithms", 1997).
///
/// Each omitted point narrows the angle, seen from the last point kept, in which the next kept point must lie. Unlike Douglas and Peucker's
/// algorithm, this one takes linear time for any line.
package enum LineSimplifier {
    /// The indices of the points kept, ascending, including both ends.
    package static func simplify(_ points: UnsafeBufferPointer<PlanePoint>, tolerance: Double) -> [Int32] {
        let count = points.count
        guard count > 2, tolerance > 0 else { return (0..<count).map { Int32($0) } }
        var kept: [Int32] = [0]
        let square = tolerance * tolerance
        var anchor = points[0]
        // The two sides of the sleeve, as directions; undefined while every point is near the anchor.
        var low = PlanePoint.zero
        var high = PlanePoint.zero
        var hasSleeve = false
        var farthest = 0.0
        var index = 1
        while index < count {
            let step = points[index] - anchor
            let distance = step.dot(step)
            if distance > square {
                let isInside = !hasSleeve || low.cross(step) >= 0 && step.cross(high) >= 0
                // The tip must stay where the line turns back.
                if !isInside || distance < farthest {
                    anchor = points[index - 1]
                    kept.append(Int32(index - 1))
                    hasSleeve = false
                    farthest = 0
                    continue
                }
                // The tangents to the circle with the tolerance as radius around the point.
                let sine = tolerance / distance.squareRoot()
                let turn = PlanePoint((1 - sine * sine).squareRoot(), sine)
                let (left, right) = (step.turned(by: PlanePoint(turn.x, -turn.y)), step.turned(by: turn))
                if !hasSleeve || low.cross(left) > 0 { low = left }
                if !hasSleeve || right.cross(high) > 0 { high = right }
                hasSleeve = true
                farthest = max(farthest, distance)
            } else if hasSleeve {
                // The line is back near the anchor.
                anchor = points[index - 1]
                kept.append(Int32(index - 1))
                hasSleeve = false
                farthest = 0
                continue
            }
            index += 1
        }
        kept.append(Int32(count - 1))
        return kept
    }

    /// Omits points closer than a distance to the last kept point. The last point is kept, unless all points are that close to the first.
    package static func merge(_ points: inout [PlanePoint], within distance: Double) {
        guard points.count > 1, let last = points.last else { return }
        let square = distance * distance
        var kept = 1
        points.withUnsafeMutableBufferPointer { points in
            for index in 1..<points.count {
                let step = points[index] - points[kept - 1]
                if step.dot(step) > square {
                    points[kept] = points[index]
                    kept += 1
                }
            }
            if points[kept - 1] != last, kept > 1 { points[kept - 1] = last }
        }
        points.removeLast(points.count - kept)
    }

    /// Omits points like `merge(_:within:)`, from a line that may be closed without repeating its first point.
    /// - Returns: Whether the line is still closed: fewer than three points enclose nothing.
    package static func merge(_ points: inout [PlanePoint], isClosed: Bool, within distance: Double) -> Bool {
        merge(&points, within: distance)
        guard isClosed else { return false }
        while points.count > 1, (points[points.count - 1] - points[0]).length <= distance { points.removeLast() }
        return points.count > 2
    }
}
