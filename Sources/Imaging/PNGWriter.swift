import CWaymarkCodecs

/// Bitmap to PNG: a signature, IHDR, sRGB, one IDAT a stripe, IEND, and nothing else, so equal bitmaps give equal bytes, whatever the number of
/// threads and the bands they come in.
///
/// Rows stay unfiltered where filtering does not pay: in sparse overlays filters spoil what repeats. A filled picture, such as a base map, is
/// filtered row by row.
struct PNGWriter {
    private let stripes: PNGStripes
    private let threadCount: Int
    /// Stripes that are written.
    private var written = 0
    private var checksum = Adler32()
    /// Premultiplied rows that wait for the rest of their stripes.
    private var waiting: [UInt8] = []

    /// Throws `cannotEncode` if PNG cannot hold the size.
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
    /// The file up to its pixels.
    var header: [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        let colorType: UInt8 = stripes.isOpaque ? 2 : 6
        Self.append("IHDR", Self.bigEndian(stripes.width) + Self.bigEndian(stripes.height) + [8, colorType, 0, 0, 0], to: &file)
        Self.append("sRGB", [Self.perceptual], to: &file)
        return file
    }

    /// Adds rows, premultiplied pixels, and to the file what can be written of it now; with the last row its end.
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

    /// Writes whole stripes once there is one for each thread, or the picture ends. Returns how many bytes of the pixels they held.
    mutating func write(_ pixels: [UInt8], to file: inout [UInt8]) -> Int {
        let row = stripes.width * 4
        let first = written * stripes.rows
        let end = first + pixels.count / row
        let ready = written..<(end == stripes.height ? stripes.count : end / stripes.rows)
        guard end == stripes.height || ready.count >= threadCount else { return 0 }
        let results = pixels.withUnsafeBufferPointer { pixels in
            // A bitmap that gets here has pixels.
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
