import WaymarkGeo
import WaymarkRaster

/// The great circle arc between two places: the shortest path on the sphere.
enum GreatCircle {
    typealias Visibility = (PlanePoint, PlanePoint, Double) -> Bool
    private static let deepest = 40

    /// Appends points between two ends until the visible parts of the line are within a tolerance of the arc.
    static func subdivide(
        _ a: PlanePoint, _ first: SpherePoint, _ b: PlanePoint, _ second: SpherePoint, _ tolerance: Double, _ isSeen: Visibility,
        _ result: inout [PlanePoint], depth: Int = 0
    ) {
        guard depth < deepest, let middle = first.middle(to: second), let quarter = first.middle(to: middle) else { return }
        let point = place(middle, between: a, b, 0.5)
        // On an arc across the equator the middle may happen to lie on the straight line.
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

/// A small circle: all points at the same angular distance from a center.
struct SmallCircle {
    var center: SpherePoint
    /// The angular radius in radians.
    var angle: Double
    private static let deepest = 30

    func point(bearing: Double, near x: Double) -> PlanePoint {
        let place = center.destination(bearing: bearing, angle: angle).worldPoint(near: x)
        return PlanePoint(place.x, place.y)
    }

    func subdivide(
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
