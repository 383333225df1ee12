import Foundation
import Testing
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// Damaged copies of small files: each is read or refused, and what is read can be drawn.
@Suite struct ModelFuzzTests {
    private static let rounds = Seeds.isFull ? 400 : 60

    /// What numbers and words are exchanged for.
    private static let strange = [
        "0", "-1", "1", "2", "7", "255", "65535", "65536", "4294967295", "-2147483648", "9223372036854775807", "1e38", "-1e38", "1e999",
        "1e-999",
        "0.1e", "nan", "null", "true", "[]", "{}", "\"\"", "[0]", "[[0]]", "5126", "5121", "\"VEC2\"", "\"SCALAR\"", "", " ", "/", "\\",
    ]

    private func damaged(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<random.integer(1...4) {
            guard !bytes.isEmpty else { return bytes }
            let place = random.integer(0...bytes.count - 1)
            let end = min(bytes.count, place + random.integer(0...12))
            switch random.integer(0...6) {
            case 0: bytes[place] = UInt8(random.integer(0...255))
            case 1: bytes[place] ^= 1 << UInt8(random.integer(0...7))
            case 2: bytes.removeSubrange(place..<end)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: random.integer(0...bytes.count))
            case 4: bytes.removeLast(random.integer(0...bytes.count / 4))
            default:
                // A number or a word for another, which the rest of the file still stands around.
                let isWord: (UInt8) -> Bool = {
                    ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2D || $0 == 0x2E
                }
                guard let start = bytes[place...].firstIndex(where: isWord) else { continue }
                let end = bytes[start...].firstIndex { !isWord($0) } ?? bytes.count
                bytes.replaceSubrange(start..<end, with: Array(random.one(of: Self.strange).utf8))
            }
        }
        return bytes
    }

    private func tryAll(_ name: String, _ bytes: [UInt8], beside: [String: [UInt8]] = [:], seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let folder = ScratchFolder()
        for (name, bytes) in beside { try folder.write(bytes, name) }
        try folder.write(bytes, name)
        #expect(refusal(model: name, in: folder) == nil)
        for _ in 0..<Self.rounds {
            var files = beside
            files[name] = bytes
            let victim = random.one(of: files.keys.sorted())
            try folder.write(damaged(files[victim] ?? [], &random), victim)
            do throws(SceneError) {
                let file = try ModelFile(contentsOf: "\(folder.path)/\(name)")
                #expect(file.mesh.firstProblem() == nil)
            } catch {
                // One line, which begins with a file.
                #expect(!error.description.contains("\n") && error.description.hasPrefix(folder.path))
            }
            try folder.write(files[victim] ?? [], victim)
        }
    }

    @Test(arguments: Seeds.slow) func obj(seed: UInt64) throws {
        let text = """
            # a house
            mtllib house.mtl
            o house
            v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1 1 0 0.5\nv -1 2 -1\nv 1 2 -1\nv 1 2 1\nv -1 2 1\nv 0 3.5e0 0
            vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1
            vn 0 1 0\nvn 1 0 0
            usemtl wall
            f 1/1/1 2/2/1 6/3/2 5/4/2\nf 2/1 3/2 7/3 6/4\nf 3 4 8 7\nf -9//-1 -6//-1 -5//-2
            usemtl roof
            f 5/1 6/2 9/3\nf 6/1 7/2 9/3\nf 7 8 \\
            9\nf 8 5 9
            """
        let library = "newmtl wall\nKd 0.8 0.7 0.5\nd 0.5\nnewmtl roof\nKd 1 0 0\nmap_Kd -s 1 1 1 tiles.png\n"
        try tryAll("house.obj", Array(text.utf8), beside: ["house.mtl": Array(library.utf8), "tiles.png": try png(.orange)], seed: seed)
    }

    private func gltf(buffer: String) -> String {
        """
        {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"children": [1, 2], "translation": [1, 2, 3], "rotation": [0, 0.6, 0, 0.8]},
        {"mesh": 0, "scale": [-1, 2, 1]}, {"mesh": 0, "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 5,6,7,1]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2}, "indices": 3, "material": 0},
        {"attributes": {"POSITION": 4, "COLOR_0": 5}, "mode": 5}]}],
        "materials": [{"alphaMode": "MASK", "alphaCutoff": 0.25, "pbrMetallicRoughness": {"baseColorFactor": [1, 0.5, 0.25, 0.5],
        "baseColorTexture": {"index": 0, "extensions": {"KHR_texture_transform": {"offset": [0.5, 0], "rotation": 1, "scale": [2, 3]}}}}}],
        "textures": [{"source": 0, "sampler": 0}], "samplers": [{"wrapS": 33648, "minFilter": 9985}], "images": [{"bufferView": 3}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 4},
        {"bufferView": 0, "byteOffset": 12, "componentType": 5120, "normalized": true, "type": "VEC3", "count": 4},
        {"bufferView": 0, "byteOffset": 16, "componentType": 5123, "normalized": true, "type": "VEC2", "count": 4},
        {"bufferView": 1, "componentType": 5121, "type": "SCALAR", "count": 6},
        {"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 4, "sparse": {"count": 2,
        "indices": {"bufferView": 1, "byteOffset": 1, "componentType": 5121}, "values": {"bufferView": 0}}},
        {"bufferView": 0, "byteOffset": 12, "componentType": 5121, "type": "VEC4", "count": 4}],
        "bufferViews": [{"buffer": 0, "byteLength": 80, "byteStride": 20}, {"buffer": 0, "byteOffset": 80, "byteLength": 6},
        {"buffer": 0, "byteOffset": 80, "byteLength": 8}, {"buffer": 0, "byteOffset": 88, "byteLength": IMAGE}],
        "buffers": [{\(buffer)}]}
        """
    }

    private func bytes() throws -> (text: String, [UInt8]) {
        var bytes: [UInt8] = []
        for index in 0..<4 {
            bytes += littleEndian([Float(index % 2), Float(index / 2), 1]) + littleEndian([Int8(0), 0, 127, 0])
            bytes += littleEndian([UInt16(index * 20000), 65535])
        }
        bytes += littleEndian([UInt8(0), 1, 2, 2, 1, 3, 0, 0])
        let image = try png(.purple)
        return ("\(image.count)", bytes + image)
    }

    @Test(arguments: Seeds.slow) func binaryGLTF(seed: UInt64) throws {
        let (size, binary) = try bytes()
        let text = gltf(buffer: #""byteLength": \#(binary.count)"#).replacingOccurrences(of: "IMAGE", with: size)
        try tryAll("a.glb", glb(text, binary), seed: seed)
    }

    @Test(arguments: Seeds.slow) func textGLTF(seed: UInt64) throws {
        let (size, binary) = try bytes()
        let text = gltf(buffer: #""byteLength": \#(binary.count), "uri": "a.bin""#).replacingOccurrences(of: "IMAGE", with: size)
        try tryAll("a.gltf", Array(text.utf8), beside: ["a.bin": binary], seed: seed)
    }
}
