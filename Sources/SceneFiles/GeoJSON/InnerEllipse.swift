import WaymarkGeo
import WaymarkScene

/// A large ellipse inside an area, as room for the area's name. Lengths are fractions of the world's width.
///
/// The area is compressed horizontally, so that the ellipse becomes a circle. Its center is the point that is farthest from the edges, to
/// within a tenth of that distance. To find this point, the box around the area is divided into squares, and squares that may contain a
/// better point are divided again.
struct InnerEllipse {
    private(set) var middle = SIMD2<Double>()
    /// Half the height.
    private(set) var height = 0.0

    /// The maximum number of points of a ring that are used. Further points hardly change the center.
    private static let mostPoints = 128
    /// The maximum number of squares along a side of the box at the beginning, and the maximum number of times that they are divided.
    private static let (mostSquares, mostDivisions) = (24.0, 8)
    /// A square is divided only if its best point may be better than the known one by more than this share.
    private static let precision = 0.1

    /// The ellipse in the largest part of an area; nil for an area without an inside.
    /// - Parameter aspect: The width divided by the height.
    init?(in polygon: Polygon, aspect: Double) {
        var largest: (area: Double, rings: [[SIMD2<Double>]])?
        for rings in polygon.polygons {
            guard let outer = rings.first.map({ Self.points($0, near: nil) }), let first = outer.first else { continue }
            let area = abs(Self.area(outer))
            guard area > largest?.area ?? 0 else { continue }
            largest = (area, [outer] + rings.dropFirst().map { Self.points($0, near: first.x) })
        }
        guard let rings = largest?.rings else { return nil }
        let scale = SIMD2(1 / aspect, 1)
        search(rings.map { ring in ring.map { $0 * scale } })
        middle /= scale
        guard height > 0 else { return nil }
    }

    /// The points of a ring, which takes the short way around the world.
    /// - Parameter x: The x coordinate near which the ring begins; nil for no preference.
    private static func points(_ ring: [LatLng], near x: Double?) -> [SIMD2<Double>] {
        let step = max(1, (ring.count + mostPoints - 1) / mostPoints)
        var last = x
        return stride(from: 0, to: ring.count, by: step).compactMap { index in
            guard ring[index].isValid else { return nil }
            var point = SIMD2(WebMercator.x(lng: ring[index].lng), WebMercator.uncheckedY(lat: min(max(ring[index].lat, -85), 85)))
            if let last { point.x += (last - point.x).rounded() }
            last = point.x
            return point
        }
    }

    private static func area(_ ring: [SIMD2<Double>]) -> Double {
        guard var before = ring.last else { return 0 }
        return ring.reduce(0) { sum, point in
            defer { before = point }
            return sum + before.x * point.y - point.x * before.y
        } / 2
    }

    private mutating func search(_ rings: [[SIMD2<Double>]]) {
        let low = rings[0].reduce(rings[0][0], pointwiseMin)
        let high = rings[0].reduce(rings[0][0], pointwiseMax)
        let size = high - low
        guard size.min() > 0 else { return }
        var half = max(size.min(), size.max() / Self.mostSquares) / 2
        let center = (low + high) / 2
        // The center may be good enough.
        var squares = [center]
        for y in stride(from: low.y + half, to: high.y + half, by: 2 * half) {
            for x in stride(from: low.x + half, to: high.x + half, by: 2 * half) { squares.append(SIMD2(x, y)) }
        }
        var tried: [(point: SIMD2<Double>, distance: Double)] = []
        for _ in 0..<Self.mostDivisions where !squares.isEmpty {
            let distances = squares.map { Self.distance($0, rings) }
            height = distances.reduce(height) { max($0, $1) }
            tried += zip(squares, distances).map { (point: $0, distance: $1) }
            // No point of a square is farther from the square's center than its corners.
            let least = height * (1 + Self.precision) - half * 2.0.squareRoot()
            half /= 2
            squares = zip(squares, distances).filter { $1 > least }.flatMap { square, _ in
                [SIMD2(-half, -half), SIMD2(half, -half), SIMD2(-half, half), SIMD2(half, half)].map { square + $0 }
            }
        }
        // In an area that is much higher than wide, many points are equally good. The point nearest to the area's center is used.
        func offset(_ point: SIMD2<Double>) -> Double { ((point - center) * (point - center)).sum() }
        let best = tried.filter { $0.distance > 0 && $0.distance >= height * (1 - Self.precision) }
        guard let chosen = best.min(by: { offset($0.point) < offset($1.point) }) else { return }
        (middle, height) = (chosen.point, chosen.distance)
    }

    /// The distance of a point from the edges; negative outside.
    private static func distance(_ point: SIMD2<Double>, _ rings: [[SIMD2<Double>]]) -> Double {
        var (isInside, least) = (false, Double.infinity)
        for ring in rings {
            guard var a = ring.last else { continue }
            for b in ring {
                if (a.y > point.y) != (b.y > point.y), point.x < a.x + (point.y - a.y) * (b.x - a.x) / (b.y - a.y) { isInside.toggle() }
                let step = b - a
                let length = (step * step).sum()
                let share = length > 0 ? min(max(((point - a) * step).sum() / length, 0), 1) : 0
                let offset = a + step * share - point
                least = min(least, (offset * offset).sum())
                a = b
            }
        }
        return isInside ? least.squareRoot() : -least.squareRoot()
    }
}
