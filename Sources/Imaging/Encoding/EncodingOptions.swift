import WaymarkSystem

/// Options for encoding a picture. Formats ignore options that do not apply to them.
public struct EncodingOptions: Equatable, Sendable {
    /// The quality, from 1 (smallest file) to 100. Default nil: 85 for JPEG, and lossless for WebP. PNG and RGBA are always lossless.
    public var quality: Int?
    /// Whether a JPEG is progressive. A progressive JPEG first appears in low detail, and is usually a little smaller. Default false.
    public var isProgressive: Bool
    /// The maximum number of colors of a PNG with a palette, from 2 to 256. Default nil: no palette is used, and every color is kept. A
    /// picture that has no more colors than this is unchanged. Otherwise, a palette with alpha is chosen for the picture, and each pixel
    /// gets the nearest color of the palette. Pictures that are written in bands cannot have a palette, because a palette depends on the
    /// whole picture.
    public var paletteColors: Int?
    /// The color behind the transparent parts of a picture that is saved as JPEG, which has no alpha. Default nil: white. A translucent
    /// color is drawn over white first. Components outside 0…1 are clamped, as in `Color.premultipliedBytes`.
    public var background: Color?

    /// The number of threads that compress a PNG, which is divided into stripes of about a million bytes. Default nil: one thread for each
    /// processor that the process may use, according to its affinity mask and the quota of its control group. Values below 1 count as 1.
    /// The bytes of the file do not depend on this number.
    public var threadCount: Int?

    public init(
        quality: Int? = nil, isProgressive: Bool = false, paletteColors: Int? = nil, background: Color? = nil, threadCount: Int? = nil
    ) {
        self.quality = quality
        self.isProgressive = isProgressive
        self.paletteColors = paletteColors
        self.background = background
        self.threadCount = threadCount
    }
}

extension EncodingOptions {
    var threads: Int { threadCount ?? ProcessorCount.current.usable }

    /// Throws `badQuality` or `badPalette` if the quality or the number of colors applies to the format but is out of range.
    func check(_ format: ImageFormat) throws(ImagingError) {
        if format.hasQuality, let quality, !Self.qualities.contains(quality) {
            throw ImagingError(.badQuality(quality), format: format.name)
        }
        if format.hasPalette, let paletteColors, !Self.paletteColorCounts.contains(paletteColors) {
            throw ImagingError(.badPalette(paletteColors), format: format.name)
        }
    }

    /// The valid values of `quality`.
    package static let qualities = 1...100
    /// The valid values of `paletteColors`.
    package static let paletteColorCounts = IndexedBitmap.colorCounts
}
