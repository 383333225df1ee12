import WaymarkImaging
import WaymarkSceneFiles

/// What holds for every job that does not say otherwise.
package struct JobDefaults: Equatable, Sendable {
    /// The format of pictures whose job names neither a format nor an output. Default PNG.
    package var format: ImageFormat?
    /// The quality of JPEG and WebP pictures, 1 to 100.
    package var quality: Int?
    /// Whether the inspection of a picture is written beside it, or sent back with it. Default false.
    package var isInspected = false

    package init() {}
}

extension JobDefaults {
    /// Reads the keys that a job may have, too.
    init(_ value: JSONValue) throws(SceneFileError) {
        format = try value.member("format").map { (format) throws(SceneFileError) in try Self.readFormat(format) }
        quality = try value.member("quality")?.readInteger(in: 1...100)
        isInspected = try value.member("inspect")?.readBoolean() ?? false
    }

    private static func readFormat(_ value: JSONValue) throws(SceneFileError) -> ImageFormat {
        let name = try value.readString()
        guard let format = ImageFormat(rawValue: name) else {
            throw value.error("\(name.quotedBriefly) is none of \(ImageFormat.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return format
    }

    /// Writes what is not the default as members of an object.
    func write(into writer: inout JSONWriter) {
        if let format {
            writer.key("format")
            writer.string(format.rawValue)
        }
        if let quality {
            writer.key("quality")
            writer.integer(quality)
        }
        if isInspected {
            writer.key("inspect")
            writer.boolean(true)
        }
    }
}

extension JobDefaults {
    /// Reads the defaults of a job message.
    init(message: JSONValue) throws(JobError) {
        do throws(SceneFileError) { try self.init(message) } catch { throw JobError(error) }
    }
}
