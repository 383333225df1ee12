/// Decodes BMP: 1, 4, 8, 16, 24 and 32 bits per pixel, bit fields, run-length encoding, bottom-up and top-down.
///
/// Alpha is read if there is a mask for it; otherwise the picture is opaque. A BMP that contains a JPEG or PNG, as sent to printers, is
/// refused.
enum BMPReader {
    static func read(_ bytes: [UInt8], limits: ImageLimits) throws(ImagingError) -> Bitmap {
        let header = try BMPHeader(of: bytes)
        try limits.check(width: header.width, height: header.height, format: ImageSignature.bmp.rawValue)
        switch header.compression {
        case .runLength8, .runLength4: return try BMPRunLengths.read(bytes, header)
        case .none, .bitFields, .bitFieldsWithAlpha: return try readRows(bytes, header)
        }
    }

    static func corrupt(_ message: String) -> ImagingError {
        ImagingError(.corrupt(message: message), format: ImageSignature.bmp.rawValue)
    }
}

private extension BMPReader {
    /// Rows are padded to multiples of four bytes. The padding of the last row is optional.
    static func readRows(_ bytes: [UInt8], _ header: BMPHeader) throws(ImagingError) -> Bitmap {
        let bitsPerRow = header.width * header.bitsPerPixel
        let stride = (bitsPerRow + 31) / 32 * 4
        guard header.offset + (header.height - 1) * stride + (bitsPerRow + 7) / 8 <= bytes.count else {
            throw corrupt("the file ends early")
        }

        var bitmap = Bitmap(width: header.width, height: header.height)
        bitmap.withUnsafeMutablePixels { pixels in
            bytes.withUnsafeBufferPointer { bytes in
                for y in 0..<header.height {
                    let row = bytes[(header.offset + y * stride)...]
                    let target = (header.isTopDown ? y : header.height - 1 - y) * header.width * 4
                    for x in 0..<header.width {
                        let pixel = pixel(x, in: row, header)
                        pixels[target + x * 4] = pixel.red
                        pixels[target + x * 4 + 1] = pixel.green
                        pixels[target + x * 4 + 2] = pixel.blue
                        pixels[target + x * 4 + 3] = pixel.alpha
                    }
                }
            }
            if let base = pixels.baseAddress { Alpha.premultiply(base, count: pixels.count / 4) }
        }
        return bitmap
    }

    /// A pixel of a row, with straight alpha.
    @inline(__always)
    static func pixel(_ x: Int, in row: Slice<UnsafeBufferPointer<UInt8>>, _ header: BMPHeader) -> Bitmap.Pixel {
        let bits = header.bitsPerPixel
        let at = row.startIndex + x * bits / 8
        guard bits > 8 else {
            let shift = 8 - bits - x * bits % 8
            return header.palette[Int(row[at]) >> shift & (1 << bits - 1)]
        }
        if bits == 24 { return Bitmap.Pixel(red: row[at + 2], green: row[at + 1], blue: row[at], alpha: 255) }
        let value = (0..<bits / 8).reduce(UInt64(0)) { $0 | UInt64(row[at + $1]) << UInt64($1 * 8) }
        return Bitmap.Pixel(
            red: header.channels[0].value(in: value, absent: 0), green: header.channels[1].value(in: value, absent: 0),
            blue: header.channels[2].value(in: value, absent: 0), alpha: header.channels[3].value(in: value, absent: 255))
    }
}
