/// Everything one draw needs. It never relies on the one before: what the shader wants and the command does not give is an error.
package struct DrawCommand {
    /// The program and the fixed functions.
    package var pipeline: Pipeline
    /// A buffer for each of the pipeline's layouts, in their order.
    package var vertices: [VertexBinding] = []
    /// Where indices are; nil draws the vertices in a row.
    package var indices: IndexBinding?
    /// A texture for each sampler of the shader, by name.
    package var textures: [TextureBinding] = []
    /// A value for each uniform of the shader, by name.
    package var uniforms: [Uniform] = []
    /// The first vertex, or the first index, of an instance.
    package var first = 0
    /// How many vertices, or indices, an instance has.
    package var count: Int
    /// How many instances; for a range of them, let the binding's `byteOffset` be where it starts.
    package var instances = 1
    /// Draws within this rectangle alone; nil draws everywhere.
    package var scissor: PixelRect?

    package init(_ pipeline: Pipeline, count: Int) {
        self.pipeline = pipeline
        self.count = count
    }
}

/// A buffer as the source of one layout.
package struct VertexBinding {
    package var buffer: Buffer
    /// Where the first vertex or instance starts.
    package var byteOffset: Int

    package init(_ buffer: Buffer, byteOffset: Int = 0) {
        self.buffer = buffer
        self.byteOffset = byteOffset
    }
}

/// A buffer as the source of indices.
package struct IndexBinding {
    /// The size of an index.
    package enum Kind: Equatable, Sendable {
        case uint16, uint32
    }

    package var buffer: Buffer
    package var kind: Kind

    package init(_ buffer: Buffer, _ kind: Kind) {
        self.buffer = buffer
        self.kind = kind
    }
}

/// A texture for a `sampler2DArray` of the shader, and how it is sampled in this draw.
package struct TextureBinding {
    /// Which texel a place between texels takes.
    package enum Filter: UInt8, Equatable, Sendable {
        case nearest, linear
        /// Linear, and between the mipmaps of a texture that has them where it is drawn smaller.
        case mipmapped
    }

    /// What lies outside (0, 0) … (1, 1).
    package enum Wrap: Equatable, Sendable {
        case clamp, repeating
    }

    /// The sampler's name in the shader.
    package var name: String
    package var texture: Texture
    package var filter: Filter
    package var wrap: Wrap

    package init(_ name: String, _ texture: Texture, filter: Filter = .nearest, wrap: Wrap = .clamp) {
        self.name = name
        self.texture = texture
        self.filter = filter
        self.wrap = wrap
    }
}
