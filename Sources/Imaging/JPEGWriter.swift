import CWaymarkCodecs

/// Bitmap to baseline JPEG, by TurboJPEG.
///
/// Chroma is kept at full size (4:4:4): halved, it would smear the thin colored lines, pins and letters that overlays consist of.
enum JPEGWriter {
    /// Where artefacts around letters begin to be hard to find.
    static let defaultQuality = 85
    /// libjpeg's own bound; the format's is 65,535.
    static let longestSide = 65_500

    static func encode(_ bitmap: Bitmap, options: EncodingOptions) throws(ImagingError) -> [UInt8] {
        try options.check(.jpeg)
        try ImageFormat.jpeg.checkSize(width: bitmap.width, height: bitmap.height)
        let opaque = bitmap.isOpaque ? bitmap : bitmap.laid(over: options.background ?? .white)
        var output = wm_bytes()
        var message = CodecMessage()
        let quality = Int32(options.quality ?? defaultQuality)
        let succeeded = message.filled {
            wm_jpeg_encode(opaque.pixels, UInt32(bitmap.width), UInt32(bitmap.height), quality, &output, $0)
        }
        defer { wm_jpeg_release(output) }
        // Of a size within its bounds it refuses nothing but for want of memory.
        guard succeeded else { throw ImagingError(.outOfMemory, format: ImageFormat.jpeg.name) }
        return Array(UnsafeBufferPointer(start: output.bytes, count: output.count))
    }
}
