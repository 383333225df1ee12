import WaymarkImaging

/// Small models with most features of their formats: files by name.
public enum ModelSamples {
    /// `house.obj`, its material library and its texture.
    public static func obj() throws -> [String: [UInt8]] {
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
        return ["house.obj": Array(text.utf8), "house.mtl": Array(library.utf8), "tiles.png": try png(.orange)]
    }

    /// `a.glb`.
    public static func binaryGLTF() throws -> [String: [UInt8]] {
        let (binary, imageSize) = try buffer()
        return ["a.glb": glb(gltf(buffer: #""byteLength": \#(binary.count)"#, imageSize: imageSize), binary)]
    }

    /// `a.gltf` and its buffer.
    public static func textGLTF() throws -> [String: [UInt8]] {
        let (binary, imageSize) = try buffer()
        return [
            "a.gltf": Array(gltf(buffer: #""byteLength": \#(binary.count), "uri": "a.bin""#, imageSize: imageSize).utf8), "a.bin": binary,
        ]
    }

    private static func gltf(buffer: String, imageSize: Int) -> String {
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
        {"buffer": 0, "byteOffset": 80, "byteLength": 8}, {"buffer": 0, "byteOffset": 88, "byteLength": \(imageSize)}],
        "buffers": [{\(buffer)}]}
        """
    }

    private static func buffer() throws -> (bytes: [UInt8], imageSize: Int) {
        var bytes: [UInt8] = []
        for index in 0..<4 {
            bytes += littleEndian([Float(index % 2), Float(index / 2), 1]) + littleEndian([Int8(0), 0, 127, 0])
            bytes += littleEndian([UInt16(index * 20000), 65535])
        }
        bytes += littleEndian([UInt8(0), 1, 2, 2, 1, 3, 0, 0])
        let image = try png(.purple)
        return (bytes + image, image.count)
    }
}

/// The bytes of a GLB file.
public func glb(_ text: String, _ binary: [UInt8]? = nil) -> [UInt8] {
    func word(_ number: Int) -> [UInt8] { littleEndian(UInt32(number)) }
    func padded(_ bytes: [UInt8], _ filler: UInt8) -> [UInt8] { bytes + repeatElement(filler, count: -bytes.count & 3) }
    let json = padded(Array(text.utf8), 0x20)
    var chunks = word(json.count) + Array("JSON".utf8) + json
    if let binary {
        let bytes = padded(binary, 0)
        chunks += word(bytes.count) + Array("BIN\0".utf8) + bytes
    }
    return Array("glTF".utf8) + word(2) + word(12 + chunks.count) + chunks
}

public func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }

public func littleEndian(_ numbers: [Float]) -> [UInt8] { numbers.flatMap { littleEndian($0.bitPattern) } }

public func littleEndian(_ numbers: [some FixedWidthInteger]) -> [UInt8] { numbers.flatMap { littleEndian($0) } }

/// A PNG file of one color.
public func png(_ color: Color) throws -> [UInt8] { try Bitmap(width: 2, height: 2, fill: color).encoded(as: .png) }
