import WaymarkFrame
import WaymarkGPU
import WaymarkImaging

/// The meshes of frames and their textures on the GPU: uploaded once, whatever the camera, the instances and the lights do.
final class MeshResources {
    private let context: Context
    private var meshes: ResourceCache<Mesh?>
    private var textures: ResourceCache<Image?>

    /// The buffers of a mesh.
    struct Mesh {
        var vertices: Buffer
        var indices: IndexBinding
        var indexCount: Int
    }

    /// A texture of its own with mipmaps, so that it may repeat and be drawn small.
    struct Image {
        var texture: Texture
        var isOpaque: Bool
    }

    init(_ context: Context, meshByteLimit: Int, textureByteLimit: Int) {
        self.context = context
        meshes = ResourceCache(byteLimit: meshByteLimit)
        textures = ResourceCache(byteLimit: textureByteLimit)
    }

    /// Bytes of all buffers and textures kept.
    var byteCount: Int { meshes.byteCount + textures.byteCount }

    func beginFrame() {
        meshes.beginFrame()
        textures.beginFrame()
    }

    func endFrame() {
        meshes.endFrame()
        textures.endFrame()
    }

    /// The buffers of a mesh; nil when it has no triangles.
    /// - Throws: `badArgument` when an index is beyond the vertices.
    func buffers(_ mesh: FrameMesh) throws(GPUError) -> Mesh? {
        let isShort = mesh.vertices.count <= 1 << 16
        let byteCount = mesh.vertices.count * MemoryLayout<MeshVertex>.stride + mesh.indices.count * (isShort ? 2 : 4)
        return try meshes.value(mesh.key, byteCount: byteCount) { () throws(GPUError) in
            guard mesh.indices.count >= 3, let last = mesh.indices.max() else { return nil }
            guard Int(last) < mesh.vertices.count else {
                throw GPUError(
                    .badArgument, stage: "upload a mesh", "\(mesh.name) has an index \(last), and \(mesh.vertices.count) vertices")
            }
            let vertices = try buffer(mesh.vertices)
            let indices =
                isShort
                ? IndexBinding(try buffer(mesh.indices.map { UInt16($0) }), .uint16) : IndexBinding(try buffer(mesh.indices), .uint32)
            return Mesh(vertices: vertices, indices: indices, indexCount: mesh.indices.count / 3 * 3)
        }
    }

    private func buffer(_ elements: [some BitwiseCopyable]) throws(GPUError) -> Buffer {
        try elements.span.withUnsafeBytes { (bytes) throws(GPUError) in try Buffer(context, usage: .fixed, bytes: bytes) }
    }

    /// The texture of an image; nil when it has no pixels. One that is larger than the device takes is scaled down.
    func texture(_ image: FrameImage) throws(GPUError) -> Image? {
        let limit = context.info.maxTextureSize
        let (width, height) = (min(image.bitmap.width, limit), min(image.bitmap.height, limit))
        // All mipmaps together are a third of the image.
        return try textures.value(image.key, byteCount: width * height * 4 / 3 * 4) { () throws(GPUError) in
            guard width > 0, height > 0 else { return nil }
            let bitmap = image.bitmap.scaled(toWidth: width, height: height)
            let texture = try Texture(context, width: width, height: height, isMipmapped: true)
            try bitmap.pixels.span.withUnsafeBytes { (bytes) throws(GPUError) in
                try texture.upload(bytes, to: WaymarkGPU.PixelRect(x: 0, y: 0, width: width, height: height))
            }
            try texture.makeMipmaps()
            return Image(texture: texture, isOpaque: bitmap.isOpaque)
        }
    }
}
