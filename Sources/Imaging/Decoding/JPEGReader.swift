import CWaymarkCodecs

/// Decodes JPEG with TurboJPEG: gray, color, CMYK and YCCK, sequential and progressive.
enum JPEGReader {
    static func read(_ bytes: [UInt8], limits: ImageLimits) throws(ImagingError) -> Bitmap {
        var header = wm_jpeg_header()
        var message = CodecMessage()
        guard message.filled(by: { wm_jpeg_read_header(bytes, bytes.count, &header, $0) }) else { throw message.corrupt(.jpeg) }
        let segments = JPEGSegments(of: bytes)
        return try Bitmap(.jpeg, header.width, header.height, limits, &message) { pixels, message in
            guard wm_jpeg_decode(bytes, bytes.count, header.width, header.height, pixels, message) else { return false }
            if header.is_cmyk {
                convertInk(pixels, count: Int(header.width) * Int(header.height), isInverted: segments.isAdobe)
            }
            return true
        }.oriented(segments.orientation)
    }
}

private extension JPEGReader {
    /// Converts cyan, magenta, yellow and black to opaque RGB in place: `(255 − ink) · (255 − black) / 255`.
    ///
    /// Adobe's programs store inverted inks, and so do all programs that write Adobe's marker.
    static func convertInk(_ pixels: UnsafeMutablePointer<UInt8>, count: Int, isInverted: Bool) {
        let flip: UInt8 = isInverted ? 0 : 255
        for offset in stride(from: 0, to: count &* 4, by: 4) {
            let light = pixels[offset &+ 3] ^ flip
            for channel in offset..<offset &+ 3 { pixels[channel] = Alpha.premultiply(pixels[channel] ^ flip, by: light) }
            pixels[offset &+ 3] = 255
        }
    }
}

/// Metadata in the segments before a JPEG's first scan.
struct JPEGSegments {
    /// Whether there is an Adobe marker.
    private(set) var isAdobe = false
    /// The orientation in the first EXIF segment.
    private(set) var orientation = Orientation.upright

    init(of bytes: [UInt8]) {
        let exif: UInt8 = 0xe1
        let adobe: UInt8 = 0xee
        let startOfScan: UInt8 = 0xda
        var knowsOrientation = false
        var at = 2
        while at + 4 <= bytes.count, bytes[at] == 0xff {
            let marker = bytes[at + 1]
            // Any number of fill bytes may precede a marker.
            if marker == 0xff {
                at += 1
                continue
            }
            let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
            guard marker != startOfScan, length >= 2, at + 2 + length <= bytes.count else { return }
            let data = bytes[at + 4..<at + 2 + length]
            if marker == adobe, data.starts(with: "Adobe".utf8) { isAdobe = true }
            if marker == exif, !knowsOrientation, data.starts(with: "Exif\0\0".utf8) {
                orientation = Orientation(exif: data)
                knowsOrientation = true
            }
            at += 2 + length
        }
    }
}
