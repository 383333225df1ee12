import WaymarkSystem

/// Why a picture could not be read, encoded or written: the facts, and one sentence.
///
/// Exit codes are chosen elsewhere, by `reason`: `cannotRead` is a file that is missing or unreadable, `cannotWrite` an output that
/// cannot be written; most others are a file with invalid content.
public struct ImagingError: Error, Equatable, Sendable {
    public enum Reason: Equatable, Sendable {
        /// There are no bytes at all.
        case empty
        /// The bytes are not of an image format that Waymark knows.
        case notAnImage
        /// The format is known, but cannot be decoded.
        case unsupported
        /// The header declares more pixels than the limits allow.
        case tooLarge(width: Int, height: Int, limits: ImageLimits)
        /// The file is longer than the limits allow.
        case tooLong(limits: ImageLimits)
        /// The data is damaged, or ends early. `message` is the decoder's.
        case corrupt(message: String)
        /// The data may be valid, but drawing it is refused or failed: it is nested too deeply, takes too long, or crashed the renderer.
        case undrawable(message: String)
        /// The format cannot hold a picture of this size.
        case cannotEncode(width: Int, height: Int)
        /// The quality is outside 1…100.
        case badQuality(Int)
        /// The format needs a library that is not installed; `package` is its Debian package.
        case missingLibrary(package: String)
        /// The picture cannot be written in bands, or not continued; the sentence says why.
        case cannotStream(String)
        /// The name has no extension of a format that can be written.
        case unknownExtension
        /// The system refused to read the file; `errno` says why.
        case cannotRead
        /// The system refused to write the file; `errno` says why.
        case cannotWrite
        /// There is not enough memory.
        case outOfMemory
    }

    public var reason: Reason
    /// The name of the format, such as "PNG", where it is known.
    public var format: String?
    /// The path of the file, where there is one.
    public var path: String?
    /// The system's error number, where the system refused.
    public var errno: Int32?

    public init(_ reason: Reason, format: String? = nil, path: String? = nil, errno: Int32? = nil) {
        self.reason = reason
        self.format = format
        self.path = path
        self.errno = errno
    }
}

extension ImagingError: CustomStringConvertible {
    /// One sentence in lower case and without a full stop, behind the path where there is one:
    /// `pin.png: the PNG data is damaged: IDAT: CRC error`.
    public var description: String {
        (path.map { "\($0): " } ?? "") + sentence + (errno.map { ": \(SystemError(errno: $0))" } ?? "")
    }
}

extension ImagingError {
    /// The error of a file of a picture.
    /// - Parameter limits: What the file was read with.
    package init(_ error: FileError, limits: ImageLimits = ImageLimits()) {
        let reason: Reason =
            switch error.reason {
            case .cannotRead: .cannotRead
            case .cannotWrite: .cannotWrite
            case .tooLong: .tooLong(limits: limits)
            }
        self.init(reason, path: error.path, errno: error.errno)
    }

    /// The same error with the name of the file it happened in.
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
        case .notAnImage: return "this is not an image of a known format"
        case .unsupported: return "\(format) images cannot be decoded"
        case .tooLarge(let width, let height, let limits):
            return "the \(format) is \(width) × \(height) pixels, and at most \(limits.width) × \(limits.height) "
                + "and \(limits.pixels) in all are allowed"
        case .tooLong(let limits): return "the image is longer than the \(limits.bytes) bytes allowed"
        case .corrupt(let message): return "the \(format) data is damaged: \(message)"
        case .undrawable(let message): return "the \(format) cannot be drawn: \(message)"
        case .cannotEncode(let width, let height): return "a picture of \(width) × \(height) pixels cannot be written as \(format)"
        case .badQuality(let quality): return "the \(format) quality \(quality) is outside 1…100"
        case .missingLibrary(let package): return "\(format) images need the package \(package), which is not installed"
        case .cannotStream(let message): return "the picture cannot be written in bands: \(message)"
        case .unknownExtension:
            let known = ImageFormat.allCases.flatMap(\.fileExtensions).joined(separator: ", ")
            return "the name ends in no known picture extension (\(known))"
        case .cannotRead: return "cannot read the file"
        case .cannotWrite: return "cannot write the file"
        case .outOfMemory: return "not enough memory for the \(format) image"
        }
    }
}
