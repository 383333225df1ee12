import WaymarkSystem

public extension Bitmap {
    /// Decodes the bytes of an image file. The format is detected from the first bytes: PNG, JPEG, WebP, BMP or SVG. EXIF orientation is
    /// applied; embedded gamma and color profiles are ignored. An SVG is drawn at its own size in CSS pixels.
    ///
    /// Throws if `bytes` is empty, if the format is unknown or unsupported, or if the image exceeds `limits`, is damaged or is truncated;
    /// partial images are never returned. Colors that are missing from a palette count as opaque black.
    init(decoding bytes: [UInt8], limits: ImageLimits = ImageLimits()) throws(ImagingError) {
        self = try Self.decode(bytes, limits: limits).bitmap
    }

    /// Decodes like `init(decoding:limits:)`, and also returns warnings about content that is not in the bitmap, such as the other frames
    /// of an animation. Warnings are sentences in lower case, without a period. Most images give no warnings.
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
            case .svg: try natural(SVGImage(bytes, limits: limits), limits: limits, warnings: &warnings)
            case .gif: throw ImagingError(.unsupported, format: signature.rawValue)
            }
        return (bitmap, warnings)
    }

    private static func natural(_ svg: SVGImage, limits: ImageLimits, warnings: inout [String]) throws(ImagingError) -> Bitmap {
        warnings += svg.warnings
        return try svg.natural(limits: limits)
    }

    /// Reads and decodes an image file. Throws the errors of `init(decoding:limits:)`, or `cannotRead`; every error contains the path.
    init(contentsOf path: String, limits: ImageLimits = ImageLimits()) throws(ImagingError) {
        do throws(ImagingError) {
            try self.init(decoding: ImageFile.read(path, limits: limits), limits: limits)
        } catch {
            throw error.at(path)
        }
    }
}

/// Reads image files without decoding them.
package enum ImageFile {
    /// Reads the bytes of a file. Throws `cannotRead`, or `tooLong` if there are more than `limits.bytes`; the error contains the path.
    package static func read(_ path: String, limits: ImageLimits = ImageLimits()) throws(ImagingError) -> [UInt8] {
        do throws(FileError) {
            return try WholeFile.read(path, as: .image(limit: limits.bytes))
        } catch {
            throw ImagingError(error, limits: limits)
        }
    }
}
