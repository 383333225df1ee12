import WaymarkSystem

/// The reason why an archive of tiles cannot be read or written, with a one-sentence description.
public struct TileError: Error, Equatable, Sendable {
    /// The kinds of failure.
    public enum Reason: Equatable, Sendable {
        /// The system refused to read the archive. `errno` gives the reason.
        case cannotRead
        /// The system refused to write the archive. `errno` gives the reason.
        case cannotWrite
        /// The path refers to a pipe, a socket or a device.
        case notAFile
        /// The path is a URL. Archives are read from files and folders only.
        case url
        /// The content is neither PMTiles nor MBTiles.
        case notAnArchive
        /// The folder or database contains no tiles.
        case noTiles
        /// A journal next to the archive shows that a program has begun to write the archive and has not finished. `file` is the name of
        /// the journal, without its folder.
        case unfinished(file: String)
        /// Another program is writing the file.
        case inUse
        /// The version of the format, such as "PMTiles 2", is not supported.
        case unsupportedVersion(String)
        /// The compression, such as "Zstandard", is not supported.
        case unsupportedCompression(String)
        /// The format of the tiles, such as "vector tiles (MLT)", is not supported.
        case unsupportedTiles(String)
        /// A table or view of the database could keep SQLite busy indefinitely; the associated string names the table or view.
        case unsupportedSchema(String)
        /// The content is damaged; the associated string describes the damage.
        case damaged(String)
        /// The content exceeds a limit; the associated string names the limit.
        case tooLarge(String)
        /// The content to be written is invalid, or a tile is a link that leads out of the folder; the associated string gives the reason.
        case invalid(String)
        /// The existing tiles were drawn by an earlier run that this run cannot continue; the associated string gives the reason.
        case otherRun(String)
    }

    public var reason: Reason
    /// The archive's path as given by the caller; nil until it is known.
    public var path: String?
    /// The address of the affected tile; nil if no single tile is affected.
    public var address: TileAddress?
    /// The system's error number, if the system refused the operation.
    public var errno: Int32?

    public init(_ reason: Reason, path: String? = nil, address: TileAddress? = nil, errno: Int32? = nil) {
        self.reason = reason
        self.path = path
        self.address = address
        self.errno = errno
    }
}

extension TileError: CustomStringConvertible {
    /// One sentence in lower case, without a final period. It is preceded by the path and the tile, if known. Example:
    /// `land.pmtiles: tile 5/17/11: cannot read the file`.
    public var description: String {
        (path.map { "\($0.quotedIfEmpty): " } ?? "") + (address.map { "tile \($0): " } ?? "") + sentence
            + (errno.map { ": \(SystemError(errno: $0))" } ?? "")
    }

    private var sentence: String {
        switch reason {
        case .cannotRead: "cannot read the file"
        case .cannotWrite: "cannot write the file"
        case .notAFile: "this is neither a file nor a folder"
        case .url:
            "this is a URL, but only files can be read; fetch the part that you need, for example with pmtiles extract URL city.pmtiles "
                + "--bbox=WEST,SOUTH,EAST,NORTH"
        case .notAnArchive: "this is not a tile archive (PMTiles, MBTiles, or a folder with tiles named z/x/y.png)"
        case .noTiles: "the archive has no tiles"
        case .unfinished(let file):
            "another program is writing this archive, or stopped before finishing (\(file) exists); close that program, "
                + "or use it to reopen the archive and finish writing"
        case .inUse: "another program is writing this file"
        case .unsupportedVersion(let version): "\(version) is not supported; only PMTiles 3 is"
        case .unsupportedCompression(let name): "the archive's compression (\(name)) is not supported; only gzip is"
        case .unsupportedTiles(let content): "the archive contains \(content), but only PNG, JPEG, WebP and MVT tiles can be drawn"
        case .damaged(let problem): "the archive is damaged: \(problem)"
        case .unsupportedSchema(let problem), .tooLarge(let problem), .invalid(let problem), .otherRun(let problem): problem
        }
    }
}

extension TileError {
    init(_ error: FileError) {
        let reason: Reason =
            switch error.reason {
            case .cannotRead: .cannotRead
            case .cannotWrite: .cannotWrite
            case .tooLarge(let kind, let limit): .tooLarge(kind.excess(limit: limit))
            }
        self.init(reason, path: error.path, errno: error.errno)
    }

    init(reading error: SystemError, path: String) {
        self.init(.cannotRead, path: path, errno: error.errno)
    }

    /// Whether another request for the same tile may succeed.
    package var mayPass: Bool {
        switch reason {
        case .cannotRead, .unfinished, .inUse: true
        case .cannotWrite, .notAFile, .url, .notAnArchive, .noTiles, .unsupportedVersion, .unsupportedCompression, .unsupportedTiles,
            .unsupportedSchema, .damaged, .tooLarge, .invalid, .otherRun:
            false
        }
    }

    /// This error about an archive with the path as given by the user. A URL is reported as such, unless a file has that name.
    package func named(_ path: String) -> TileError {
        var error = self
        error.path = path
        if reason == .cannotRead, path.networkURL != nil { (error.reason, error.errno) = (.url, nil) }
        return error
    }

    /// This error with the path of the archive, unless it already has one, and with the tile.
    func at(_ path: String, _ address: TileAddress? = nil) -> TileError {
        var error = self
        error.path = error.path ?? path
        error.address = error.address ?? address
        return error
    }

    /// Runs code that reads or writes files, and converts its errors.
    static func converting<Result>(_ body: () throws(FileError) -> Result) throws(TileError) -> Result {
        do throws(FileError) { return try body() } catch { throw TileError(error) }
    }

    static func damaged(_ problem: String) -> TileError { TileError(.damaged(problem)) }
    static func tooLarge(_ what: String, limit: Int) -> TileError {
        TileError(.tooLarge("\(what) is larger than \(InputKind.text(byteCount: limit))"))
    }
}
