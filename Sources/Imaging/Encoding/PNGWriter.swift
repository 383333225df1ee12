import CWaymarkCodecs

/// Encodes PNG. A file consists of the signature, IHDR, sRGB, PLTE and tRNS for a palette, one IDAT per stripe, and IEND. Equal bitmaps
/// give equal bytes with any number of threads and any bands.
///
/// Sparse overlays are not filtered, because filters would break up their repetitions. Dense pictures, such as base maps, are filtered
/// row by row. Indexes of a palette are never filtered, as the PNG specification recommends.
struct PNGWriter {
    private let stripes: PNGStripes
    private let threadCount: Int
    /// The number of stripes written.
    private var written = 0
    private var checksum = Adler32()
    private let palette: [Bitmap.Pixel]
    /// Rows of incomplete stripes.
    private var waiting: [UInt8] = []

    /// Throws `cannotEncode` if PNG does not support the size.
    init(width: Int, height: Int, isOpaque: Bool, threadCount: Int) throws(ImagingError) {
        try ImageFormat.png.checkSize(width: width, height: height)
        stripes = PNGStripes(width: width, height: height, samples: isOpaque ? .rgb : .rgba)
        palette = []
        self.threadCount = max(1, threadCount)
    }

    private init(_ indexed: IndexedBitmap, threadCount: Int) {
        stripes = PNGStripes(width: indexed.width, height: indexed.height, samples: .indexes)
        palette = indexed.palette
        self.threadCount = max(1, threadCount)
    }

    static func encode(_ bitmap: Bitmap, options: EncodingOptions) throws(ImagingError) -> [UInt8] {
        var file: [UInt8] = []
        if let colorCount = options.paletteColors {
            let indexed = IndexedBitmap(bitmap, colorCount: colorCount)
            var writer = PNGWriter(indexed, threadCount: options.threads)
            file = writer.header
            writer.append(indexed.indexes, to: &file)
        } else {
            var writer = try PNGWriter(
                width: bitmap.width, height: bitmap.height, isOpaque: bitmap.isOpaque, threadCount: options.threads)
            file = writer.header
            writer.append(bitmap.pixels, to: &file)
        }
        return file
    }
}

extension PNGWriter {
    /// The file's bytes before the pixels.
    var header: [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        let type = stripes.samples.rawValue
        Self.append("IHDR", Self.bigEndian(stripes.width) + Self.bigEndian(stripes.height) + [8, type, 0, 0, 0], to: &file)
        Self.append("sRGB", [Self.perceptual], to: &file)
        guard !palette.isEmpty else { return file }
        Self.append("PLTE", palette.flatMap { [$0.red, $0.green, $0.blue] }, to: &file)
        // The opaque colors come last, and need no alpha.
        let alphas = palette.map(\.alpha).prefix { $0 < 255 }
        if !alphas.isEmpty { Self.append("tRNS", alphas, to: &file) }
        return file
    }

    /// Appends rows of premultiplied pixels, or of indexes of the palette, and writes complete stripes to `file`, followed by the end of
    /// the file after the last row.
    mutating func append(_ pixels: [UInt8], to file: inout [UInt8]) {
        guard waiting.isEmpty else {
            waiting += pixels
            let taken = write(waiting, to: &file)
            waiting.removeFirst(taken)
            return
        }
        let taken = write(pixels, to: &file)
        if taken < pixels.count { waiting = Array(pixels[taken...]) }
    }
}

private extension PNGWriter {
    /// The sRGB chunk's rendering intent.
    static let perceptual: UInt8 = 0

    /// Writes complete stripes once there is one per thread, or the picture ends. Returns the number of pixel bytes consumed.
    mutating func write(_ pixels: [UInt8], to file: inout [UInt8]) -> Int {
        let row = stripes.width * stripes.samples.sourceLength
        let first = written * stripes.rows
        let end = first + pixels.count / row
        let ready = written..<(end == stripes.height ? stripes.count : end / stripes.rows)
        guard end == stripes.height || ready.count >= threadCount else { return 0 }
        let results = pixels.withUnsafeBufferPointer { pixels in
            // The size has been checked, so there are pixels.
            pixels.baseAddress.map { stripes.compress(ready, $0, threadCount: threadCount) } ?? []
        }
        for stripe in results {
            checksum.append(stripe.checksum)
            // The header of a zlib stream with a window of 32 KiB.
            var data = written == 0 ? [0x78, 0x5e] + stripe.data : stripe.data
            written += 1
            if written == stripes.count { data += Self.bigEndian(Int(checksum.value)) }
            // The length of a chunk must be below 2^31.
            for start in stride(from: 0, to: data.count, by: 1 << 30) {
                Self.append("IDAT", data[start..<min(start + 1 << 30, data.count)], to: &file)
            }
        }
        if written == stripes.count { Self.append("IEND", [], to: &file) }
        return (min(written * stripes.rows, stripes.height) - first) * row
    }

    static func append(_ name: StaticString, _ data: some Collection<UInt8>, to file: inout [UInt8]) {
        file += bigEndian(data.count)
        let start = file.count
        name.withUTF8Buffer { file += $0 }
        file += data
        let crc = file[start...].withUnsafeBufferPointer { wm_crc32(0, $0.baseAddress, $0.count) }
        file += bigEndian(Int(crc))
    }

    static func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
