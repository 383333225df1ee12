/// A format that pictures can be written in.
///
/// A new one is a case here, and the compiler shows where: its extension below, and its encoder in `Bitmap+Encoding.swift`.
public enum ImageFormat: String, CaseIterable, Sendable {
    /// PNG, straight alpha, with an sRGB chunk; RGB when every pixel is opaque.
    case png
    /// Nothing but straight RGBA bytes, top row first, no header and no padding.
    case rgba

    /// The extension of such files, in lower case and without the dot.
    public var fileExtension: String {
        switch self {
        case .png: "png"
        case .rgba: "rgba"
        }
    }

    /// The format's usual name in a sentence.
    public var name: String {
        switch self {
        case .png: "PNG"
        case .rgba: "RGBA"
        }
    }

    /// The format whose extension `path` ends in, in either case; nil when it is none that can be written.
    public init?(path: String) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return nil }
        let ending = name[name.index(after: dot)...].lowercased()
        guard let format = Self.allCases.first(where: { $0.fileExtension == ending }) else { return nil }
        self = format
    }
}
