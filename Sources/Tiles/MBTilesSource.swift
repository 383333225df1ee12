import Foundation
import WaymarkImaging
import WaymarkSystem

/// The tiles of an MBTiles file (version 1.3): an SQLite database with the tables or views `tiles` and `metadata`.
///
/// The file is read without locks, on the assumption that it does not change. A file is refused if a program is still writing it, or was
/// interrupted while writing it. If another file replaces the file, the source continues to read the file that it opened.
public final class MBTilesSource: TileSource {
    public let info: TileSetInfo
    package let content: TileContent
    package let layerNames: [String]
    private let path: String
    /// The recognized file, kept open so that no other file gets its identity.
    private let file: OpenFile
    private let identity: FileIdentity
    private let connections: ConnectionPool

    /// - Parameter file: The opened file at this path.
    init(_ path: String, _ file: OpenFile) throws(TileError) {
        self.path = path
        self.file = file
        do throws(TileError) {
            do throws(SystemError) { identity = try file.status.identity } catch { throw TileError(reading: error, path: path) }
            try Self.refuseJournal(of: path)
            guard let connection = try Self.connection(path, identity) else { throw TileError(.inUse) }
            (info, content, layerNames) = try connection.readInfo(isRetina: path.isRetinaName)
            connections = ConnectionPool(connection)
        } catch {
            throw error.at(path)
        }
    }

    public func tile(at address: TileAddress) throws(TileError) -> TileData? {
        try bytes(at: address).map { .encoded($0) }
    }
}

extension MBTilesSource: ArchivedTileSource {
    package func bytes(at address: TileAddress) throws(TileError) -> [UInt8]? {
        guard address.isValid else { return nil }
        do throws(TileError) {
            let bytes = try withConnection { (connection) throws(TileError) in try connection.tile(at: address) }
            // A picture cannot be empty, but a vector tile without content can.
            return content == .pictures && bytes?.isEmpty == true ? nil : try inflated(bytes)
        } catch {
            throw error.at(path, address)
        }
    }

    package func sampleBytes() throws(TileError) -> [UInt8] {
        do throws(TileError) {
            return try inflated(withConnection { (connection) throws(TileError) in try connection.sample() }) ?? []
        } catch {
            throw error.at(path)
        }
    }
}

private extension MBTilesSource {
    func withConnection(_ body: (Connection) throws(TileError) -> [UInt8]?) throws(TileError) -> [UInt8]? {
        let connection = try connections.take { () throws(TileError) in try Self.connection(path, identity) }
        defer { connections.giveBack(connection) }
        return try body(connection)
    }

    /// The bytes of a tile, inflated if it is a compressed vector tile. Pictures are never compressed again.
    func inflated(_ bytes: [UInt8]?) throws(TileError) -> [UInt8]? {
        guard content == .vector, let bytes else { return bytes }
        return try bytes.inflated(.unknown, limit: InputKind.tileLimit, "the tile")
    }

    /// Opens another connection to the file by its path, because SQLite has no other way; nil if the path now refers to a different file.
    static func connection(_ path: String, _ identity: FileIdentity) throws(TileError) -> Connection? {
        func isSame() -> Bool { (try? FileStatus(path))?.identity == identity }
        guard isSame() else { return nil }
        do throws(TileError) {
            let connection = try Connection(path)
            // The file is checked again, because it may have been replaced meanwhile.
            return isSame() ? connection : nil
        } catch {
            if isSame() { throw error }
            return nil
        }
    }

    /// Throws if there is a journal with content, because without it the file is incomplete.
    static func refuseJournal(of path: String) throws(TileError) {
        // SQLite places the journal next to the file itself, not next to a link.
        let file = FileSystem.resolved(path) ?? path
        // Messages leave out the folder, because a server's client must not learn its location.
        let name = file.split(separator: "/").last ?? ""
        // The first bytes of a valid journal.
        let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
        if let head = try? WholeFile.read("\(file)-journal", as: .systemFile, first: magic.count), head == magic {
            throw TileError(.unfinished(file: "\(name)-journal"))
        }
        if let status = try? FileStatus("\(file)-wal"), status.form == .regular, status.size > 0 {
            throw TileError(.unfinished(file: "\(name)-wal"))
        }
    }
}

/// The connections to one file: each is used by one thread at a time.
private final class ConnectionPool: @unchecked Sendable {
    private let condition = NSCondition()
    private var idle: [Connection]

    init(_ first: Connection) { idle = [first] }

    /// Takes a connection that no other thread uses: an idle connection, a new one or, if no more can be opened, the next one that
    /// another thread returns.
    /// - Parameter open: Opens a connection; returns nil if that is impossible. Several threads may call it concurrently.
    func take(orOpen open: () throws(TileError) -> Connection?) throws(TileError) -> Connection {
        if let connection = condition.withLock({ idle.popLast() }) { return connection }
        if let connection = try open() { return connection }
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let connection = idle.popLast() { return connection }
            condition.wait()
        }
    }

    func giveBack(_ connection: Connection) {
        condition.lock()
        idle.append(connection)
        condition.signal()
        condition.unlock()
    }
}

/// An open database and its statement for tiles.
private final class Connection {
    private let database: SQLiteDatabase
    private let schema: SQLSchema
    /// The source of the tiles, for a FROM clause.
    private let tiles: String
    private let select: SQLiteStatement

    init(_ path: String) throws(TileError) {
        database = try SQLiteDatabase(path, .untrusted)
        schema = try SQLSchema(database)
        guard let tiles = try schema.source("tiles") else {
            throw .damaged("this SQLite database has neither a table nor a view called tiles")
        }
        self.tiles = tiles
        select = try database.prepare(
            "SELECT tile_data FROM \(tiles) WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3 LIMIT 1")
    }

    func tile(at address: TileAddress) throws(TileError) -> [UInt8]? {
        defer { select.reset() }
        // Rows count from the south.
        try select.bind(address.zoom, address.x, (1 << address.zoom) - 1 - address.y)
        guard try select.next() else { return nil }
        return select.bytes(0)
    }

    /// One of the tiles.
    func sample() throws(TileError) -> [UInt8] {
        let sample = try database.prepare("SELECT tile_data FROM \(tiles) LIMIT 1")
        guard try sample.next() else { throw TileError(.noTiles) }
        return sample.bytes(0)
    }
}

private extension Connection {
    /// The maximum number of metadata entries, which is more than any archive contains.
    static let mostMetadata = 1000

    func readInfo(isRetina: Bool) throws(TileError) -> (info: TileSetInfo, content: TileContent, layerNames: [String]) {
        var values: [String: String] = [:]
        if let source = try schema.source("metadata") {
            let rows = try database.prepare("SELECT name, value FROM \(source) LIMIT \(Self.mostMetadata)")
            var left = TileMetadata.byteLimit
            while try rows.next() {
                let (name, value) = (rows.text(0), rows.text(1))
                left -= name.utf8.count + value.utf8.count
                guard left >= 0 else { throw .tooLarge("the metadata", limit: TileMetadata.byteLimit) }
                values[name] = value
            }
        }
        let metadata = TileMetadata(values)
        var content: TileContent?
        if let format = metadata.text("format") {
            content = try TileContent(format: format)
            if content == nil { throw TileError(.unsupportedTiles("tiles of the format \(format.prefix(40))")) }
        }
        var info = TileSetInfo()
        info.minZoom = try zoom("minzoom", metadata, "min")
        info.maxZoom = try zoom("maxzoom", metadata, "max")
        if let problem = info.problem { throw .damaged(problem) }
        try metadata.describe(&info)
        let bytes = try sample()
        // Compressed tiles are vector tiles, because raster tiles are not compressed again. Not all archives declare the type of their
        // tiles.
        if content != .vector, Gzip.isGzip(bytes) { content = .vector }
        if content == .vector {
            info.tileSize = try metadata.vectorTileSize()
            return (info, .vector, metadata.layerNames)
        }
        try metadata.setTileSize(of: &info, pixels: ImageSize.of(bytes)?.width, isRetina: isRetina)
        return (info, .pictures, [])
    }

    /// A zoom from the metadata or, if it is missing there, from the tiles: one query per zoom, because an index answers each immediately.
    private func zoom(_ key: String, _ metadata: TileMetadata, _ function: String) throws(TileError) -> Int {
        if let zoom = try metadata.zoom(key) { return zoom }
        let statement = try database.prepare("SELECT \(function)(zoom_level) FROM \(tiles)")
        guard try statement.next(), let zoom = statement.integer(0) else { throw TileError(.noTiles) }
        return zoom
    }
}
