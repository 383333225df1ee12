import CWaymarkGLES
import WaymarkImaging

/// An RGBA8 texture of one or more layers of the same size (a 2D array texture) with immutable storage. Its contents are undefined
/// until uploaded. Each `TextureBinding` chooses how it is sampled.
package final class Texture {
    /// In pixels.
    package let width: Int
    package let height: Int
    /// The number of layers.
    package let layers: Int
    /// Whether the texture has mipmaps, which `makeMipmaps()` generates.
    package let isMipmapped: Bool

    let name: GLuint
    private let context: Context

    /// - Throws: `GPUError` with reason `unsupported` if the size exceeds the driver's limits.
    package init(_ context: Context, width: Int, height: Int, layers: Int = 1, isMipmapped: Bool = false) throws(GPUError) {
        let info = context.info
        guard 1...info.maxTextureSize ~= width, 1...info.maxTextureSize ~= height, 1...info.maxTextureLayers ~= layers else {
            throw GPUError(
                .unsupported, stage: "make a texture",
                "a texture of \(width) x \(height) x \(layers) is outside the limits 1...\(info.maxTextureSize) pixels "
                    + "and 1...\(info.maxTextureLayers) layers")
        }
        self.context = context
        self.width = width
        self.height = height
        self.layers = layers
        self.isMipmapped = isMipmapped
        // The number of levels includes the texture itself.
        let levels = isMipmapped ? Int.bitWidth - max(width, height).leadingZeroBitCount : 1
        name = try context.withCurrent { () throws(GPUError) in
            let name = context.makeObject(wm_glGenTextures, ResourceName.texture)
            context.state.bind(texture: name, unit: 0)
            wm_glTexStorage3D(
                GLenum(GL_TEXTURE_2D_ARRAY), GLsizei(levels), GLenum(GL_RGBA8), GLsizei(width), GLsizei(height), GLsizei(layers))
            do throws(GPUError) {
                try context.checkErrors("make a texture of \(width) x \(height) x \(layers)")
                context.queuedByteCount += width * height * layers * 4
            } catch {
                context.trash.discard(.texture(name))
                throw error
            }
            return name
        }
    }

    deinit { context.trash.discard(.texture(name)) }
}

extension Texture {
    /// Uploads rows of 4-byte pixels into a rectangle of a layer.
    package func upload(_ pixels: [some BitwiseCopyable], to rect: PixelRect, layer: Int = 0) throws(GPUError) {
        try pixels.span.withUnsafeBytes { (bytes) throws(GPUError) in try upload(bytes, to: rect, layer: layer) }
    }

    /// Uploads rows of 4-byte pixels into a rectangle of a layer.
    /// - Throws: `GPUError` with reason `badArgument` if the rectangle is not within the texture or there are too few `bytes`.
    package func upload(_ bytes: UnsafeRawBufferPointer, to rect: PixelRect, layer: Int = 0) throws(GPUError) {
        guard rect.isWithin(width: width, height: height), 0..<layers ~= layer else {
            throw GPUError(
                .badArgument, stage: "upload to a texture",
                "\(rect) is not within layer \(layer) of a texture with \(width) x \(height) pixels and \(layers) layers")
        }
        guard rect.width > 0, rect.height > 0 else { return }
        try PixelRows.check("upload to a texture", rect, bytesPerRow: rect.width * 4, byteCount: bytes.count)
        try context.withCurrent { () throws(GPUError) in
            context.state.bind(texture: name, unit: 0)
            wm_glTexSubImage3D(
                GLenum(GL_TEXTURE_2D_ARRAY), 0, GLint(rect.x), GLint(rect.y), GLint(layer), GLsizei(rect.width), GLsizei(rect.height), 1,
                GLenum(GL_RGBA), GLenum(GL_UNSIGNED_BYTE), bytes.baseAddress)
            context.uploadedByteCount += rect.width * rect.height * 4
        }
    }
}

extension Texture {
    /// Generates the mipmaps from the uploaded contents, if the texture has any.
    package func makeMipmaps() throws(GPUError) {
        guard isMipmapped else { return }
        try context.withCurrent { () throws(GPUError) in
            context.state.bind(texture: name, unit: 0)
            wm_glGenerateMipmap(GLenum(GL_TEXTURE_2D_ARRAY))
        }
    }

    func belongs(to other: Context) -> Bool { context === other }
}

/// Rows of RGBA8 pixels in the caller's memory.
enum PixelRows {
    /// Throws unless `byteCount` bytes hold the rectangle's rows.
    static func check(_ stage: String, _ rect: PixelRect, bytesPerRow: Int, byteCount: Int) throws(GPUError) {
        guard bytesPerRow >= rect.width * 4, bytesPerRow % 4 == 0, bytesPerRow / 4 <= Int(Int32.max) else {
            throw GPUError(
                .badArgument, stage: stage, "\(bytesPerRow) bytes per row must be a multiple of 4 and hold \(rect.width) pixels of 4 bytes")
        }
        let needed = bytesPerRow * (rect.height - 1) + rect.width * 4
        guard byteCount >= needed else {
            throw GPUError(
                .badArgument, stage: stage, "\(byteCount) bytes are too few for \(rect.width) x \(rect.height) pixels, which need \(needed)"
            )
        }
    }
}
