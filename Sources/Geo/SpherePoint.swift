import Foundation

/// A point on the unit sphere. The x axis points to latitude 0 and longitude 0, y to 90° east on the equator, and z to the north pole.
package struct SpherePoint: Hashable, Sendable {
    package var vector: SIMD3<Double>

    package init(vector: SIMD3<Double>) {
        self.vector = vector
    }

    /// Creates a point from degrees of latitude and longitude.
    package init(lat: Double, lng: Double) {
        let (north, east) = (sinCos(degrees: lat), sinCos(degrees: lng))
        vector = SIMD3(north.cos * east.cos, north.cos * east.sin, north.sin)
    }

    /// Creates a point from fractions of the Web Mercator world; y must be within the limits of `worldPoint(near:)`.
    package init(worldX: Double, y: Double) {
        // Inverse Mercator: with ψ = π (1 - 2y), sin φ = tanh ψ and cos φ = 1 / cosh ψ.
        let sine = tanh(.pi * (1 - 2 * y))
        let cosine = 1 / cosh(.pi * (1 - 2 * y))
        let east = sinCos(degrees: WebMercator.longitude(fromX: worldX))
        vector = SIMD3(cosine * east.cos, cosine * east.sin, sine)
    }

    /// The highest latitude in degrees at which points are projected: far beyond the map's edge, but finite.
    package static let highestLatitude = 89.9

    /// The point as fractions of the Web Mercator world, on the copy of the world nearest to `x`. Latitudes are limited to
    /// ±`highestLatitude`.
    package func worldPoint(near x: Double) -> (x: Double, y: Double) {
        let limit = 0.9999984769132877  // sin 89.9°
        let sine = min(max(vector.z, -limit), limit)
        let east = atan2(vector.y, vector.x) / (2 * .pi) + 0.5
        return (east + (x - east).rounded(.toNearestOrEven), (1 - atanh(sine) / .pi) / 2)
    }

    /// The midpoint of the great circle arc to another point; nil for antipodal points.
    package func middle(to other: SpherePoint) -> SpherePoint? {
        let sum = vector + other.vector
        let length = (sum * sum).sum().squareRoot()
        return length > 1e-9 ? SpherePoint(vector: sum / length) : nil
    }

    /// The angle to another point in radians. Multiplied by the earth's radius, it is the distance in meters.
    package func angle(to other: SpherePoint) -> Double {
        let (a, b) = (vector, other.vector)
        let cross = SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        return atan2((cross * cross).sum().squareRoot(), (a * b).sum())
    }

    /// The directions to the north and to the east. At a pole, these are the directions at a nearby point on the meridian of 0°.
    package var directions: (north: SIMD3<Double>, east: SIMD3<Double>) {
        let horizontal = (vector.x * vector.x + vector.y * vector.y).squareRoot()
        let east = horizontal > 1e-15 ? SIMD3(-vector.y / horizontal, vector.x / horizontal, 0) : SIMD3(0, 1, 0)
        let north = SIMD3(
            vector.y * east.z - vector.z * east.y, vector.z * east.x - vector.x * east.z, vector.x * east.y - vector.y * east.x)
        return (north, east)
    }
}
