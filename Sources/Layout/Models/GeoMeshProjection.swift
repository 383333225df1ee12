import Foundation
import WaymarkGeo
import WaymarkMeshes

/// A mesh in geographic coordinates, and its projection to the map.
struct GeoMeshProjection {
    let vertices: [SIMD3<Double>]
    let normals: [SIMD3<Float>]
    let textureCoordinates: [SIMD2<Float>]
    let colors: [SIMD4<UInt8>]
    let triangles: [SIMD3<UInt32>]
    /// The altitude in meters added to all vertices.
    let altitude: Double
    /// The angle in degrees below which triangles without normals are smooth; 0 leaves them flat.
    let smoothingAngle: Double

    /// The mesh, clipped to the map, in fractions of the world: x east and y north of the world's upper left corner, z up. Every vertex
    /// belongs to a triangle. Triangles take the shorter way across ±180°. Connected pieces stay connected; each unconnected piece is
    /// placed on the copy of the world nearest the first piece.
    func onMap() -> PreciseMesh {
        var mesh = PreciseMesh(normals: normals, textureCoordinates: textureCoordinates, colors: colors, triangles: triangles)
        mesh.positions = vertices.map { vertex in
            let lat = min(max(vertex.y, -WebMercator.maxLatitude), WebMercator.maxLatitude)
            return SIMD3(
                WebMercator.x(lng: vertex.x), -WebMercator.extendedY(lat: vertex.y, upTo: Self.highestLatitude),
                (vertex.z + altitude) * WebMercator.pointsPerMeter(lat: lat, worldSize: 1))
        }
        for index in mesh.normals.indices {
            let normal = SIMD3<Double>(mesh.normals[index])
            mesh.normals[index] = SIMD3<Float>(normal / (normal * normal).sum().squareRoot())
        }
        unwrap(&mesh)
        // The projection is conformal, so it preserves angles.
        if smoothingAngle > 0, mesh.normals.isEmpty { mesh.smoothNormals(angle: smoothingAngle) }
        return mesh.clipped(low: SIMD2(-.infinity, -1), high: SIMD2(.infinity, 0))
    }

    /// The highest latitude in degrees. The projection goes to infinity toward 90.
    private static let highestLatitude = 89.999999

    /// Moves vertices by whole worlds so that every triangle takes the shorter way. Where the mesh winds around the world, this is
    /// impossible, and the triangle gets its own copies of vertices.
    private func unwrap(_ mesh: inout PreciseMesh) {
        guard let first = triangles.first, needsUnwrapping(mesh) else { return }
        var chains = VertexComponents(count: mesh.positions.count)
        func turns(_ a: UInt32, _ b: UInt32) -> Double {
            -(mesh.positions[Int(b)].x - mesh.positions[Int(a)].x).rounded(.toNearestOrEven)
        }
        for triangle in triangles {
            chains.join(triangle.x, triangle.y, turns(triangle.x, triangle.y))
            chains.join(triangle.y, triangle.z, turns(triangle.y, triangle.z))
        }
        let origin = mesh.positions[Int(first.x)].x + chains.find(first.x).turns
        let xs = mesh.positions.map(\.x)
        for index in mesh.positions.indices {
            let found = chains.find(UInt32(index))
            // The first vertex of a piece is placed near the first vertex of all.
            let root = found.root == chains.find(first.x).root ? 0 : -(xs[Int(found.root)] - origin).rounded(.toNearestOrEven)
            mesh.positions[index].x += found.turns + root
        }
        for number in mesh.triangles.indices {
            let triangle = mesh.triangles[number]
            let start = mesh.positions[Int(triangle.x)].x
            for index in 1...2 {
                let corner = Int(triangle[index])
                let turns = (mesh.positions[corner].x - start).rounded(.toNearestOrEven)
                guard turns != 0 else { continue }
                mesh.triangles[number][index] = UInt32(mesh.positions.count)
                mesh.positions.append(mesh.positions[corner] - SIMD3(turns, 0, 0))
                if !mesh.normals.isEmpty { mesh.normals.append(mesh.normals[corner]) }
                if !mesh.textureCoordinates.isEmpty { mesh.textureCoordinates.append(mesh.textureCoordinates[corner]) }
                if !mesh.colors.isEmpty { mesh.colors.append(mesh.colors[corner]) }
            }
        }
    }

    /// Whether the mesh is at least half a world wide.
    private func needsUnwrapping(_ mesh: PreciseMesh) -> Bool {
        var (low, high) = (Double.infinity, -Double.infinity)
        for triangle in triangles {
            for index in 0..<3 {
                let x = mesh.positions[Int(triangle[index])].x
                low = min(low, x)
                high = max(high, x)
            }
        }
        return high - low >= 0.5
    }

    /// The connected pieces of the mesh (union–find), and the number of worlds by which to move each vertex next to the first of its piece.
    private struct VertexComponents {
        private var parents: [UInt32]
        /// The whole worlds to add to each vertex, relative to its parent.
        private var turns: [Double]

        init(count: Int) {
            parents = (0..<count).map { UInt32($0) }
            turns = [Double](repeating: 0, count: count)
        }

        mutating func find(_ vertex: UInt32) -> (root: UInt32, turns: Double) {
            var (root, sum) = (vertex, 0.0)
            while parents[Int(root)] != root {
                sum += turns[Int(root)]
                root = parents[Int(root)]
            }
            // Path compression: every vertex on the way is attached to the root.
            var (next, rest) = (vertex, sum)
            while parents[Int(next)] != root, next != root {
                let (parent, own) = (parents[Int(next)], turns[Int(next)])
                parents[Int(next)] = root
                turns[Int(next)] = rest
                rest -= own
                next = parent
            }
            return (root, sum)
        }

        /// Connects two vertices.
        /// - Parameter turns: The whole worlds by which to move b next to a.
        mutating func join(_ a: UInt32, _ b: UInt32, _ turns: Double) {
            let (first, second) = (find(a), find(b))
            guard first.root != second.root else { return }
            let between = first.turns + turns - second.turns
            if first.root < second.root {
                parents[Int(second.root)] = first.root
                self.turns[Int(second.root)] = between
            } else {
                parents[Int(first.root)] = second.root
                self.turns[Int(first.root)] = -between
            }
        }
    }
}
