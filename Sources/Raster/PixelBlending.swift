import WaymarkImaging

extension UInt32 {
    /// A color as a pixel in memory: premultiplied RGBA.
    package init(premultiplied color: Color) {
        let bytes = color.premultipliedBytes
        self = UInt32(bytes.red) | UInt32(bytes.green) << 8 | UInt32(bytes.blue) << 16 | UInt32(bytes.alpha) << 24
    }
}

/// Composites one color over premultiplied pixels (source over: Porter and Duff, 1984), in integers: the same bytes on every machine.
struct PixelBlending {
    /// The color as a premultiplied pixel in memory.
    let color: UInt32
    private let alpha: UInt32

    init(_ color: Color) {
        self.color = UInt32(premultiplied: color)
        alpha = self.color >> 24
    }

    /// - Parameter pixel: The color as a premultiplied pixel in memory.
    @inline(__always)
    init(pixel: UInt32) {
        color = pixel
        alpha = pixel >> 24
    }

    var isOpaque: Bool { alpha == 255 }
    var isClear: Bool { alpha == 0 }

    /// Composites the color, times a coverage of 1…255, over pixels.
    @inline(__always)
    func lay(_ coverage: UInt32, over pixels: UnsafeMutablePointer<UInt32>, count: Int) {
        blend(coverage, alpha, pixels, count)
    }

    /// The color, times a coverage of 1…254, composited over a pixel.
    @inline(__always)
    func laid(_ coverage: UInt32, over pixel: UInt32) -> UInt32 {
        Self.scaled(color, by: coverage) &+ Self.scaled(pixel, by: 255 &- Self.dividedBy255(alpha &* coverage))
    }

    /// Replaces pixels with the color, in proportion to a coverage of 1…255.
    @inline(__always)
    func put(_ coverage: UInt32, inPlaceOf pixels: UnsafeMutablePointer<UInt32>, count: Int) {
        blend(coverage, 255, pixels, count)
    }

    /// Composites the color times a coverage over pixels; `share` of that coverage takes another color.
    func lay(
        _ coverage: UInt32, with other: PixelBlending, _ share: UInt32, over pixels: UnsafeMutablePointer<UInt32>, count: Int,
        _ isKnockout: Bool
    ) {
        var source: UInt32 = 0
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
            let sum = (color >> shift & 255) * (coverage - share) + (other.color >> shift & 255) * share
            source |= Self.dividedBy255(sum) << shift
        }
        let keep = 255 - (isKnockout ? coverage : source >> 24)
        if keep == 0 {
            pixels.update(repeating: source, count: count)
        } else {
            Self.blendSpan(source, keep, pixels, count)
        }
    }

    @inline(__always)
    private func blend(_ coverage: UInt32, _ alpha: UInt32, _ pixels: UnsafeMutablePointer<UInt32>, _ count: Int) {
        let source = coverage == 255 ? color : Self.scaled(color, by: coverage)
        let keep = 255 &- (coverage == 255 ? alpha : Self.dividedBy255(alpha &* coverage))
        if keep == 0 {
            pixels.update(repeating: source, count: count)
        } else if count < 4 {
            for index in 0..<count { pixels[index] = source &+ Self.scaled(pixels[index], by: keep) }
        } else {
            Self.blendSpan(source, keep, pixels, count)
        }
    }

    /// Composites pixels over others.
    static func lay(_ source: UnsafePointer<UInt32>, over pixels: UnsafeMutablePointer<UInt32>, count: Int) {
        for index in 0..<count where source[index] != 0 {
            let keep = 255 - source[index] >> 24
            pixels[index] = keep == 0 ? source[index] : source[index] &+ scaled(pixels[index], by: keep)
        }
    }

    /// Composites four pixels at a time, and the rest one by one.
    private static func blendSpan(_ source: UInt32, _ keep: UInt32, _ pixels: UnsafeMutablePointer<UInt32>, _ count: Int) {
        let low = SIMD8<UInt16>(repeating: 0xFF)
        let keeps = SIMD8<UInt16>(repeating: UInt16(keep))
        let half = SIMD8<UInt16>(repeating: 128)
        let eight = SIMD8<UInt16>(repeating: 8)
        let (first, second) = (UInt16(truncatingIfNeeded: source), UInt16(truncatingIfNeeded: source >> 16))
        let sources = SIMD8<UInt16>(first, second, first, second, first, second, first, second)
        let raw = UnsafeMutableRawPointer(pixels)
        var index = 0
        while index + 4 <= count {
            let old = raw.loadUnaligned(fromByteOffset: index * 4, as: SIMD8<UInt16>.self)
            var even = (old & low) &* keeps &+ half
            even = (even &+ (even &>> eight)) &>> eight
            var odd = (old &>> eight) &* keeps &+ half
            odd = (odd &+ (odd &>> eight)) & ~low
            // No channel carries into the next: the sum is at most the source's alpha plus its complement.
            raw.storeBytes(of: (even | odd) &+ sources, toByteOffset: index * 4, as: SIMD8<UInt16>.self)
            index += 4
        }
        while index < count {
            pixels[index] = source &+ scaled(pixels[index], by: keep)
            index += 1
        }
    }

    /// Each of four bytes times a factor of 0…255, divided by 255 and rounded to nearest (Blinn, "Three Wrongs Make a Right", 1995).
    @inline(__always)
    private static func scaled(_ pixel: UInt32, by factor: UInt32) -> UInt32 {
        let mask: UInt64 = 0x00FF_00FF_00FF_00FF
        let wide = (UInt64(pixel) | UInt64(pixel) << 24) & mask
        var product = wide &* UInt64(factor) &+ 0x0080_0080_0080_0080
        product = ((product &+ ((product >> 8) & mask)) >> 8) & mask
        return UInt32(truncatingIfNeeded: product | product >> 24)
    }

    @inline(__always)
    private static func dividedBy255(_ value: UInt32) -> UInt32 {
        let sum = value &+ 128
        return (sum &+ sum >> 8) >> 8
    }
}
