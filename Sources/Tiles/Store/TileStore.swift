import Synchronization
import WaymarkImaging

/// The process's cache of decoded tiles, which loads missing tiles. All renderers share it, so each tile is decoded once.
///
/// It does not know views: it receives tile addresses, and does not substitute other tiles. Missing tiles and tiles that cannot be drawn
/// are cached, too; temporary read errors are not.
package final class TileStore: SharedCache {
    package static let shared = {
        let store = TileStore()
        CacheBudget.addProcessCache(store)
        return store
    }()

    /// The key of a tile in caches.
    package struct Key: Hashable, Sendable {
        package var set: UInt64
        package var address: TileAddress

        package init(_ set: TileSet, _ address: TileAddress) { (self.set, self.address) = (set.number, address) }
    }

    /// The result for a tile.
    package enum Tile: Sendable {
        case pixels(DecodedTile)
        /// The source has no such tile.
        case missing
        case refused(TileRefusal)

        fileprivate var byteCount: Int {
            switch self {
            case .pixels(let tile): tile.byteCount + 128
            case .missing: 128
            case .refused(let refusal): 192 + refusal.reason.utf8.count
            }
        }
    }

    /// The most bytes that a cache of tiles keeps at any moment. One picture may keep some tiles whatever the budget: otherwise, the same
    /// tiles would be loaded repeatedly.
    package static var byteLimit: Int { max(CacheBudget.largestByteLimit, 32 << 20) }

    private let tiles = Mutex(LRUCache<Key, Tile>())
    /// The number of abandoned calls that have not returned yet, keyed by set.
    private let stuckCalls = Mutex<[UInt64: Int]>([:])
    private let decodes = Atomic<Int>(0)

    package init() {}

    /// The number of tiles decoded, for tests.
    package var decodeCount: Int { decodes.load(ordering: .relaxed) }

    package var keptBytes: Int { tiles.withLock { $0.byteCount } }
    package var oldestUse: UInt64? { tiles.withLock { $0.oldestUse } }
    package func evict(through picture: UInt64, bytes: Int) { tiles.withLock { $0.evict(through: picture, bytes: bytes) } }
}

extension TileStore {
    /// A requested tile.
    package struct Wanted: Sendable {
        package var set: TileSet
        package var address: TileAddress
        package var needsMipmaps: Bool

        package init(_ set: TileSet, _ address: TileAddress, needsMipmaps: Bool) {
            (self.set, self.address, self.needsMipmaps) = (set, address, needsMipmaps)
        }
    }

    /// The tiles in the requested order. Tiles that are not cached are loaded on separate threads, those of different sets concurrently.
    /// - Parameters:
    ///   - deadline: The time at which tiles that are not loaded yet are abandoned.
    ///   - limit: The time that led to the deadline, in words, for the refusal.
    package func load(_ wanted: [Wanted], deadline: ContinuousClock.Instant, limit: String) -> [Tile] {
        var tiles = wanted.map { cached($0) }
        var bySet: [UInt64: [Int]] = [:]
        for index in wanted.indices where tiles[index] == nil { bySet[wanted[index].set.number, default: []].append(index) }
        let late = TileRefusal("the tile source has not answered within \(limit)")
        var loads: [(indices: [Int], load: TileLoad)] = []
        for (number, indices) in bySet.sorted(by: { $0.key < $1.key }) {
            // Each call that never returns occupies a thread.
            guard stuckCalls.withLock({ $0[number] ?? 0 }) == 0 else { continue }
            let load = TileLoad(indices.map { wanted[$0] }, self)
            load.start()
            loads.append((indices, load))
        }
        for (indices, load) in loads {
            for (index, tile) in zip(indices, load.wait(until: deadline)) { tiles[index] = tile }
        }
        return tiles.map { $0 ?? .refused(late) }
    }

    /// The cached tile, if it is sufficient.
    private func cached(_ wanted: Wanted) -> Tile? {
        let known = tiles.withLock { $0.value(for: Key(wanted.set, wanted.address)) }
        if wanted.needsMipmaps, case .pixels(let tile) = known, !tile.hasMipmaps { return nil }
        return known
    }

    /// Loads a tile on the calling thread. It may take as long as its source does.
    func loadNow(_ wanted: Wanted) -> Tile {
        let key = Key(wanted.set, wanted.address)
        if case .pixels(let tile)? = tiles.withLock({ $0.value(for: key) }) {
            // Only its mipmaps are missing.
            return keep(.pixels(tile.withMipmaps()), key)
        }
        let data: TileData?
        do {
            data = try wanted.set.source.tile(at: wanted.address)
        } catch let error as TileError {
            // The caller adds the names of the set and the tile.
            var clause = error
            (clause.path, clause.address) = (nil, nil)
            let refused = Tile.refused(TileRefusal("\(clause)"))
            return error.mayPass ? refused : keep(refused, key)
        } catch {
            // A network failure may be over by the next picture.
            return .refused(TileRefusal("\(error)"))
        }
        guard let data else { return keep(.missing, key) }
        do throws(TileRefusal) {
            decodes.add(1, ordering: .relaxed)
            let tile = try DecodedTile(data, of: wanted.set.info)
            return keep(.pixels(wanted.needsMipmaps ? tile.withMipmaps() : tile), key)
        } catch {
            return keep(.refused(error), key)
        }
    }

    private func keep(_ tile: Tile, _ key: Key) -> Tile {
        let limit = Self.byteLimit
        tiles.withLock { tiles in
            let excess = tiles.byteCount + tile.byteCount - limit
            if excess > 0 { tiles.evict(through: .max, bytes: excess) }
            tiles.insert(tile, for: key, byteCount: tile.byteCount)
        }
        return tile
    }

    /// Records abandoned calls of a source or, with a negative number, calls that have returned after all.
    func noteStuck(_ count: Int, of set: TileSet) {
        stuckCalls.withLock { calls in
            let left = (calls[set.number] ?? 0) + count
            calls[set.number] = left == 0 ? nil : left
        }
    }
}
