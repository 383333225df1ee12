/// How a texture is sampled: outside its edges, and where it is drawn larger or smaller than it is.
public struct TextureSampler: Hashable, Sendable {
    /// What is left and right of the texture, where texture coordinates u are outside 0…1. Default: it repeats.
    public var wrapU: Wrap
    /// What is above and below the texture, where texture coordinates v are outside 0…1. Default: it repeats.
    public var wrapV: Wrap
    /// How it is filtered where it is drawn larger than it is. Default linear.
    public var magFilter: Filter
    /// How it, or each of its mipmaps, is filtered where it is drawn smaller. Default linear.
    public var minFilter: Filter
    /// How its mipmaps are chosen where it is drawn smaller. Default linear.
    public var mipmapFilter: MipmapFilter

    /// What is outside the edges of a texture.
    public enum Wrap: String, CaseIterable, Hashable, Sendable {
        /// The texture again.
        case `repeat`
        /// The texture again, every other one mirrored.
        case mirroredRepeat
        /// The nearest pixel of the edge.
        case clampToEdge
    }

    /// How a point between pixels is filtered.
    public enum Filter: String, CaseIterable, Hashable, Sendable {
        /// The nearest pixel.
        case nearest
        /// The mean of the four nearest pixels, weighted by their distance.
        case linear
    }

    /// How mipmaps, copies of the texture of half the size each, are chosen.
    public enum MipmapFilter: String, CaseIterable, Hashable, Sendable {
        /// Mipmaps are not used: pixels in between are skipped, and the texture flickers as it moves.
        case none
        /// The mipmap of the nearest size.
        case nearest
        /// The two mipmaps of the nearest sizes, weighted.
        case linear
    }

    public init(
        wrapU: Wrap = .repeat, wrapV: Wrap = .repeat, magFilter: Filter = .linear, minFilter: Filter = .linear,
        mipmapFilter: MipmapFilter = .linear
    ) {
        self.wrapU = wrapU
        self.wrapV = wrapV
        self.magFilter = magFilter
        self.minFilter = minFilter
        self.mipmapFilter = mipmapFilter
    }
}
