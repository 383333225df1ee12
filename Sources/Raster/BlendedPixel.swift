/// A pixel shared by the fills of a run, with extra bits for rounding: 24 fractional bits per channel, 30 for the share.
///
/// It has two parts: the part covered by the fills, and the free part. For a fill of coverage s, alpha a and color c over premultiplied
/// color P, alpha A and coverage w so far, the rule of `Path.Layering.beside` is P ← s·a·c + P (1 − o·a/w) with o = max(0, w + s − 1). It
/// applies only to the covered part. Outlines lie over both parts, and a fill first covers the remaining free part.
struct BlendedPixel {
    /// The color of the covered part times its share.
    private var covered: Channels
    /// The color of the free part.
    private var free: Channels
    /// The share of the covered part.
    private(set) var share: UInt32 = 0
    /// Whether several fills cover parts of the pixel.
    var isShared = false

    /// A whole pixel.
    static let whole: UInt32 = 1 << 30

    @inline(__always)
    init(_ pixel: UInt32) {
        covered = Channels(0)
        free = Channels(pixel)
    }

    /// Adds a fill.
    /// - Parameters:
    ///   - color: The fill's color as a premultiplied pixel.
    ///   - coverage: The covered share of the pixel, in units where `whole` is 1.
    @inline(__always)
    mutating func cover(_ color: UInt32, _ coverage: UInt32) {
        let first = UInt64(min(coverage, Self.whole - share))
        let over = UInt64(coverage) - first
        let alpha = UInt64(color >> 24)
        let keep = ((255 - alpha) << 24) / 255
        // At most 1: the overlap cannot exceed the covered part.
        let lost = over == 0 ? 0 : ((over * alpha) << 24) / (255 * UInt64(share))
        let channels = Channels(color)
        for index in 0..<4 {
            let (old, added) = (UInt64(covered[index]), UInt64(channels[index]))
            let laid = added &+ ((UInt64(free[index]) &* keep) >> 24)
            let sum = old &- ((old &* lost) >> 24) &+ ((added &* over &+ laid &* first) >> 30)
            covered[index] = UInt32(truncatingIfNeeded: sum)
        }
        share += UInt32(truncatingIfNeeded: first)
    }

    /// Composites an outline over both parts.
    /// - Parameter coverage: 1…255.
    @inline(__always)
    mutating func lay(_ color: UInt32, _ coverage: UInt32) {
        let (coverage, alpha) = (UInt64(coverage), UInt64(color >> 24))
        let keep = ((255 * 255 - alpha * coverage) << 24) / (255 * 255)
        let channels = Channels(color)
        for index in 0..<4 {
            let added = UInt64(channels[index]) &* coverage / 255
            free[index] = UInt32(truncatingIfNeeded: added &+ ((UInt64(free[index]) &* keep) >> 24))
            let sum = ((added &* UInt64(share)) >> 30) &+ ((UInt64(covered[index]) &* keep) >> 24)
            covered[index] = UInt32(truncatingIfNeeded: sum)
        }
    }

    /// The combined color of both parts, rounded to nearest.
    @inline(__always)
    var pixel: UInt32 {
        let rest = UInt64(Self.whole - share)
        var pixel: UInt32 = 0
        for index in 0..<4 {
            let sum = UInt64(covered[index]) &+ ((UInt64(free[index]) &* rest) >> 30)
            pixel |= UInt32(truncatingIfNeeded: (sum &+ (1 << 23)) >> 24) << UInt32(truncatingIfNeeded: 8 * index)
        }
        return pixel
    }
}

/// Premultiplied red, green, blue and alpha, each 0…255 with 24 fractional bits. Scalars, because processors cannot multiply vectors of
/// 64-bit numbers.
private struct Channels {
    var red: UInt32
    var green: UInt32
    var blue: UInt32
    var alpha: UInt32

    @inline(__always)
    init(_ pixel: UInt32) {
        (red, green, blue, alpha) = (pixel << 24, (pixel >> 8) << 24, (pixel >> 16) << 24, (pixel >> 24) << 24)
    }

    @inline(__always)
    subscript(index: Int) -> UInt32 {
        get {
            switch index {
            case 0: red
            case 1: green
            case 2: blue
            default: alpha
            }
        }
        set {
            switch index {
            case 0: red = newValue
            case 1: green = newValue
            case 2: blue = newValue
            default: alpha = newValue
            }
        }
    }
}
