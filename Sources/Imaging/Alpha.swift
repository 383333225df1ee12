/// The arithmetic between straight and premultiplied bytes: integers only, so every machine gets the same.
///
/// Both directions round to nearest, halves up. For `p <= a` the way `p → straight → p` gives `p` again,
/// so a bitmap survives a PNG unchanged.
package enum Alpha {
    /// `straight · alpha / 255`, rounded to nearest. (Halves do not occur, 255 being odd.)
    @inline(__always)
    package static func premultiply(_ straight: UInt8, by alpha: UInt8) -> UInt8 {
        let product = UInt32(straight) &* UInt32(alpha) &+ 128
        return UInt8(truncatingIfNeeded: (product &+ product >> 8) >> 8)
    }

    /// `255 · 2^24 / alpha`, rounded up so that exact halves still round up; 0 for alpha 0.
    private static let reciprocals: [UInt32] = (0...255).map { alpha in alpha == 0 ? 0 : ((255 << 24) + UInt32(alpha) - 1) / UInt32(alpha) }

    /// Turns `count` premultiplied pixels into straight ones: each colour becomes `premultiplied · 255 / alpha`, rounded to nearest, halves up;
    /// 0 where alpha is 0, 255 where the colour exceeds its alpha.
    package static func unpremultiply(_ source: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>, count: Int) {
        reciprocals.withUnsafeBufferPointer { reciprocals in
            let sourceWords = UnsafeRawPointer(source)
            let targetWords = UnsafeMutableRawPointer(target)
            for offset in stride(from: 0, to: count &* 4, by: 4) {
                let word = UInt32(littleEndian: sourceWords.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                let alpha = UInt8(truncatingIfNeeded: word >> 24)
                var straight = word
                if alpha != 255 {
                    let reciprocal = reciprocals[Int(alpha)]
                    straight = 0
                    if alpha != 0 {
                        straight = UInt32(unpremultiply(UInt8(truncatingIfNeeded: word), alpha: alpha, reciprocal: reciprocal))
                        straight |= UInt32(unpremultiply(UInt8(truncatingIfNeeded: word >> 8), alpha: alpha, reciprocal: reciprocal)) << 8
                        straight |= UInt32(unpremultiply(UInt8(truncatingIfNeeded: word >> 16), alpha: alpha, reciprocal: reciprocal)) << 16
                        straight |= UInt32(alpha) << 24
                    }
                }
                targetWords.storeBytes(of: straight.littleEndian, toByteOffset: offset, as: UInt32.self)
            }
        }
    }

    /// Turns `count` straight pixels into premultiplied ones, in place.
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
    /// Never overflows: `min(p, a) · reciprocal` is at most `255 · 2^24 + 255`, and half of 2^24 more still fits 32 bits.
    @inline(__always)
    static func unpremultiply(_ premultiplied: UInt8, alpha: UInt8, reciprocal: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: (UInt32(min(premultiplied, alpha)) &* reciprocal &+ 1 << 23) >> 24)
    }
}
