/// How a texture is sampled: outside its edges, and when it is magnified or minified.
public struct TextureSampler: Hashable, Sendable {
    /// The horizontal wrap mode, for texture coordinates u outside 0…1. Default: repeat.
    public var wrapU: Wrap
    /// The vertical wrap mode, for texture coordinates v outside 0…1. Default: repeat.
    public var wrapV: Wrap
    /// The filter when the texture is magnified. Default linear.
    public var magFilter: Filter
    /// The filter within the texture, or within each mipmap, when it is minified. Default linear.
    public var minFilter: Filter
    /// How mipmaps are selected when the texture is minified. Default linear.
    public var mipmapFilter: MipmapFilter

    /// The content outside the edges of a texture.
    public enum Wrap: String, CaseIterable, Hashable, Sendable {
        /// The texture repeats.
        case `repeat`
        /// The texture repeats, every other copy mirrored.
        case mirroredRepeat
        /// The nearest pixel of the edge repeats.
        case clampToEdge
    }

    /// How a point between pixels is filtered.
    public enum Filter: String, CaseIterable, Hashable, Sendable {
        /// The nearest pixel.
        case nearest
        /// The mean of the four nearest pixels, weighted by their distance.
        case linear
    }

    /// How mipmaps, each half the size of the previous one, are selected.
    public enum MipmapFilter: String, CaseIterable, Hashable, Sendable {
        /// Mipmaps are not used: pixels in between are skipped, and the texture flickers as it moves.
        case none
        /// The mipmap of the nearest size.
        case nearest
        /// The weighted mean of the two mipmaps of the nearest sizes.
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
