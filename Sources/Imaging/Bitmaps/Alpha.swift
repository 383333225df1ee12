/// Conversion between straight and premultiplied bytes in integer arithmetic, so that results are the same on every machine.
///
/// Both directions round to nearest, with halves rounded up. For `p <= a`, converting `p` to straight and back gives `p` again, so a
/// bitmap survives a PNG unchanged.
package enum Alpha {
    /// `straight · alpha / 255`, rounded to nearest. Halves do not occur, because 255 is odd.
    @inline(__always)
    package static func premultiply(_ straight: UInt8, by alpha: UInt8) -> UInt8 {
        let product = UInt32(straight) &* UInt32(alpha) &+ 128
        return UInt8(truncatingIfNeeded: (product &+ product >> 8) >> 8)
    }

    /// `255 · 2^24 / alpha`, rounded up so that exact halves still round up; 0 for alpha 0.
    private static let reciprocals: [UInt32] = (0...255).map { alpha in alpha == 0 ? 0 : ((255 << 24) + UInt32(alpha) - 1) / UInt32(alpha) }

    /// Converts `count` premultiplied pixels to straight pixels. Each color becomes `premultiplied · 255 / alpha`, rounded to nearest,
    /// with halves rounded up. It becomes 0 where alpha is 0, and 255 where the color exceeds its alpha.
    package static func unpremultiply(_ source: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>, count: Int) {
        let source = UnsafeRawPointer(source)
        let target = UnsafeMutableRawPointer(target)
        let end = count &* 4
        // The alpha bytes of two opaque pixels, in memory order.
        let opaque = UInt64(littleEndian: 0xff00_0000_ff00_0000)
        reciprocals.withUnsafeBufferPointer { reciprocals in
            // The last translucent pixel and its result are cached, because the pixels of a line or an area are often equal.
            var last: UInt32 = 0
            var lastStraight: UInt32 = 0
            var offset = 0
            // Most pixels are transparent or opaque. Groups of eight such pixels, and then of two, are converted at once.
            while offset &+ 8 <= end {
                while offset &+ 32 <= end {
                    let first = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    let second = source.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self)
                    let third = source.loadUnaligned(fromByteOffset: offset &+ 16, as: UInt64.self)
                    let fourth = source.loadUnaligned(fromByteOffset: offset &+ 24, as: UInt64.self)
                    guard first | second | third | fourth == 0 || first & second & third & fourth & opaque == opaque else { break }
                    target.storeBytes(of: first, toByteOffset: offset, as: UInt64.self)
                    target.storeBytes(of: second, toByteOffset: offset &+ 8, as: UInt64.self)
                    target.storeBytes(of: third, toByteOffset: offset &+ 16, as: UInt64.self)
                    target.storeBytes(of: fourth, toByteOffset: offset &+ 24, as: UInt64.self)
                    offset &+= 32
                }
                guard offset &+ 8 <= end else { break }
                let pair = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                if pair == 0 || pair & opaque == opaque {
                    target.storeBytes(of: pair, toByteOffset: offset, as: UInt64.self)
                } else {
                    unpremultiply(source + offset, target + offset, reciprocals, &last, &lastStraight)
                    unpremultiply(source + offset + 4, target + offset + 4, reciprocals, &last, &lastStraight)
                }
                offset &+= 8
            }
            if offset < end { unpremultiply(source + offset, target + offset, reciprocals, &last, &lastStraight) }
        }
    }

    /// Converts `count` straight pixels to premultiplied pixels, in place.
    package static func premultiply(_ pixels: UnsafeMutablePointer<UInt8>, count: Int) {
        for offset in stride(from: 0, to: count &* 4, by: 4) {
            let alpha = pixels[offset &+ 3]
            guard alpha != 255 else { continue }
            pixels[offset] = premultiply(pixels[offset], by: alpha)
            pixels[offset &+ 1] = premultiply(pixels[offset &+ 1], by: alpha)
            pixels[offset &+ 2] = premultiply(pixels[offset &+ 2], by: alpha)
        }
    }
}

private extension Alpha {
    /// Converts one pixel.
    @inline(__always)
    static func unpremultiply(
        _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ reciprocals: UnsafeBufferPointer<UInt32>, _ last: inout UInt32,
        _ lastStraight: inout UInt32
    ) {
        let word = UInt32(littleEndian: source.loadUnaligned(as: UInt32.self))
        let alpha = UInt8(truncatingIfNeeded: word >> 24)
        var straight = word
        if alpha == 0 {
            straight = 0
        } else if alpha != 255 {
            if word != last {
                let reciprocal = reciprocals[Int(alpha)]
                lastStraight = UInt32(unpremultiply(UInt8(truncatingIfNeeded: word), alpha: alpha, reciprocal: reciprocal))
                lastStraight |= UInt32(unpremultiply(UInt8(truncatingIfNeeded: word >> 8), alpha: alpha, reciprocal: reciprocal)) << 8
                lastStraight |= UInt32(unpremultiply(UInt8(truncatingIfNeeded: word >> 16), alpha: alpha, reciprocal: reciprocal)) << 16
                lastStraight |= UInt32(alpha) << 24
                last = word
            }
            straight = lastStraight
        }
        target.storeBytes(of: straight.littleEndian, as: UInt32.self)
    }

    /// The result never overflows, because `min(p, a) · reciprocal` is at most `255 · 2^24 + 255`, and adding half of 2^24 still fits in
    /// 32 bits.
    @inline(__always)
    static func unpremultiply(_ premultiplied: UInt8, alpha: UInt8, reciprocal: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: (UInt32(min(premultiplied, alpha)) &* reciprocal &+ 1 << 23) >> 24)
    }
}
