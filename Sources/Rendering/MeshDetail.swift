import WaymarkFrame

/// The texture resolution of a mesh, which determines its filter.
struct MeshDetail {
    /// The number of textures (width × height) per square mesh unit: the median over the textured surface, or 0 without one.
    let density: Float
    /// Whether all of the surface lies in nearly one plane.
    let isFlat: Bool
    /// The largest distance of a vertex from the mesh's origin, in mesh units.
    let radius: Float

    init(_ mesh: FrameMesh) {
        // The surface area for each density of the texture. Densities are in steps of the fourth root of 2 (the exponent and two binary
        // places).
        var areas = [Float](repeating: 0, count: 1 << 10)
        var (all, textured) = (Float(0), Float(0))
        var normals = SIMD3<Float>.zero
        mesh.vertices.withUnsafeBufferPointer { vertices in
            mesh.indices.withUnsafeBufferPointer { indices in
                for first in stride(from: 0, to: indices.count - 2, by: 3) {
                    let (a, b, c) = (vertices[Int(indices[first])], vertices[Int(indices[first + 1])], vertices[Int(indices[first + 2])])
                    let (side, other) = (b.position - a.position, c.position - a.position)
                    let normal = cross(side, other)
                    let area = (normal * normal).sum().squareRoot()
                    guard area > 0, area.isFinite else { continue }
                    // Both windings of a plane count as the same.
                    normals += (normals * normal).sum() < 0 ? -normal : normal
                    all += area
                    let image = abs((b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u))
                    guard image > 0, image.isFinite else { continue }
                    areas[Int((image / area).bitPattern >> 21)] += area
                    textured += area
                }
            }
        }
        var sum = Float(0)
        let middle = areas.firstIndex { area in
            sum += area
            return sum > 0 && sum >= textured / 2
        }
        density = textured > 0 ? middle.map { Float(bitPattern: UInt32($0) << 21 | 1 << 20) } ?? 0 : 0
        isFlat = (normals * normals).sum().squareRoot() >= 0.98 * all
        radius = mesh.vertices.lazy.map { ($0.position * $0.position).sum() }.max()?.squareRoot() ?? 0
    }

    /// A threshold for the number of texels per pixel on a surface seen from its front. Above it, a pixel on a slanted part of the surface
    /// covers too many texels along the view for a single sample. The threshold is low for a plane, which may be slanted in all of its
    /// pixels and is cheap to draw. Other surfaces are slanted in few pixels, and filtering them makes drawing take up to 1.5 times as
    /// long.
    var leastTexels: Float { isFlat ? 0.1 : 0.4 }

    /// The number of texels per pixel of a surface seen from its front.
    /// - Parameters:
    ///   - pixels: The number of device pixels per mesh unit at the farthest point of the surface.
    func texels(width: Int, height: Int, pixels: Float) -> Float {
        (density * Float(width) * Float(height)).squareRoot() / max(pixels, 1e-20)
    }
}

extension MeshVertex {
    var position: SIMD3<Float> { SIMD3(x, y, z) }
}

private func cross(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}
