/// Integer arithmetic on premultiplied pixels with 8 bits per channel.
enum Blend {
    /// a · b / 255, rounded to nearest.
    static func times(_ a: UInt8, _ b: UInt8) -> UInt8 {
        let product = UInt32(a) &* UInt32(b) &+ 128
        return UInt8(truncatingIfNeeded: (product &+ product >> 8) >> 8)
    }

    /// Composites a premultiplied pixel, times a coverage, over another (source over: Porter and Duff, 1984).
    static func over(
        _ target: UnsafeMutablePointer<UInt8>, _ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8, coverage: UInt8
    ) {
        let rest = 255 &- times(alpha, coverage)
        target[0] = times(red, coverage) &+ times(target[0], rest)
        target[1] = times(green, coverage) &+ times(target[1], rest)
        target[2] = times(blue, coverage) &+ times(target[2], rest)
        target[3] = 255 &- rest &+ times(target[3], rest)
    }
}
