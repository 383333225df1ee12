import Synchronization
import WaymarkImaging
import WaymarkSystem

/// The tiles of a PMTiles file, version 3.
public final class PMTilesSource: TileSource {
    public let info: TileSetInfo
    package let content: TileContent
    package let layerNames: [String]
    private let file: ArchiveFile
    private let header: PMTilesHeader
    private let root: PMTilesDirectory
    private let leaves = Mutex(LeafCache())

    /// The maximum number of leaf directories between the root and a tile. The specification discourages more than one. Without a limit, a
    /// loop would never end.
    private static let mostLeaves = 3

    init(_ file: ArchiveFile) throws(TileError) {
        do throws(TileError) {
            self.file = file
            header = try PMTilesHeader(file.bytes(at: 0, count: min(file.size, PMTilesHeader.byteCount)), fileSize: file.size)
            content = header.tileType == .vector ? .vector : .pictures
            root = try Self.directory(header.root, file, header, "the root directory")
            guard header.metadata.count <= TileMetadata.byteLimit else { throw .tooLarge("the metadata", limit: TileMetadata.byteLimit) }
            let metadata = try TileMetadata(
                json: file.bytes(at: header.metadata.lowerBound, count: header.metadata.count)
                    .inflated(header.compression, limit: TileMetadata.byteLimit, "the metadata"))
            var info = TileSetInfo(minZoom: header.minZoom, maxZoom: header.maxZoom, bounds: header.bounds)
            if let problem = info.problem { throw .damaged("its header: \(problem)") }
            try metadata.describe(&info)
            if content == .vector {
                info.tileSize = try metadata.vectorTileSize()
            } else {
                let sample = try Self.sample(file, header, root)
                try metadata.setTileSize(of: &info, pixels: ImageSize.of(sample)?.width, isRetina: file.path.isRetinaName)
            }
            layerNames = content == .vector ? metadata.layerNames : []
            self.info = info
        } catch {
            throw error.at(file.path)
        }
    }

    public func tile(at address: TileAddress) throws(TileError) -> TileData? {
        try bytes(at: address).map { .encoded($0) }
    }
}

extension PMTilesSource: ArchivedTileSource {
    package func bytes(at address: TileAddress) throws(TileError) -> [UInt8]? {
        guard address.isValid else { return nil }
        do throws(TileError) {
            guard let entry = try entry(for: HilbertCurve.number(of: address)) else { return nil }
            return try Self.tile(entry, file, header)
        } catch {
            throw error.at(file.path, address)
        }
    }

    package func sampleBytes() throws(TileError) -> [UInt8] {
        do throws(TileError) { return try Self.sample(file, header, root) } catch { throw error.at(file.path) }
    }
}

private extension PMTilesSource {
    /// The entry that contains a tile; nil for a missing tile.
    func entry(for number: UInt64) throws(TileError) -> PMTilesDirectory.Entry? {
        var directory = root
        for _ in 0...Self.mostLeaves {
            guard let entry = directory.entry(for: number) else { return nil }
            if entry.run > 0 { return number - entry.number < UInt64(entry.run) ? entry : nil }
            directory = try leaf(entry)
        }
        throw .damaged("its directories are nested more than \(Self.mostLeaves) levels deep")
    }

    func leaf(_ entry: PMTilesDirectory.Entry) throws(TileError) -> PMTilesDirectory {
        if let leaf = leaves.withLock({ $0.leaf(at: entry.offset) }) { return leaf }
        // The leaf is read outside the lock, so two threads that need it at the same time both read it.
        let leaf = try Self.leaf(entry, file, header)
        leaves.withLock { $0.insert(leaf, at: entry.offset) }
        return leaf
    }

    static func leaf(
        _ entry: PMTilesDirectory.Entry, _ file: ArchiveFile, _ header: PMTilesHeader
    ) throws(TileError) -> PMTilesDirectory {
        try directory(header.leaves.part(entry, "a leaf directory"), file, header, "a leaf directory")
    }

    static func directory(
        _ range: Range<Int>, _ file: ArchiveFile, _ header: PMTilesHeader, _ name: String
    ) throws(TileError) -> PMTilesDirectory {
        guard range.count <= PMTilesDirectory.byteLimit else { throw .tooLarge(name, limit: PMTilesDirectory.byteLimit) }
        return try PMTilesDirectory(
            file.bytes(at: range.lowerBound, count: range.count).inflated(header.compression, limit: PMTilesDirectory.byteLimit, name))
    }

    static func tile(_ entry: PMTilesDirectory.Entry, _ file: ArchiveFile, _ header: PMTilesHeader) throws(TileError) -> [UInt8] {
        let range = try header.data.part(entry, "a tile")
        guard range.count <= InputKind.tileLimit else { throw .tooLarge("the tile", limit: InputKind.tileLimit) }
        return try file.bytes(at: range.lowerBound, count: range.count)
            .inflated(header.tileCompression, limit: InputKind.tileLimit, "the tile")
    }

    /// The first tile of the archive, as a sample of all tiles.
    static func sample(_ file: ArchiveFile, _ header: PMTilesHeader, _ root: PMTilesDirectory) throws(TileError) -> [UInt8] {
        var directory = root
        for _ in 0...mostLeaves {
            let entry = directory.entries[0]
            if entry.run > 0 { return try tile(entry, file, header) }
            directory = try leaf(entry, file, header)
        }
        throw .damaged("its directories are nested more than \(mostLeaves) levels deep")
    }
}

private extension Range<Int> {
    /// The byte range of an entry, which must lie within this section of the file.
    func part(_ entry: PMTilesDirectory.Entry, _ name: String) throws(TileError) -> Range<Int> {
        let end = entry.offset.addingReportingOverflow(UInt64(entry.length))
        guard !end.overflow, end.partialValue <= UInt64(count) else {
            throw .damaged("\(name) extends beyond the part of the file that should contain it")
        }
        return lowerBound + Int(entry.offset)..<lowerBound + Int(end.partialValue)
    }
}

/// The most recently used leaf directories.
private struct LeafCache {
    private var leaves: [UInt64: (leaf: PMTilesDirectory, use: Int)] = [:]
    private var memory = 0
    private var uses = 0

    /// The maximum size in bytes, which is enough for about 170 leaves of the usual 4,096 entries.
    private static let limit = 16 << 20

    mutating func leaf(at offset: UInt64) -> PMTilesDirectory? {
        guard let leaf = leaves[offset]?.leaf else { return nil }
        uses += 1
        leaves[offset]?.use = uses
        return leaf
    }

    mutating func insert(_ leaf: PMTilesDirectory, at offset: UInt64) {
        guard leaves[offset] == nil else { return }
        uses += 1
        leaves[offset] = (leaf, uses)
        memory += leaf.memory
        // The newest leaf stays, regardless of its size.
        while memory > Self.limit, leaves.count > 1, let oldest = leaves.min(by: { $0.value.use < $1.value.use }) {
            leaves[oldest.key] = nil
            memory -= oldest.value.leaf.memory
        }
    }
}
