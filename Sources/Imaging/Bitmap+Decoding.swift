public extension Bitmap {
    /// Decodes an image file's bytes, whose format is told from how they begin: PNG, JPEG, WebP, BMP or SVG.
    /// EXIF orientation is honoured; embedded gamma and colour profiles are ignored. An SVG is drawn at the size it asks for, in CSS pixels.
    ///
    /// Throws when there are no bytes, when they are no known or no supported format, claim more than `limits`, are damaged, or end early;
    /// there is no half image. A palette's missing colours are opaque black.
    init(decoding bytes: [UInt8], limits: ImageLimits = ImageLimits()) throws(ImagingError) {
        self = try Self.decode(bytes, limits: limits).bitmap
    }

    /// Decodes as `init(decoding:limits:)` does, and tells what of the image is not in the bitmap, such as an animation's other frames:
    /// sentences in lower case, without a full stop. Most images have none.
    static func decode(
        _ bytes: [UInt8], limits: ImageLimits = ImageLimits()
    ) throws(ImagingError) -> (bitmap: Bitmap, warnings: [String]) {
        guard !bytes.isEmpty else { throw ImagingError(.empty) }
        guard bytes.count <= limits.bytes else { throw ImagingError(.tooLong(limits: limits)) }
        guard let signature = ImageSignature(of: bytes) else { throw ImagingError(.notAnImage) }
        var warnings: [String] = []
        let bitmap =
            switch signature {
            case .png: try PNGReader.read(bytes, limits: limits)
            case .jpeg: try JPEGReader.read(bytes, limits: limits)
            case .webp: try WebPReader.read(bytes, limits: limits, warnings: &warnings)
            case .bmp: try BMPReader.read(bytes, limits: limits)
            case .svg: try SVGImage(bytes, limits: limits).natural(limits: limits)
            case .gif: throw ImagingError(.unsupported, format: signature.rawValue)
            }
        return (bitmap, warnings)
    }

    /// Reads and decodes an image file. Throws as `init(decoding:limits:)` does, or `cannotRead`, always with the path.
    init(contentsOf path: String, limits: ImageLimits = ImageLimits()) throws(ImagingError) {
        do {
            try self.init(decoding: WholeFile.read(path, limits: limits), limits: limits)
        } catch {
            throw error.at(path)
        }
    }
}
