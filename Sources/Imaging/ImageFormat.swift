/// A format in which pictures can be written.
public enum ImageFormat: String, CaseIterable, Sendable {
    // To add a format, add a case here, its file extensions below, and its encoder in `Bitmap+Encoding.swift`; the compiler reports every
    // place that needs a change.

    /// PNG with straight alpha and an sRGB chunk. The file is RGB if every pixel is opaque, and has a palette if
    /// `EncodingOptions.paletteColors` is set.
    case png
    /// JPEG, baseline or progressive, without chroma subsampling and without alpha: the picture is composited over
    /// `EncodingOptions.background`.
    case jpeg
    /// WebP with straight alpha. It is lossless unless `EncodingOptions.quality` is set.
    case webp
    /// Raw straight RGBA bytes, with the top row first, and without a header or padding.
    case rgba

    /// The usual file extension, in lower case and without the dot.
    public var fileExtension: String { fileExtensions[0] }

    /// All file extensions, in lower case and without the dot; the usual one comes first.
    public var fileExtensions: [String] {
        switch self {
        case .png: ["png"]
        case .jpeg: ["jpg", "jpeg"]
        case .webp: ["webp"]
        case .rgba: ["rgba"]
        }
    }

    /// Whether the format has alpha. Pictures in formats without alpha are composited over `EncodingOptions.background`.
    public var hasAlpha: Bool { self != .jpeg }

    /// The name of the format in messages.
    public var name: String {
        switch self {
        case .png: "PNG"
        case .jpeg: "JPEG"
        case .webp: "WebP"
        case .rgba: "RGBA"
        }
    }

    /// The format for the extension of `path`, ignoring case; nil if no writable format has that extension.
    public init?(path: String) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return nil }
        let ending = name[name.index(after: dot)...].lowercased()
        guard let format = Self.allCases.first(where: { $0.fileExtensions.contains(ending) }) else { return nil }
        self = format
    }
}

extension ImageFormat {
    /// Whether `EncodingOptions.quality` applies to the format.
    package var hasQuality: Bool { self == .jpeg || self == .webp }

    /// Whether `EncodingOptions.paletteColors` applies to the format.
    package var hasPalette: Bool { self == .png }

    /// Whether `EncodingOptions.isProgressive` applies to the format.
    package var canBeProgressive: Bool { self == .jpeg }

    /// Whether a picture in this format, with these options, can be written band by band.
    package func isStreamable(_ options: EncodingOptions) -> Bool {
        switch self {
        case .png: options.paletteColors == nil
        case .rgba: true
        case .jpeg, .webp: false
        }
    }

    /// The maximum side length in pixels.
    private var longestSide: Int {
        switch self {
        case .png: Int(Int32.max)
        case .jpeg: JPEGWriter.longestSide
        case .webp: WebPWriter.longestSide
        case .rgba: Int.max
        }
    }

    /// Throws `cannotEncode` if the format does not support a picture of this size. Callers can therefore check the size before they
    /// draw.
    package func checkSize(width: Int, height: Int) throws(ImagingError) {
        let sides = (self == .rgba ? 0 : 1)...longestSide
        guard sides.contains(width), sides.contains(height) else {
            throw ImagingError(.cannotEncode(width: width, height: height), format: name)
        }
    }
}
