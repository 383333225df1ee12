import Synchronization
import WaymarkImaging

/// The process's cache of decoded tiles, and the loading of those that are missing in it. All renderers share it, so a tile is decoded once.
///
/// It knows no view: it is asked for tiles by their addresses, and looks for no others in their place. That a source has no tile, or one that
/// cannot be drawn, is cached, too; that it cannot be read now is not.
package final class TileStore: SharedCache {
    package static let shared = {
        let store = TileStore()
        CacheBudget.addProcessCache(store)
        return store
    }()

    /// The name of a tile in caches.
    package struct Key: Hashable, Sendable {
        package var set: UInt64
        package var address: TileAddress

        package init(_ set: TileSet, _ address: TileAddress) { (self.set, self.address) = (set.number, address) }
    }

    /// What is known of a tile.
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

    /// What one picture may keep, whatever the budget: less would load the same tiles again and again.
    private static let leastByteLimit = 32 << 20

    private let tiles = Mutex(LRUCache<Key, Tile>())
    /// By set: its calls that were given up and have not returned.
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
    /// A tile that is asked for.
    package struct Wanted: Sendable {
        package var set: TileSet
        package var address: TileAddress
        package var needsMipmaps: Bool

        package init(_ set: TileSet, _ address: TileAddress, needsMipmaps: Bool) {
            (self.set, self.address, self.needsMipmaps) = (set, address, needsMipmaps)
        }
    }

    /// The tiles, in the order asked for. Those that are not cached are loaded on threads of their own, those of different sets at once.
    /// - Parameters:
    ///   - deadline: When those that are not loaded yet are given up.
    ///   - limit: The time that led to the deadline, in words, for the refusal.
    package func load(_ wanted: [Wanted], deadline: ContinuousClock.Instant, limit: String) -> [Tile] {
        var tiles = wanted.map { cached($0) }
        var bySet: [UInt64: [Int]] = [:]
        for index in wanted.indices where tiles[index] == nil { bySet[wanted[index].set.number, default: []].append(index) }
        let late = TileRefusal("its source has not answered within \(limit)")
        var loads: [(indices: [Int], load: TileLoad)] = []
        for (number, indices) in bySet.sorted(by: { $0.key < $1.key }) {
            // Each call that never returns keeps a thread.
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

    /// What is cached of a tile, if that suffices.
    private func cached(_ wanted: Wanted) -> Tile? {
        let known = tiles.withLock { $0.value(for: Key(wanted.set, wanted.address)) }
        if wanted.needsMipmaps, case .pixels(let tile) = known, !tile.hasMipmaps { return nil }
        return known
    }

    /// Loads a tile, on the thread that calls. It may take as long as its source does.
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
            // The caller names the set and the tile.
            var clause = error
            (clause.path, clause.address) = (nil, nil)
            let refused = Tile.refused(TileRefusal("\(clause)"))
            return error.mayPass ? refused : keep(refused, key)
        } catch {
            // A network that is down may be up for the next picture.
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
        let limit = max(CacheBudget.largestByteLimit, Self.leastByteLimit)
        tiles.withLock { tiles in
            let excess = tiles.byteCount + tile.byteCount - limit
            if excess > 0 { tiles.evict(through: .max, bytes: excess) }
            tiles.insert(tile, for: key, byteCount: tile.byteCount)
        }
        return tile
    }

    /// Notes calls of a source that were given up, or, with a negative number, that have returned after all.
    func noteStuck(_ count: Int, of set: TileSet) {
        stuckCalls.withLock { calls in
            let left = (calls[set.number] ?? 0) + count
            calls[set.number] = left == 0 ? nil : left
        }
    }
}
