import WaymarkGeo
import WaymarkRaster

/// A line in a plane, with the distance of each of its points from its start. It does not depend on maps or pixels, and lengths are in
/// the unit of the points.
package struct LineCurve: Sendable {
    package private(set) var points: [PlanePoint] = []
    /// The distance of each point from the start along the line, ascending.
    package private(set) var distances: [Double] = []

    package var length: Double { distances.last ?? 0 }

    package init() {}

    package init(_ points: some Sequence<PlanePoint>) {
        for point in points { append(point) }
    }

    package mutating func append(_ point: PlanePoint) {
        distances.append(points.last.map { length + (point - $0).length } ?? 0)
        points.append(point)
    }

    /// The index of the segment at a distance from the start. Beyond the ends, this is the first or the last segment.
    package func segment(at distance: Double) -> Int {
        max(0, min(points.count - 2, distances.partitioningIndex { $0 > distance } - 1))
    }

    /// The point at a distance from the start. Beyond the ends, this is the first or the last point. The line must have at least one
    /// point.
    package func point(at distance: Double) -> PlanePoint {
        guard points.count > 1, distance > 0 else { return points[0] }
        guard distance < length else { return points[points.count - 1] }
        let index = segment(at: distance)
        let own = distances[index + 1] - distances[index]
        return points[index] + (points[index + 1] - points[index]) * ((distance - distances[index]) / own)
    }

    /// The direction of the line at a distance from its start, of length 1. It leads from a point before to a point after, so that it
    /// turns evenly around corners. Nil where the line has no direction.
    /// - Parameter reach: The distance of both points along the line. The points are never beyond the line's ends.
    package func direction(at distance: Double, reach: Double) -> PlanePoint? {
        let step = point(at: distance + reach) - point(at: distance - reach)
        let length = step.length
        return length > 0 ? step / length : nil
    }

    /// The cosine of the turn of the line at a distance from its start, between the parts before and after.
    /// - Parameter reach: The length of the two parts, which is long enough that small deviations do not count.
    package func cosineOfTurn(at distance: Double, reach: Double) -> Double {
        let here = point(at: distance)
        let (before, after) = (here - point(at: distance - reach), point(at: distance + reach) - here)
        let lengths = before.length * after.length
        return lengths > 0 ? before.dot(after) / lengths : 1
    }
}
