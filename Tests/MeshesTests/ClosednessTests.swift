import Foundation
import Testing
import WaymarkMeshes
import WaymarkTestSupport

@Suite struct ClosednessTests {
    @Test func closedMeshesAreKnown() {
        #expect(Shapes.box().closedness() == .outward)
        #expect(Shapes.box().turned.closedness() == .inward)
        #expect(Shapes.box().loose.closedness() == .outward)
        for rings in [3, 10, 60] {
            #expect(Shapes.sphere(rings: rings, radius: 6_371, center: [1000, -2000, 300]).closedness() == .outward)
            #expect(Shapes.sphere(rings: rings).turned.closedness() == .inward)
        }
    }

    @Test func whatHasAnEdgeIsOpen() {
        var mesh = Shapes.box()
        mesh.triangles.removeLast()
        #expect(mesh.closedness() == .open)
        // Against its neighbours.
        mesh = Shapes.box()
        mesh.triangles[5] = SIMD3(mesh.triangles[5].x, mesh.triangles[5].z, mesh.triangles[5].y)
        #expect(mesh.closedness() == .open)
        // Twice there.
        mesh = Shapes.box()
        mesh.triangles += mesh.triangles
        #expect(mesh.closedness() == .open)
        #expect(TriangleMesh(positions: [[0, 0, 0]], triangles: [[0, 0, 0]]).closedness() == .open)
        #expect(TriangleMesh().closedness() == .open)
        // A leaf with a front and a back: closed, but around nothing.
        let leaf = TriangleMesh(positions: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 2], [0, 2, 1]])
        #expect(leaf.closedness() == .open)
    }

    @Test func trianglesWithoutAreaAreNothing() {
        var mesh = Shapes.box()
        mesh.positions.append([5e-8, 0, 0])
        mesh.triangles += [[0, 0, 1], [3, 3, 3], [0, 8, 1]]
        #expect(mesh.closedness() == .outward)
        // In the middle of an edge that others have whole.
        mesh.positions.append([0.5, 0, 0])
        mesh.triangles.append([0, 9, 1])
        #expect(mesh.closedness() == .outward)
    }

    @Test func seamsMayBeOffByRounding() {
        var random = SplitMix64(seed: 3)
        var mesh = Shapes.sphere(rings: 20, radius: 50).loose
        mesh.positions = mesh.positions.map { $0 + SIMD3<Float>(random.vector() * 2e-5) }
        #expect(mesh.closedness() == .outward)
        mesh.positions = mesh.positions.map { $0 + SIMD3<Float>(random.vector() * 2e-2) }
        #expect(mesh.closedness() == .open)
    }

    @Test func whatIsInsideOutInPartIsOpen() {
        // Two lobes, of which the smaller goes round the other way.
        let tie: [SIMD2<Float>] = [[0, 0], [4, 4], [4, 0], [0, 4]]
        #expect(Shapes.extruded(tie, caps: [[0, 1, 2], [0, 2, 3]]).closedness() == .open)
        let square: [SIMD2<Float>] = [[0, 0], [4, 0], [4, 4], [0, 4]]
        #expect(Shapes.extruded(square, caps: [[0, 1, 2], [0, 2, 3]]).closedness() == .outward)
        // A small house that is inside out in a large town, too small for a grid over all of it.
        var town = TriangleMesh()
        for index in 0..<200 {
            let place = SIMD3<Float>(Float(index % 20) * 37, Float(index / 20) * 41, 0)
            town = town + Shapes.box(place, place + [10, 12, 9])
        }
        #expect(town.closedness() == .outward)
        #expect((town + Shapes.box([20, 20, 0], [20.1, 20.2, 0.1])).closedness() == .outward)
        #expect((town + Shapes.box([20, 20, 0], [20.1, 20.2, 0.1]).turned).closedness() == .open)
        #expect(
            (town + Shapes.extruded([[20, 20], [25, 25], [25, 20], [20, 26]], caps: [[0, 1, 2], [0, 2, 3]])).closedness() == .open)
    }

    @Test func hollowsAndOverlapsAreClosed() {
        let shell = Shapes.box([0, 0, 0], [10, 10, 10])
        // Whether a hollow breaks out somewhere is not looked into.
        #expect((shell + Shapes.box([2, 2, 2], [8, 8, 8]).turned).closedness() == .open)
        #expect((shell + Shapes.box([5, 5, 5], [15, 15, 15])).closedness() == .outward)
        // A hollow that breaks out.
        #expect((shell + Shapes.box([5, 5, 5], [15, 8, 8]).turned).closedness() == .open)
        #expect((shell.turned + Shapes.box([2, 2, 2], [8, 8, 8])).closedness() == .open)
        #expect((shell.turned + Shapes.box([2, 2, 2], [8, 8, 8]).turned).closedness() == .inward)
    }

    /// Of a random closed mesh that is known to be closed, no ray from outside meets a back first.
    @Test(arguments: Seeds.all) func fromOutsideOnlyFrontsAreNearest(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var mesh = TriangleMesh()
        var isAnyTurned = false
        for _ in 0..<random.integer(1...6) {
            let low = random.vector()
            let box = Shapes.box(SIMD3<Float>(low), SIMD3<Float>(low + random.vector(0.05...1)))
            let isTurned = random.once(in: 4)
            isAnyTurned = isAnyTurned || isTurned
            mesh = mesh + (isTurned ? box.turned : box)
        }
        let closedness = mesh.closedness()
        for _ in 0..<2000 {
            let direction = random.vector()
            let origin = random.vector() * 0.8 - direction * 20
            // From outside: no shorter than to beyond everything.
            guard (direction * direction).sum() > 0.09 else { continue }
            guard let hit = mesh.hits(from: origin, along: direction).first else { continue }
            let corners = mesh.triangles[hit.triangle]
            let (a, b, c) = (
                SIMD3<Double>(mesh.positions[Int(corners.x)]), SIMD3<Double>(mesh.positions[Int(corners.y)]),
                SIMD3<Double>(mesh.positions[Int(corners.z)])
            )
            let (ab, ac) = (b - a, c - a)
            let normal = SIMD3(ab.y * ac.z - ab.z * ac.y, ab.z * ac.x - ab.x * ac.z, ab.x * ac.y - ab.y * ac.x)
            let isFront = (normal * direction).sum() < 0
            if closedness != .open { #expect(isFront == (closedness == .outward)) }
        }
        // And boxes that all look outward are not taken for open.
        if !isAnyTurned { #expect(closedness == .outward) }
    }
}
