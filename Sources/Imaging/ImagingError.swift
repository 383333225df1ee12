import WaymarkSystem

/// The reason why a picture could not be read, encoded or written, with a one-sentence description.
///
/// `cannotRead` means that a file is missing or unreadable. `cannotWrite` means that a file cannot be written. Most other reasons mean that
/// a file has invalid content.
public struct ImagingError: Error, Equatable, Sendable {
    /// The kinds of failure.
    public enum Reason: Equatable, Sendable {
        /// The data is empty.
        case empty
        /// The format of the bytes is unknown.
        case notAnImage
        /// The format is known but cannot be decoded.
        case unsupported
        /// The width, the height or the number of pixels exceeds the limits.
        case tooLarge(width: Int, height: Int, limits: ImageLimits)
        /// The file is longer than the limits allow.
        case tooLong(limits: ImageLimits)
        /// The data is damaged or truncated. `message` comes from the decoder.
        case corrupt(message: String)
        /// The data may be valid, but cannot be drawn: it is nested too deeply, takes too long to draw, or crashes the library that draws
        /// it.
        case undrawable(message: String)
        /// The format does not support a picture of this size.
        case cannotEncode(width: Int, height: Int)
        /// The quality is outside 1…100.
        case badQuality(Int)
        /// The number of palette colors is outside 2…256.
        case badPalette(Int)
        /// The format needs a library that is not installed. `package` is the Debian package of that library.
        case missingLibrary(package: String)
        /// The picture cannot be written in bands, or writing cannot continue. The associated value gives the reason.
        case cannotStream(String)
        /// The file name does not end with the extension of a writable format.
        case unknownExtension
        /// The URL does not refer to a file.
        case noFile
        /// The system refused to read the file. `errno` gives the reason.
        case cannotRead
        /// The system refused to write the file. `errno` gives the reason.
        case cannotWrite
        /// There is not enough memory.
        case outOfMemory
    }

    public var reason: Reason
    /// The name of the format, such as "PNG"; nil if unknown.
    public var format: String?
    /// The path of the file; nil if there is no file.
    public var path: String?
    /// The system's error number, if the system refused the operation.
    public var errno: Int32?

    public init(_ reason: Reason, format: String? = nil, path: String? = nil, errno: Int32? = nil) {
        self.reason = reason
        self.format = format
        self.path = path
        self.errno = errno
    }
}

extension ImagingError: CustomStringConvertible {
    /// One sentence in lower case, without a final period. It is preceded by the path, if there is one. Example:
    /// `pin.png: the PNG data is damaged: IDAT: CRC error`.
    public var description: String {
        (path.map { "\($0.quotedIfEmpty): " } ?? "") + sentence + (errno.map { ": \(SystemError(errno: $0))" } ?? "")
    }
}

extension ImagingError {
    /// Creates the error for a picture file from a file error.
    /// - Parameter limits: The limits under which the file was read.
    package init(_ error: FileError, limits: ImageLimits = ImageLimits()) {
        let reason: Reason =
            switch error.reason {
            case .cannotRead: .cannotRead
            case .cannotWrite: .cannotWrite
            case .tooLarge: .tooLong(limits: limits)
            }
        self.init(reason, path: error.path, errno: error.errno)
    }

    /// This error with the path of the affected file.
    package func at(_ path: String) -> ImagingError {
        var error = self
        error.path = path
        return error
    }
}

private extension ImagingError {
    var sentence: String {
        let format = format ?? "image"
        switch reason {
        case .empty: return "the image is empty"
        case .notAnImage: return "this is not an image in a known format"
        case .unsupported: return "\(format) images cannot be decoded"
        case .tooLarge(let width, let height, let limits):
            return "the \(format) is \(width) × \(height) pixels, but at most \(limits.width) × \(limits.height) "
                + "and \(limits.pixels) pixels in total are allowed"
        case .tooLong(let limits): return "the \(format) is larger than \(InputKind.text(byteCount: limits.bytes))"
        case .corrupt(let message): return "the \(format) data is damaged: \(message)"
        case .undrawable(let message): return "the \(format) cannot be drawn: \(message)"
        case .cannotEncode(let width, let height): return "a picture of \(width) × \(height) pixels cannot be written as \(format)"
        case .badQuality(let quality): return "the \(format) quality \(quality) is outside 1…100"
        case .badPalette(let count): return "a palette must have 2…256 colors, not \(count)"
        case .missingLibrary(let package): return "\(format) images need the package \(package), which is not installed"
        case .cannotStream(let message): return "the picture cannot be written in bands: \(message)"
        case .unknownExtension:
            let known = ImageFormat.allCases.flatMap(\.fileExtensions).joined(separator: ", ")
            return "the file name has no known picture extension (\(known))"
        case .noFile: return "this is not the URL of a file"
        case .cannotRead: return "cannot read the file"
        case .cannotWrite: return "cannot write the file"
        case .outOfMemory: return "not enough memory for the \(format) image"
        }
    }
}
