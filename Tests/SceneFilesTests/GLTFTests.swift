import Foundation
import Testing
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

@Suite struct GLTFTests {
    @Test func axesAreTurned() throws {
        var triangle = TriangleGLTF()
        triangle.bytes = littleEndian([1, 2, 3, 4, 5, 6, 7, 8, 9] as [Float]) + littleEndian([2, 0, 1] as [UInt16])
        let file = try triangle.read()
        #expect(file.mesh.vertices == [[1, -3, 2], [4, -6, 5], [7, -9, 8]] && file.mesh.triangles == [[2, 0, 1]])
        #expect(file.mesh.normals.isEmpty && file.mesh.textureCoordinates.isEmpty && file.warnings.isEmpty)
        #expect(file.mesh.surfaces == [FloatMesh.Surface(triangles: 0..<1, isDoubleSided: false)])
    }

    /// Positions, normals and texture coordinates of several kinds in one view, as exporters interleave them; in a GLB file.
    @Test func interleavedAndNormalized() throws {
        var vertices: [UInt8] = []
        for index in 0..<4 {
            let number = Float(index)
            vertices += littleEndian([number, 2 * number, 3 * number]) + littleEndian([Int8(0), 127, -128, 0])
            vertices += littleEndian([UInt16(index * 21845), 65535]) + littleEndian([UInt8(index * 85), 0, 0, 0])
        }
        let json = """
            {"asset": {"version": "2.1", "generator": "x"}, "extensionsUsed": ["KHR_mesh_quantization"], "extensionsRequired": ["KHR_mesh_quantization"],
            "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [
            {"attributes": {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2}, "indices": 4},
            {"attributes": {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 3}, "indices": 5}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 4},
            {"bufferView": 0, "byteOffset": 12, "componentType": 5120, "normalized": true, "type": "VEC3", "count": 4},
            {"bufferView": 0, "byteOffset": 16, "componentType": 5123, "normalized": true, "type": "VEC2", "count": 4},
            {"bufferView": 0, "byteOffset": 20, "componentType": 5121, "normalized": true, "type": "VEC2", "count": 4},
            {"bufferView": 1, "componentType": 5121, "type": "SCALAR", "count": 3},
            {"bufferView": 1, "byteOffset": 4, "componentType": 5125, "type": "SCALAR", "count": 3}],
            "bufferViews": [{"buffer": 0, "byteLength": 96, "byteStride": 24}, {"buffer": 0, "byteOffset": 96, "byteLength": 16}],
            "buffers": [{"byteLength": 112}]}
            """
        let folder = ScratchFolder()
        let indices = littleEndian([UInt8(0), 1, 2, 0]) + littleEndian([UInt32(3), 2, 1])
        let file = try ModelFile(contentsOf: folder.write(glb(json, vertices + indices), "model.glb"))
        let mesh = file.mesh
        #expect(mesh.isValid && mesh.triangles == [[0, 1, 2], [7, 6, 5]] && file.warnings.isEmpty)
        let numbers: [Float] = [0, 1, 2, 3, 0, 1, 2, 3]
        let expected: [SIMD3<Float>] = numbers.map { number in SIMD3<Float>(number, -3 * number, 2 * number) }
        #expect(mesh.vertices == expected)
        let half = Float(0.5).squareRoot()
        #expect(mesh.normals.allSatisfy { abs($0.x) < 1e-6 && abs($0.y - half) < 1e-6 && abs($0.z - half) < 1e-6 })
        let points: [SIMD2<Float>] = numbers.enumerated().map { index, number in SIMD2<Float>(number / 3, index < 4 ? 1 : 0) }
        #expect(
            zip(mesh.textureCoordinates, points).allSatisfy { point, expected in abs(point.x - expected.x) < 1e-6 && point.y == expected.y }
        )
        // By its first bytes, whatever its name.
        #expect(try ModelFile(contentsOf: folder.write(glb(json, vertices + indices), "model.gltf")).mesh.vertices == mesh.vertices)
    }

    @Test func stripsFansAndPlainTriangles() throws {
        func triangles(_ mode: Int, indices: Bool = true) throws -> (FloatMesh, [String]) {
            var text = TriangleGLTF()
            text.bytes =
                littleEndian((0..<15).map { Float($0 * $0 % 7) }) + littleEndian([0, 1, 2, 3, 4] as [UInt16])
            text.accessors = """
                [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 5},
                {"bufferView": 1, "componentType": 5123, "type": "SCALAR", "count": 5}]
                """
            text.views = #"[{"buffer": 0, "byteLength": 60}, {"buffer": 0, "byteOffset": 60, "byteLength": 10}]"#
            text.meshes =
                #"[{"primitives": [{"mode": \#(mode), "attributes": {"POSITION": 0}\#(indices ? #", "indices": 1"# : "")}, "#
                + #"{"attributes": {"POSITION": 0}}]}]"#
            let file = try text.read()
            return (file.mesh, file.warnings.map { $0.message })
        }
        for indices in [true, false] {
            #expect(try triangles(5, indices: indices).0.triangles.dropLast() == [[0, 1, 2], [2, 1, 3], [2, 3, 4]])
            #expect(try triangles(6, indices: indices).0.triangles.dropLast() == [[0, 1, 2], [0, 2, 3], [0, 3, 4]])
            let (mesh, warnings) = try triangles(4, indices: indices)
            #expect(mesh.triangles == [[0, 1, 2], [5, 6, 7]])
            #expect(warnings == ["the number of corners is not a multiple of 3; the last corners are left out"])
        }
        for mode in 0...3 {
            let (mesh, warnings) = try triangles(mode)
            #expect(mesh.triangles == [[0, 1, 2]] && warnings.first == "points and lines are not drawn")
        }
    }

    /// A chain of nodes puts vertices where its matrices, written out, do.
    @Test(arguments: Seeds.all) func nodesStandInOneAnother(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var expected: [SIMD4<Double>] = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
        func multiplied(_ a: [SIMD4<Double>], _ b: [SIMD4<Double>]) -> [SIMD4<Double>] {
            b.map { column in a[0] * column.x + a[1] * column.y + a[2] * column.z + a[3] * column.w }
        }
        func quoted(_ numbers: [Double]) -> String { "[\(numbers.map { "\($0)" }.joined(separator: ", "))]" }
        var nodes: [String] = []
        let depth = random.integer(1...4)
        for level in 0..<depth {
            let translation = (0..<3).map { _ in random.number(-5...5) }
            let axis = SIMD3(random.number(-1...1), random.number(-1...1), random.number(0.1...1))
            let unit = axis / (axis * axis).sum().squareRoot()
            let angle = random.number(-3...3)
            let scale = (0..<3).map { _ in random.number(0.2...2) * (random.once(in: 2) ? 1 : -1) }
            // Rodrigues' formula.
            func turned(_ v: SIMD3<Double>) -> SIMD3<Double> {
                let cross = SIMD3(unit.y * v.z - unit.z * v.y, unit.z * v.x - unit.x * v.z, unit.x * v.y - unit.y * v.x)
                return v * cos(angle) + cross * sin(angle) + unit * (unit * v).sum() * (1 - cos(angle))
            }
            let axes = [SIMD3(scale[0], 0, 0), SIMD3(0, scale[1], 0), SIMD3(0, 0, scale[2])].map(turned)
            let matrix = axes.map { SIMD4($0, 0) } + [SIMD4(translation[0], translation[1], translation[2], 1)]
            expected = multiplied(expected, matrix)
            let next = level + 1 < depth ? #""children": [\#(level + 1)]"# : #""mesh": 0"#
            if random.once(in: 2) {
                nodes.append(#"{"matrix": \#(quoted(matrix.flatMap { [$0.x, $0.y, $0.z, $0.w] })), \#(next)}"#)
            } else {
                let q = unit * sin(angle / 2)
                nodes.append(
                    #"{"translation": \#(quoted(translation)), "rotation": \#(quoted([q.x, q.y, q.z, cos(angle / 2)])), "#
                        + #""scale": \#(quoted(scale)), \#(next)}"#)
            }
        }
        var triangle = TriangleGLTF()
        triangle.nodes = "[\(nodes.joined(separator: ", "))]"
        let normal = SIMD3<Float>(0, 0, 1)
        triangle.bytes += [0, 0] + littleEndian((0..<3).flatMap { _ in [normal.x, normal.y, normal.z] })
        triangle.accessors = triangle.accessors.dropLast() + #", {"bufferView": 2, "componentType": 5126, "type": "VEC3", "count": 3}]"#
        triangle.views = triangle.views.dropLast() + #", {"buffer": 0, "byteOffset": 44, "byteLength": 36}]"#
        triangle.meshes = #"[{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 2}, "indices": 1}]}]"#
        let mesh = try triangle.read().mesh
        func placed(_ x: Double, _ y: Double) -> SIMD3<Float> {
            let p = expected[0] * x + expected[1] * y + expected[3]
            return SIMD3(Float(p.x), Float(-p.z), Float(p.y))
        }
        for (vertex, corner) in zip(mesh.vertices, [(0.0, 0.0), (1, 0), (0, 1)]) {
            let distance = vertex - placed(corner.0, corner.1)
            #expect((distance * distance).sum().squareRoot() < 1e-4)
        }
        // The corners keep going counterclockwise about the normal, also where a node is mirrored.
        let face = faceNormal(mesh, 0)
        let length = (face * face).sum().squareRoot()
        #expect(((face / length) * mesh.normals[0]).sum() > 0.999)
    }

    @Test func mirroredBoxesKeepTheirNormalsOutside() throws {
        // A corner of a box seen from outside: normals along the axes.
        let positions: [Float] = [1, 0, 0, 1, 1, 0, 1, 0, 1]
        let normals: [Float] = [1, 0, 0, 1, 0, 0, 1, 0, 0]
        var triangle = TriangleGLTF()
        triangle.nodes = #"[{"mesh": 0, "scale": [-1, 1, 1]}]"#
        triangle.bytes = littleEndian(positions) + littleEndian(normals) + littleEndian([0, 1, 2] as [UInt16])
        triangle.accessors = """
            [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3},
            {"bufferView": 0, "byteOffset": 36, "componentType": 5126, "type": "VEC3", "count": 3},
            {"bufferView": 0, "byteOffset": 72, "componentType": 5123, "type": "SCALAR", "count": 3}]
            """
        triangle.views = #"[{"buffer": 0, "byteLength": 78}]"#
        triangle.meshes = #"[{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1}, "indices": 2}]}]"#
        let mesh = try triangle.read().mesh
        #expect(mesh.vertices.allSatisfy { $0.x == -1 } && mesh.normals.allSatisfy { $0 == [-1, 0, 0] } && faceNormal(mesh, 0).x < 0)
        // A scale of 0 leaves normals without a direction; the face has one.
        triangle.nodes = #"[{"mesh": 0, "scale": [0, 1, 1]}]"#
        let flat = try triangle.read().mesh
        #expect(flat.isValid && flat.normals.allSatisfy { abs($0.x) == 1 })
    }

    @Test func theSceneIsShown() throws {
        var triangle = TriangleGLTF()
        triangle.nodes = #"[{"mesh": 0}, {"mesh": 0, "translation": [10, 0, 0], "children": [3]}, {}, {"mesh": 0, "scale": [2, 2, 2]}]"#
        triangle.scenes = #"[{"nodes": [0]}, {"nodes": [2, 1]}]"#
        func firsts() throws -> [Float] { try triangle.read().mesh.vertices.enumerated().filter { $0.offset % 3 == 1 }.map(\.element.x) }
        #expect(try firsts() == [1])
        triangle.root += #", "scene": 1"#
        #expect(try firsts() == [11, 12])
        triangle.root = TriangleGLTF().root
        triangle.scenes = "[]"
        #expect(try firsts() == [1, 11, 12])
    }

    @Test func aLongChainOfNodes() throws {
        var triangle = TriangleGLTF()
        let count = 100_000
        let nodes = (0..<count).map { #"{"translation": [0, 1, 0], "children": [\#($0 + 1)]}"# }
        triangle.nodes = "[\(nodes.joined(separator: ", ")), {\"mesh\": 0}]"
        #expect(try triangle.read().mesh.vertices[0] == [0, 0, Float(count)])
    }

    @Test func filesBesideIt() throws {
        var triangle = TriangleGLTF()
        let bytes = triangle.bytes
        triangle.buffers = #"[{"byteLength": 42, "uri": "my%20data/%C3%A4.bin"}]"#
        let folder = ScratchFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/my data", withIntermediateDirectories: true)
        try folder.write(bytes, "my data/ä.bin")
        let path = try folder.write(triangle.text, "model.gltf")
        #expect(try ModelFile(contentsOf: path).mesh.triangles == [[0, 1, 2]])
        var options = SceneFileOptions()
        options.resources = .none
        #expect(
            refusal(model: "model.gltf", in: folder, options: options)
                == "model.gltf: buffers[0].uri: this scene is not allowed to read my data/ä.bin")
        #expect(refusal(model: "gone.glb", in: folder) == "gone.glb: cannot read the file: No such file or directory")
        try folder.write(bytes, "model.3ds")
        #expect(refusal(model: "model.3ds", in: folder) == "model.3ds: the file name has no known model extension (obj, glb, gltf)")
    }
}
