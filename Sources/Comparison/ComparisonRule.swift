import WaymarkImaging

/// The allowed difference between two matching pictures.
///
/// This module compares pictures and inspections, and reports the differences. It does not draw, and makes no assertions.
public struct ComparisonRule: Hashable, Sendable {
    /// The largest channel difference that still counts as equal, 0…255. Default 0.
    public var threshold: Int
    /// The largest allowed share of differing pixels in any 16 × 16 window, 0…1. Default 0.
    public var allowed: Double
    /// Whether differences at antialiased edges count. Default `compared`: they do.
    public var antialiasing: PictureComparison.Antialiasing

    public init(threshold: Int = 0, allowed: Double = 0, antialiasing: PictureComparison.Antialiasing = .compared) {
        self.threshold = threshold
        self.allowed = allowed
        self.antialiasing = antialiasing
    }

    /// Requires every byte to be the same.
    public static let exact = Self()
    /// Allows differences in rounding between drivers, or between versions of a driver. Channels may differ by up to 3, and 2% of the
    /// pixels in any window may differ by more.
    public static let otherRenderer = Self(threshold: 3, allowed: 0.02)
}

extension PictureComparison {
    /// Compares two pictures under a rule.
    /// - Parameter leftOut: The pixels that are not compared. Default: every pixel is compared.
    public init(_ first: Bitmap, _ second: Bitmap, _ rule: ComparisonRule, leavingOut leftOut: PixelMask? = nil) {
        self.init(
            first, second, threshold: rule.threshold, allowed: rule.allowed, antialiasing: rule.antialiasing, leavingOut: leftOut)
    }
}
