import WaymarkGeo
import WaymarkImaging
import WaymarkSceneFiles

/// Options that apply to every job that does not set them.
package struct JobDefaults: Equatable, Sendable {
    /// The format of pictures whose job names neither a format nor an output. Default: PNG.
    package var format: ImageFormat?
    /// The quality of JPEG and WebP pictures, 1 to 100.
    package var quality: Int?
    /// Whether JPEG pictures are progressive; nil for baseline.
    package var isProgressive: Bool?
    /// The maximum number of colors in the palette of PNG pictures, 2 to 256; nil for no palette.
    package var paletteColors: Int?
    /// Whether the inspection of a picture is written next to it, or returned with it. Default false.
    package var isInspected = false
    /// The format of the hit map that is written next to a picture; nil for no hit map.
    package var hitMap: HitMapFormat?
    /// The links of HTML hit maps; nil for the default.
    package var link: String?

    package init() {}
}

extension JobDefaults {
    /// Reads the keys that a job may also have.
    init(_ value: JSONValue) throws(SceneFileError) {
        format = try value.member("format").map { (format) throws(SceneFileError) in try Self.read(format) }
        quality = try value.member("quality")?.readInteger(in: EncodingOptions.qualities)
        isProgressive = try value.member("progressive")?.readBoolean()
        paletteColors = try value.member("palette")?.readInteger(in: EncodingOptions.paletteColorCounts)
        isInspected = try value.member("inspect")?.readBoolean() ?? false
        hitMap = try value.member("hitMap").map { (format) throws(SceneFileError) in try Self.read(format) }
        link = try value.member("link").map { (link) throws(SceneFileError) in
            let uri = try link.readString()
            if let problem = HitMap.problem(ofLink: uri) { throw link.error(problem) }
            return uri
        }
    }

    private static func read<Format: RawRepresentable & CaseIterable>(
        _ value: JSONValue
    ) throws(SceneFileError) -> Format where Format.RawValue == String {
        let name = try value.readString()
        do throws(PropertyError) { return try Format(named: name, "") } catch { throw value.error(error.problem) }
    }

    /// Writes all values that are not defaults as members of an object.
    package func write(into writer: inout JSONWriter) {
        writer.member("format", format?.rawValue)
        writer.member("quality", quality)
        writer.member("progressive", isProgressive)
        writer.member("palette", paletteColors)
        writer.member("inspect", isInspected ? true : nil)
        writer.member("hitMap", hitMap?.rawValue)
        writer.member("link", link)
    }
}

extension JobDefaults {
    /// The encoding options for a picture in the given format, whose job sets the options `own`.
    func encoding(_ format: ImageFormat, own: JobDefaults) -> EncodingOptions {
        EncodingOptions(
            quality: format.hasQuality ? own.quality ?? quality : nil,
            isProgressive: format.canBeProgressive && own.isProgressive ?? isProgressive ?? false,
            paletteColors: format.hasPalette ? own.paletteColors ?? paletteColors : nil)
    }

    /// Throws for the first option that the given format does not support.
    /// - Parameter value: The job.
    func check(_ format: ImageFormat, _ value: JSONValue) throws(SceneFileError) {
        let options = EncodingOptions(quality: quality, isProgressive: isProgressive ?? false, paletteColors: paletteColors)
        do throws(PropertyError) {
            try options.check(as: format)
        } catch {
            let option = value.members?.first { $0.key == error.path }?.value
            throw (option ?? value).error(error.problem)
        }
    }

    /// Reads the defaults of a job message.
    init(message: JSONValue) throws(Failure) {
        do throws(SceneFileError) { try self.init(message) } catch { throw Failure(error) }
    }
}
