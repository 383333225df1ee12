import Foundation
import WaymarkMeshes
import WaymarkTestSupport

/// Meshes whose properties are known.
enum Shapes {
    /// A box whose triangles look outward, with eight corners.
    static func box(_ low: SIMD3<Float> = [0, 0, 0], _ high: SIMD3<Float> = [1, 1, 1]) -> TriangleMesh {
        let positions = (0..<8).map { SIMD3($0 & 1 == 0 ? low.x : high.x, $0 & 2 == 0 ? low.y : high.y, $0 & 4 == 0 ? low.z : high.z) }
        let quads: [[UInt32]] = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
        return TriangleMesh(positions: positions, triangles: quads.flatMap { [SIMD3($0[0], $0[1], $0[2]), SIMD3($0[0], $0[2], $0[3])] })
    }

    /// A sphere in rings of longitude: the seam is there twice and the poles many times, each a little off.
    static func sphere(rings: Int, radius: Float = 1, center: SIMD3<Float> = .zero) -> TriangleMesh {
        var mesh = TriangleMesh()
        let columns = 2 * rings
        for ring in 0...rings {
            let (sinT, cosT) = (sin(Double(ring) / Double(rings) * .pi), cos(Double(ring) / Double(rings) * .pi))
            for column in 0...columns {
                let angle = Double(column) / Double(columns) * 2 * .pi
                let normal = SIMD3<Float>(SIMD3(sinT * cos(angle), sinT * sin(angle), cosT))
                mesh.positions.append(center + normal * radius)
                mesh.normals.append(normal)
                mesh.textureCoordinates.append(SIMD2(Float(column) / Float(columns), Float(ring) / Float(rings)))
            }
        }
        for ring in 0..<rings {
            for column in 0..<columns {
                let first = UInt32(ring * (columns + 1) + column)
                let below = first + UInt32(columns + 1)
                mesh.triangles.append(SIMD3(first, below, first + 1))
                mesh.triangles.append(SIMD3(first + 1, below, below + 1))
            }
        }
        return mesh
    }
}

extension SplitMix64 {
    mutating func vector(_ range: ClosedRange<Double> = -1...1) -> SIMD3<Double> { SIMD3(number(range), number(range), number(range)) }
}
