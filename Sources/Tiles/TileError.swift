import WaymarkSystem

/// The reason why an archive of tiles cannot be read or written, with a one-sentence description. Exit codes are chosen elsewhere, based on
/// the reason.
public struct TileError: Error, Equatable, Sendable {
    /// The kinds of failure.
    public enum Reason: Equatable, Sendable {
        /// The system refused to read; `errno` has the reason.
        case cannotRead
        /// The system refused to write; `errno` has the reason.
        case cannotWrite
        /// It is a pipe or a device.
        case notAFile
        /// The content is not PMTiles or MBTiles.
        case notAnArchive
        /// A folder or a database without a single tile.
        case noTiles
        /// Another program has begun to write the archive. `file` is the name, without folders, of the journal next to it that shows this.
        case unfinished(file: String)
        /// Another program is writing the file.
        case inUse
        /// An unsupported version of the format, such as "PMTiles 2".
        case unsupportedVersion(String)
        /// An unsupported compression, such as "Zstandard".
        case unsupportedCompression(String)
        /// Tiles in an unsupported format, such as "vector tiles (MVT)".
        case unsupportedTiles(String)
        /// A table or view of a database that could keep SQLite busy without limit; the sentence names it.
        case unsupportedSchema(String)
        /// The content is wrong; the sentence describes the damage.
        case damaged(String)
        /// The content exceeds a limit, which the sentence names.
        case tooLarge(String)
        /// The content to be written is invalid; the sentence gives the reason.
        case invalid(String)
        /// The tiles drawn so far belong to another run, which cannot be continued; the sentence gives the reason.
        case otherRun(String)
    }

    public var reason: Reason
    /// The archive's path, as given by the caller.
    public var path: String?
    /// The tile concerned, if any.
    public var address: TileAddress?
    /// The system's error number, if the system refused.
    public var errno: Int32?

    public init(_ reason: Reason, path: String? = nil, address: TileAddress? = nil, errno: Int32? = nil) {
        self.reason = reason
        self.path = path
        self.address = address
        self.errno = errno
    }
}

extension TileError: CustomStringConvertible {
    /// One sentence in lower case and without a period, after the path and the tile: `land.pmtiles: tile 5/17/11: cannot read the file`.
    public var description: String {
        (path.map { "\($0.quotedIfEmpty): " } ?? "") + (address.map { "tile \($0): " } ?? "") + sentence
            + (errno.map { ": \(SystemError(errno: $0))" } ?? "")
    }

    private var sentence: String {
        switch reason {
        case .cannotRead: "cannot read the file"
        case .cannotWrite: "cannot write the file"
        case .notAFile: "this is not a file or a folder"
        case .notAnArchive: "this is not a tile archive (PMTiles, MBTiles, or a folder with tiles named z/x/y.png)"
        case .noTiles: "it has no tiles"
        case .unfinished(let file):
            "another program is writing it or did not finish (\(file) exists); close that program, or open the archive with it again"
        case .inUse: "another program is writing it"
        case .unsupportedVersion(let version): "\(version) is not supported, only PMTiles 3"
        case .unsupportedCompression(let name): "its \(name) compression cannot be read, only gzip"
        case .unsupportedTiles(let content): "it contains \(content), but only PNG, JPEG and WebP tiles can be drawn"
        case .damaged(let problem): "the archive is damaged: \(problem)"
        case .unsupportedSchema(let problem), .tooLarge(let problem), .invalid(let problem), .otherRun(let problem): problem
        }
    }
}

extension TileError {
    package init(_ error: FileError, address: TileAddress? = nil) {
        let reason: Reason =
            switch error.reason {
            case .cannotRead: .cannotRead
            case .cannotWrite: .cannotWrite
            case .tooLarge(let kind, let limit): .tooLarge(kind.excess(limit: limit))
            }
        self.init(reason, path: error.path, address: address, errno: error.errno)
    }

    init(reading error: SystemError, path: String) {
        self.init(.cannotRead, path: path, errno: error.errno)
    }

    /// Whether a new request for the same tile may succeed.
    var mayPass: Bool {
        switch reason {
        case .cannotRead, .unfinished, .inUse: true
        case .cannotWrite, .notAFile, .notAnArchive, .noTiles, .unsupportedVersion, .unsupportedCompression, .unsupportedTiles,
            .unsupportedSchema, .damaged, .tooLarge, .invalid, .otherRun:
            false
        }
    }

    /// The same error with the path of the archive, unless it has one, and the tile.
    func at(_ path: String, _ address: TileAddress? = nil) -> TileError {
        var error = self
        error.path = error.path ?? path
        error.address = error.address ?? address
        return error
    }

    /// Runs code that reads or writes files.
    static func converting<Result>(_ body: () throws(FileError) -> Result) throws(TileError) -> Result {
        do throws(FileError) { return try body() } catch { throw TileError(error) }
    }

    static func damaged(_ problem: String) -> TileError { TileError(.damaged(problem)) }
    static func tooLarge(_ what: String, limit: Int) -> TileError {
        TileError(.tooLarge("\(what) is larger than \(InputKind.text(byteCount: limit))"))
    }
}
