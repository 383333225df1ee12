import WaymarkSystem

/// Options for encoding a picture. A format ignores options that do not apply to it.
public struct EncodingOptions: Equatable, Sendable {
    /// The quality, from 1 (smallest file) to 100. Default nil: 85 for JPEG, lossless for WebP. PNG and RGBA are always lossless.
    public var quality: Int?
    /// The background behind the transparent parts of a JPEG, which has no alpha. Default nil: white; a translucent color is itself
    /// drawn over white. Components outside 0…1 are clamped, as in `Color.premultipliedBytes`.
    public var background: Color?

    /// The number of threads that compress a PNG, in stripes of about a million bytes. Default nil: one for each processor that the
    /// process may use (by its affinity mask and the quota of its control group). Values below 1 count as 1. The bytes of the file do
    /// not depend on it.
    public var threadCount: Int?

    public init(quality: Int? = nil, background: Color? = nil, threadCount: Int? = nil) {
        self.quality = quality
        self.background = background
        self.threadCount = threadCount
    }
}

extension EncodingOptions {
    var threads: Int { threadCount ?? ProcessorCount.current.usable }

    /// Throws `badQuality` if the quality is out of range.
    func check(_ format: ImageFormat) throws(ImagingError) {
        guard let quality, !(1...100).contains(quality) else { return }
        throw ImagingError(.badQuality(quality), format: format.name)
    }
}
