import CWaymarkCodecs
import WaymarkSystem

/// Divides a picture into stripes of whole rows, which are filtered and compressed independently, so that several threads can work and
/// the whole picture need not be in memory. The division depends only on the picture's size, so the encoded bytes do not depend on
/// threads or bands.
struct PNGStripes {
    let width: Int
    let height: Int
    let samples: PNGSamples
    /// The number of rows of each stripe; the last may have fewer.
    let rows: Int

    /// The maximum size in bytes of a stripe of more than one row. A 512 × 512 tile is one stripe, because starting a thread would take
    /// longer than compressing it. Compressing a stripe without the previous one as context costs only about 200 bytes.
    static let mostBytes = 5 << 18

    init(width: Int, height: Int, samples: PNGSamples) {
        self.width = width
        self.height = height
        self.samples = samples
        let most = max(1, Self.mostBytes / (width * samples.pixelLength + 1))
        // The number of stripes is the smallest possible, and all have equal height.
        let count = (height - 1) / most + 1
        rows = (height - 1) / count + 1
    }

    var count: Int { (height - 1) / rows + 1 }

    /// The rows of a stripe.
    func rows(_ index: Int) -> Range<Int> { index * rows..<min((index + 1) * rows, height) }
}

/// The data that a PNG stores for each pixel, in 8 bits each. The raw values are the numbers of the color types in the PNG specification.
enum PNGSamples: UInt8 {
    /// Straight color without alpha.
    case rgb = 2
    /// Straight color and alpha.
    case rgba = 6
    /// An index into the palette.
    case indexes = 3

    /// Bytes per pixel in the file.
    var pixelLength: Int {
        switch self {
        case .rgb: 3
        case .rgba: 4
        case .indexes: 1
        }
    }

    /// Bytes per pixel of the input: premultiplied RGBA, or an index.
    var sourceLength: Int { self == .indexes ? 1 : 4 }
}

/// The compressed data of a stripe, and the checksum of the uncompressed data.
struct PNGStripe {
    /// The deflate data.
    var data: [UInt8]
    var checksum: Adler32
}

extension PNGStripes {
    /// Compresses consecutive stripes.
    /// - Parameter pixels: Premultiplied pixels, or indexes, from the first row of the first of these stripes to the last row of the last.
    func compress(_ stripes: Range<Int>, _ pixels: UnsafePointer<UInt8>, threadCount: Int) -> [PNGStripe] {
        func compress(_ index: Int) -> PNGStripe {
            let rows = rows(index)
            let start = pixels + (rows.lowerBound - stripes.lowerBound * self.rows) * width * samples.sourceLength
            let scratch = EncodingScratch.take()
            defer { scratch.giveBack() }
            var scanlines = Scanlines(of: start, width: width, height: rows.count, samples: samples, scratch)
            let isDense = samples == .indexes || scanlines.isDense
            if isDense, samples != .indexes, scanlines.filteringPays(scratch) { scanlines.filter(scratch) }
            let data = scanlines.deflated(isDense: isDense, isLast: rows.upperBound == height, scratch)
            let checksum = Adler32(scanlines.bytes, count: scanlines.count)
            scratch.keepBuffer(scanlines.bytes)
            return PNGStripe(data: data, checksum: checksum)
        }
        // Unchecked, because a pointer is not `Sendable`. The pixels are only read, and each call takes buffers of its own.
        nonisolated(unsafe) let compress = compress
        return NumberedWork.results(stripes.count, threads: threadCount) { compress(stripes.lowerBound + $0) }
    }
}

/// The checksum at the end of a zlib stream (RFC 1950), which can be combined from the checksums of its parts.
struct Adler32 {
    private(set) var value: UInt32 = 1
    private var count = 0

    init() {}

    /// The checksum of the first `count` bytes.
    init(_ bytes: [UInt8], count: Int) {
        value = wm_adler32(1, bytes, count)
        self.count = count
    }

    /// Appends the checksum of the bytes that follow.
    mutating func append(_ next: Adler32) {
        let base: UInt32 = 65_521
        let (low, high) = (value & 0xffff, value >> 16)
        let (nextLow, nextHigh) = (next.value & 0xffff, next.value >> 16)
        // Each of the next bytes adds `low` instead of 1 to the second sum. The product is less than 65,521², which fits in 32 bits.
        let length = UInt32(next.count % Int(base))
        let sum = (low + nextLow + base - 1) % base
        let sums = (high + nextHigh + (low + base - 1) % base * length % base) % base
        value = sums << 16 | sum
        count += next.count
    }
}

/// The checksum of PNG and gzip, which detects damaged bytes.
package enum CRC32 {
    /// - Parameter start: The checksum of the preceding bytes. Default 0, for none.
    package static func of(_ bytes: [UInt8], after start: UInt32 = 0) -> UInt32 {
        bytes.withUnsafeBufferPointer { $0.isEmpty ? start : wm_crc32(start, $0.baseAddress, $0.count) }
    }
}
