import Dispatch
import Synchronization
import WaymarkImaging
import WaymarkSystem
import WaymarkTiles

/// The process's prepared geometry of vector tiles. The store reads missing tiles. All maps share it, so each tile is decoded once.
package final class VectorTileStore: Sendable {
    package static let shared = {
        let store = VectorTileStore()
        CacheBudget.addProcessCache(store.cache)
        return store
    }()

    /// The result for a tile.
    package enum Tile: Sendable {
        case geometry(TileGeometry)
        /// The part of an ancestor that covers the tile, which the set lacks. This case occurs only in the cache: results contain
        /// `geometry` instead.
        case part(TileGeometry)
        /// The set has neither the tile nor any of its ancestors.
        case missing
        case refused(TileRefusal)

        fileprivate func pointCount(of contents: TileContents) -> Int {
            switch self {
            case .geometry(let geometry), .part(let geometry): geometry.pointCount(of: contents)
            case .missing, .refused: 0
            }
        }

        /// Whether the tile has the given contents. Reasons why whole tiles are missing or refused do not depend on contents.
        fileprivate func has(_ contents: TileContents) -> Bool {
            switch self {
            case .geometry(let geometry), .part(let geometry): geometry.contents.isSuperset(of: contents)
            case .missing, .refused: true
            }
        }

        fileprivate var byteCount: Int {
            switch self {
            case .geometry(let geometry), .part(let geometry): geometry.byteCount + 2048
            case .missing: 128
            case .refused(let refusal): 192 + refusal.reason.utf8.count
            }
        }
    }

    /// The tiles. Where a set lacks a tile, this has the part of an ancestor or, until one is made, `missing`.
    package let cache = ProcessCache<TileStore.Key, Tile>()
    private let limits: TileGeometry.Limits
    private let reads = Atomic<Int>(0)
    /// Decoding may need 1 GiB, so the renderers of a process together decode no more tiles at a time than there are processors.
    private static let decoders = DispatchSemaphore(value: ProcessorCount.current.usable)

    package init(limits: TileGeometry.Limits = .usual) { self.limits = limits }

    /// The number of tiles read, for tests.
    package var readCount: Int { reads.load(ordering: .relaxed) }
}

extension VectorTileStore {
    /// The geometry of tiles. Where the set lacks a tile, the geometry of the part of its nearest ancestor that covers the same ground.
    /// Tiles that are not cached are read on separate threads. Each is read once: an ancestor of many tiles is prepared once and then
    /// divided.
    /// - Parameters:
    ///   - addresses: The addresses of the tiles, the most important first. An address may occur several times.
    ///   - contents: The contents that the tiles must have. Cached tiles that lack some of them are read again, and keep the contents
    ///     that they already had.
    ///   - limit: The maximum number of points in the contents of all tiles together. Tiles beyond the limit are not read.
    /// - Returns: The tiles in the order of the addresses; nil from the first tile that exceeds the limit.
    package func tiles(
        _ addresses: [TileAddress], of set: VectorTileSet, _ contents: TileContents = .ground, deadline: TileDeadline,
        mostPoints limit: Int = .max
    ) -> [Tile?] {
        let refusal = deadline.refusal
        var numbers: [TileAddress: Int] = [:]
        let distinct = addresses.filter { address in
            let isNew = numbers[address] == nil
            if isNew { numbers[address] = numbers.count }
            return isNew
        }
        let reader = TileReader(set, contents, PointCounts(distinct.count, limit: limit), deadline)
        var tiles = [Tile?](repeating: nil, count: distinct.count)
        var pending = distinct.enumerated().map { WantedTile(number: $0.offset, address: $0.element, stored: $0.element) }
        while !pending.isEmpty {
            let found = read(pending, reader)
            var next: [WantedTile] = []
            for wanted in pending where reader.counts.leavesRoom(for: wanted.number) {
                switch found[wanted.stored] ?? .refused(refusal) {
                case .missing where wanted.stored.zoom > set.info.minZoom && wanted.stored.isValid:
                    next.append(wanted.above(atMost: set.info.maxZoom))
                    continue
                case .geometry(let geometry) where !wanted.isStored:
                    let part = geometry.part(TilePart(wanted.address, ofZoom: wanted.stored.zoom))
                    _ = keep(.part(part), TileStore.Key(reader.tileSet, wanted.address))
                    tiles[wanted.number] = .geometry(part)
                case .part(let part): tiles[wanted.number] = .geometry(part)
                case let tile: tiles[wanted.number] = tile
                }
                reader.counts.note(tiles[wanted.number]?.pointCount(of: contents) ?? 0, of: wanted.number)
            }
            pending = next
        }
        var points = 0
        return addresses.map { address in
            guard points <= limit, let tile = tiles[numbers[address, default: 0]] else { return nil }
            points += tile.pointCount(of: contents)
            return points <= limit ? tile : nil
        }
    }

    /// Reads each stored tile once. Tiles that are late, or beyond the limit, are absent from the result.
    private func read(_ wanted: [WantedTile], _ reader: TileReader) -> [TileAddress: Tile] {
        var read: [TileAddress: Tile] = [:]
        var absent: [WantedTile] = []
        var known: Set<TileAddress> = []
        for tile in wanted where known.insert(tile.stored).inserted {
            let cached = cache.value(for: TileStore.Key(reader.tileSet, tile.stored))
            if case .part(let part) = cached, !tile.isStored || !part.contents.isSuperset(of: reader.contents) {
                // A part of a part would have been rounded twice, so pictures would depend on the cache. A part that lacks contents is made
                // again from the ancestor.
                read[tile.stored] = .missing
            } else if let cached, cached.has(reader.contents) {
                read[tile.stored] = cached
                if tile.isStored { reader.counts.note(cached.pointCount(of: reader.contents), of: tile.number) }
            } else if tile.stored.zoom > reader.set.info.maxZoom {
                read[tile.stored] = .missing
            } else {
                absent.append(tile)
            }
        }
        guard !absent.isEmpty else { return read }
        let load = TileLoad<Tile>(absent.count, of: reader.tileSet, threads: ProcessorCount.usualThreadCount) { [absent] index in
            let wanted = absent[index]
            guard reader.counts.leavesRoom(for: wanted.number) else { return nil }
            let tile = self.read(TileStore.Key(reader.tileSet, wanted.stored), reader)
            if wanted.isStored { reader.counts.note(tile.pointCount(of: reader.contents), of: wanted.number) }
            return tile
        }
        for (wanted, tile) in zip(absent, load.waitWhileLoading(reader.deadline)) { read[wanted.stored] = tile }
        return read
    }

    /// Reads a tile of the set. That may take as long as its source does.
    private func read(_ key: TileStore.Key, _ reader: TileReader) -> Tile {
        reads.add(1, ordering: .relaxed)
        var contents = reader.contents
        // Otherwise, two maps that draw different contents would prepare the tile again in turn.
        if case .geometry(let known) = cache.value(for: key) { contents.formUnion(known.contents) }
        do throws(VectorTileError) {
            guard let tile = try reader.set.tile(at: key.address) else { return keep(.missing, key) }
            return keep(.geometry(geometry(tile, reader.set.schema, contents)), key)
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

    private func geometry(_ tile: VectorTile, _ schema: MapSchema, _ contents: TileContents) -> TileGeometry {
        Self.decoders.wait()
        defer { Self.decoders.signal() }
        return TileGeometry(tile, schema, contents, limits: limits)
    }

    private func keep(_ tile: Tile, _ key: TileStore.Key) -> Tile {
        cache.insert(tile, for: key, byteCount: tile.byteCount)
        return tile
    }
}

/// A tile to be shown, and the stored tile that may have its content: the tile itself, or one of its ancestors.
private struct WantedTile: Sendable {
    let number: Int
    let address: TileAddress
    let stored: TileAddress

    var isStored: Bool { stored == address }

    /// The same tile with the next ancestor.
    func above(atMost maxZoom: Int) -> WantedTile {
        WantedTile(number: number, address: address, stored: address.ancestor(atZoom: min(stored.zoom - 1, maxZoom)))
    }
}

/// The parameters for reading tiles.
private struct TileReader: Sendable {
    let set: VectorTileSet
    let contents: TileContents
    let tileSet: TileSet
    let counts: PointCounts
    let deadline: TileDeadline

    init(_ set: VectorTileSet, _ contents: TileContents, _ counts: PointCounts, _ deadline: TileDeadline) {
        (self.set, self.contents, self.counts, self.deadline) = (set, contents, counts, deadline)
        tileSet = TileSet(set.source)
    }
}

/// The numbers of points of tiles, as far as they are known. Several threads use it.
private final class PointCounts: Sendable {
    private let counts: Mutex<[Int]>
    private let limit: Int

    init(_ count: Int, limit: Int) {
        counts = Mutex([Int](repeating: 0, count: count))
        self.limit = limit
    }

    /// Whether the tiles before a tile do not exceed the limit.
    func leavesRoom(for number: Int) -> Bool { counts.withLock { $0[..<number].reduce(0, +) <= limit } }

    func note(_ count: Int, of number: Int) { counts.withLock { $0[number] = count } }
}
