/// A format that pictures can be written in.
///
/// A new one is a case here, and the compiler shows where: its extensions below, and its encoder in `Bitmap+Encoding.swift`.
public enum ImageFormat: String, CaseIterable, Sendable {
    /// PNG, straight alpha, with an sRGB chunk; RGB when every pixel is opaque.
    case png
    /// Baseline JPEG, chroma not subsampled, no alpha: over `EncodingOptions.background`.
    case jpeg
    /// WebP, straight alpha; without loss unless `EncodingOptions.quality` is given.
    case webp
    /// Nothing but straight RGBA bytes, top row first, no header and no padding.
    case rgba

    /// The usual extension of such files, in lower case and without the dot.
    public var fileExtension: String { fileExtensions[0] }

    /// All extensions of such files, in lower case and without the dot, the usual one first.
    public var fileExtensions: [String] {
        switch self {
        case .png: ["png"]
        case .jpeg: ["jpg", "jpeg"]
        case .webp: ["webp"]
        case .rgba: ["rgba"]
        }
    }

    /// Whether it keeps alpha; what does not is laid over `EncodingOptions.background`.
    public var hasAlpha: Bool { self != .jpeg }

    /// The format's usual name in a sentence.
    public var name: String {
        switch self {
        case .png: "PNG"
        case .jpeg: "JPEG"
        case .webp: "WebP"
        case .rgba: "RGBA"
        }
    }

    /// The format one of whose extensions `path` ends in, in either case; nil when it is none that can be written.
    public init?(path: String) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return nil }
        let ending = name[name.index(after: dot)...].lowercased()
        guard let format = Self.allCases.first(where: { $0.fileExtensions.contains(ending) }) else { return nil }
        self = format
    }
}

extension ImageFormat {
    /// The longest side of a picture.
    private var longestSide: Int {
        switch self {
        case .png: Int(Int32.max)
        case .jpeg: JPEGWriter.longestSide
        case .webp: WebPWriter.longestSide
        case .rgba: Int.max
        }
    }

    /// Throws `cannotEncode` if the format cannot hold a picture of this size: to be asked before one is drawn for nothing.
    package func checkSize(width: Int, height: Int) throws(ImagingError) {
        let sides = (self == .rgba ? 0 : 1)...longestSide
        guard sides.contains(width), sides.contains(height) else {
            throw ImagingError(.cannotEncode(width: width, height: height), format: name)
        }
    }
}
