import Foundation

/// How a picture is written. What a format has no use for it does not look at.
public struct EncodingOptions: Equatable, Sendable {
    /// 1, small and coarse, to 100. nil, the default, means 85 for JPEG, and no loss at all for WebP. PNG and RGBA never lose anything.
    public var quality: Int?
    /// What a JPEG, which has no alpha, is laid over. nil, the default, means white; a translucent colour is itself laid over white.
    /// Of an invalid colour, components outside 0…1 count as the nearer end, as in `Color.premultipliedBytes`.
    public var background: Color?

    /// How many threads compress a PNG of more than about a million bytes; never more than there are stripes of so many. nil, the default,
    /// means one for each processor the process is scheduled on; below 1 counts as 1. The file is the same with any number.
    public var threadCount: Int?

    public init(quality: Int? = nil, background: Color? = nil, threadCount: Int? = nil) {
        self.quality = quality
        self.background = background
        self.threadCount = threadCount
    }
}

extension EncodingOptions {
    var threads: Int { threadCount ?? ProcessInfo.processInfo.activeProcessorCount }

    /// Throws `badQuality` unless the quality is one.
    func check(_ format: ImageFormat) throws(ImagingError) {
        guard let quality, !(1...100).contains(quality) else { return }
        throw ImagingError(.badQuality(quality), format: format.name)
    }
}
