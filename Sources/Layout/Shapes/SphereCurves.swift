import Foundation
import WaymarkGeo
import WaymarkRaster

/// The great circle arc between two places, which is the shortest path on the sphere.
package enum GreatCircle {
    package typealias Visibility = (PlanePoint, PlanePoint, Double) -> Bool
    private static let deepest = 40

    /// Appends points between two ends until the visible parts of the line are within a tolerance of the arc.
    static func subdivide(
        _ a: PlanePoint, _ first: SpherePoint, _ b: PlanePoint, _ second: SpherePoint, _ tolerance: Double, _ isSeen: Visibility,
        _ result: inout [PlanePoint], depth: Int = 0
    ) {
        guard depth < deepest, let middle = first.middle(to: second), let quarter = first.middle(to: middle) else { return }
        let point = place(middle, between: a, b, 0.5)
        // The middle of an arc across the equator may happen to lie on the straight line.
        let off = max((point - (a + b) / 2).length, (place(quarter, between: a, b, 0.25) - (a * 0.75 + b * 0.25)).length)
        guard off > tolerance, depth == 0 || isSeen(a, b, 2 * off) else { return }
        subdivide(a, first, point, middle, tolerance, isSeen, &result, depth: depth + 1)
        result.append(point)
        subdivide(point, middle, b, second, tolerance, isSeen, &result, depth: depth + 1)
    }

    /// The length of the arc between two places on the map, as a fraction of the world.
    static func length(_ a: PlanePoint, _ b: PlanePoint) -> Double {
        let (first, last) = (SpherePoint(worldX: a.x, y: a.y), SpherePoint(worldX: b.x, y: b.y))
        guard let middle = first.middle(to: last), let early = first.middle(to: middle), let late = middle.middle(to: last) else {
            return (b - a).length
        }
        // Boole's rule (five-point Newton–Cotes quadrature) over the scale of the Mercator projection, the secant of the latitude.
        func scale(_ point: SpherePoint) -> Double { 1 / max(1 - point.vector.z * point.vector.z, 1e-6).squareRoot() }
        let mean = (7 * (scale(first) + scale(last)) + 32 * (scale(early) + scale(late)) + 12 * scale(middle)) / 90
        return first.angle(to: last) * mean / (2 * .pi)
    }

    private static func place(_ point: SpherePoint, between a: PlanePoint, _ b: PlanePoint, _ share: Double) -> PlanePoint {
        let place = point.worldPoint(near: a.x + (b.x - a.x) * share)
        return PlanePoint(place.x, place.y)
    }
}

/// A small circle, which consists of all points at the same angular distance from a center.
package struct SmallCircle {
    /// The center times the cosine of the angular radius.
    private let base: SIMD3<Double>
    /// The directions to the north and to the east at the center, and the sine of the angular radius.
    private let north: SIMD3<Double>
    private let east: SIMD3<Double>
    private let sine: Double
    private static let deepest = 30

    /// - Parameter angle: The angular radius in radians.
    package init(center: SpherePoint, angle: Double) {
        (north, east) = center.directions
        base = center.vector * cos(angle)
        sine = sin(angle)
    }

    package func point(bearing: Double, near x: Double) -> PlanePoint {
        point(cosine: cos(bearing), sine: sin(bearing), near: x)
    }

    @inline(__always)
    func point(cosine: Double, sine: Double, near x: Double) -> PlanePoint {
        let heading = north * cosine + east * sine
        let place = SpherePoint(vector: base + heading * self.sine).worldPoint(near: x)
        return PlanePoint(place.x, place.y)
    }

    package func subdivide(
        _ a: PlanePoint, _ first: Double, _ b: PlanePoint, _ second: Double, _ tolerance: Double, _ isSeen: GreatCircle.Visibility,
        _ result: inout [PlanePoint], bearings: UnsafeMutablePointer<[Double]>? = nil, depth: Int = 0
    ) {
        guard depth < Self.deepest else { return }
        let middle = (first + second) / 2
        let point = point(bearing: middle, near: (a.x + b.x) / 2)
        let quarter = self.point(bearing: first * 0.75 + second * 0.25, near: a.x * 0.75 + b.x * 0.25)
        let off = max((point - (a + b) / 2).length, (quarter - (a * 0.75 + b * 0.25)).length)
        guard off > tolerance, depth == 0 || isSeen(a, b, 2 * off) else { return }
        subdivide(a, first, point, middle, tolerance, isSeen, &result, bearings: bearings, depth: depth + 1)
        result.append(point)
        bearings?.pointee.append(middle)
        subdivide(point, middle, b, second, tolerance, isSeen, &result, bearings: bearings, depth: depth + 1)
    }
}

/// The ring of a circle on the map, made of the chords of at least 64 equal arcs.
package struct CircleRing: Equatable, Sendable {
    package var center: SpherePoint
    /// The angular radius in radians.
    package var angle: Double
    /// An x coordinate near the ring. The ring is on the copy of the world nearest to it.
    package var x: Double

    package init(center: SpherePoint, angle: Double, x: Double) {
        (self.center, self.angle, self.x) = (center, angle, x)
    }

    /// The number of chords before any is subdivided.
    static let count = 64

    private static let bearings = (0..<count).map { Double($0) / Double(count) * 2 * .pi }
    private static let turns = bearings.map { (cosine: cos($0), sine: sin($0)) }

    /// The points clockwise from north, within a tolerance of the circle, and their bearings in radians.
    package func points(tolerance: Double) -> (points: [PlanePoint], bearings: [Double]) {
        if hasFlatChords(tolerance) { return (corners(), Self.bearings) }
        let circle = SmallCircle(center: center, angle: angle)
        var points = [circle.point(bearing: 0, near: x)]
        var bearings = [0.0]
        for number in 1...Self.count {
            let (first, second) = (Double(number - 1) / Double(Self.count) * 2 * .pi, Double(number) / Double(Self.count) * 2 * .pi)
            let a = points[points.count - 1]
            let b = circle.point(bearing: number == Self.count ? 0 : second, near: a.x)
            circle.subdivide(a, first, b, second, tolerance, { _, _, _ in true }, &points, bearings: &bearings)
            points.append(b)
            bearings.append(second)
        }
        points.removeLast()
        bearings.removeLast()
        return (points, bearings)
    }

    /// The points of `points(tolerance: coarse)`, with more between them where the circle may be visible.
    /// - Parameter isSeen: Whether the circle between two points, within the given distance of the straight line, may be visible.
    package func refined(tolerance: Double, _ coarse: Double, _ isSeen: GreatCircle.Visibility) -> [PlanePoint] {
        if hasFlatChords(tolerance), hasFlatChords(coarse) { return corners() }
        let circle = SmallCircle(center: center, angle: angle)
        let (points, bearings) = points(tolerance: coarse)
        var result: [PlanePoint] = []
        for index in points.indices {
            let (a, b) = (points[index], points[index + 1 < points.count ? index + 1 : 0])
            result.append(a)
            guard isSeen(a, b, coarse) else { continue }
            circle.subdivide(
                a, bearings[index], b, index + 1 < points.count ? bearings[index + 1] : 2 * .pi, tolerance, isSeen, &result)
        }
        return result
    }

    /// The ends of the 64 chords.
    private func corners() -> [PlanePoint] {
        let circle = SmallCircle(center: center, angle: angle)
        return [PlanePoint](unsafeUninitializedCapacity: Self.count) { points, count in
            var x = x
            for (index, turn) in Self.turns.enumerated() {
                let point = circle.point(cosine: turn.cosine, sine: turn.sine, near: x)
                points.initializeElement(at: index, to: point)
                x = point.x
            }
            count = Self.count
        }
    }

    /// Whether all 64 chords are certain to be within a tolerance of the circle; false if this is unknown.
    ///
    /// A curve with |γ''| ≤ K is within K δ² / 8 of the chord between parameters δ apart. If the scale of the Mercator projection were
    /// constant across a circle, a circle of angular radius r at latitude φ, parameterized by its bearing, would have |γ''| ≤ r / (2π cos
    /// φ), as fractions of the world. The change of the scale is measured by r tan φ. If it is below 3 %, twice the bound is safe.
    private func hasFlatChords(_ tolerance: Double) -> Bool {
        let cosine = (1 - center.vector.z * center.vector.z).squareRoot()
        guard angle < 0.01, angle < 0.03 * cosine else { return false }
        let step = 2 * Double.pi / Double(Self.count)
        return 2 * angle / (2 * .pi * cosine) * step * step / 8 <= tolerance
    }
}
