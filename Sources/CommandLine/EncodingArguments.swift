import ArgumentParser
import Waymark

/// How pictures are encoded.
struct EncodingArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "png, jpeg, webp or rgba (straight bytes, top row first). Default: what the file's name ends in, else png.", valueName: "FORMAT"
        ))
    var format: String?

    @Option(parsing: .unconditional, help: "1 to 100: of JPEG (default 85), or of lossy WebP (default lossless).")
    var quality: Int?
}

extension EncodingArguments {
    /// The format that `--format` names; nil if it is not given.
    func chosenFormat() throws(Failure) -> ImageFormat? {
        guard let format else { return nil }
        guard let known = ImageFormat(rawValue: format) else {
            throw Failure(.usage, "--format: \"\(format)\" is none of \(ImageFormat.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return known
    }

    /// The quality; nil if it is not given.
    /// - Parameter format: The format of the picture, which must have a quality; nil for pictures of any formats.
    func checkedQuality(_ format: ImageFormat?) throws(Failure) -> Int? {
        guard let quality else { return nil }
        if let format, !format.hasQuality { throw Failure(.usage, "--quality is for JPEG and WebP; \(format.name) has none") }
        guard (1...100).contains(quality) else { throw Failure(.usage, "--quality: \(quality) is outside 1…100") }
        return quality
    }
}
