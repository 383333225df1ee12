/// A pixel that fills of a run share, with room for rounding: 24 bits after the point of each channel, 30 of the share.
///
/// It is made of two parts, what the fills have covered and what they have left free. The contract's formula for a fill of coverage s,
/// alpha a and color c over premultiplied color P, alpha A and coverage w so far, P ← s·a·c + P (1 − o·a/w) with o = max(0, w + s − 1), is for
/// the covered part alone; outlines lie over both parts, and what a fill covers first is what they have left in the free one.
struct BlendedPixel {
    /// The color of the covered part times its share: premultiplied red, green, blue and alpha.
    private var covered = SIMD4<UInt32>.zero
    /// The color of the free part.
    private var free: SIMD4<UInt32>
    /// The share of the covered part.
    private(set) var share: UInt32 = 0

    /// A whole pixel.
    static let whole: UInt32 = 1 << 30

    init(_ pixel: UInt32) {
        free = SIMD4(truncatingIfNeeded: Self.channels(pixel))
    }

    private static func channels(_ pixel: UInt32) -> SIMD4<UInt64> {
        SIMD4(truncatingIfNeeded: SIMD4<UInt32>(pixel, pixel &>> 8, pixel &>> 16, pixel &>> 24) & 255) &<< 24
    }

    private static func wide(_ channels: SIMD4<UInt32>) -> SIMD4<UInt64> { SIMD4(truncatingIfNeeded: channels) }

    /// Adds a fill.
    /// - Parameters:
    ///   - color: The fill's color as a premultiplied pixel.
    ///   - coverage: How much of the pixel it covers, of `whole`.
    mutating func cover(_ color: UInt32, _ coverage: UInt32) {
        let first = min(coverage, Self.whole - share)
        let over = coverage - first
        let (channels, alpha) = (Self.channels(color), UInt64(color >> 24))
        if over > 0 {
            // At most 1: of the covered part, no more can be covered again than there is.
            let lost = (UInt64(over) * alpha) << 24 / (255 * UInt64(share))
            covered &-= SIMD4(truncatingIfNeeded: (Self.wide(covered) &* lost) &>> 24)
        }
        let keep = ((255 - alpha) << 24) / 255
        let laid = channels &+ (Self.wide(free) &* keep) &>> 24
        covered &+= SIMD4(truncatingIfNeeded: (channels &* UInt64(over) &+ laid &* UInt64(first)) &>> 30)
        share += first
    }

    /// Composites an outline over both parts.
    /// - Parameter coverage: 1…255.
    mutating func lay(_ color: UInt32, _ coverage: UInt32) {
        let (coverage, alpha) = (UInt64(coverage), UInt64(color >> 24))
        let added = (Self.channels(color) &* coverage) / 255
        let keep = ((255 * 255 - alpha * coverage) << 24) / (255 * 255)
        free = SIMD4(truncatingIfNeeded: added &+ (Self.wide(free) &* keep) &>> 24)
        covered = SIMD4(truncatingIfNeeded: (added &* UInt64(share)) &>> 30 &+ (Self.wide(covered) &* keep) &>> 24)
    }

    /// The color of both parts together, rounded to nearest.
    var pixel: UInt32 {
        let sum = Self.wide(covered) &+ (Self.wide(free) &* UInt64(Self.whole - share)) &>> 30
        let bytes = (sum &+ (1 << 23)) &>> 24
        return UInt32(bytes.x) | UInt32(bytes.y) << 8 | UInt32(bytes.z) << 16 | UInt32(bytes.w) << 24
    }
}
