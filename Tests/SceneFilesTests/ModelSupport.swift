import Foundation
import Testing
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// The error for a model file that is refused, without folders; nil if it is read.
func refusal(model name: String, in folder: ScratchFolder, options: SceneFileOptions = SceneFileOptions()) -> String? {
    do throws(SceneError) {
        _ = try ModelFile(contentsOf: "\(folder.path)/\(name)", options: options)
        return nil
    } catch {
        return error.description.replacingOccurrences(of: folder.path + "/", with: "")
    }
}

/// A model of an OBJ text.
func model(obj text: String, more: [String: String] = [:]) throws -> ModelFile {
    let folder = ScratchFolder()
    for (name, text) in more { try folder.write(text, name) }
    return try ModelFile(contentsOf: folder.write(text, "model.obj"))
}

/// The error for an OBJ text that is refused.
func refusal(obj text: String, more: [String: String] = [:]) throws -> String? {
    let folder = ScratchFolder()
    for (name, text) in more { try folder.write(text, name) }
    try folder.write(text, "model.obj")
    return refusal(model: "model.obj", in: folder)?.replacingOccurrences(of: "model.obj: ", with: "")
}

/// A model of a glTF text.
func model(gltf text: String, more: [String: [UInt8]] = [:]) throws -> ModelFile {
    let folder = ScratchFolder()
    for (name, bytes) in more { try folder.write(bytes, name) }
    return try ModelFile(contentsOf: folder.write(text, "model.gltf"))
}

/// The error for a glTF text that is refused.
func refusal(gltf text: String, more: [String: [UInt8]] = [:]) throws -> String? {
    let folder = ScratchFolder()
    for (name, bytes) in more { try folder.write(bytes, name) }
    try folder.write(text, "model.gltf")
    return refusal(model: "model.gltf", in: folder)?.replacingOccurrences(of: "model.gltf: ", with: "")
}

/// A glTF text of parts that can be exchanged: one triangle (0, 0, 0), (1, 0, 0), (0, 1, 0), its indices 0, 1, 2 after its positions.
struct TriangleGLTF {
    var root = #""asset": {"version": "2.0"}"#
    var scenes = #"[{"nodes": [0]}]"#
    var nodes = #"[{"mesh": 0}]"#
    var meshes = #"[{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}]"#
    var accessors = """
        [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3},
        {"bufferView": 1, "componentType": 5123, "type": "SCALAR", "count": 3}]
        """
    var views = #"[{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}]"#
    var bytes = littleEndian([0, 0, 0, 1, 0, 0, 0, 1, 0] as [Float]) + littleEndian([0, 1, 2] as [UInt16])
    var buffers: String?

    var text: String {
        let uri = "data:application/octet-stream;base64,\(Data(bytes).base64EncodedString())"
        let buffers = buffers ?? #"[{"byteLength": \#(bytes.count), "uri": "\#(uri)"}]"#
        return """
            {\(root), "scenes": \(scenes), "nodes": \(nodes), "meshes": \(meshes), "accessors": \(accessors), "bufferViews": \(views),
            "buffers": \(buffers)}
            """
    }

    func read() throws -> ModelFile { try model(gltf: text) }

    func refusal() throws -> String? { try SceneFilesTests.refusal(gltf: text) }
}

/// The face normal of a triangle of a mesh, of any length.
func faceNormal(_ mesh: FloatMesh, _ triangle: Int) -> SIMD3<Float> {
    let corners = mesh.triangles[triangle]
    let (a, b, c) = (mesh.vertices[Int(corners.x)], mesh.vertices[Int(corners.y)], mesh.vertices[Int(corners.z)])
    let (p, q) = (b - a, c - a)
    return SIMD3(p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x)
}
