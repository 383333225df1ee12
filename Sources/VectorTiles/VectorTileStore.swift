import Dispatch
import Synchronization
import WaymarkImaging
import WaymarkSystem
import WaymarkTiles

/// The process's cache of the prepared geometry of vector tiles, which reads missing tiles. All maps share it, so each tile is decoded once.
package final class VectorTileStore: SharedCache {
    package static let shared = {
        let store = VectorTileStore()
        CacheBudget.addProcessCache(store)
        return store
    }()

    /// The result for a tile.
    package enum Tile: Sendable {
        case geometry(TileGeometry)
        /// Neither the set nor any lower zoom of it has the tile.
        case missing
        case refused(TileRefusal)

        fileprivate var pointCount: Int {
            if case .geometry(let geometry) = self { geometry.pointCount } else { 0 }
        }

        fileprivate var byteCount: Int {
            switch self {
            case .geometry(let geometry): geometry.byteCount + 2048
            case .missing: 128
            case .refused(let refusal): 192 + refusal.reason.utf8.count
            }
        }
    }

    private let tiles = Mutex(LRUCache<TileStore.Key, Tile>())
    private let reads = Atomic<Int>(0)
    /// Decoding may need 1 GiB, so the renderers of a process together decode no more tiles at a time than there are processors.
    private static let decoders = DispatchSemaphore(value: ProcessorCount.current.usable)

    package init() {}

    /// The number of tiles read, for tests.
    package var readCount: Int { reads.load(ordering: .relaxed) }

    package var keptBytes: Int { tiles.withLock { $0.byteCount } }
    package var oldestUse: UInt64? { tiles.withLock { $0.oldestUse } }
    package func evict(through picture: UInt64, bytes: Int) { tiles.withLock { $0.evict(through: picture, bytes: bytes) } }
}

extension VectorTileStore {
    /// The geometry of tiles or, where the set lacks one, that of the part of its nearest ancestor that covers the same ground. Tiles that
    /// are not cached are read on several threads, each once.
    /// - Parameters:
    ///   - keys: The keys of the tiles in their set, the most important first. A key may occur several times.
    ///   - limit: The most points of all tiles together. The tiles after them are not read.
    /// - Returns: The tiles in the order of the keys; nil from the first tile that exceeds the limit.
    package func tiles(_ keys: [TileStore.Key], of set: VectorTileSet, mostPoints limit: Int = .max) -> [Tile?] {
        var numbers: [TileStore.Key: Int] = [:]
        let distinct = keys.filter { key in
            let isNew = numbers[key] == nil
            if isNew { numbers[key] = numbers.count }
            return isNew
        }
        let known = tiles.withLock { tiles in distinct.map { tiles.value(for: $0) } }
        let reading = Mutex(TileReading(tiles: known))
        func readMissing() {
            while let number = reading.withLock({ $0.takeNext(limit) }) {
                let tile = read(distinct[number], of: set)
                reading.withLock { $0.add(tile, number) }
            }
        }
        let threads = min(known.count { $0 == nil }, ProcessorCount.usualThreadCount)
        if threads > 1 {
            // Unchecked: each call reads other tiles, and the result has a lock.
            nonisolated(unsafe) let readMissing = readMissing
            DispatchQueue.concurrentPerform(iterations: threads) { _ in readMissing() }
        } else {
            readMissing()
        }
        let tiles = reading.withLock { $0.tiles }
        var points = 0
        return keys.map { key in
            guard points <= limit, let tile = tiles[numbers[key, default: 0]] else { return nil }
            points += tile.pointCount
            return points <= limit ? tile : nil
        }
    }

    private func read(_ key: TileStore.Key, of set: VectorTileSet) -> Tile {
        reads.add(1, ordering: .relaxed)
        do throws(VectorTileError) {
            guard let shown = try set.tile(at: key.address) else { return keep(.missing, key) }
            return keep(.geometry(try geometry(shown.tile, shown.part, set.schema)), key)
        } catch {
            // The caller adds the names of the set and the tile.
            var clause = error
            (clause.path, clause.address) = (nil, nil)
            guard case .archive(var cause) = error.reason else { return keep(.refused(TileRefusal("\(clause)")), key) }
            (cause.path, cause.address) = (nil, nil)
            let refused = Tile.refused(TileRefusal("\(cause)"))
            return cause.mayPass ? refused : keep(refused, key)
        }
    }

    private func geometry(_ tile: VectorTile, _ part: TilePart, _ schema: MapSchema) throws(VectorTileError) -> TileGeometry {
        Self.decoders.wait()
        defer { Self.decoders.signal() }
        return try TileGeometry(tile, part, schema)
    }

    private func keep(_ tile: Tile, _ key: TileStore.Key) -> Tile {
        let limit = TileStore.byteLimit
        tiles.withLock { tiles in
            let excess = tiles.byteCount + tile.byteCount - limit
            if excess > 0 { tiles.evict(through: .max, bytes: excess) }
            tiles.insert(tile, for: key, byteCount: tile.byteCount)
        }
        return tile
    }
}

/// The progress of reading tiles in their order.
private struct TileReading {
    /// The tiles that are known so far.
    var tiles: [VectorTileStore.Tile?]
    private var next = 0
    /// The points of the tiles that were taken and are known.
    private var points = 0

    init(tiles: [VectorTileStore.Tile?]) { self.tiles = tiles }

    /// The number of the next tile to be read; nil at the end, or if the tiles before it exceed a limit of points.
    mutating func takeNext(_ limit: Int) -> Int? {
        while next < tiles.count, points <= limit {
            defer { next += 1 }
            guard let tile = tiles[next] else { return next }
            points += tile.pointCount
        }
        return nil
    }

    mutating func add(_ tile: VectorTileStore.Tile, _ number: Int) {
        tiles[number] = tile
        points += tile.pointCount
    }
}
