import WaymarkImaging
import WaymarkSystem

/// Writes PMTiles, version 3. Each picture is written once, in the order of the tiles' numbers, and directories are compressed by gzip.
enum PMTilesWriter {
    static func write(_ spool: TileSpool, _ description: TileArchiveDescription, to path: String) throws(TileError) {
        let tiles = spool.tiles()
        guard !tiles.isEmpty else { throw TileError(.noTiles) }
        var index = PMTilesIndex(contentCount: spool.contentCount)
        for tile in tiles { index.add(tile, length: spool.contentLength(tile.content)) }
        let (root, leaves) = try directories(index.entries)
        let metadata = try deflated(description.json)
        var header = header(description)
        header.root = PMTilesHeader.byteCount..<PMTilesHeader.byteCount + root.count
        header.metadata = header.root.upperBound..<header.root.upperBound + metadata.count
        header.leaves = header.metadata.upperBound..<header.metadata.upperBound + leaves.count
        header.data = header.leaves.upperBound..<header.leaves.upperBound + Int(index.end)
        (header.addressedCount, header.entryCount, header.contentCount) = (tiles.count, index.entries.count, index.order.count)

        let file = try TileError.converting { () throws(FileError) in try UnfinishedFile(path) }
        var buffer = header.bytes + root + metadata + leaves
        for content in index.order {
            buffer += try spool.content(content)
            // Many small tiles are collected into one large write.
            if buffer.count >= 1 << 20 {
                try TileError.converting { () throws(FileError) in try file.write(buffer) }
                buffer.removeAll(keepingCapacity: true)
            }
        }
        try TileError.converting { () throws(FileError) in
            try file.write(buffer)
            try file.finish()
        }
    }

    private static func header(_ description: TileArchiveDescription) -> PMTilesHeader {
        PMTilesHeader(
            root: 0..<0, metadata: 0..<0, leaves: 0..<0, data: 0..<0, isClustered: true,
            tileType: description.format == .png ? .png : description.format == .jpeg ? .jpeg : .webp,
            minZoom: description.info.minZoom, maxZoom: description.info.maxZoom, bounds: description.info.bounds,
            centerZoom: description.info.minZoom)
    }

    /// The root directory and, if the root would be too long otherwise, leaf directories sized so that the root fits.
    static func directories(_ entries: [PMTilesDirectory.Entry]) throws(TileError) -> (root: [UInt8], leaves: [UInt8]) {
        let whole = try deflated(PMTilesDirectory(entries: entries[...]).bytes)
        if PMTilesHeader.byteCount + whole.count < PMTilesHeader.rootEnd { return (whole, []) }
        var size = 4096
        while true {
            var root: [PMTilesDirectory.Entry] = []
            var leaves: [UInt8] = []
            for start in stride(from: 0, to: entries.count, by: size) {
                let leaf = try deflated(PMTilesDirectory(entries: entries[start..<min(start + size, entries.count)]).bytes)
                root.append(.init(number: entries[start].number, offset: UInt64(leaves.count), length: UInt32(leaf.count), run: 0))
                leaves += leaf
            }
            let bytes = try deflated(PMTilesDirectory(entries: root[...]).bytes)
            if PMTilesHeader.byteCount + bytes.count < PMTilesHeader.rootEnd { return (bytes, leaves) }
            size *= 2
        }
    }

    private static func deflated(_ bytes: [UInt8]) throws(TileError) -> [UInt8] {
        do throws(Gzip.Problem) { return try Gzip.deflated(bytes) } catch {
            throw TileError(.tooLarge("there is not enough memory for the archive's directories"))
        }
    }
}

/// The order in which contents are written, and the entries that refer to them.
private struct PMTilesIndex {
    private(set) var entries: [PMTilesDirectory.Entry] = []
    /// The contents, in the order in which the tiles first show them.
    private(set) var order: [UInt32] = []
    /// The number of bytes of these contents.
    private(set) var end: UInt64 = 0
    /// The offsets of the contents written so far.
    private var offsets: [UInt64?]

    init(contentCount: Int) {
        offsets = Array(repeating: nil, count: contentCount)
    }

    /// Appends a tile.
    mutating func add(_ tile: TileSpool.Tile, length: Int) {
        let content = Int(tile.content)
        let offset = offsets[content] ?? end
        if let last = entries.last, last.offset == offset, offsets[content] != nil, last.number + UInt64(last.run) == tile.number,
            last.run < .max
        {
            entries[entries.count - 1].run += 1
            return
        }
        entries.append(.init(number: tile.number, offset: offset, length: UInt32(length), run: 1))
        guard offsets[content] == nil else { return }
        offsets[content] = end
        order.append(tile.content)
        end += UInt64(length)
    }
}
