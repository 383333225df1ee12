/// An intersection of a ray with a triangle.
package struct RayHit: Equatable, Sendable {
    /// The triangle's number.
    package var triangle: Int
    /// The distance from the ray's origin, in units of the direction's length.
    package var distance: Double
    /// Whether the ray hits the front, from which the corners run counterclockwise.
    package var isFront: Bool
}

extension TriangleMesh {
    /// The intersections of a ray with the triangles, from either side, including their edges. The nearest come first, and equally near
    /// ones are ordered by the triangle's number. Triangles behind the origin are not hit (Möller and Trumbore, "Fast, Minimum Storage
    /// Ray/Triangle Intersection", 1997).
    package func hits(from origin: SIMD3<Double>, along direction: SIMD3<Double>) -> [RayHit] {
        var found: [RayHit] = []
        positions.withUnsafeBufferPointer { positions in
            triangles.withUnsafeBufferPointer { triangles in
                for number in triangles.indices {
                    let corners = triangles[number]
                    let hit = Self.hit(
                        number, positions[Int(corners.x)], positions[Int(corners.y)], positions[Int(corners.z)], origin, direction)
                    if let hit { found.append(hit) }
                }
            }
        }
        return found.sorted { ($0.distance, $0.triangle) < ($1.distance, $1.triangle) }
    }

    /// The intersection of a ray with one triangle, as in `hits`.
    package func hit(_ number: Int, from origin: SIMD3<Double>, along direction: SIMD3<Double>) -> RayHit? {
        let corners = triangles[number]
        return Self.hit(number, positions[Int(corners.x)], positions[Int(corners.y)], positions[Int(corners.z)], origin, direction)
    }

    /// The intersection of a ray with a triangle that has these corners.
    @inline(__always)
    package static func hit(
        _ number: Int, _ a: SIMD3<Float>, _ b: SIMD3<Float>, _ c: SIMD3<Float>, _ origin: SIMD3<Double>, _ direction: SIMD3<Double>
    ) -> RayHit? {
        let a = SIMD3<Double>(a)
        let first = SIMD3<Double>(b) - a
        let second = SIMD3<Double>(c) - a
        let across = crossProduct(direction, second)
        let determinant = (first * across).sum()
        guard determinant != 0 else { return nil }
        let offset = origin - a
        let u = (offset * across).sum() / determinant
        // The range is slightly wider than 0…1, so that no ray passes between two adjacent triangles.
        guard u >= -edgeSlack, u <= 1 + edgeSlack else { return nil }
        let turned = crossProduct(offset, first)
        let v = (direction * turned).sum() / determinant
        guard v >= -edgeSlack, u + v <= 1 + edgeSlack else { return nil }
        let distance = (second * turned).sum() / determinant
        guard distance > 0, distance.isFinite else { return nil }
        return RayHit(triangle: number, distance: distance, isFront: determinant > 0)
    }
}

private let edgeSlack = 1e-9
