import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkTestSupport

@Suite struct MeshTests {
    private func triangle() -> FloatMesh {
        FloatMesh(vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 2]])
    }

    private func problem(_ change: (FloatMesh) -> Void) -> String? {
        let mesh = triangle()
        change(mesh)
        #expect(mesh.isValid == (mesh.firstProblem() == nil))
        return mesh.firstProblem()?.description
    }

    private func geoProblem(_ vertices: [SIMD3<Double>]) -> String? {
        GeoMesh(vertices: vertices, triangles: [[0, 0, 0]]).firstProblem()?.description
    }

    @Test func listsOfNumbers() {
        let mesh = FloatMesh()
        mesh.setVertices([0, 1, 2, 3, 4, 5], count: 2)
        mesh.setTextureCoordinates([0, 0.25, 0.5, 1], count: 2)
        mesh.setNormals([0, 0, 1, 0, 1, 0], count: 2)
        mesh.setTriangles([0, 1, 1, 1, 0, 0], count: 2)
        #expect(mesh.vertices == [[0, 1, 2], [3, 4, 5]] && mesh.textureCoordinates == [[0, 0.25], [0.5, 1]])
        #expect(mesh.normals == [[0, 0, 1], [0, 1, 0]] && mesh.triangles == [[0, 1, 1], [1, 0, 0]] && mesh.isValid)
        // Numbers beyond the count are not read, as in C.
        mesh.setTriangles([Int16](repeating: 1, count: 9), count: 1)
        #expect(mesh.triangles == [[1, 1, 1]] && mesh.isValid)
        let geo = GeoMesh()
        geo.setVertices([126.9, 37.5, 12, 127, 37.6, 0], count: 2)
        #expect(geo.vertices == [[126.9, 37.5, 12], [127, 37.6, 0]])
        geo.setTriangles([UInt32(0), 1, 0], count: 1)
        #expect(geo.isValid)
    }

    @Test func countsThatCannotBe() {
        #expect(
            problem { $0.setVertices([1, 2, 3, 4], count: 2) }
                == "vertices: the number of vertices cannot be 2, because each needs 3 numbers, and there are 4")
        #expect(problem { $0.setVertices([1, 2, 3], count: -1) } == "vertices: the number of vertices cannot be -1")
        #expect(
            problem { $0.setTextureCoordinates([1, 2, 3], count: 3) }
                == "textureCoordinates: the number of texture coordinates cannot be 3, because each needs 2 numbers, and there are 3")
        #expect(
            problem { $0.setNormals([], count: .max) }
                == "normals: the number of normals cannot be \(Int.max), because each needs 3 numbers, and there are 0")
        #expect(
            problem { $0.setTriangles([Int16](), count: 1) }
                == "triangles: the number of triangles cannot be 1, because each needs 3 numbers, and there are 0")
        #expect(problem { $0.textureCoordinates = [[0, 0]] } == "textureCoordinates: 3 elements are required, one for each vertex, not 1")
        #expect(problem { $0.normals = [[0, 0, 1], [0, 0, 1]] } == "normals: 3 elements are required, one for each vertex, not 2")
        #expect(problem { $0.colors = [.red, .blue] } == "colors: 3 elements are required, one for each vertex, not 2")
        #expect(problem { $0.triangles = [] } == "triangles: a mesh needs at least one triangle")
        #expect(problem { $0.vertices = [] } == "triangles[0]: the mesh has no vertices")
        #expect(FloatMesh().firstProblem()?.description == "triangles: a mesh needs at least one triangle")
        // The newly set values count.
        let mesh = triangle()
        mesh.setTriangles([Int16(-1), 0, 0], count: 1)
        #expect(!mesh.isValid)
        mesh.setTriangles([Int16(1), 0, 0], count: 1)
        #expect(mesh.isValid)
    }

    @Test func indicesThatAreNone() {
        #expect(problem { $0.triangles = [[0, 1, 2], [0, 3, 1]] } == "triangles[1]: 3 is outside 0…2")
        #expect(problem { $0.triangles.append([0, .max, 1]) } == "triangles[1]: 4294967295 is outside 0…2")
        // Not wrapped to 65535 or 4294967295.
        #expect(
            problem { $0.setTriangles([Int16(0), 1, 2, 0, -1, 2], count: 2) }
                == "triangles: triangle 1 refers to vertex -1, which does not exist")
        #expect(
            problem { $0.setTriangles([0, 1, 1 << 40], count: 1) }
                == "triangles: triangle 0 refers to vertex 1099511627776, which does not exist")
        // Without area, it draws nothing.
        #expect(problem { $0.triangles = [[1, 1, 1]] } == nil)
    }

    @Test func numbersThatCannotBe() {
        #expect(problem { $0.vertices[1].y = .nan } == "vertices[1].y: nan is outside -1000000000…1000000000")
        #expect(problem { $0.vertices[2].z = -1e38 }?.hasPrefix("vertices[2].z: -") == true)
        #expect(problem { $0.vertices[0].x = 1e9 } == nil)
        #expect(
            problem { $0.textureCoordinates = [[0, 0], [0, .infinity], [0, 0]] }
                == "textureCoordinates[1].y: inf is outside -1000000000…1000000000")
        #expect(problem { $0.normals = [[0, 0, 1], [0, .nan, 1], [0, 0, 1]] } == "normals[1]: (0, nan, 1) is not finite")
        #expect(problem { $0.normals = [[0, 0, 2], [0, 0, 1], [0, 0, 0]] } == "normals[2]: (0, 0, 0) has no direction")
        #expect(problem { $0.colors = [.red, .white, Color(white: 1.5)] } == "colors[2]: a channel is outside 0…1")
        #expect(problem { $0.colors = [.red, .clear, Color(white: 0.5)] } == nil)
        #expect(geoProblem([[.infinity, 0, 0]]) == "vertices[0].x: the longitude inf is not a finite number")
        #expect(geoProblem([[0, 95, 0]]) == "vertices[0].y: 95 is outside -90…90")
        #expect(geoProblem([[0, 0, -2e6]]) == "vertices[0].z: -2000000 is outside -1000000…1000000000")
        #expect(geoProblem([[540, -90, 1e9]]) == nil)
    }

    @Test func moreThanAMeshMayHave() {
        let most = Mesh.maximumNumberOfVertices
        #expect(most == 16_777_216)
        #expect(
            problem { $0.vertices = Array(repeating: .zero, count: most + 1) }
                == "vertices: 16777217 vertices exceed the limit of 16777216")
        #expect(problem { $0.vertices = Array(repeating: .zero, count: most) } == nil)
    }

    @Test func surfacesShareOutTheTriangles() {
        func problem(_ ranges: [Range<Int>], _ diffuse: Color = .red) -> String? {
            let mesh = triangle()
            mesh.triangles = Array(repeating: [0, 1, 2], count: 5)
            mesh.surfaces = ranges.map { FloatMesh.Surface(triangles: $0, diffuse: diffuse) }
            return mesh.firstProblem()?.description
        }
        #expect(problem([0..<5]) == nil && problem([0..<2, 2..<2, 2..<5]) == nil)
        #expect(
            problem([0..<2, 3..<5])
                == "surfaces[1].triangles: the range begins at 3, but the previous one ends at 2; ranges must be contiguous")
        #expect(problem([1..<5]) == "surfaces[0].triangles: the first range begins at 1; it must begin at 0")
        #expect(problem([0..<2, 2..<4]) == "surfaces[1].triangles: the last range ends at 4, but the number of triangles is 5")
        #expect(problem([0..<5], Color(white: 2)) == "surfaces[0].diffuse: a channel is outside 0…1")
        let mesh = triangle()
        for (cutoff, expected) in [(0.0, nil), (1, nil), (1.5, "1.5"), (-0.1, "-0.1"), (.nan, "nan")] as [(Double, String?)] {
            mesh.surfaces = [FloatMesh.Surface(triangles: 0..<1, alphaCutoff: cutoff)]
            #expect(mesh.firstProblem()?.description == expected.map { "surfaces[0].alphaCutoff: \($0) is outside 0…1" })
        }
        let many = Array(repeating: 0..<0, count: 4096) + [0..<5]
        #expect(problem(many) == "surfaces: 4097 surfaces exceed the limit of 4096")
    }

    /// Checked once for each change, and no change is missed.
    @Test(arguments: Seeds.all) func whatIsWrongFollowsEveryChange(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let mesh = triangle()
        var revision = mesh.revision
        for _ in 0..<50 {
            switch random.integer(0...5) {
            case 0: mesh.vertices = Array(repeating: .zero, count: random.integer(0...4))
            case 1: mesh.triangles = [[0, UInt32(random.integer(0...4)), 1]]
            case 2: mesh.normals = Array(repeating: [0, 0, 1], count: random.integer(0...4))
            case 4: mesh.colors = Array(repeating: .red, count: random.integer(0...4))
            case 3: mesh.textureCoordinates = Array(repeating: .zero, count: random.integer(0...4))
            default: mesh.setTriangles([Int16(random.integer(-1...3)), 0, 1], count: random.integer(0...1))
            }
            #expect(mesh.revision > revision)
            revision = mesh.revision
            // A new mesh with the same data has the same problem.
            let count = mesh.vertices.count
            let agrees = [mesh.normals.count, mesh.textureCoordinates.count, mesh.colors.count].allSatisfy { $0 == 0 || $0 == count }
            let isValid = agrees && !mesh.triangles.isEmpty && mesh.triangles.allSatisfy { $0.max() < count }
            #expect(mesh.isValid == isValid && (mesh.firstProblem() == nil) == isValid)
        }
    }
}
