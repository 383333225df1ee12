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

    @Flag(help: "Writes a progressive JPEG, which appears coarsely first and is usually a little smaller.")
    var progressive = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Writes a PNG with a palette of at most so many colors, 2 to 256. A picture of no more colors is unchanged.",
            valueName: "COLORS"))
    var palette: Int?
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

    /// The options of the pictures' encoder.
    /// - Parameter format: The format of the picture, which must have what is given; nil for pictures of any formats.
    func checkedOptions(_ format: ImageFormat?) throws(Failure) -> EncodingOptions {
        if let quality {
            if let format, !format.hasQuality { throw Failure(.usage, "--quality is for JPEG and WebP; \(format.name) has none") }
            guard EncodingOptions.qualities.contains(quality) else { throw Failure(.usage, "--quality: \(quality) is outside 1…100") }
        }
        if progressive, let format, !format.canBeProgressive {
            throw Failure(.usage, "--progressive: only a JPEG can be progressive, not a \(format.name)")
        }
        if let palette {
            if let format, !format.hasPalette { throw Failure(.usage, "--palette is for PNG; \(format.name) has none") }
            guard EncodingOptions.paletteColorCounts.contains(palette) else {
                throw Failure(.usage, "--palette: \(palette) is outside 2…256, the number of colors")
            }
        }
        return EncodingOptions(quality: quality, isProgressive: progressive, paletteColors: palette)
    }
}
