/// A point of a plane, or a step in it. The room knows neither maps nor pixels: it is told lengths and tolerances in whatever unit
/// the points are in. With y down, left turns into right; nothing here depends on it.
package typealias PlanePoint = SIMD2<Double>

extension PlanePoint {
    @inline(__always)
    func dot(_ other: PlanePoint) -> Double { x * other.x + y * other.y }
    /// Above 0 when the other is a turn from x towards y.
    @inline(__always)
    func cross(_ other: PlanePoint) -> Double { x * other.y - y * other.x }
    /// A quarter turn from x towards y.
    var turned: PlanePoint { PlanePoint(-y, x) }
    /// Turned by an angle, of which the cosine and the sine are given.
    @inline(__always)
    func turned(by step: PlanePoint) -> PlanePoint { PlanePoint(x * step.x - y * step.y, x * step.y + y * step.x) }
    @inline(__always)
    package var length: Double { dot(self).squareRoot() }
}

/// Contours in flat arrays: what strokes and clipped rings are. Each closes itself.
package struct Contours: Equatable, Sendable {
    package var points: [PlanePoint] = []
    /// Where in `points` each ends; it begins where the one before it ends.
    package var ends: [Int] = []

    package init() {}

    package var isEmpty: Bool { ends.isEmpty }
    package var count: Int { ends.count }

    package subscript(index: Int) -> ArraySlice<PlanePoint> {
        points[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
    }

    package mutating func append(_ contour: some Sequence<PlanePoint>) {
        points += contour
        ends.append(points.count)
    }

    package mutating func removeAll() {
        points.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    /// The area that they go round, counted as often as they do so, above 0 when they turn from x towards y.
    package var signedArea: Double {
        (0..<count).reduce(0) { $0 + Self.signedArea(self[$1]) }
    }

    package static func signedArea(_ ring: some RandomAccessCollection<PlanePoint>) -> Double {
        guard let first = ring.first else { return 0 }
        var sum = 0.0
        var before = PlanePoint.zero
        for point in ring.dropFirst() {
            // Relative to the first point: the corners may be far from the origin.
            sum += before.cross(point - first)
            before = point - first
        }
        return sum / 2
    }

    /// Ends a contour; one of fewer than three points is none.
    mutating func close() {
        let start = ends.last ?? 0
        if points.count - start > 2 { ends.append(points.count) } else { points.removeLast(points.count - start) }
    }
}
