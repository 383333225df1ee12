/// A format in which pictures can be written.
///
/// A new format is a case here, its file extensions below, and its encoder in `Bitmap+Encoding.swift`; the compiler reports all places.
public enum ImageFormat: String, CaseIterable, Sendable {
    /// PNG, straight alpha, with an sRGB chunk; RGB when every pixel is opaque; with a palette if `EncodingOptions.paletteColors` is set.
    case png
    /// JPEG, baseline or progressive, chroma not subsampled, without alpha: composited over `EncodingOptions.background`.
    case jpeg
    /// WebP, straight alpha; lossless unless `EncodingOptions.quality` is set.
    case webp
    /// Raw straight RGBA bytes, top row first, without header and padding.
    case rgba

    /// The usual file extension, in lower case and without the dot.
    public var fileExtension: String { fileExtensions[0] }

    /// All file extensions, in lower case and without the dot, the usual one first.
    public var fileExtensions: [String] {
        switch self {
        case .png: ["png"]
        case .jpeg: ["jpg", "jpeg"]
        case .webp: ["webp"]
        case .rgba: ["rgba"]
        }
    }

    /// Whether it has alpha; formats without it are composited over `EncodingOptions.background`.
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

    /// The format for the extension of `path`, case-insensitive; nil if no writable format has that extension.
    public init?(path: String) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return nil }
        let ending = name[name.index(after: dot)...].lowercased()
        guard let format = Self.allCases.first(where: { $0.fileExtensions.contains(ending) }) else { return nil }
        self = format
    }
}

extension ImageFormat {
    /// Whether `EncodingOptions.quality` applies to it.
    package var hasQuality: Bool { self == .jpeg || self == .webp }

    /// Whether `EncodingOptions.paletteColors` applies to it.
    package var hasPalette: Bool { self == .png }

    /// Whether `EncodingOptions.isProgressive` applies to it.
    package var canBeProgressive: Bool { self == .jpeg }

    /// Whether it can be written band by band with these options.
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

    /// Throws `cannotEncode` if the format does not support a picture of this size, so that callers can check before drawing.
    package func checkSize(width: Int, height: Int) throws(ImagingError) {
        let sides = (self == .rgba ? 0 : 1)...longestSide
        guard sides.contains(width), sides.contains(height) else {
            throw ImagingError(.cannotEncode(width: width, height: height), format: name)
        }
    }
}
