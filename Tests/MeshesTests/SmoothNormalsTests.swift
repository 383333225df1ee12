import Foundation
import Testing
import WaymarkMeshes
import WaymarkTestSupport

@Suite struct SmoothNormalsTests {
    /// A cylinder of radius 2 and height 3 about z, with caps. Its sides have separate corners at the seam of the texture.
    private func cylinder(sides: Int) -> TriangleMesh {
        var mesh = TriangleMesh()
        for column in 0...sides {
            let angle = Double(column % sides) / Double(sides) * 2 * .pi
            for z in [Float(0), 3] {
                mesh.positions.append(SIMD3(Float(2 * cos(angle)), Float(2 * sin(angle)), z))
                mesh.textureCoordinates.append(SIMD2(Float(column) / Float(sides), z))
            }
        }
        for column in 0..<UInt32(sides) {
            mesh.triangles.append(SIMD3(2 * column, 2 * column + 2, 2 * column + 3))
            mesh.triangles.append(SIMD3(2 * column, 2 * column + 3, 2 * column + 1))
        }
        // The caps use the corners of the sides.
        for column in 1..<UInt32(sides - 1) {
            mesh.triangles.append(SIMD3(0, 2 * column + 2, 2 * column))
            mesh.triangles.append(SIMD3(1, 2 * column + 1, 2 * column + 3))
        }
        return mesh
    }

    /// A sphere about the origin whose seam and poles are exact.
    private func sphere(rings: Int) -> TriangleMesh {
        var mesh = Shapes.sphere(rings: rings)
        let columns = 2 * rings
        for ring in 0...rings {
            let (sinT, cosT) = ring == 0 ? (0, 1) : ring == rings ? (0, -1) : sincos(Double(ring) / Double(rings) * .pi)
            for column in 0...columns {
                let (sin, cos) = sincos(Double(column % columns) / Double(columns) * 2 * .pi)
                mesh.positions[ring * (columns + 1) + column] = SIMD3<Float>(SIMD3(sinT * cos, sinT * sin, cosT))
            }
        }
        mesh.normals = []
        return mesh
    }

    private func sincos(_ angle: Double) -> (sin: Double, cos: Double) { (sin(angle), cos(angle)) }

    private func dot(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float { (a * b).sum() }

    @Test func theSidesOfACylinder() {
        let flat = cylinder(sides: 24)
        var mesh = flat
        mesh.smoothNormals(angle: 30)
        #expect(mesh.triangles.count == flat.triangles.count)
        for (number, corners) in mesh.triangles.enumerated() {
            for index in 0..<3 {
                let corner = Int(corners[index])
                let (position, normal) = (mesh.positions[corner], mesh.normals[corner])
                #expect(position == flat.positions[Int(flat.triangles[number][index])])
                #expect(mesh.textureCoordinates[corner] == flat.textureCoordinates[Int(flat.triangles[number][index])])
                let expected: SIMD3<Float> = number < 48 ? SIMD3(position.x / 2, position.y / 2, 0) : [0, 0, position.z == 0 ? -1 : 1]
                #expect(dot(normal, expected) > 1 - 1e-6)
            }
        }
        // 50 of the sides, and 24 of each cap.
        #expect(mesh.positions.count == 98)
        // With less than 15 degrees between sides, only the two triangles of each side are smooth.
        var edges = flat
        edges.smoothNormals(angle: 14.9)
        for corners in edges.triangles { #expect(edges.normals[Int(corners.x)] == edges.normals[Int(corners.y)]) }
        #expect(edges.positions.count == 24 * 4 + 48)
    }

    @Test func aSphere() {
        for rings in [8, 40] {
            var mesh = sphere(rings: rings)
            mesh.smoothNormals(angle: 60)
            let step = Float.pi / Float(rings)
            var least: Float = 1
            for corners in mesh.triangles {
                let points = (0..<3).map { mesh.positions[Int(corners[$0])] }
                // At the poles every other triangle is a line, and draws nothing.
                guard points[0] != points[1], points[1] != points[2], points[2] != points[0] else { continue }
                for index in 0..<3 { least = min(least, dot(points[index], mesh.normals[Int(corners[index])])) }
            }
            // The error of a mean of normals is of second order in the size of the triangles, so the error of its cosine is of fourth
            // order.
            #expect(least > 1 - step * step * step * step / 8)
            #expect(mesh.normals.allSatisfy { abs(dot($0, $0) - 1) < 1e-6 })
        }
    }

    @Test func aCubeStaysFlatUntilItsAngle() {
        for angle in [0.001, 60, 90] {
            var mesh = Shapes.box()
            mesh.smoothNormals(angle: angle)
            #expect(mesh.positions.count == 24)
            #expect(mesh.normals.allSatisfy { abs($0.x) + abs($0.y) + abs($0.z) == 1 })
            #expect(mesh.flatFaces().normals == mesh.triangles.flatMap { corners in (0..<3).map { mesh.normals[Int(corners[$0])] } })
        }
        for angle in [90.1, 120, 180] {
            var mesh = Shapes.box([-1, -1, -1], [1, 1, 1])
            mesh.smoothNormals(angle: angle)
            #expect(mesh.positions.count == 8)
            // Three right angles at each corner, however the faces are cut.
            for (position, normal) in zip(mesh.positions, mesh.normals) { #expect(dot(position, normal) > Float(3).squareRoot() - 1e-5) }
        }
    }

    /// Each corner's normal points to the front of its triangle.
    @Test func trianglesOfAnyWinding() {
        var random = SplitMix64(seed: 4)
        var mesh = sphere(rings: 12)
        var isTurned: [Bool] = []
        for index in mesh.triangles.indices {
            isTurned.append(random.once(in: 3))
            if isTurned[index] { mesh.triangles[index] = SIMD3(mesh.triangles[index].x, mesh.triangles[index].z, mesh.triangles[index].y) }
        }
        mesh.smoothNormals(angle: 60)
        var least: Float = 1
        for (number, corners) in mesh.triangles.enumerated() {
            let points = Set((0..<3).map { mesh.positions[Int(corners[$0])] })
            // At the poles every other triangle is a line.
            guard points.count == 3 else { continue }
            for index in 0..<3 {
                let side = dot(mesh.positions[Int(corners[index])], mesh.normals[Int(corners[index])])
                least = min(least, isTurned[number] ? -side : side)
            }
        }
        #expect(least > 0.99)
        let turned = mesh.triangles
        mesh.turnToNormals()
        #expect(mesh.triangles == turned)
    }

    @Test func trianglesWithoutAreaJoinNothing() {
        // Two walls at a right angle, a point, a line, and a triangle along the edge.
        var mesh = TriangleMesh(
            positions: [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 1, 0], [0, 0, 2]],
            triangles: [[0, 1, 2], [0, 2, 3], [1, 1, 1], [0, 4, 0], [0, 2, 0]])
        mesh.smoothNormals(angle: 20)
        #expect(mesh.triangles.count == 5)
        #expect(mesh.normals.allSatisfy { abs(dot($0, $0) - 1) < 1e-6 })
        #expect(mesh.normals[Int(mesh.triangles[0].x)] == [0, -1, 0])
    }

    /// Many triangles at one edge, and many around one point.
    @Test func fansOfVeryManyTriangles() {
        let count = 100_000
        var book = TriangleMesh(positions: [[0, 0, 0], [0, 0, 1]])
        var cone = TriangleMesh(positions: [[0, 0, 1]])
        for index in 0..<count {
            let angle = Float(index) / Float(count) * 2 * .pi
            book.positions.append([cos(angle), sin(angle), 0])
            book.triangles.append([0, 1, UInt32(index + 2)])
            cone.positions.append([cos(angle), sin(angle), 0])
            cone.triangles.append([0, UInt32(index + 1), UInt32((index + 1) % count + 1)])
        }
        book.smoothNormals(angle: 10)
        #expect(book.normals.allSatisfy { abs(dot($0, $0) - 1) < 1e-5 })
        cone.smoothNormals(angle: 10)
        #expect(cone.positions.count == count + 1)
        #expect(dot(cone.normals[Int(cone.triangles[0].x)], [0, 0, 1]) > 0.9999)
    }

    @Test func precise() {
        var mesh = PreciseMesh(
            positions: [[0, 0, 0], [1e-9, 0, 0], [0, 1e-9, 0], [1e-9, 1e-9, -1e-10]], colors: [[1, 2, 3, 4], [5, 6, 7, 8], .zero, .one],
            triangles: [[0, 1, 2], [1, 3, 2]])
        mesh.smoothNormals(angle: 30)
        #expect(mesh.positions.count == 4 && mesh.colors == [[1, 2, 3, 4], [5, 6, 7, 8], .zero, .one])
        #expect(mesh.normals[0] == [0, 0, 1] && mesh.normals[1] == mesh.normals[2] && mesh.normals[1] != mesh.normals[3])
    }
}
