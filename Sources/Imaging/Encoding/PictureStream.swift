import WaymarkSystem

/// A picture file that is written in bands, from top to bottom. Only one band and a few stripes of rows are in memory at a time, never the
/// whole picture.
///
/// The file has the same bytes as a file from `Bitmap.write`, however it is divided into bands. It appears atomically when the stream is
/// finished. A stream that fails, or is released before it is finished, leaves no file. Devices and pipes receive each band when it is
/// appended. PNG and RGBA can be streamed. JPEG, WebP, and PNG with a palette cannot, because their encoders need the whole picture.
public final class PictureStream {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The number of rows appended so far.
    public private(set) var rowCount = 0

    private let path: String
    private let isOpaque: Bool
    /// The file; nil once the stream is finished or has failed.
    private var file: UnfinishedFile?
    /// The PNG encoder; nil for RGBA.
    private var png: PNGWriter?

    /// Begins a picture in a file to which nothing else writes. In errors, `path` is the name of the file.
    package init(
        _ file: UnfinishedFile, path: String, width: Int, height: Int, as format: ImageFormat, isOpaque: Bool, options: EncodingOptions
    ) throws(ImagingError) {
        self.width = width
        self.height = height
        self.path = path
        self.isOpaque = isOpaque
        do throws(ImagingError) {
            try options.check(format)
            switch format {
            case .png where options.paletteColors != nil:
                throw ImagingError(.cannotStream("a palette needs the whole picture at once"))
            case .png:
                let png = try PNGWriter(width: width, height: height, isOpaque: isOpaque, threadCount: options.threads)
                do throws(FileError) { try file.write(png.header) } catch { throw ImagingError(error) }
                self.png = png
            case .rgba:
                try format.checkSize(width: width, height: height)
            case .jpeg, .webp:
                throw ImagingError(.cannotStream("\(format.name) encoding needs the whole picture at once"))
            }
        } catch {
            throw error.at(path)
        }
        self.file = file
    }

    /// Begins a picture file.
    ///
    /// A PNG must declare before its first row whether it has alpha. It therefore omits alpha only if `isOpaque` is true.
    /// - Parameters:
    ///   - format: The format. Default nil: the format for the extension of `path`.
    ///   - isOpaque: Whether every pixel has an alpha of 255. The caller must ensure this. Default false.
    ///   - options: Options for encoding. Only the number of threads is used; a palette is refused.
    /// - Throws: `unknownExtension`, `cannotEncode`, `cannotWrite`, or, if the format cannot be streamed, `cannotStream`.
    public convenience init(
        to path: String, width: Int, height: Int, as format: ImageFormat? = nil, isOpaque: Bool = false,
        options: EncodingOptions = EncodingOptions()
    ) throws(ImagingError) {
        guard let format = format ?? ImageFormat(path: path) else { throw ImagingError(.unknownExtension, path: path) }
        let file: UnfinishedFile
        do throws(FileError) { file = try UnfinishedFile(path) } catch { throw ImagingError(error).at(path) }
        try self.init(file, path: path, width: width, height: height, as: format, isOpaque: isOpaque, options: options)
    }

    /// Appends the rows of a band below the existing rows.
    /// - Throws: `cannotStream` if the band is not as wide as the picture, has more rows than remain, or is not opaque although
    ///   `isOpaque` is true. The stream is then unchanged, and a different band may be appended. `cannotWrite` if writing fails; the stream
    ///   then ends.
    public func append(_ band: Bitmap) throws(ImagingError) {
        guard let file else { throw refusal("the file is already finished, or writing it failed") }
        guard band.width == width else { throw refusal("the band's width is \(band.width), but the picture's width is \(width)") }
        guard band.height <= height - rowCount else {
            throw refusal("the band's height is \(band.height), but the number of missing rows is \(height - rowCount)")
        }
        guard !isOpaque || band.isOpaque else { throw refusal("the band is not opaque, although the picture was declared opaque") }
        do throws(FileError) {
            if png == nil {
                try file.write(band.straightPixels)
            } else {
                var bytes: [UInt8] = []
                png?.append(band.pixels, to: &bytes)
                try file.write(bytes)
            }
        } catch {
            self.file = nil
            throw ImagingError(error).at(path)
        }
        rowCount += band.height
    }

    /// Completes the file, which then appears under its name.
    /// - Throws: `cannotStream` if rows are missing. The missing rows may still be appended.
    public func finish() throws(ImagingError) {
        guard let file else { throw refusal("the file is already finished, or writing it failed") }
        let missing = height - rowCount
        guard missing == 0 else { throw refusal(missing == 1 ? "1 row is missing" : "\(missing) rows are missing") }
        self.file = nil
        do throws(FileError) {
            try file.finish()
        } catch {
            throw ImagingError(error).at(path)
        }
    }

    private func refusal(_ message: String) -> ImagingError { ImagingError(.cannotStream(message), path: path) }
}
