import CWaymarkCodecs

/// Encodes WebP with libwebp. Without a quality, the picture is lossless, because overlays have few colors and sharp edges, and compress
/// well.
enum WebPWriter {
    /// The limit of the format.
    static let longestSide = 16_383

    static func encode(_ bitmap: Bitmap, options: EncodingOptions) throws(ImagingError) -> [UInt8] {
        var output = wm_bytes()
        var message = CodecMessage()
        let lossless: Int32 = -1
        let quality = options.quality.map(Int32.init) ?? lossless
        let pixels = bitmap.straightPixels
        let succeeded = message.filled {
            wm_webp_encode(pixels, UInt32(bitmap.width), UInt32(bitmap.height), quality, &output, $0)
        }
        defer { wm_webp_release(output) }
        // With a valid size, encoding fails only if memory runs out.
        guard succeeded else { throw ImagingError(.outOfMemory, format: ImageFormat.webp.name) }
        return Array(UnsafeBufferPointer(start: output.bytes, count: output.count))
    }
}
