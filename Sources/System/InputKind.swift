/// The purpose of a file, and the maximum number of bytes read from it. The size of inputs is limited only here.
///
/// There are two limits, because a regular file has a size, which is checked before anything is read, while a pipe or a device may have no
/// end.
package struct InputKind: Equatable, Sendable {
    /// The noun used in messages, such as `the scene file`.
    package let noun: String
    /// The maximum number of bytes of a regular file.
    package let limit: Int
    /// The maximum number of bytes of a pipe or a device.
    package let streamLimit: Int

    private init(_ noun: String, limit: Int, streamLimit: Int = .max) {
        self.noun = noun
        self.limit = limit
        self.streamLimit = min(limit, streamLimit)
    }

    /// The maximum number of bytes of JSON, models and buffers. Larger data sets belong in tiles or columnar files.
    private static let dataLimit = 4 << 30
    /// The same limit for pipes and devices, whose data take twice the memory while they are read.
    private static let dataStreamLimit = 512 << 20
}

extension InputKind {
    /// A scene, or a file of features: GeoJSON, GPX, or a table.
    package static let scene = InputKind("the scene file", limit: dataLimit, streamLimit: dataStreamLimit)
    /// A list of events for a scene.
    package static let events = InputKind("the list of events", limit: dataLimit, streamLimit: dataStreamLimit)
    /// A file of features that a scene names.
    package static let source = InputKind("the source", limit: dataLimit, streamLimit: dataStreamLimit)
    /// An OBJ, glTF or GLB file.
    package static let model = InputKind("the model file", limit: dataLimit, streamLimit: dataStreamLimit)
    /// A material library of an OBJ file.
    package static let materialLibrary = InputKind("the material library", limit: 64 << 20)
    /// A Markdown page.
    package static let page = InputKind("the page", limit: 16 << 20)
    /// A file under `/proc` or `/sys`, or a small file of the system's configuration.
    package static let systemFile = InputKind("the file", limit: 1 << 16)

    /// A buffer of a glTF file. Only as many bytes are read as the file declares.
    package static let buffer = InputKind("the buffer", limit: dataLimit, streamLimit: dataStreamLimit)
    /// The base scene of a batch, which is sent to workers in one message with at most this many bytes.
    package static func baseScene(limit: Int) -> InputKind {
        InputKind("the base scene", limit: limit, streamLimit: dataStreamLimit)
    }

    /// The jobs of a batch. Jobs from a pipe or a device are copied into a temporary file.
    package static let jobs = InputKind("the list of jobs", limit: .max, streamLimit: 16 << 30)

    /// A picture of a map tile.
    package static let tile = InputKind("the tile", limit: tileLimit)
    /// The maximum number of bytes of an encoded tile, also in archives.
    package static let tileLimit = 64 << 20
    /// The file that describes the map tiles in its folder.
    package static let tileMetadata = InputKind("the metadata file", limit: 1 << 20)

    /// A file of no particular kind.
    package static func file(limit: Int) -> InputKind {
        InputKind("the file", limit: limit)
    }

    /// An image, with a limit chosen by the caller.
    package static func image(limit: Int) -> InputKind {
        InputKind("the image", limit: limit)
    }
}

extension InputKind {
    /// The sentence about a file with more than `limit` bytes: `the scene file is larger than 4 GiB`.
    /// - Parameter limit: The limit that was exceeded.
    package func excess(limit: Int) -> String {
        let stream = limit < self.limit ? ", the limit for a pipe or a device" : ""
        return "\(noun) is larger than \(Self.text(byteCount: limit))\(stream)"
    }

    /// A number of bytes in the largest binary unit in which it is an integer: `64 MiB`.
    package static func text(byteCount: Int) -> String {
        let units = ["bytes", "KiB", "MiB", "GiB"]
        let power = byteCount > 0 ? min(byteCount.trailingZeroBitCount / 10, units.count - 1) : 0
        return "\(byteCount >> (10 * power)) \(units[power])"
    }
}
