import CWaymarkCodecs

/// Bitmap to PNG: a signature, IHDR, sRGB, IDAT, IEND, and nothing else, so equal bitmaps give equal bytes.
///
/// Rows stay unfiltered where filtering does not pay: in sparse overlays filters spoil what repeats (libdeflate level 6, no filter:
/// 11.5 ms and 481 kB where libpng's defaults took 53 ms and 669 kB). A filled picture, such as a base map, is filtered row by row.
enum PNGWriter {
    /// 6 is where libdeflate's time begins to grow faster than its files shrink.
    static let level: Int32 = 6

    static func encode(_ bitmap: Bitmap) throws(ImagingError) -> [UInt8] {
        let side = Int(Int32.max)
        guard (1...side).contains(bitmap.width), (1...side).contains(bitmap.height) else {
            throw ImagingError(.cannotEncode(width: bitmap.width, height: bitmap.height), format: ImageFormat.png.name)
        }
        let isOpaque = bitmap.isOpaque
        var scanlines = Scanlines(of: bitmap, isOpaque: isOpaque)
        if try scanlines.filteringPays() { scanlines.filter() }
        let data = try compress(scanlines.bytes, level: level)

        var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        file.reserveCapacity(data.count + 128)
        let colorType: UInt8 = isOpaque ? 2 : 6
        append("IHDR", bigEndian(bitmap.width) + bigEndian(bitmap.height) + [8, colorType, 0, 0, 0], to: &file)
        append("sRGB", [perceptual], to: &file)
        // A chunk's length must stay below 2^31.
        for start in stride(from: 0, to: data.count, by: 1 << 30) {
            append("IDAT", data[start..<min(start + 1 << 30, data.count)], to: &file)
        }
        append("IEND", [], to: &file)
        return file
    }

    static func compress(_ bytes: [UInt8], level: Int32) throws(ImagingError) -> [UInt8] {
        let bound = wm_zlib_bound(bytes.count)
        let compressed = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            count = wm_zlib_compress(bytes, bytes.count, level, buffer.baseAddress, bound)
        }
        guard !compressed.isEmpty else { throw ImagingError(.outOfMemory, format: ImageFormat.png.name) }
        return compressed
    }
}

private extension PNGWriter {
    /// The sRGB chunk's rendering intent.
    static let perceptual: UInt8 = 0

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
