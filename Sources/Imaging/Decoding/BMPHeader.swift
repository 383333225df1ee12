/// The headers of a BMP file: BITMAPFILEHEADER, one of the BITMAP…HEADERs, the masks and the palette.
///
/// All header versions from CORE (12 bytes) to V5 (124 bytes) are read. No memory is allocated based on the sizes that they declare.
struct BMPHeader {
    enum Compression: Int {
        case none = 0
        case runLength8 = 1
        case runLength4 = 2
        case bitFields = 3
        case bitFieldsWithAlpha = 6
    }

    let width: Int
    let height: Int
    let isTopDown: Bool
    let bitsPerPixel: Int
    let compression: Compression
    /// The offset of the pixels.
    let offset: Int
    /// Red, green, blue and alpha, for 16 and 32 bits per pixel.
    let channels: [Channel]
    /// Opaque RGBA colors, for up to 8 bits per pixel. There are always `2^bits` colors; those that the file omits are black.
    let palette: [Bitmap.Pixel]

    /// The bits of a pixel that hold one channel.
    struct Channel {
        let shift: Int
        /// The largest value of the channel; 0 if it has no bits.
        let most: UInt64

        /// Nil unless the bits of the mask are contiguous.
        init?(mask: Int) {
            shift = mask == 0 ? 0 : mask.trailingZeroBitCount
            most = UInt64(mask >> shift)
            guard most & (most + 1) == 0 else { return nil }
        }

        /// The channel scaled to 0…255, rounded to nearest; `absent` if it has no bits.
        func value(in pixel: UInt64, absent: UInt8) -> UInt8 {
            most == 0 ? absent : UInt8(((pixel >> UInt64(shift) & most) * 255 + most / 2) / most)
        }
    }

    init(of bytes: [UInt8]) throws(ImagingError) {
        let reader = LittleEndian(bytes: bytes)
        let length = try reader.number(at: 14, bytes: 4)
        let isCore = length == 12
        guard isCore || (40...124).contains(length) else { throw BMPReader.corrupt("a header of \(length) bytes is not supported") }

        let storedHeight: Int
        if isCore {
            width = try reader.number(at: 18, bytes: 2)
            storedHeight = try reader.number(at: 20, bytes: 2)
            bitsPerPixel = try reader.number(at: 24, bytes: 2)
            compression = .none
        } else {
            width = Int(Int32(truncatingIfNeeded: try reader.number(at: 18, bytes: 4)))
            storedHeight = Int(Int32(truncatingIfNeeded: try reader.number(at: 22, bytes: 4)))
            bitsPerPixel = try reader.number(at: 28, bytes: 2)
            let number = try reader.number(at: 30, bytes: 4)
            guard let known = Compression(rawValue: number) else { throw BMPReader.corrupt("compression \(number) is not supported") }
            compression = known
        }
        height = abs(storedHeight)
        isTopDown = storedHeight < 0
        guard width > 0, height > 0 else { throw BMPReader.corrupt("a size of \(width) × \(storedHeight) pixels is impossible") }

        let allowed: [Int] =
            switch compression {
            case .none: [1, 4, 8, 16, 24, 32]
            case .runLength8: [8]
            case .runLength4: [4]
            case .bitFields, .bitFieldsWithAlpha: [16, 32]
            }
        guard allowed.contains(bitsPerPixel) else { throw BMPReader.corrupt("its compression does not allow \(bitsPerPixel)-bit pixels") }
        guard !isTopDown || (compression != .runLength8 && compression != .runLength4) else {
            throw BMPReader.corrupt("its rows are run-length encoded, but stored top-down, which is not allowed")
        }
        offset = try reader.number(at: 10, bytes: 4)

        var end = 14 + length
        channels = try Self.channels(reader, compression, bitsPerPixel, headerLength: length, end: &end)
        guard offset >= end, offset <= bytes.count else {
            throw BMPReader.corrupt("the pixels begin inside the header or beyond the end of the file")
        }
        palette =
            bitsPerPixel > 8
            ? [] : try Self.palette(reader, bitsPerPixel, used: isCore ? 0 : reader.number(at: 46, bytes: 4), isCore, end..<offset)
    }
}

private extension BMPHeader {
    /// Reads the channel masks, which are inside the larger headers, and directly after the 40-byte header.
    static func channels(
        _ reader: LittleEndian, _ compression: Compression, _ bitsPerPixel: Int, headerLength: Int, end: inout Int
    ) throws(ImagingError) -> [Channel] {
        var masks: [Int] = []
        switch compression {
        case .bitFields, .bitFieldsWithAlpha:
            let hasAlpha = compression == .bitFieldsWithAlpha || headerLength >= 56
            for index in 0..<(hasAlpha ? 4 : 3) { masks.append(try reader.number(at: 54 + index * 4, bytes: 4)) }
            end = max(end, 54 + masks.count * 4)
        case .none where bitsPerPixel == 16: masks = [0x7c00, 0x03e0, 0x001f]
        case .none where bitsPerPixel == 32: masks = [0xff0000, 0x00ff00, 0x0000ff]
        default: return []
        }
        if masks.count == 3 { masks.append(0) }
        var seen = 0
        var channels: [Channel] = []
        for mask in masks {
            guard mask & seen == 0, mask >> bitsPerPixel == 0, let channel = Channel(mask: mask) else {
                throw BMPReader.corrupt("the bit masks of the channels are invalid")
            }
            seen |= mask
            channels.append(channel)
        }
        return channels
    }

    static func palette(
        _ reader: LittleEndian, _ bitsPerPixel: Int, used: Int, _ isCore: Bool, _ place: Range<Int>
    ) throws(ImagingError) -> [Bitmap.Pixel] {
        let most = 1 << bitsPerPixel
        let entryLength = isCore ? 3 : 4
        let count = min(used == 0 ? most : used, most, place.count / entryLength)
        var palette = [Bitmap.Pixel](repeating: Bitmap.Pixel(red: 0, green: 0, blue: 0, alpha: 255), count: most)
        for index in 0..<count {
            let color = try reader.number(at: place.lowerBound + index * entryLength, bytes: 3)
            palette[index].red = UInt8(truncatingIfNeeded: color >> 16)
            palette[index].green = UInt8(truncatingIfNeeded: color >> 8)
            palette[index].blue = UInt8(truncatingIfNeeded: color)
        }
        return palette
    }
}

/// A reader of little-endian numbers.
struct LittleEndian {
    let bytes: [UInt8]

    /// Throws if the number extends beyond the end.
    func number(at offset: Int, bytes count: Int) throws(ImagingError) -> Int {
        guard offset <= bytes.count - count else { throw BMPReader.corrupt("the file ends early") }
        return (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << ($1 * 8) }
    }
}
