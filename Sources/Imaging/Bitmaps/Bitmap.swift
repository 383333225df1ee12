/// A picture in memory: premultiplied RGBA with 8 bits per channel, sRGB-encoded, with the top row first and no padding between rows.
///
/// A bitmap has no size in pt, and has no drawing functions.
public struct Bitmap: Equatable, Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The red, green, blue and alpha of every pixel: `width * height * 4` bytes, with colors premultiplied by alpha.
    public private(set) var pixels: [UInt8]

    /// One pixel, with colors premultiplied by alpha.
    public struct Pixel: Hashable, Sendable {
        public var red: UInt8
        public var green: UInt8
        public var blue: UInt8
        public var alpha: UInt8

        public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
            self.alpha = alpha
        }
    }

    /// Creates a transparent bitmap. Sides must not be negative; a bitmap with a side of 0 has no pixels.
    public init(width: Int, height: Int) {
        precondition(width >= 0 && height >= 0, "the width or height of the bitmap is negative")
        self.init(unchecked: [UInt8](repeating: 0, count: width * height * 4), width: width, height: height)
    }

    /// Creates a bitmap of one color, converted by `Color.premultipliedBytes`. Sides must not be negative.
    public init(width: Int, height: Int, fill: Color) {
        self.init(width: width, height: height)
        let pixel = fill.premultipliedBytes
        guard pixel != Pixel(red: 0, green: 0, blue: 0, alpha: 0) else { return }
        for offset in stride(from: 0, to: pixels.count, by: 4) { store(pixel, at: offset) }
    }

    /// Creates a bitmap from straight (unpremultiplied) RGBA bytes. Each color becomes `color · alpha / 255`, rounded to nearest. Returns
    /// nil unless there are exactly `width * height * 4` bytes.
    public init?(width: Int, height: Int, straightPixels: [UInt8]) {
        self.init(width: width, height: height, premultipliedPixels: straightPixels)
        let count = width * height
        pixels.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            Alpha.premultiply(base, count: count)
        }
    }

    /// Creates a bitmap from premultiplied RGBA bytes, without changing them. Returns nil unless there are exactly `width * height * 4`
    /// bytes.
    public init?(width: Int, height: Int, premultipliedPixels: [UInt8]) {
        guard width >= 0, height >= 0, premultipliedPixels.count == width * height * 4 else { return nil }
        self.init(unchecked: premultipliedPixels, width: width, height: height)
    }

    init(unchecked pixels: [UInt8], width: Int, height: Int) {
        assert(pixels.count == width * height * 4)
        self.width = width
        self.height = height
        self.pixels = pixels
    }
}

public extension Bitmap {
    /// The premultiplied pixel in column `x` from the left and row `y` from the top. The position must lie inside the bitmap.
    subscript(x: Int, y: Int) -> Pixel {
        get {
            let offset = offset(x, y)
            return Pixel(red: pixels[offset], green: pixels[offset + 1], blue: pixels[offset + 2], alpha: pixels[offset + 3])
        }
        set { store(newValue, at: offset(x, y)) }
    }

    /// All pixels with straight (unpremultiplied) colors, in the order of `pixels`.
    ///
    /// A color `p` with the alpha `a` becomes `p · 255 / a`, rounded to nearest, with halves rounded up. It becomes 0 where `a` is 0, and
    /// 255 where `p` exceeds `a`. Premultiplying the result gives `pixels` again, unless some color exceeds its alpha.
    var straightPixels: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: pixels.count) { buffer, count in
            pixels.withUnsafeBufferPointer { source in
                guard let source = source.baseAddress, let target = buffer.baseAddress else { return }
                Alpha.unpremultiply(source, into: target, count: width * height)
            }
            count = pixels.count
        }
    }

    /// Whether every pixel's alpha is 255.
    var isOpaque: Bool {
        pixels.withUnsafeBytes { bytes in
            // The pixels of each row are ANDed. A loop with an early exit cannot be vectorized, and a loop over all pixels may read many
            // of them in vain.
            for row in 0..<height {
                var all: UInt32 = .max
                for offset in stride(from: row &* width &* 4, to: (row &+ 1) &* width &* 4, by: 4) {
                    all &= bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                }
                if UInt32(littleEndian: all) >> 24 != 255, width > 0 { return false }
            }
            return true
        }
    }
}

extension Bitmap {
    /// Lets `body` modify the premultiplied bytes in place.
    package mutating func withUnsafeMutablePixels<Result>(_ body: (UnsafeMutableBufferPointer<UInt8>) -> Result) -> Result {
        pixels.withUnsafeMutableBufferPointer { body($0) }
    }
}

private extension Bitmap {
    func offset(_ x: Int, _ y: Int) -> Int {
        precondition(x >= 0 && x < width && y >= 0 && y < height, "the pixel lies outside the bitmap")
        return (y * width + x) * 4
    }

    mutating func store(_ pixel: Pixel, at offset: Int) {
        pixels[offset] = pixel.red
        pixels[offset + 1] = pixel.green
        pixels[offset + 2] = pixel.blue
        pixels[offset + 3] = pixel.alpha
    }
}

extension Bitmap {
    /// The part of the bitmap in a rectangle, which must lie within the bitmap.
    package func part(_ rect: PixelRect) -> Bitmap {
        precondition(rect.isWithin(width: width, height: height), "the part lies outside the bitmap")
        let length = rect.width * 4
        let part = [UInt8](unsafeUninitializedCapacity: rect.height * length) { buffer, count in
            let buffer = UnsafeMutableRawBufferPointer(buffer)
            pixels.withUnsafeBytes { pixels in
                for row in 0..<rect.height {
                    let start = ((rect.y + row) * width + rect.x) * 4
                    UnsafeMutableRawBufferPointer(rebasing: buffer[(row * length)...]).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: pixels[start..<(start + length)]))
                }
            }
            count = rect.height * length
        }
        return Bitmap(unchecked: part, width: rect.width, height: rect.height)
    }

    /// Copies a whole bitmap into this one, within its bounds.
    package mutating func copy(_ piece: borrowing Bitmap, toX x: Int, y: Int) {
        let stride = width * 4
        precondition(x >= 0 && y >= 0 && x + piece.width <= width && y + piece.height <= height, "the piece extends beyond its picture")
        pixels.withUnsafeMutableBytes { target in
            guard let first = target.baseAddress else { return }
            piece.copyRows(to: first + y * stride + x * 4, stride: stride)
        }
    }

    /// Copies the rows to memory, where each begins `stride` bytes after the one above.
    package func copyRows(to target: UnsafeMutableRawPointer, stride: Int) {
        pixels.withUnsafeBytes { source in
            guard let first = source.baseAddress else { return }
            let length = width * 4
            for row in 0..<height { (target + row * stride).copyMemory(from: first + row * length, byteCount: length) }
        }
    }
}

extension Bitmap {
    /// The picture composited over a color, which is itself composited over white. Every pixel of the result is opaque.
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
