import Foundation
import WaymarkGeo
import WaymarkScene

extension FloatMesh {
    /// A box between two corners, with its triangles facing outward.
    public static func box(_ low: SIMD3<Float> = [-5, -5, 0], _ high: SIMD3<Float> = [5, 5, 10], isInsideOut: Bool = false) -> FloatMesh {
        let corners = (0..<8).map { SIMD3($0 & 1 == 0 ? low.x : high.x, $0 & 2 == 0 ? low.y : high.y, $0 & 4 == 0 ? low.z : high.z) }
        let quads: [[UInt32]] = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
        let triangles: [SIMD3<UInt32>] = quads.flatMap { [SIMD3($0[0], $0[1], $0[2]), SIMD3($0[0], $0[2], $0[3])] }
        return FloatMesh(vertices: corners, triangles: isInsideOut ? triangles.map { [$0.x, $0.z, $0.y] } : triangles)
    }

    /// A horizontal square around the origin.
    public static func plate(_ side: Float = 10, at height: Float = 0) -> FloatMesh {
        let half = side / 2
        return FloatMesh(
            vertices: [[-half, -half, height], [half, -half, height], [half, half, height], [-half, half, height]],
            textureCoordinates: [[0, 1], [1, 1], [1, 0], [0, 0]], triangles: [[0, 1, 2], [0, 2, 3]])
    }

    /// Random triangles.
    public static func random(_ random: inout SplitMix64, triangles count: Int, reach: Double) -> FloatMesh {
        var (vertices, triangles): ([SIMD3<Float>], [SIMD3<UInt32>]) = ([], [])
        for number in 0..<UInt32(count) {
            for _ in 0..<3 {
                vertices.append(SIMD3<Float>(SIMD3(random.number(-reach...reach), random.number(-reach...reach), random.number(0...reach))))
            }
            triangles.append([number * 3, number * 3 + 1, number * 3 + 2])
        }
        return FloatMesh(vertices: vertices, triangles: triangles)
    }
}

extension GeoMesh {
    /// A horizontal square around a place, with its side in degrees.
    public static func square(_ lat: Double, _ lng: Double, _ side: Double, altitude: Double = 0) -> GeoMesh {
        let half = side / 2
        return GeoMesh(
            vertices: [
                [lng - half, lat - half, altitude], [lng + half, lat - half, altitude], [lng + half, lat + half, altitude],
                [lng - half, lat + half, altitude],
            ], triangles: [[0, 1, 2], [0, 2, 3]])
    }
}

extension LocalModel {
    public convenience init(_ mesh: FloatMesh = .box(), id: String? = nil, _ change: (LocalModel) -> Void = { _ in }) {
        self.init(mesh: mesh, coordinates: .city)
        self.id = id
        change(self)
    }
}
