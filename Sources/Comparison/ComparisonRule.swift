import WaymarkImaging

/// The allowed difference between two matching pictures.
///
/// This room compares pictures and placements, and reports the differences. It draws nothing and asserts nothing.
public struct ComparisonRule: Hashable, Sendable {
    /// The largest channel difference that counts as equal, 0…255. Default 0.
    public var threshold: Int
    /// The largest share of differing pixels in any 16 × 16 window, 0…1. Default 0.
    public var allowed: Double
    /// Whether differences at antialiased edges count. Default: they do.
    public var antialiasing: PictureComparison.Antialiasing

    public init(threshold: Int = 0, allowed: Double = 0, antialiasing: PictureComparison.Antialiasing = .compared) {
        self.threshold = threshold
        self.allowed = allowed
        self.antialiasing = antialiasing
    }

    /// Every byte is the same.
    public static let exact = Self()
    /// Allows for the rounding of another driver, or of another version: channels differ by up to 3, and by more in 2 % of the pixels of
    /// any window.
    public static let otherRenderer = Self(threshold: 3, allowed: 0.02)
}

extension PictureComparison {
    /// Compares two pictures by a rule.
    public init(_ first: Bitmap, _ second: Bitmap, _ rule: ComparisonRule) {
        self.init(first, second, threshold: rule.threshold, allowed: rule.allowed, antialiasing: rule.antialiasing)
    }
}
