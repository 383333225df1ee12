import WaymarkSystem

public extension Bitmap {
    /// Encodes the bitmap as a file of the given format. Decoding a PNG without a palette, or a WebP without a quality, gives an equal
    /// bitmap, unless some color exceeds its alpha.
    ///
    /// Throws `badQuality`, `badPalette`, `outOfMemory`, or `cannotEncode` if the format does not support the size: all formats but RGBA
    /// need at least one pixel; a JPEG can have at most 65,500 pixels per side, and a WebP at most 16,383.
    func encoded(as format: ImageFormat, options: EncodingOptions = EncodingOptions()) throws(ImagingError) -> [UInt8] {
        try options.check(format)
        try format.checkSize(width: width, height: height)
        return switch format {
        case .png: try PNGWriter.encode(self, options: options)
        case .jpeg: try JPEGWriter.encode(self, options: options)
        case .webp: try WebPWriter.encode(self, options: options)
        case .rgba: straightPixels
        }
    }

    /// Writes a picture file atomically: a temporary file in the same folder is renamed over any existing file. The new file's
    /// permissions are 0666 minus the umask, as usual. Symbolic links are followed; devices and pipes are written to directly.
    ///
    /// `format` defaults to the format that the extension of `path` determines. Throws the errors of `encoded(as:options:)`,
    /// `unknownExtension` or `cannotWrite`; every error contains the path.
    func write(
        to path: String, as format: ImageFormat? = nil, options: EncodingOptions = EncodingOptions()
    ) throws(ImagingError) {
        guard let format = format ?? ImageFormat(path: path) else { throw ImagingError(.unknownExtension, path: path) }
        do throws(ImagingError) {
            let bytes = try encoded(as: format, options: options)
            do throws(FileError) { try WholeFile.write(bytes, to: path) } catch { throw ImagingError(error) }
        } catch {
            throw error.at(path)
        }
    }
}
