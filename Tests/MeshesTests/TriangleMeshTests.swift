import Foundation
import Testing
import WaymarkMeshes
import WaymarkTestSupport

@Suite struct TriangleMeshTests {
    @Test func trianglesTurnToTheirNormals() {
        var mesh = Shapes.sphere(rings: 12)
        let right = mesh.triangles
        #expect(mesh.turnToNormals().isEmpty)
        #expect(mesh.triangles == right)
        for index in mesh.triangles.indices where index % 3 == 0 {
            mesh.triangles[index] = SIMD3(right[index].x, right[index].z, right[index].y)
        }
        let given = mesh.triangles
        let isReversed = mesh.turnToNormals()
        #expect(isReversed.indices.allSatisfy { isReversed[$0] == (mesh.triangles[$0] != given[$0]) })
        // Triangles of no area at the poles do not change.
        let wrong = zip(mesh.triangles, right).filter { $0 != $1 }
        #expect(
            wrong.allSatisfy { triangle, _ in
                Set([triangle.x, triangle.y, triangle.z].map { mesh.positions[Int($0)] }).count < 3
            })
        mesh.normals = []
        #expect(mesh.turnToNormals().isEmpty)
    }

    @Test func facesHaveCornersAndNormalsOfTheirOwn() {
        var box = Shapes.box([0, 0, 0], [1, 2, 3])
        box.textureCoordinates = box.positions.map { [$0.x, $0.y] }
        box.colors = box.positions.map { [UInt8($0.x), UInt8($0.y), UInt8($0.z), 255] }
        let flat = box.flatFaces()
        #expect(flat.positions.count == 36 && flat.triangles.count == 12)
        for (number, triangle) in flat.triangles.enumerated() {
            let corners = [triangle.x, triangle.y, triangle.z].map(Int.init)
            let whole = box.triangles[number]
            #expect(corners.map { flat.positions[$0] } == [whole.x, whole.y, whole.z].map { box.positions[Int($0)] })
            let normal = flat.normals[corners[0]]
            #expect(corners.allSatisfy { flat.normals[$0] == normal })
            #expect(corners.allSatisfy { flat.textureCoordinates[$0] == SIMD2(flat.positions[$0].x, flat.positions[$0].y) })
            #expect(
                corners.allSatisfy {
                    let place = flat.positions[$0]
                    return flat.colors[$0] == [UInt8(place.x), UInt8(place.y), UInt8(place.z), 255]
                })
            // Outward along an axis.
            #expect((normal * normal).sum() == 1)
            let middle = (flat.positions[corners[0]] + flat.positions[corners[1]] + flat.positions[corners[2]]) / 3 - [0.5, 1, 1.5]
            #expect((middle * normal).sum() > 0)
        }
        box.triangles.append([0, 1, 1])
        #expect(box.flatFaces().triangles.count == 12)
    }

    @Test func boundsAndRadius() throws {
        let sphere = Shapes.sphere(rings: 40, radius: 5, center: [100, -7, 3])
        let bounds = try #require(MeshBounds(sphere.positions))
        #expect(zip([bounds.center.x, bounds.center.y, bounds.center.z], [100, -7, 3]).allSatisfy { abs($0 - $1) < 1e-5 })
        #expect(abs(bounds.extent - 10) < 1e-4)
        #expect(abs(sphere.radius(around: bounds.center) - 5) < 1e-4)
        #expect(MeshBounds([SIMD3<Float>]()) == nil)
        #expect(Set(bounds.corners.map(\.description)).count == 8)
        for (a, b) in MeshBounds.edges {
            let step = bounds.corners[b] - bounds.corners[a]
            #expect([step.x, step.y, step.z].filter { $0 != 0 }.count == 1)
        }
    }

    @Test(arguments: Seeds.all) func theOutermostReachNearlyAsFarAsAll(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let mesh = TriangleMesh(positions: (0..<3000).map { _ in SIMD3<Float>(random.vector() * random.vector(0...1)) })
        let outermost = mesh.outermost().map { mesh.positions[$0] }
        #expect(outermost.count <= 98)
        for _ in 0..<50 {
            let direction = SIMD3<Float>(random.vector())
            let all = mesh.positions.map { ($0 * direction).sum() }.max() ?? 0
            let some = outermost.map { ($0 * direction).sum() }.max() ?? 0
            #expect(some <= all && some > all - 0.15 * 2 * 1.8)
        }
        #expect(TriangleMesh(positions: Array(mesh.positions.prefix(100))).outermost().count == 100)
    }

    @Test(arguments: Seeds.all) func raysMeetWhatTheyGoThrough(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var mesh = TriangleMesh()
        for _ in 0..<60 {
            let first = UInt32(mesh.positions.count)
            for _ in 0..<3 { mesh.positions.append(SIMD3<Float>(random.vector())) }
            mesh.triangles.append([first, first + 1, first + 2])
        }
        // Outside of them all, so that nothing is behind it.
        let origin = random.vector() * 3 + [4, 0, 0]
        let direction = -origin + random.vector() * 0.3
        let hits = mesh.hits(from: origin, along: direction)
        #expect(hits == hits.sorted { $0.distance < $1.distance })
        for number in mesh.triangles.indices {
            let corners = mesh.triangles[number]
            let (a, b, c) = (
                SIMD3<Double>(mesh.positions[Int(corners.x)]), SIMD3<Double>(mesh.positions[Int(corners.y)]),
                SIMD3<Double>(mesh.positions[Int(corners.z)])
            )
            func volume(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) -> Double {
                let n = SIMD3(b.y * c.z - b.z * c.y, b.z * c.x - b.x * c.z, b.x * c.y - b.y * c.x)
                return (a * n).sum()
            }
            // Seen along the ray, on one side of all edges.
            let sides = [(a, b), (b, c), (c, a)].map { volume(direction, $0 - origin, $1 - origin) }
            let isMet = sides.allSatisfy { $0 > 0 } || sides.allSatisfy { $0 < 0 }
            let hit = hits.first { $0.triangle == number }
            #expect((hit != nil) == isMet)
            guard let hit else { continue }
            let point = origin + direction * hit.distance
            #expect(abs(volume(point - a, b - a, c - a)) < 1e-9)
        }
        // Triangles behind the ray's start are not hit.
        #expect(mesh.hits(from: direction * -20 + origin, along: -direction).isEmpty)
    }
}
