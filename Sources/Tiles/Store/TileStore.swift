import Synchronization
import WaymarkImaging
import WaymarkSystem

/// The process's decoded tiles. The store loads missing tiles. All renderers share it, so each tile is decoded once.
///
/// The store does not know views. It receives tile addresses, and does not substitute other tiles. It also caches which tiles are missing
/// or cannot be drawn, but not temporary read errors.
package final class TileStore: Sendable {
    package static let shared = {
        let store = TileStore()
        CacheBudget.addProcessCache(store.cache)
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

    package let cache = ProcessCache<Key, Tile>()
    private let decodes = Atomic<Int>(0)

    /// Sources may wait for a disk or a network, so there are more threads than processors.
    private static let threadLimit = 2 * max(2, min(8, ProcessorCount.current.usable))

    package init() {}

    /// The number of tiles decoded, for tests.
    package var decodeCount: Int { decodes.load(ordering: .relaxed) }
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

    /// The tiles in the requested order. Tiles that are not cached are loaded on separate threads, and different sets are loaded
    /// concurrently.
    package func load(_ wanted: [Wanted], deadline: TileDeadline) -> [Tile] {
        let refusal = deadline.refusal
        var tiles = wanted.map { cached($0) }
        var bySet: [UInt64: [Int]] = [:]
        for index in wanted.indices where tiles[index] == nil { bySet[wanted[index].set.number, default: []].append(index) }
        var loads: [(indices: [Int], load: TileLoad<Tile>)] = []
        for (_, indices) in bySet.sorted(by: { $0.key < $1.key }) {
            let load = TileLoad<Tile>(indices.count, of: wanted[indices[0]].set, threads: Self.threadLimit) { number in
                self.loadNow(wanted[indices[number]])
            }
            loads.append((indices, load))
        }
        for (indices, load) in loads {
            for (index, tile) in zip(indices, load.wait(until: deadline)) { tiles[index] = tile }
        }
        return tiles.map { $0 ?? .refused(refusal) }
    }

    /// The cached tile, if it is sufficient.
    private func cached(_ wanted: Wanted) -> Tile? {
        let known = cache.value(for: Key(wanted.set, wanted.address))
        if wanted.needsMipmaps, case .pixels(let tile) = known, !tile.hasMipmaps { return nil }
        return known
    }

    /// Loads a tile on the calling thread. It may take as long as its source does.
    private func loadNow(_ wanted: Wanted) -> Tile {
        let key = Key(wanted.set, wanted.address)
        if case .pixels(let tile)? = cache.value(for: key) {
            // Only the tile's mipmaps are missing.
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
        cache.insert(tile, for: key, byteCount: tile.byteCount)
        return tile
    }
}
