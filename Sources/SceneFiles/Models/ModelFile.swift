import WaymarkImaging
import WaymarkScene

/// A model read from a file: OBJ with its material libraries, glTF 2.0, or GLB, the binary form of glTF.
///
/// Axes are converted from y-up to Waymark's z-up: x stays, -z becomes y, and y becomes z. Vertex colors become the mesh's `colors`. The
/// colors and textures of materials, including samplers, alpha cutoffs and glTF's `doubleSided`, become the mesh's `surfaces`. In glTF,
/// base color factors and vertex colors are linear, and are converted to sRGB; in OBJ, colors are read as sRGB values. Animations, skins,
/// cameras, lights and all other parts of a file are ignored, with one warning for each kind.
///
/// Waymark uses its own readers, instead of cgltf, tinygltf, tinyobjloader or Assimp, for four reasons. Every error has a location:
/// either a line, or a key path as in scene files. Most of those libraries report an error code, or a message without a key path. Hostile
/// files cannot make memory use grow without bound: counts, offsets and the totals of instanced nodes are checked before anything is
/// allocated. Referenced files are read under the scene's resource policy and image limits. Finally, the readers are written in Swift:
/// every access is bounds-checked, and no C++ exception can reach Waymark.
public struct ModelFile {
    public let mesh: FloatMesh
    /// Problems that did not prevent the file from being read.
    public let warnings: [Diagnostic]

    /// Reads a model file. Paths in the file are relative to its folder.
    /// - Throws: The first problem and its location, such as `car.obj: line 12: …`.
    public init(contentsOf path: String, options: SceneFileOptions = SceneFileOptions()) throws(SceneError) {
        var source = ModelSource(path: path, file: path, images: ImageTable(folder: "", options: options), options: options)
        do throws(SceneFileError) {
            mesh = try Self.read(path, &source)
        } catch {
            if source.images.isLibraryMissing { throw .unavailable(error) }
            throw source.isUnreadable || source.images.isUnreadable ? .unreadable(error) : .invalid(error)
        }
        warnings = source.warnings
    }

    /// Reads a file after detecting its format from its first bytes or its extension.
    static func read(_ path: String, _ source: inout ModelSource) throws(SceneFileError) -> FloatMesh {
        let dot = path.lastIndex(of: ".").map { path[path.index(after: $0)...] } ?? ""
        guard let format = Format(rawValue: dot.lowercased()) else {
            throw source.error("", "the file name has no known model extension (\(Format.names))")
        }
        let bytes = try source.bytes()
        if bytes.starts(with: GLBContainer.magic) { return try GLTFReader.read(binary: bytes, &source) }
        switch format {
        case .obj: return try OBJReader.read(bytes, &source)
        case .gltf: return try GLTFReader.read(text: bytes, &source)
        case .glb: throw source.error("byte 0", "this is not a GLB file, which would begin with \"glTF\"")
        }
    }

    private enum Format: String, CaseIterable {
        case obj, glb, gltf

        static let names = allCases.map(\.rawValue).joined(separator: ", ")
    }
}

/// The model files of a scene. Each is read once, even if several models show it.
struct ModelFileTable {
    let options: SceneFileOptions
    /// Whether the last error was a missing or unreadable file.
    private(set) var isUnreadable = false
    private var meshes: [String: FloatMesh] = [:]
    /// The approximate size of the meshes in bytes.
    private(set) var byteCount = 0

    init(options: SceneFileOptions) {
        self.options = options
    }

    mutating func mesh(
        _ value: JSONValue, _ images: inout ImageTable, _ warnings: inout [Diagnostic]
    ) throws(SceneFileError) -> FloatMesh {
        let path = try value.readString()
        if let known = meshes[path] { return known }
        guard !path.isEmpty else { throw value.error("a model's path is empty") }
        guard let file = options.path(of: path, in: images.folder) else { throw value.error(SceneFileOptions.refusal(of: path)) }
        var source = ModelSource(path: path, file: file, images: images, options: options)
        defer {
            isUnreadable = source.isUnreadable
            images = source.images
        }
        let mesh: FloatMesh
        do throws(SceneFileError) {
            mesh = try ModelFile.read(path, &source)
        } catch {
            throw value.error(source.named(error))
        }
        warnings += source.warnings
        meshes[path] = mesh
        byteCount += mesh.byteCount + path.utf8.count
        return mesh
    }

    /// Resets the error flag.
    mutating func forgetErrors() {
        isUnreadable = false
    }
}

extension FloatMesh {
    /// The approximate size of the model in bytes.
    fileprivate var byteCount: Int {
        vertices.count * MemoryLayout<SIMD3<Float>>.stride + normals.count * MemoryLayout<SIMD3<Float>>.stride
            + textureCoordinates.count * MemoryLayout<SIMD2<Float>>.stride + colors.count * MemoryLayout<Color>.stride + triangles.count
            * MemoryLayout<SIMD3<UInt32>>.stride
    }
}
