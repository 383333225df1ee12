import CWaymarkCodecs

/// Encodes JPEG with libjpeg-turbo, with Huffman tables made for the picture.
///
/// Chroma is kept at full resolution (4:4:4), because subsampling would smear the thin colored lines, pins and letters of overlays.
enum JPEGWriter {
    /// From this quality on, artifacts around letters are hard to see.
    static let defaultQuality = 85
    /// The limit of libjpeg. The format allows 65,535.
    static let longestSide = 65_500

    static func encode(_ bitmap: Bitmap, options: EncodingOptions) throws(ImagingError) -> [UInt8] {
        let opaque = bitmap.isOpaque ? bitmap : bitmap.laid(over: options.background ?? .white)
        var output = wm_bytes()
        var message = CodecMessage()
        let quality = Int32(options.quality ?? defaultQuality)
        let succeeded = message.filled {
            wm_jpeg_encode(opaque.pixels, UInt32(bitmap.width), UInt32(bitmap.height), quality, options.isProgressive, &output, $0)
        }
        defer { wm_jpeg_release(output) }
        // With a valid size, encoding fails only if memory runs out.
        guard succeeded else { throw ImagingError(.outOfMemory, format: ImageFormat.jpeg.name) }
        return Array(UnsafeBufferPointer(start: output.bytes, count: output.count))
    }
}
