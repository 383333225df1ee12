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
    /// Whether it has mipmaps, which `makeMipmaps()` generates, or which are uploaded.
    package let isMipmapped: Bool
    /// The number of mipmaps, the texture itself included.
    package let levels: Int

    let name: GLuint
    private let context: Context

    /// - Throws: `GPUError` with reason `unsupported` when the size exceeds the driver's limits.
    package init(_ context: Context, width: Int, height: Int, layers: Int = 1, isMipmapped: Bool = false) throws(GPUError) {
        let info = context.info
        guard 1...info.maxTextureSize ~= width, 1...info.maxTextureSize ~= height, 1...info.maxTextureLayers ~= layers else {
            throw GPUError(
                .unsupported, stage: "make a texture",
                "\(width) x \(height) pixels in \(layers) layers is outside 1...\(info.maxTextureSize) and 1...\(info.maxTextureLayers)")
        }
        self.context = context
        self.width = width
        self.height = height
        self.layers = layers
        self.isMipmapped = isMipmapped
        levels = isMipmapped ? Int.bitWidth - max(width, height).leadingZeroBitCount : 1
        let levels = levels
        name = try context.withCurrent { () throws(GPUError) in
            var name: GLuint = 0
            wm_glGenTextures(1, &name)
            context.trash.register(.texture(name))
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
    /// - Parameters:
    ///   - level: The mipmap: 0 is the texture itself, and each of the next has half the size.
    ///   - bytesPerRow: The distance between rows, a multiple of 4; nil when rows are contiguous.
    /// - Throws: `GPUError` with reason `badArgument` when the rectangle is not within the texture or `bytes` are too few.
    package func upload(
        _ bytes: UnsafeRawBufferPointer, to rect: PixelRect, layer: Int = 0, level: Int = 0, bytesPerRow: Int? = nil
    ) throws(GPUError) {
        let stride = bytesPerRow ?? rect.width * 4
        let isLevel = level == 0 || isMipmapped && 0..<levels ~= level
        guard isLevel, rect.isWithin(width: max(1, width >> level), height: max(1, height >> level)), 0..<layers ~= layer else {
            throw GPUError(
                .badArgument, stage: "upload to a texture",
                "\(rect), layer \(layer), mipmap \(level), is not within \(width) x \(height) x \(layers)")
        }
        guard rect.width > 0, rect.height > 0 else { return }
        try PixelRows.check("upload to a texture", rect, bytesPerRow: stride, byteCount: bytes.count)
        try context.withCurrent { () throws(GPUError) in
            context.state.bind(texture: name, unit: 0)
            wm_glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), GLint(stride / 4))
            wm_glTexSubImage3D(
                GLenum(GL_TEXTURE_2D_ARRAY), GLint(level), GLint(rect.x), GLint(rect.y), GLint(layer), GLsizei(rect.width),
                GLsizei(rect.height), 1,
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
            throw GPUError(.badArgument, stage: stage, "\(bytesPerRow) bytes a row do not suit \(rect.width) pixels of 4 bytes")
        }
        let needed = bytesPerRow * (rect.height - 1) + rect.width * 4
        guard byteCount >= needed else {
            throw GPUError(.badArgument, stage: stage, "\(byteCount) bytes are fewer than the \(needed) of \(rect.width) x \(rect.height)")
        }
    }
}
