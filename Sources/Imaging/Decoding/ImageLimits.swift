/// Limits for images from files. They are checked before memory for the pixels is allocated.
public struct ImageLimits: Equatable, Sendable {
    /// The maximum width in pixels. Default 16,384.
    public var width: Int
    /// The maximum height in pixels. Default 16,384.
    public var height: Int
    /// The maximum number of pixels. Default 67,108,864 (64 Mi pixels, which decode to 256 MiB).
    public var pixels: Int
    /// The maximum size of a file in bytes. Default 268,435,456 (256 MiB).
    public var bytes: Int

    public init(width: Int = 16_384, height: Int = 16_384, pixels: Int = 1 << 26, bytes: Int = 1 << 28) {
        self.width = width
        self.height = height
        self.pixels = pixels
        self.bytes = bytes
    }

    /// Throws unless an image of this size is allowed.
    package func check(width: Int, height: Int, format: String) throws(ImagingError) {
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        guard width <= self.width, height <= self.height, !overflow, count <= pixels else {
            throw ImagingError(.tooLarge(width: width, height: height, limits: self), format: format)
        }
    }
}
