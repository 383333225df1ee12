extension Bitmap {
    /// The picture composited over a color, which is itself composited over white: every pixel is opaque.
    package func laid(over color: Color) -> Bitmap {
        let background = color.premultipliedBytes
        let paper = 255 - background.alpha
        let channels = [background.red &+ paper, background.green &+ paper, background.blue &+ paper]
        var result = self
        result.withUnsafeMutablePixels { pixels in
            for offset in stride(from: 0, to: pixels.count, by: 4) {
                let rest = 255 &- pixels[offset &+ 3]
                for channel in 0..<3 {
                    let (sum, overflow) = pixels[offset &+ channel].addingReportingOverflow(Alpha.premultiply(channels[channel], by: rest))
                    pixels[offset &+ channel] = overflow ? 255 : sum
                }
                pixels[offset &+ 3] = 255
            }
        }
        return result
    }
}
