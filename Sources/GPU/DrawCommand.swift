import WaymarkImaging

/// The complete description of one draw. It never relies on the previous one. If a uniform or texture of the shader is missing here, this
/// is an error.
package struct DrawCommand {
    /// The program and the fixed functions.
    package var pipeline: Pipeline
    /// A buffer for each of the pipeline's layouts, in their order.
    package var vertices: [VertexBinding] = []
    /// The indices; nil draws the vertices in order.
    package var indices: IndexBinding?
    /// A texture for each sampler of the shader, by name.
    package var textures: [TextureBinding] = []
    /// A value for each uniform of the shader, by name.
    package var uniforms: [Uniform] = []
    /// The first vertex, or the first index, of an instance.
    package var first = 0
    /// The number of vertices, or indices, of an instance.
    package var count: Int
    /// Parts of the indices, in the order in which they are drawn. Together, they contain all indices. Default: empty, for a single draw of
    /// all indices. A software rasterizer works on the first parts while the vertices of the others are being computed.
    package var pieces: [Range<Int>] = []
    /// The number of instances. A range of instances starts at the binding's `byteOffset`.
    package var instances = 1
    /// Limits the draw to this rectangle; nil draws everywhere.
    package var scissor: PixelRect?

    package init(_ pipeline: Pipeline, count: Int) {
        self.pipeline = pipeline
        self.count = count
    }
}

/// A buffer as the source of one layout.
package struct VertexBinding {
    package var buffer: Buffer
    /// The offset of the first vertex or instance.
    package var byteOffset: Int

    package init(_ buffer: Buffer, byteOffset: Int = 0) {
        self.buffer = buffer
        self.byteOffset = byteOffset
    }
}

/// A buffer as the source of indices.
package struct IndexBinding {
    /// The size of an index.
    package enum Format: Equatable, Sendable {
        case uint16, uint32
    }

    package var buffer: Buffer
    package var format: Format

    package init(_ buffer: Buffer, _ format: Format) {
        self.buffer = buffer
        self.format = format
    }
}

/// A texture for a `sampler2DArray` of the shader, and how it is sampled in this draw.
package struct TextureBinding {
    /// The sampler's name in the shader.
    package var name: String
    package var texture: Texture
    package var sampler: TextureSampler

    package init(_ name: String, _ texture: Texture, _ sampler: TextureSampler = .nearest) {
        self.name = name
        self.texture = texture
        self.sampler = sampler
    }
}

extension TextureSampler {
    /// The nearest texel, clamped to the edges.
    package static let nearest = TextureSampler(
        wrapU: .clampToEdge, wrapV: .clampToEdge, magFilter: .nearest, minFilter: .nearest, mipmapFilter: .none)
    /// The four nearest texels, clamped to the edges, without mipmaps.
    package static let linear = TextureSampler(wrapU: .clampToEdge, wrapV: .clampToEdge, mipmapFilter: .none)
}
