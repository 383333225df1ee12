import CWaymarkCodecs

/// Decodes PNG with libpng.
enum PNGReader {
    static func read(_ bytes: [UInt8], limits: ImageLimits) throws(ImagingError) -> Bitmap {
        var header = wm_png_header()
        var message = CodecMessage()
        guard message.filled(by: { wm_png_read_header(bytes, bytes.count, &header, $0) }) else { throw message.corrupt(.png) }
        return try Bitmap(.png, header.width, header.height, limits, &message) { pixels, message in
            guard wm_png_decode(bytes, bytes.count, header.width, header.height, pixels, message) else { return false }
            Alpha.premultiply(pixels, count: Int(header.width) * Int(header.height))
            return true
        }.oriented(orientation(bytes))
    }
}

private extension PNGReader {
    /// The orientation in the eXIf chunk, which may precede or follow the image data. The chunks are known to be complete.
    static func orientation(_ bytes: [UInt8]) -> Orientation {
        var at = 8
        while at + 12 <= bytes.count {
            let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - at - 12 else { break }
            if bytes[at + 4..<at + 8].elementsEqual("eXIf".utf8) { return Orientation(exif: bytes[at + 8..<at + 8 + length]) }
            at += length + 12
        }
        return .upright
    }
}
