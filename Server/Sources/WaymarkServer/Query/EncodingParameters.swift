import HTTPTypes
import Waymark

/// The encoding of a picture: its format, and the options of that format.
struct PictureEncoding: Equatable, Sendable {
    var format = ImageFormat.png
    var options = EncodingOptions()
}

/// The parameters for the encoding of a picture.
enum EncodingParameters {
    static let format = Parameter(
        "format", .choice(["png", "webp", "jpeg", "jpg", "rgba"]),
        "The format of the picture; rgba is raw bytes with straight alpha, top row first. Default: the format preferred in Accept, or png.")
    static let quality = Parameter(.quality)
    static let progressive = Parameter(.progressive)
    static let palette = Parameter(.palette)

    static let all = [format, quality, progressive, palette]

    /// - Parameter accept: The `Accept` field of the request.
    static func encoding(_ query: Query, accept: String?) throws(ServerError) -> PictureEncoding {
        var encoding = PictureEncoding()
        switch try format.choice(in: query) {
        case "jpg"?: encoding.format = .jpeg
        case let name?: encoding.format = ImageFormat(rawValue: name) ?? .png
        case nil: encoding.format = try preferred(accept)
        }
        encoding.options.quality = try quality.integer(in: query)
        encoding.options.isProgressive = try progressive.flag(in: query) ?? false
        encoding.options.paletteColors = try palette.integer(in: query)
        do throws(PropertyError) {
            try encoding.options.check(as: encoding.format)
        } catch {
            throw .parameter(error.path, error.problem)
        }
        return encoding
    }

    /// The format preferred by an `Accept` field; on ties, the one named more exactly, then PNG.
    private static func preferred(_ accept: String?) throws(ServerError) -> ImageFormat {
        guard let accept, !accept.allSatisfy({ $0 == " " }) else { return .png }
        let ranges = MediaRange.list(accept)
        var best: (format: ImageFormat, quality: Double, precision: Int)?
        for format in [ImageFormat.png, .webp, .jpeg] {
            let matches = ranges.compactMap { range in
                range.precision(type: "image", subtype: format.rawValue).map { (precision: $0, quality: range.quality) }
            }
            guard let match = matches.max(by: { $0.precision < $1.precision }), match.quality > 0 else { continue }
            if let best, (best.quality, best.precision) >= (match.quality, match.precision) { continue }
            best = (format, match.quality, match.precision)
        }
        guard let best else {
            throw ServerError(
                .notAcceptable, "not-acceptable", "Accept allows none of the picture formats image/png, image/webp and image/jpeg")
        }
        return best.format
    }
}

extension ImageFormat {
    var mediaType: String { self == .rgba ? "application/octet-stream" : "image/\(rawValue)" }
}
