import WaymarkSystem

/// How a picture is encoded. A format ignores the options that it has no use for.
public struct EncodingOptions: Equatable, Sendable {
    /// The quality from 1, smallest, to 100. Default nil: 85 for JPEG, lossless for WebP. PNG and RGBA are always lossless.
    public var quality: Int?
    /// The background behind the transparent parts of a JPEG, which has no alpha. Default nil: white; a translucent color is itself
    /// drawn over white. Components outside 0…1 are clamped, as in `Color.premultipliedBytes`.
    public var background: Color?

    /// The number of threads that compress a PNG; one compresses stripes of about a million bytes. Default nil: one for each processor
    /// that the process may use (its affinity mask and the quota of its control group). Less than 1 counts as 1. The bytes of the file
    /// do not depend on it.
    public var threadCount: Int?

    public init(quality: Int? = nil, background: Color? = nil, threadCount: Int? = nil) {
        self.quality = quality
        self.background = background
        self.threadCount = threadCount
    }
}

extension EncodingOptions {
    var threads: Int { threadCount ?? ProcessorCount.current.usable }

    /// Throws `badQuality` unless the quality is one.
    func check(_ format: ImageFormat) throws(ImagingError) {
        guard let quality, !(1...100).contains(quality) else { return }
        throw ImagingError(.badQuality(quality), format: format.name)
    }
}
