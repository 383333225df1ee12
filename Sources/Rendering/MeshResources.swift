import WaymarkFrame
import WaymarkGPU
import WaymarkImaging

/// The meshes of frames and their textures on the GPU. They are uploaded once, independent of the camera, the instances and the lights.
final class MeshResources {
    private let context: Context
    // The renderer owns the caches, and they own this object.
    private unowned let caches: RendererCaches
    private let meshes = UploadCache<MeshBuffers>()
    private let textures = UploadCache<MeshTexture>()

    /// The buffers of a mesh.
    struct MeshBuffers {
        var vertices: Buffer
        /// The colors; nil for a mesh without colors.
        var colors: Buffer?
        /// Whether a vertex color has an alpha below 1.
        var hasTranslucentColors: Bool
        var indices: IndexBinding
        var indexCount: Int
        var detail: MeshDetail
        /// The pieces in which the software rasterizer draws a large mesh.
        var pieces: MeshPieces?
    }

    /// A texture with mipmaps, which may repeat and be minified.
    struct MeshTexture {
        var texture: Texture
        var isOpaque: Bool
    }

    init(_ context: Context, _ caches: RendererCaches) {
        self.context = context
        self.caches = caches
    }

    /// The caches of the buffers and textures.
    var evictable: [any BudgetedCache] { [meshes, textures] }

    /// The bytes of all cached buffers and textures.
    var byteCount: Int { meshes.keptBytes + textures.keptBytes }

    /// The buffers of a mesh; nil if it has no triangles.
    /// - Throws: `badArgument` if an index exceeds the vertices, or some vertices have no color.
    func buffers(_ mesh: FrameMesh) throws(GPUError) -> MeshBuffers? {
        let isShort = mesh.vertices.count <= 1 << 16
        let byteCount =
            mesh.vertices.count * MemoryLayout<MeshVertex>.stride + mesh.colors.count * MemoryLayout<SIMD4<UInt8>>.stride
            + mesh.indices.count * (isShort ? 2 : 4)
        return try meshes.value(for: mesh.key, byteCount: byteCount, caches) { () throws(GPUError) in
            guard mesh.indices.count >= 3, let last = mesh.indices.max() else { return nil }
            guard Int(last) < mesh.vertices.count else {
                throw GPUError(
                    .badArgument, stage: "upload a mesh", "\(mesh.name) has the index \(last), but only \(mesh.vertices.count) vertices")
            }
            guard mesh.colors.isEmpty || mesh.colors.count == mesh.vertices.count else {
                throw GPUError(
                    .badArgument, stage: "upload a mesh", "\(mesh.name) has \(mesh.colors.count) colors for \(mesh.vertices.count) vertices"
                )
            }
            let vertices = try buffer(mesh.vertices)
            let colors = mesh.colors.isEmpty ? nil : try buffer(mesh.colors)
            let indices =
                isShort
                ? IndexBinding(try buffer(mesh.indices.map { UInt16($0) }), .uint16) : IndexBinding(try buffer(mesh.indices), .uint32)
            return MeshBuffers(
                vertices: vertices, colors: colors, hasTranslucentColors: mesh.colors.contains { $0.w < 255 }, indices: indices,
                indexCount: mesh.indices.count / 3 * 3, detail: MeshDetail(mesh),
                pieces: context.isTunedForSoftware ? MeshPieces(mesh) : nil)
        }
    }

    private func buffer(_ elements: [some BitwiseCopyable]) throws(GPUError) -> Buffer {
        try elements.span.withUnsafeBytes { (bytes) throws(GPUError) in try Buffer(context, usage: .fixed, bytes: bytes) }
    }

    /// The texture of an image; nil if it has no pixels. An image beyond the device's limit is scaled down.
    func texture(_ image: FrameImage) throws(GPUError) -> MeshTexture? {
        let limit = context.info.maxTextureSize
        let (width, height) = (min(image.width, limit), min(image.height, limit))
        // All mipmaps together add a third of the image's size.
        return try textures.value(for: image.key, byteCount: width * height * 4 / 3 * 4, caches) { () throws(GPUError) in
            guard width > 0, height > 0 else { return nil }
            let bitmap = image.bitmap.scaled(toWidth: width, height: height)
            let texture = try Texture(context, width: width, height: height, isMipmapped: true)
            try texture.upload(bitmap.pixels, to: PixelRect(x: 0, y: 0, width: width, height: height))
            try texture.makeMipmaps()
            return MeshTexture(texture: texture, isOpaque: bitmap.isOpaque)
        }
    }
}

/// Uploaded objects by key; nil for empty objects.
private final class UploadCache<Upload>: BudgetedCache {
    private var uploads = LRUCache<UInt64, Upload?>()

    /// The cached value of a key, or the result of `make`, which is called after room has been made for it.
    func value(
        for key: UInt64, byteCount: Int, _ caches: RendererCaches, _ make: () throws(GPUError) -> Upload?
    ) throws(GPUError) -> Upload? {
        if let known = uploads.value(for: key) { return known }
        caches.makeRoom(for: byteCount)
        let made = try make()
        uploads.insert(made, for: key, byteCount: byteCount)
        return made
    }

    var keptBytes: Int { uploads.byteCount }
    var oldestUse: UInt64? { uploads.oldestUse }
    func evict(through picture: UInt64, bytes: Int) { uploads.evict(through: picture, bytes: bytes) }
}
