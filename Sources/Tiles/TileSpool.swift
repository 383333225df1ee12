import WaymarkImaging
import WaymarkSystem

/// A file of tiles from which an archive is written. Tiles are added in any order, equal tiles are stored once, and an interrupted run
/// can be continued. The archive is written when all tiles are present, because only then are its order and size known.
///
/// Every record has a checksum; the first incomplete record ends the file.
package final class TileSpool {
    private let file: OpenFile
    package let path: String
    private var size: Int
    /// The byte ranges of the contents in the file.
    private var contents: [Range<Int>] = []
    /// The contents by checksum and length.
    private var known: [UInt64: [UInt32]] = [:]
    private var records: [Tile] = []
    /// The finished parts of the work.
    package private(set) var finishedParts: Set<Int> = []

    /// A tile and its picture.
    package struct Tile: Equatable, Sendable {
        /// The tile's number along the Hilbert curve.
        var number: UInt64
        package var address: TileAddress
        /// The index of the tile's content.
        var content: UInt32
    }

    fileprivate enum Kind: UInt8 {
        case tile = 1, equalTile, part
    }

    /// The length of a record's head: the kind, zoom, column, row and length, and then the checksum of these and of the following bytes.
    private static let headCount = 14
    private static let recordCount = headCount + 4
    private static let magic = Array("Waymark tiles 3\n".utf8)

    /// Begins a file, or continues one left by a run with the same fingerprints and the same renderer.
    /// - Parameters:
    ///   - fingerprint: A hash of everything that determines the tiles, except the scene and the renderer.
    ///   - scene: A hash of the scene.
    ///   - renderer: The name of the renderer.
    ///   - isResuming: Whether an existing file is continued; otherwise it is emptied.
    /// - Throws: `TileError`: the file cannot be read or written, is in use by another process, or was begun with other fingerprints or
    ///   another renderer.
    package init(
        _ path: String, fingerprint: UInt64, scene: UInt64 = 0, renderer: String, isResuming: Bool
    ) throws(TileError) {
        self.path = path
        let isLocked: Bool
        do throws(SystemError) {
            file = try OpenFile(path, .readAndWrite, [.create, .append])
            isLocked = try file.tryLock()
            size = try file.status.size
        } catch {
            throw TileError(.cannotWrite, path: path, errno: error.errno)
        }
        guard isLocked else { throw TileError(.inUse, path: path) }
        var start = Self.magic
        start.append(littleEndian: scene)
        start.append(littleEndian: fingerprint)
        let rendererStart = start.count
        start.append(littleEndian: UInt16(clamping: renderer.utf8.count))
        start += renderer.utf8.prefix(Int(UInt16.max))
        if size > 0 {
            let head = try read(at: 0, count: min(size, Self.magic.count))
            guard head.elementsEqual(Self.magic.prefix(head.count)) else {
                throw TileError(
                    .invalid(
                        "this file has the name of the temporary archive, but different content; move the file or choose another output"),
                    path: path)
            }
        }
        if isResuming, size >= rendererStart {
            let known = try read(at: Self.magic.count, count: 16)
            var others: [String] = []
            if known.littleEndian(0, as: UInt64.self) != scene { others.append("another scene or base map") }
            if known.littleEndian(8, as: UInt64.self) != fingerprint { others.append("other options") }
            guard others.isEmpty else {
                // Different zooms may also change the hash of the scene.
                throw TileError(.otherRun("the interrupted run used \(others.joined(separator: " or "))"), path: path)
            }
        }
        if isResuming, let drawn = try rendererName(at: rendererStart) {
            guard drawn.elementsEqual(renderer.utf8.prefix(Int(UInt16.max))) else {
                let other = String(decoding: drawn, as: UTF8.self)
                throw TileError(
                    .otherRun("the tiles in this file were drawn by \(other), but this machine draws with \(renderer)"), path: path)
            }
            try readRecords(from: start.count)
        } else {
            size = 0
            try cut()
            try append(start)
        }
    }

    /// Adds a tile. If two tiles have the same address, the later one is used.
    package func add(_ bytes: [UInt8], at address: TileAddress) throws(TileError) {
        precondition(address.isValid && !bytes.isEmpty, "the tile is empty or has an invalid address")
        let key = Self.key(bytes)
        for index in known[key] ?? [] where try content(index) == bytes {
            try append(Self.record(.equalTile, address, length: index))
            return note(address, index)
        }
        try append(Self.record(.tile, address, length: UInt32(bytes.count), bytes))
        note(address, addContent(size - bytes.count..<size, key))
    }

    /// Records that all tiles of a part of the work have been added.
    package func finish(part: Int) throws(TileError) {
        try append(Self.record(.part, TileAddress(zoom: 0, x: part, y: 0), length: 0))
        finishedParts.insert(part)
    }

    /// The number of distinct contents.
    package var contentCount: Int { contents.count }

    /// All tiles, in the order of their numbers.
    package func tiles() -> [Tile] {
        var tiles: [Tile] = []
        tiles.reserveCapacity(records.count)
        for (_, tile) in records.enumerated().sorted(by: { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }) {
            if tiles.last?.number == tile.number { tiles.removeLast() }
            tiles.append(tile)
        }
        return tiles
    }

    func contentLength(_ index: UInt32) -> Int { contents[Int(index)].count }

    /// The bytes of a content.
    package func content(_ index: UInt32) throws(TileError) -> [UInt8] {
        let range = contents[Int(index)]
        return try read(at: range.lowerBound, count: range.count)
    }

    /// Removes the file.
    package func remove() {
        try? FileSystem.remove(path)
    }
}

private extension TileSpool {
    /// The name of the renderer in an existing file, where its length precedes it; nil if the file ends too early.
    func rendererName(at start: Int) throws(TileError) -> [UInt8]? {
        guard size >= start + 2 else { return nil }
        let count = Int(try read(at: start, count: 2).littleEndian(0, as: UInt16.self))
        guard size >= start + 2 + count else { return nil }
        return try read(at: start + 2, count: count)
    }

    static func key(_ bytes: [UInt8]) -> UInt64 { UInt64(CRC32.of(bytes)) << 32 | UInt64(UInt32(truncatingIfNeeded: bytes.count)) }

    func note(_ address: TileAddress, _ content: UInt32) {
        records.append(Tile(number: HilbertCurve.number(of: address), address: address, content: content))
    }

    func addContent(_ range: Range<Int>, _ key: UInt64) -> UInt32 {
        let index = UInt32(contents.count)
        contents.append(range)
        known[key, default: []].append(index)
        return index
    }

    static func record(_ kind: Kind, _ address: TileAddress, length: UInt32, _ content: [UInt8] = []) -> [UInt8] {
        var record: [UInt8] = []
        record.reserveCapacity(recordCount + content.count)
        record += [kind.rawValue, UInt8(address.zoom)]
        for value in [UInt32(address.x), UInt32(address.y), length] { record.append(littleEndian: value) }
        record.append(littleEndian: CRC32.of(content, after: CRC32.of(record)))
        return record + content
    }

    /// Reads the complete records of an earlier run, and removes the rest.
    func readRecords(from start: Int) throws(TileError) {
        var at = start
        reading: while at + Self.recordCount <= size {
            let head = try read(at: at, count: Self.recordCount)
            guard let kind = Kind(rawValue: head[0]) else { break }
            let values = (0..<3).map { head.littleEndian(2 + 4 * $0, as: UInt32.self) }
            let checksum = head.littleEndian(Self.headCount, as: UInt32.self)
            let address = TileAddress(zoom: Int(head[1]), x: Int(values[0]), y: Int(values[1]))
            let count = kind == .tile ? Int(values[2]) : 0
            guard kind == .part || address.isValid, kind != .tile || count > 0, at + Self.recordCount + count <= size else { break }
            let content = try read(at: at + Self.recordCount, count: count)
            guard CRC32.of(content, after: CRC32.of(Array(head[..<Self.headCount]))) == checksum else { break }
            switch kind {
            case .tile:
                let place = at + Self.recordCount..<at + Self.recordCount + count
                note(address, addContent(place, Self.key(content)))
            case .equalTile:
                guard values[2] < contents.count else { break reading }
                note(address, values[2])
            case .part: finishedParts.insert(address.x)
            }
            at += Self.recordCount + count
        }
        size = at
        try cut()
    }

    func read(at offset: Int, count: Int) throws(TileError) -> [UInt8] {
        try ArchiveFile(file, path: path, size: size).bytes(at: offset, count: count)
    }

    func append(_ bytes: [UInt8]) throws(TileError) {
        do throws(SystemError) { try file.write(bytes) } catch { throw TileError(.cannotWrite, path: path, errno: error.errno) }
        size += bytes.count
    }

    func cut() throws(TileError) {
        do throws(SystemError) { try file.truncate(to: size) } catch { throw TileError(.cannotWrite, path: path, errno: error.errno) }
    }
}
