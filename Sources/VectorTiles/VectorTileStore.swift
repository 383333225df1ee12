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

    package init() {}

    /// The number of tiles read, for tests.
    package var readCount: Int { reads.load(ordering: .relaxed) }

    package var keptBytes: Int { tiles.withLock { $0.byteCount } }
    package var oldestUse: UInt64? { tiles.withLock { $0.oldestUse } }
    package func evict(through picture: UInt64, bytes: Int) { tiles.withLock { $0.evict(through: picture, bytes: bytes) } }
}

extension VectorTileStore {
    /// The geometry of tiles or, where the set lacks one, that of the part of its nearest ancestor that covers the same ground. Tiles that
    /// are not cached are read on several threads.
    /// - Parameter keys: The keys of the tiles in their set.
    package func tiles(_ keys: [TileStore.Key], of set: VectorTileSet) -> [Tile] {
        let known = tiles.withLock { tiles in keys.map { tiles.value(for: $0) } }
        let missing = known.indices.filter { known[$0] == nil }
        let result = Mutex(known)
        let next = Atomic(0)
        func readMissing() {
            while case let place = next.add(1, ordering: .relaxed).oldValue, place < missing.count {
                let tile = read(keys[missing[place]], of: set)
                result.withLock { $0[missing[place]] = tile }
            }
        }
        let threads = min(missing.count, ProcessorCount.usualThreadCount)
        if threads > 1 {
            // Unchecked: each call reads other tiles, and the result has a lock.
            nonisolated(unsafe) let readMissing = readMissing
            DispatchQueue.concurrentPerform(iterations: threads) { _ in readMissing() }
        } else {
            readMissing()
        }
        return result.withLock { $0.map { $0 ?? .missing } }
    }

    private func read(_ key: TileStore.Key, of set: VectorTileSet) -> Tile {
        reads.add(1, ordering: .relaxed)
        do throws(VectorTileError) {
            guard let shown = try set.tile(at: key.address) else { return keep(.missing, key) }
            return keep(.geometry(try TileGeometry(shown.tile, shown.part, set.schema)), key)
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
