import CWaymarkCodecs

/// Encodes PNG: signature, IHDR, sRGB, one IDAT per stripe, IEND, and nothing else, so that equal bitmaps give equal bytes with any
/// number of threads and any bands.
///
/// Sparse overlays are not filtered, because filters would break up their repetitions. Dense pictures, such as base maps, are filtered
/// row by row.
struct PNGWriter {
    private let stripes: PNGStripes
    private let threadCount: Int
    /// The number of stripes written.
    private var written = 0
    private var checksum = Adler32()
    /// Premultiplied rows of incomplete stripes.
    private var waiting: [UInt8] = []

    /// Throws `cannotEncode` if PNG does not support the size.
    init(width: Int, height: Int, isOpaque: Bool, threadCount: Int) throws(ImagingError) {
        try ImageFormat.png.checkSize(width: width, height: height)
        stripes = PNGStripes(width: width, height: height, isOpaque: isOpaque)
        self.threadCount = max(1, threadCount)
    }

    static func encode(_ bitmap: Bitmap, threadCount: Int) throws(ImagingError) -> [UInt8] {
        var writer = try PNGWriter(width: bitmap.width, height: bitmap.height, isOpaque: bitmap.isOpaque, threadCount: threadCount)
        var file = writer.header
        writer.append(bitmap.pixels, to: &file)
        return file
    }
}

extension PNGWriter {
    /// The file's bytes before the pixels.
    var header: [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        let colorType: UInt8 = stripes.isOpaque ? 2 : 6
        Self.append("IHDR", Self.bigEndian(stripes.width) + Self.bigEndian(stripes.height) + [8, colorType, 0, 0, 0], to: &file)
        Self.append("sRGB", [Self.perceptual], to: &file)
        return file
    }

    /// Appends premultiplied rows, and writes complete stripes to `file`, followed by the end of the file after the last row.
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
        let row = stripes.width * 4
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
            // A chunk's length must stay below 2^31.
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
