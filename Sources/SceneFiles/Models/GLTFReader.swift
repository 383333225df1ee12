import Foundation
import WaymarkScene

/// Reads glTF 2.0: the triangles of a scene's nodes with their global transforms applied, including normals, texture coordinates, vertex
/// colors, base colors, their textures with samplers, alpha modes and sidedness. Converts from y-up to z-up.
///
/// Animations, skins, morph targets, points, lines and the rest of materials are skipped, with a warning for each kind. `ModelFile`
/// explains why no library is used.
struct GLTFReader {
    let root: JSONValue
    var source: ModelSource
    var data: GLTFData
    let meshes: [JSONValue]
    let nodes: [JSONValue]
    let materials: [JSONValue]
    let textures: [JSONValue]
    let images: [JSONValue]
    let samplers: [JSONValue]
    /// The primitives of each mesh referenced by nodes so far.
    private var primitives: [Int: [GLTFPrimitive]] = [:]
    /// The appearances. The first is glTF's default material, which is single-sided, for primitives without a material.
    var appearances = [FloatMesh.Surface(triangles: 0..<0, isDoubleSided: false)]
    /// The materials read so far, keyed by index.
    var knownMaterials: [Int: GLTFMaterial] = [:]
    var loadedImages: [Int: OverlayImage] = [:]
    var opaqueImages: [Int: OverlayImage] = [:]

    /// A primitive of a node, and the node's global transform.
    private struct Draw {
        let primitive: GLTFPrimitive
        let node: Int
        let transform: Transform
    }

    private init(_ root: JSONValue, binary: [UInt8]?, _ source: ModelSource) throws(SceneFileError) {
        self.root = root
        self.source = source
        guard root.kind == .object else { throw root.unexpected("a glTF object") }
        // The version is checked first, since glTF 1 has objects instead of these lists.
        try Self.checkVersion(root)
        data = try GLTFData(root, binary: binary)
        meshes = try Self.list("meshes", of: root)
        nodes = try Self.list("nodes", of: root)
        materials = try Self.list("materials", of: root)
        textures = try Self.list("textures", of: root)
        images = try Self.list("images", of: root)
        samplers = try Self.list("samplers", of: root)
    }

    /// The elements of a top-level list; empty if it is absent.
    static func list(_ key: StaticString, of root: JSONValue) throws(SceneFileError) -> [JSONValue] {
        try root[key].map { (list) throws(SceneFileError) in Array(try list.readArray()) } ?? []
    }

    /// The element of a list whose index is `value`.
    static func element(
        _ value: JSONValue, of list: [JSONValue], _ name: StaticString
    ) throws(SceneFileError) -> (index: Int, element: JSONValue) {
        let index = try value.readInteger()
        guard list.indices.contains(index) else {
            let known = list.isEmpty ? "none" : "\(list.count), counted from 0"
            throw value.error("\(name) \(index) does not exist; the file has \(known)")
        }
        return (index, list[index])
    }

    /// Reads a GLB file.
    static func read(binary bytes: [UInt8], _ source: inout ModelSource) throws(SceneFileError) -> FloatMesh {
        let container: GLBContainer
        do throws(GLBContainer.Problem) {
            container = try GLBContainer(bytes.span)
        } catch {
            throw source.error("byte \(error.offset)", error.text)
        }
        return try read(
            text: Array(bytes[container.text]), binary: container.binary.map { Array(bytes[$0]) }, prefix: "JSON chunk, ", &source)
    }

    /// Reads a glTF file, or the text of a GLB file with its binary chunk.
    /// - Parameter prefix: Text before syntax error locations in messages, when the text is not the whole file.
    static func read(
        text: [UInt8], binary: [UInt8]? = nil, prefix: String = "", _ source: inout ModelSource
    ) throws(SceneFileError) -> FloatMesh {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(parsing: text)
        } catch {
            throw source.error(prefix + error.place, error.reason)
        }
        do throws(SceneFileError) {
            var reader = try GLTFReader(document.root, binary: binary, source)
            defer { source = reader.source }
            return try reader.readAll()
        } catch {
            // Errors at JSON values do not contain the file yet.
            throw error.file == nil ? source.error(error.path, error.problem) : error
        }
    }
}

extension GLTFReader {
    private mutating func readAll() throws(SceneFileError) -> FloatMesh {
        try warnOfUnread()
        let draws = try gather()
        return try build(draws)
    }

    mutating func warn(_ value: JSONValue, _ problem: String) { source.warn(value.path, problem) }

    private static func checkVersion(_ root: JSONValue) throws(SceneFileError) {
        guard let asset = root["asset"], let version = asset["version"] else { throw root.error("missing key \"asset.version\"") }
        guard try version.readString().hasPrefix("2.") else {
            throw version.error("glTF version \(version.brief.dropFirst("the string ".count)) is not supported; only version 2 is")
        }
        guard let required = root["extensionsRequired"] else { return }
        for name in try required.readArray() {
            let text = try name.readString()
            guard knownExtensions.contains(text) else { throw name.error("the extension \(text.quotedBriefly) is not supported") }
        }
    }

    /// The triangles of the scene's nodes.
    private mutating func gather() throws(SceneFileError) -> [Draw] {
        var draws: [Draw] = []
        var (vertices, triangles) = (0, 0)
        for (node, transform) in try placedNodes() {
            guard let value = nodes[node]["mesh"] else { continue }
            let (index, mesh) = try Self.element(value, of: meshes, "mesh")
            for primitive in try readPrimitives(index, mesh) {
                vertices += primitive.positions.count
                triangles += primitive.triangleCount
                guard vertices <= Mesh.maximumNumberOfVertices else {
                    throw nodes[node].error("with this mesh, the model has more than \(Mesh.maximumNumberOfVertices) vertices")
                }
                guard triangles <= Mesh.maximumNumberOfTriangles else {
                    throw nodes[node].error("with this mesh, the model has more than \(Mesh.maximumNumberOfTriangles) triangles")
                }
                draws.append(Draw(primitive: primitive, node: node, transform: transform))
            }
        }
        return draws
    }

    private mutating func readPrimitives(_ index: Int, _ mesh: JSONValue) throws(SceneFileError) -> [GLTFPrimitive] {
        if let known = primitives[index] { return known }
        guard let list = mesh["primitives"] else { throw mesh.error("missing key \"primitives\"") }
        var found: [GLTFPrimitive] = []
        for value in try list.readArray() {
            if let primitive = try readPrimitive(value) { found.append(primitive) }
        }
        primitives[index] = found
        return found
    }

    private mutating func build(_ draws: [Draw]) throws(SceneFileError) -> FloatMesh {
        var parts = ModelParts()
        parts.reserve(
            vertices: draws.reduce(0) { $0 + $1.primitive.positions.count }, triangles: draws.reduce(0) { $0 + $1.primitive.triangleCount })
        for draw in draws {
            parts.use(material: draw.primitive.material.appearance)
            try append(draw.primitive, draw.transform, nodes[draw.node], to: &parts)
        }
        do throws(ModelParts.Excess) {
            return try parts.mesh(appearances: appearances)
        } catch {
            throw source.error("", error.text)
        }
    }

    private mutating func append(
        _ primitive: GLTFPrimitive, _ transform: Transform, _ node: JSONValue, to parts: inout ModelParts
    ) throws(SceneFileError) {
        let positions = try data.numbers(primitive.positions)
        let normals = try primitive.normals.map { (accessor) throws(SceneFileError) in try data.numbers(accessor) }
        let points = try primitive.textureCoordinates.map { (accessor) throws(SceneFileError) in try data.numbers(accessor) }
        let colors = try readColors(of: primitive)
        let first = UInt32(parts.vertexCount)
        let limit = FloatMesh.coordinateRange.upperBound
        let range = Mesh.textureCoordinateRange
        do throws(ModelParts.Excess) {
            for index in 0..<primitive.positions.count {
                let place = transform.point(positions.triple(index))
                // Convert to z-up: y becomes z, and -z becomes y.
                guard abs(place.x) <= limit, abs(place.y) <= limit, abs(place.z) <= limit else {
                    throw ModelParts.Excess(text: "vertex \(index) of the mesh is outside ±\(limit.plainText) meters")
                }
                var texture: SIMD2<Float>?
                if let points {
                    let point = primitive.material.textureTransform.point(points[2 * index], points[2 * index + 1])
                    guard range.contains(point.x), range.contains(point.y) else {
                        throw ModelParts.Excess(
                            text: "a texture coordinate of vertex \(index) of the mesh is outside ±\(range.upperBound.plainText)")
                    }
                    texture = SIMD2<Float>(point)
                }
                let normal = normals.flatMap { ModelParts.unit(transform.normal($0.triple(index))) }
                _ = try parts.add(
                    SIMD3(Float(place.x), Float(0 - place.z), Float(place.y)), texture: texture,
                    normal: normal.map { SIMD3($0.x, 0 - $0.z, $0.y) } ?? (normals == nil ? nil : .zero),
                    color: colors?[index])
            }
        } catch {
            throw node.error(error.text)
        }
        let indices = try primitive.indices.map { (accessor) throws(SceneFileError) in
            try data.indices(accessor, below: primitive.positions.count)
        }
        do throws(ModelParts.Excess) {
            for number in 0..<primitive.triangleCount {
                var corners = primitive.corners(number)
                if let indices { corners = SIMD3(indices[Int(corners.x)], indices[Int(corners.y)], indices[Int(corners.z)]) }
                // A mirroring transform reverses the winding (glTF 2.0, "Instantiation"), which is restored here.
                if transform.isMirroring { (corners.y, corners.z) = (corners.z, corners.y) }
                try parts.add(triangle: corners &+ SIMD3(repeating: first))
            }
        } catch {
            throw node.error(error.text)
        }
    }
}

extension [Float] {
    /// The vector at an index, in a list of three numbers per vector.
    @inline(__always)
    fileprivate func triple(_ index: Int) -> SIMD3<Double> {
        SIMD3(Double(self[3 * index]), Double(self[3 * index + 1]), Double(self[3 * index + 2]))
    }
}
