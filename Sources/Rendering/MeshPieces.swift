import WaymarkFrame

/// Runs of triangles of a large mesh, which the software rasterizer draws from front to back. Pixels behind nearer surfaces are then not
/// shaded, and the first pieces are drawn while the vertices of the others are still being computed.
package struct MeshPieces {
    /// The middle of the box around each piece, in mesh units.
    private let centers: [SIMD3<Float>]
    private let indexCount: Int
    /// Whether the pieces may be drawn in any order. The pieces of buildings must not be, because buildings share walls, and the order of
    /// two coinciding triangles decides which one is visible.
    private let isSortable: Bool

    /// The number of triangles of a piece, small enough that a piece of a round mesh faces one side.
    private static let triangles = 1024
    /// The minimum number of triangles of a mesh that is divided. Smaller meshes are drawn whole.
    private static let leastTriangles = 8 * triangles

    /// - Returns: Nil for a mesh that is drawn whole.
    package init?(_ mesh: FrameMesh) {
        let indexCount = mesh.indices.count / 3 * 3
        guard indexCount >= 3 * Self.leastTriangles else { return nil }
        isSortable = !mesh.hasFaceNormals
        var centers: [SIMD3<Float>] = []
        mesh.vertices.withUnsafeBufferPointer { vertices in
            mesh.indices.withUnsafeBufferPointer { indices in
                for first in stride(from: 0, to: indexCount, by: 3 * Self.triangles) {
                    var (low, high) = (SIMD3<Float>(repeating: .infinity), SIMD3<Float>(repeating: -.infinity))
                    for index in indices[first..<min(first + 3 * Self.triangles, indexCount)] {
                        let position = vertices[Int(index)].position
                        (low, high) = (pointwiseMin(low, position), pointwiseMax(high, position))
                    }
                    centers.append((low + high) / 2)
                }
            }
        }
        (self.centers, self.indexCount) = (centers, indexCount)
    }

    /// The indices of each piece, from front to back.
    /// - Parameter view: The direction of the view, in mesh units.
    package func ranges(along view: SIMD3<Float>) -> [Range<Int>] {
        var order = Array(centers.indices)
        if isSortable {
            let depths = centers.map { ($0 * view).sum() }
            order.sort { (depths[$0], $0) < (depths[$1], $1) }
        }
        return order.map { 3 * Self.triangles * $0..<min(3 * Self.triangles * ($0 + 1), indexCount) }
    }
}
