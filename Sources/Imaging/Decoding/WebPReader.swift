import CWaymarkCodecs

/// Decodes WebP with libwebp: lossy, lossless, with alpha, and the first frame of an animation.
enum WebPReader {
    static func read(_ bytes: [UInt8], limits: ImageLimits, warnings: inout [String]) throws(ImagingError) -> Bitmap {
        var header = wm_webp_header()
        var message = CodecMessage()
        guard message.filled(by: { wm_webp_read_header(bytes, bytes.count, &header, $0) }) else { throw message.corrupt(.webp) }
        let bitmap = try Bitmap(.webp, header.width, header.height, limits, &message) { pixels, message in
            guard wm_webp_decode(bytes, bytes.count, header.width, header.height, pixels, message) else { return false }
            Alpha.premultiply(pixels, count: Int(header.width) * Int(header.height))
            return true
        }
        if header.frames > 1 { warnings.append("the WebP is an animation with \(header.frames) frames; only the first frame is shown") }
        let exif = bytes[header.exif_offset..<header.exif_offset + header.exif_count]
        return bitmap.oriented(Orientation(exif: exif))
    }
}
