/// A point of a plane, or a vector in it. Strokes, dashes and clipping do not depend on maps or pixels, and lengths and tolerances are in
/// the unit of the points. If y points down, left and right are exchanged, which makes no difference here.
package typealias PlanePoint = SIMD2<Double>

extension PlanePoint {
    @inline(__always)
    package func dot(_ other: PlanePoint) -> Double { x * other.x + y * other.y }
    /// The cross product: positive if the other vector is turned from x toward y.
    @inline(__always)
    package func cross(_ other: PlanePoint) -> Double { x * other.y - y * other.x }
    /// The vector turned by the angle with this cosine and sine.
    @inline(__always)
    func turned(by step: PlanePoint) -> PlanePoint { PlanePoint(x * step.x - y * step.y, x * step.y + y * step.x) }
    @inline(__always)
    package var length: Double { dot(self).squareRoot() }
}

/// Closed contours in flat arrays: the result of stroking and clipping.
package struct Contours: Equatable, Sendable {
    package var points: [PlanePoint] = []
    /// The end of each contour's points. A contour begins at the end of the previous one.
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

    /// The enclosed area, counted with the winding number; positive if contours turn from x toward y.
    package var signedArea: Double {
        (0..<count).reduce(0) { $0 + Self.signedArea(self[$1]) }
    }

    package static func signedArea(_ ring: some RandomAccessCollection<PlanePoint>) -> Double {
        guard let first = ring.first else { return 0 }
        var sum = 0.0
        var before = PlanePoint.zero
        for point in ring.dropFirst() {
            // Points are relative to the first point, for precision far from the origin.
            sum += before.cross(point - first)
            before = point - first
        }
        return sum / 2
    }

    /// Ends a contour. A contour with fewer than three points is dropped.
    mutating func close() {
        let start = ends.last ?? 0
        if points.count - start > 2 { ends.append(points.count) } else { points.removeLast(points.count - start) }
    }
}
