import WaymarkImaging
import WaymarkScene

/// A model as a file has it: OBJ with its material libraries, glTF 2.0 or its binary form GLB.
///
/// Its axes are turned from y-up to Waymark's z-up: x stays, -z becomes y, y becomes z. Colours and textures are the mesh's
/// `surfaces`. Animations, skins, cameras and lights of the file are left out.
public struct ModelFile {
    public let mesh: FloatMesh
    /// What was read despite a problem.
    public let warnings: [Diagnostic]

    /// Reads a model file; what it names is relative to its folder.
    /// - Throws: Where something is wrong in it: `car.obj: line 12: there is no vertex 9: there are 8 so far`.
    public init(contentsOf path: String, options: SceneFileOptions = SceneFileOptions()) throws(SceneError) {
        var source = ModelSource(path: path, images: ImageTable(folder: "", options: options), options: options)
        do throws(SceneFileError) {
            mesh = try Self.read(path, &source)
        } catch {
            if source.images.isLibraryMissing { throw .unavailable(error) }
            throw source.isUnreadable || source.images.isUnreadable ? .unreadable(error) : .invalid(error)
        }
        warnings = source.warnings
    }

    /// Reads the format that the file's beginning or its name tells.
    static func read(_ path: String, _ source: inout ModelSource) throws(SceneFileError) -> FloatMesh {
        let dot = path.lastIndex(of: ".").map { path[path.index(after: $0)...] } ?? ""
        guard let format = Format(rawValue: dot.lowercased()) else {
            throw source.error("", "the name ends in no known extension of a model (\(Format.names))")
        }
        let bytes = try source.bytes()
        if bytes.starts(with: GLBContainer.magic) { return try GLTFReader.read(binary: bytes, &source) }
        switch format {
        case .obj: return try OBJReader.read(bytes, &source)
        case .gltf: return try GLTFReader.read(text: bytes, &source)
        case .glb: throw source.error("byte 0", "this is no GLB file, which begins with \"glTF\"")
        }
    }

    private enum Format: String, CaseIterable {
        case obj, glb, gltf

        static let names = allCases.map(\.rawValue).joined(separator: ", ")
    }
}

/// The model files of a scene: each is read once, however many models show it.
struct ModelTable {
    let options: SceneFileOptions
    /// Whether the last error was a file that is absent or unreadable.
    private(set) var isUnreadable = false
    private var meshes: [String: FloatMesh] = [:]
    /// About how many bytes the meshes take.
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
        guard options.resources.allows(path.hasPrefix("/") ? path : images.folder + path) else {
            throw value.error("this scene may not read \(path)")
        }
        var source = ModelSource(path: path, images: images, options: options)
        defer {
            isUnreadable = source.isUnreadable
            images = source.images
        }
        let mesh = try ModelFile.read(path, &source)
        warnings += source.warnings
        meshes[path] = mesh
        byteCount += mesh.byteCount + path.utf8.count
        return mesh
    }

    /// What went wrong before is no reason any more.
    mutating func forgetErrors() {
        isUnreadable = false
    }
}

extension FloatMesh {
    /// About how many bytes it keeps.
    fileprivate var byteCount: Int {
        vertices.count * MemoryLayout<SIMD3<Float>>.stride + normals.count * MemoryLayout<SIMD3<Float>>.stride
            + textureCoordinates.count * MemoryLayout<SIMD2<Float>>.stride + triangles.count * MemoryLayout<SIMD3<UInt32>>.stride
    }
}
