import CWaymarkCodecs

/// The size of an encoded picture, from its header alone.
package enum ImageSize {
    /// The width and height in pixels, as stored: EXIF orientation is not applied. Nil for formats other than PNG, JPEG and WebP, and for
    /// invalid headers.
    package static func of(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        var message = CodecMessage()
        switch ImageSignature(of: bytes) {
        case .png:
            var header = wm_png_header()
            guard message.filled(by: { wm_png_read_header(bytes, bytes.count, &header, $0) }) else { return nil }
            return (Int(header.width), Int(header.height))
        case .jpeg:
            var header = wm_jpeg_header()
            guard message.filled(by: { wm_jpeg_read_header(bytes, bytes.count, &header, $0) }) else { return nil }
            return (Int(header.width), Int(header.height))
        case .webp:
            var header = wm_webp_header()
            guard message.filled(by: { wm_webp_read_header(bytes, bytes.count, &header, $0) }) else { return nil }
            return (Int(header.width), Int(header.height))
        case .gif, .bmp, .svg, nil: return nil
        }
    }
}
