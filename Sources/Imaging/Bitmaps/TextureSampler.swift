/// How a texture is sampled outside its edges, and when it is magnified or minified.
public struct TextureSampler: Hashable, Sendable {
    /// The horizontal wrap mode, for texture coordinates u outside 0…1. Default `repeat`.
    public var wrapU: Wrap
    /// The vertical wrap mode, for texture coordinates v outside 0…1. Default `repeat`.
    public var wrapV: Wrap
    /// The filter used when the texture is magnified. Default `linear`.
    public var magFilter: Filter
    /// The filter used within the texture, or within each mipmap, when the texture is minified. Default `linear`.
    public var minFilter: Filter
    /// The selection of mipmaps when the texture is minified. Default `linear`.
    public var mipmapFilter: MipmapFilter

    /// The way in which a texture continues outside its edges.
    public enum Wrap: String, CaseIterable, Hashable, Sendable {
        /// The texture repeats.
        case `repeat`
        /// The texture repeats, and every other copy is mirrored.
        case mirroredRepeat
        /// The nearest pixel of the edge repeats.
        case clampToEdge
    }

    /// How the color at a point between pixels is computed.
    public enum Filter: String, CaseIterable, Hashable, Sendable {
        /// Uses the nearest pixel.
        case nearest
        /// Uses the mean of the four nearest pixels, weighted by distance.
        case linear
    }

    /// How mipmaps, each half the size of the previous one, are selected.
    public enum MipmapFilter: String, CaseIterable, Hashable, Sendable {
        /// Mipmaps are not used. Pixels are skipped, and the texture flickers as it moves.
        case none
        /// Uses the mipmap with the nearest size.
        case nearest
        /// Uses the weighted mean of the two mipmaps with the nearest sizes.
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
