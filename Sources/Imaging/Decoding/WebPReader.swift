import CWaymarkCodecs

/// Decodes WebP with libwebp: lossy, lossless, with alpha, and the first frame of an animation.
enum WebPReader {
    static func read(_ bytes: [UInt8], limits: ImageLimits, warnings: inout [String]) throws(ImagingError) -> Bitmap {
        var header = wm_webp_header()
        var message = CodecMessage()
        guard message.filled(by: { wm_webp_read_header(bytes, bytes.count, &header, $0) }) else { throw message.corrupt(.webp) }
        let width = Int(header.width)
        let height = Int(header.height)
        try limits.check(width: width, height: height, format: ImageSignature.webp.rawValue)

        var isComplete = false
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            isComplete = message.filled { wm_webp_decode(bytes, bytes.count, header.width, header.height, base, $0) }
            guard isComplete else { return }
            Alpha.premultiply(base, count: width * height)
            count = width * height * 4
        }
        guard isComplete else { throw message.corrupt(.webp) }
        if header.frames > 1 { warnings.append("the WebP is an animation of \(header.frames) frames, of which only the first is shown") }
        let exif = bytes[header.exif_offset..<header.exif_offset + header.exif_count]
        return Bitmap(unchecked: pixels, width: width, height: height).oriented(Orientation(exif: exif))
    }
}
