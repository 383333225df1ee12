import Foundation
import Testing
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// Invalid glTF files: each gives one line that names the faulty part.
@Suite struct GLTFProblemTests {
    private func problem(_ change: (inout TriangleGLTF) -> Void) throws -> String? {
        var triangle = TriangleGLTF()
        change(&triangle)
        return try triangle.refusal()
    }

    @Test func whatTheFileIs() throws {
        #expect(try refusal(gltf: "{") == "byte 1 (line 1, column 2): unexpected end of file")
        #expect(try refusal(gltf: "[]") == "expected a glTF object, found an array")
        #expect(try refusal(gltf: "{}") == "missing key \"asset.version\"")
        #expect(try refusal(gltf: #"{"asset": {"version": "2.0"}}"#) == "the model has no triangles")
        #expect(try refusal(gltf: #"{"asset": {"version": "2.0"}, "nodes": {}}"#) == "nodes: expected an array, found an object")
        #expect(
            try problem { $0.root = #""asset": {"version": "1.0"}"# }
                == "asset.version: glTF version \"1.0\" is not supported; only version 2 is")
        #expect(
            try problem { $0.root += #", "extensionsRequired": ["KHR_mesh_quantization", "KHR_draco_mesh_compression"]"# }
                == "extensionsRequired[1]: the extension \"KHR_draco_mesh_compression\" is not supported")
        #expect(try problem { _ in } == nil)
    }

    @Test func nodesThatAreNoTrees() throws {
        #expect(try problem { $0.nodes = #"[{"mesh": 0, "children": [0]}]"# } == "nodes[0]: the node's ancestors form a cycle")
        #expect(
            try problem { $0.nodes = #"[{"mesh": 0}, {"children": [2]}, {"children": [1]}]"# }
                == "nodes[1]: the node's ancestors form a cycle")
        #expect(
            try problem { $0.nodes = #"[{"children": [1, 2]}, {"children": [2]}, {}]"# } == "nodes[1].children[0]: node 2 has two parents")
        #expect(try problem { $0.nodes = #"[{"children": [1, 1]}, {}]"# } == "nodes[0].children[1]: node 1 has two parents")
        #expect(
            try problem { $0.nodes = #"[{"children": [7]}]"# }
                == "nodes[0].children[0]: node 7 does not exist; the file has 1, counted from 0")
        #expect(
            try problem { $0.nodes = #"[{"children": [-1]}]"# }
                == "nodes[0].children[0]: node -1 does not exist; the file has 1, counted from 0")
        #expect(try problem { $0.scenes = #"[{"nodes": [0, 0]}]"# } == "scenes[0].nodes[1]: node 0 is listed twice")
        #expect(
            try problem { ($0.scenes, $0.nodes) = (#"[{"nodes": [1]}]"#, #"[{"children": [1]}, {"mesh": 0}]"#) }
                == "scenes[0].nodes[0]: node 1 is the child of another node")
        #expect(try problem { $0.root += #", "scene": 3"# } == "scene: scene 3 does not exist; the file has 1, counted from 0")
        #expect(try problem { $0.nodes = #"[{"mesh": 4}]"# } == "nodes[0].mesh: mesh 4 does not exist; the file has 1, counted from 0")
        // Each level occurs twice in the one above: 10¹² triangles, if it were a tree.
        let levels = (0..<40).map { #"{"children": [\#($0 + 1), \#($0 + 1)]}"# }
        #expect(
            try problem { $0.nodes = "[\(levels.joined(separator: ", ")), {\"mesh\": 0}]" }
                == "nodes[0].children[1]: node 1 has two parents")
    }

    @Test func transformsThatCannotBe() throws {
        func node(_ text: String) throws -> String? { try problem { $0.nodes = #"[{"mesh": 0, \#(text)}]"# } }
        #expect(try node(#""rotation": [0, 0, 0, 0]"#) == "nodes[0].rotation: the rotation has length 0 and thus no axis")
        #expect(try node(#""scale": [1, 1]"#) == "nodes[0].scale: expected 3 elements, found 2")
        #expect(try node(#""translation": [0, "1", 0]"#) == "nodes[0].translation[1]: expected a number, found the string \"1\"")
        #expect(
            try node(#""matrix": [1,0,0,1, 0,1,0,0, 0,0,1,0, 0,0,0,1]"#) == "nodes[0].matrix: the last row of the matrix is not 0, 0, 0, 1")
        #expect(try node(#""scale": [1e20, 1, 1]"#) == "nodes[0]: vertex 1 of the mesh is outside ±1000000000 meters")
        #expect(try node(#""scale": [1e200, 1, 1]"#)?.hasPrefix("nodes[0].scale[0]: 1e+200 is outside") == true)
    }

    @Test func accessorsBeyondTheirBytes() throws {
        func accessor(_ text: String) throws -> String? {
            try problem {
                $0.accessors = #"[{\#(text)}, {"bufferView": 1, "componentType": 5123, "type": "SCALAR", "count": 3}]"#
            }
        }
        let good = #""bufferView": 0, "componentType": 5126, "type": "VEC3""#
        #expect(try accessor(good + #", "count": 3"#) == nil)
        #expect(
            try accessor(good + #", "count": 4"#) == "accessors[0]: 4 elements take 48 bytes, but the buffer view has 36")
        #expect(
            try accessor(good + #", "count": 3, "byteOffset": 4"#) == "accessors[0]: 3 elements take 40 bytes, but the buffer view has 36")
        #expect(try accessor(good + #", "count": 1000000000000"#)?.hasSuffix("but the buffer view has 36") == true)
        #expect(try accessor(good + #", "count": 0"#)?.hasPrefix("accessors[0].count: 0 is outside 1…") == true)
        #expect(try accessor(good + #", "count": -1"#)?.hasPrefix("accessors[0].count: -1 is outside 1…") == true)
        #expect(try accessor(good + #", "count": 3, "byteOffset": -4"#)?.hasPrefix("accessors[0].byteOffset: -4 is outside 0…") == true)
        #expect(
            try accessor(#""componentType": 5126, "type": "VEC3", "count": 1000000000"#)
                == "accessors[0]: missing key \"bufferView\" or \"sparse\"")
        #expect(try accessor(good) == "accessors[0]: missing key \"type\", \"componentType\" or \"count\"")
        #expect(
            try accessor(#""bufferView": 0, "componentType": 5126, "type": "VEC2", "count": 3"#)
                == "accessors[0].type: expected \"VEC3\", found the string \"VEC2\"")
        #expect(
            try accessor(#""bufferView": 0, "componentType": 5124, "type": "VEC3", "count": 3"#)
                == "accessors[0].componentType: unknown component type 5124")
        #expect(
            try accessor(#""bufferView": 9, "componentType": 5126, "type": "VEC3", "count": 3"#)
                == "accessors[0].bufferView: bufferView 9 does not exist; the file has 2, counted from 0")
        #expect(
            try problem { $0.meshes = #"[{"primitives": [{"attributes": {"POSITION": 5}}]}]"# }
                == "meshes[0].primitives[0].attributes.POSITION: accessor 5 does not exist; the file has 2, counted from 0")
        #expect(
            try problem { $0.meshes = #"[{"primitives": [{"attributes": {"POSITION": 0}, "indices": 0}]}]"# }
                == "accessors[0].type: expected \"SCALAR\", found the string \"VEC3\"")
    }

    @Test func viewsAndBuffersBeyondTheirBytes() throws {
        func view(_ text: String) throws -> String? {
            try problem { $0.views = #"[{\#(text)}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}]"# }
        }
        #expect(
            try view(#""buffer": 0, "byteLength": 43"#) == "bufferViews[0]: the buffer view ends at byte 43, but the buffer has only 42")
        #expect(
            try view(#""buffer": 0, "byteOffset": 1000000000000, "byteLength": 1000000000000"#)
                == "bufferViews[0]: the buffer view ends at byte 2000000000000, but the buffer has only 42")
        #expect(try view(#""buffer": 0"#) == "bufferViews[0]: missing key \"buffer\" or \"byteLength\"")
        #expect(
            try view(#""buffer": 1, "byteLength": 36"#)
                == "bufferViews[0].buffer: buffer 1 does not exist; the file has 1, counted from 0")
        #expect(
            try view(#""buffer": 0, "byteLength": 36, "byteStride": 8"#)
                == "accessors[0]: elements of 12 bytes overlap, because the stride is only 8 bytes")
        #expect(try view(#""buffer": 0, "byteLength": 36, "byteStride": 0"#) == "bufferViews[0].byteStride: 0 is outside 4…252")
        #expect(
            try problem { $0.buffers = #"[{"byteLength": 42}]"# }
                == "buffers[0]: missing key \"uri\", and the file has no binary chunk")
        #expect(
            try problem { $0.buffers = #"[{"byteLength": 42, "uri": "data:;base64,AAAA"}]"# }
                == "buffers[0].byteLength: the buffer has 3 bytes, but declares 42")
        #expect(
            try problem { $0.buffers = #"[{"byteLength": 42, "uri": "data:;base64,@"}]"# }
                == "buffers[0].uri: expected data:…;base64,… or data:…,…")
        #expect(
            try problem { $0.buffers = #"[{"byteLength": 42, "uri": "https://a.b/c"}]"# }
                == "buffers[0].uri: only relative file names and data: URIs are supported")
        #expect(
            try problem { $0.buffers = #"[{"byteLength": 42, "uri": "gone.bin"}]"# }
                == "buffers[0].uri: gone.bin: cannot read the file: No such file or directory")
    }

    @Test func numbersThatCannotBe() throws {
        func vertices(_ numbers: [Float]) throws -> String? {
            try problem { $0.bytes = littleEndian(numbers) + littleEndian([0, 1, 2] as [UInt16]) }
        }
        #expect(try vertices([0, 0, 0, 0, .nan, 0, 0, 0, 0]) == "accessors[0]: element 1 is not finite")
        #expect(try vertices([0, 0, 0, 0, 0, 0, 0, 0, -.infinity]) == "accessors[0]: element 2 is not finite")
        #expect(try vertices([0, 0, 0, 0, 0, 0, 0, 1e38, 0]) == "nodes[0]: vertex 2 of the mesh is outside ±1000000000 meters")
        #expect(
            try problem { $0.bytes.replaceSubrange(38..<40, with: [7, 0]) }
                == "accessors[1]: element 1 has the index 7, which is outside 0…2")
        #expect(
            try problem { $0.bytes.replaceSubrange(38..<40, with: [255, 255]) }
                == "accessors[1]: element 1 has the index 65535, which is outside 0…2")
    }

    /// One mesh of few bytes, many times over.
    @Test func moreThanAMeshMayHave() throws {
        let count = 5000
        var triangle = TriangleGLTF()
        triangle.bytes = [UInt8](repeating: 0, count: 12 * count)
        triangle.accessors = #"[{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": \#(count)}]"#
        triangle.views = #"[{"buffer": 0, "byteLength": \#(12 * count)}]"#
        triangle.meshes = #"[{"primitives": [{"attributes": {"POSITION": 0}}]}]"#
        let nodes = Array(repeating: #"{"mesh": 0}"#, count: 4000)
        triangle.nodes = "[\(nodes.joined(separator: ", "))]"
        triangle.scenes = "[]"
        #expect(try triangle.refusal() == "nodes[3355]: with this mesh, the model has more than 16777216 vertices")
    }

    @Test func chunksBeyondTheFile() throws {
        let folder = ScratchFolder()
        let good = glb(TriangleGLTF().text)
        func problem(_ change: (inout [UInt8]) -> Void) throws -> String? {
            var bytes = good
            change(&bytes)
            try folder.write(bytes, "a.glb")
            return refusal(model: "a.glb", in: folder)?.replacingOccurrences(of: "a.glb: ", with: "")
        }
        #expect(try problem { _ in } == nil)
        #expect(try problem { $0 = [] } == "byte 0: this is not a GLB file, which would begin with \"glTF\"")
        #expect(try problem { $0 = Array("glTF".utf8) } == "byte 4: the file ends before its first chunk")
        #expect(try problem { $0[4] = 1 } == "byte 4: GLB version 1 is not supported; only version 2 is")
        #expect(
            try problem { $0.removeLast() } == "byte 8: the file has \(good.count - 1) bytes, but declares \(good.count)")
        #expect(
            try problem { $0.replaceSubrange(12..<16, with: [255, 255, 255, 255]) }
                == "byte 12: a chunk declares 4294967295 bytes, but only \(good.count - 20) are left")
        #expect(try problem { $0[16] = 0 } == "byte 16: the first chunk is not the JSON chunk")
        #expect(try problem { $0.replaceSubrange(8..<12, with: [12, 0, 0, 0]) } == "byte 12: the file ends before its first chunk")
        #expect(
            try problem { $0.replaceSubrange(12..<16, with: [0, 0, 0, 0]) }?.hasPrefix("byte 20: a chunk declares ") == true)
        // Bytes after the length declared in the file are not part of it.
        #expect(try problem { $0 += [1, 2, 3] } == nil)
    }
}
