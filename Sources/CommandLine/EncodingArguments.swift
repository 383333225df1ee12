import ArgumentParser
import Waymark

/// How pictures are encoded.
struct EncodingArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "png, jpeg, webp or rgba (raw bytes, top row first). Default: the file's extension, else png.", valueName: "FORMAT"
        ), completion: .list(ImageFormat.allCases.map(\.rawValue)))
    var format: String?

    @OptionGroup var compression: CompressionArguments
}

/// How tiles are encoded.
struct TileEncodingArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp("png, jpeg or webp. Default: png.", valueName: "FORMAT"), completion: .list(Self.formats.map(\.rawValue)))
    var format: String?

    @OptionGroup var compression: CompressionArguments

    /// The formats that archives of tiles may have.
    private static let formats = ImageFormat.allCases.filter { $0 != .rgba }
}

/// The options of encoders.
struct CompressionArguments: ParsableArguments {
    @Option(parsing: .unconditional, help: PictureOption.quality.help())
    var quality: Int?

    @Flag(help: PictureOption.progressive.help())
    var progressive = false

    @Option(parsing: .unconditional, help: PictureOption.palette.help("COLORS"))
    var palette: Int?

    /// The options of the pictures' encoder.
    /// - Parameter format: The format of the picture, to which the options must apply; nil for pictures in any formats.
    func checkedOptions(_ format: ImageFormat?) throws(Failure) -> EncodingOptions {
        let options = EncodingOptions(quality: quality, isProgressive: progressive, paletteColors: palette)
        do throws(PropertyError) { try options.check(as: format) } catch { throw Failure(option: error) }
        return options
    }
}

extension EncodingArguments {
    /// The format named by `--format`; nil if it is not given.
    func chosenFormat() throws(Failure) -> ImageFormat? {
        guard let format else { return nil }
        do throws(PropertyError) { return try ImageFormat(named: format) } catch { throw Failure(option: error) }
    }
}

extension TileEncodingArguments {
    /// The format of the tiles.
    func chosenFormat() throws(Failure) -> ImageFormat {
        guard let format else { return .png }
        guard let known = Self.formats.first(where: { $0.rawValue == format }) else {
            throw Failure(.usage, "--format: \(format.quotedBriefly) is not one of \(Self.formats.map(\.rawValue).joined(separator: ", "))")
        }
        return known
    }
}
