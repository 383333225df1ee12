import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkTiles

/// The tiles of base maps, on the layers of array textures on the GPU, or in memory for `TilePainter`. Each page of layers holds tiles of
/// one size for one filter, and is evicted as a whole.
final class TileTextures {
    private let context: Context
    // The renderer owns the caches, and they own this object.
    private unowned let caches: RendererCaches
    private let store: TileStore
    private var pages: [Page] = []
    private var entries: [PagedTile: (page: Page, layer: Int)] = [:]
    /// The refused tiles of the frame, in drawing order.
    private(set) var refusals: [RefusedTile] = []

    /// The approximate number of bytes of a page. The page of a single large tile may be larger.
    private static let pageByteCount = 8 << 20
    /// Decoded tiles are uploaded when they reach this many bytes, so that a picture's tiles are not all in memory twice.
    private static let portionByteCount = 64 << 20

    /// A tile in the form uploaded for a filter.
    fileprivate struct PagedTile: Hashable {
        var key: TileStore.Key
        var filter: TileDrawing.Filter
    }

    /// The contents of one layer of a page.
    private struct Slot {
        var tile: PagedTile?
        /// The picture that last used it.
        var lastUse: UInt64 = 0
        var rim: TileRim?
        /// The surroundings shown in its margin; nil until the margin is filled.
        var surroundings: TileSurroundings?
    }

    private final class Page {
        let storage: TileStorage
        let sheet: TileSheet
        let filter: TileDrawing.Filter
        /// The slots of the layers.
        var slots: [Slot]

        init(_ storage: TileStorage, _ sheet: TileSheet, _ filter: TileDrawing.Filter, layers: Int) {
            (self.storage, self.sheet, self.filter) = (storage, sheet, filter)
            slots = Array(repeating: Slot(), count: layers)
        }

        var lastUse: UInt64 { slots.map(\.lastUse).max() ?? 0 }
        var byteCount: Int { sheet.byteCount * slots.count + slots.reduce(0) { $0 + ($1.rim?.byteCount ?? 0) } }
    }

    init(_ context: Context, _ caches: RendererCaches, store: TileStore = .shared) {
        self.context = context
        self.caches = caches
        self.store = store
    }

    /// Whether tiles with a filter are kept in memory, where `TilePainter` draws them.
    func paintsTiles(_ filter: TileDrawing.Filter) -> Bool { filter == .mipmapped && context.isTunedForSoftware }

    /// The content to draw for each of a frame's ground tiles; nil for a gap.
    struct Shown {
        fileprivate var tiles: [PagedTile?]
        /// Decoded tiles that are not on the GPU yet.
        fileprivate var pixels: [PagedTile: DecodedTile] = [:]
        fileprivate var byteCount = 0
    }

    /// Finds the tiles that a frame shows, and loads those that are neither on the GPU nor cached. Where a set lacks a tile, uses the
    /// nearest tile at a lower zoom. Must be called while no context is current, because it waits for sources.
    func find(_ frame: Frame, deadline: TileDeadline) throws(GPUError) -> Shown {
        refusals = []
        var shown = Shown(tiles: Array(repeating: nil, count: frame.tiles.count))
        guard !frame.tiles.isEmpty else { return shown }
        // For each ground tile, the next tile to look for.
        var pending: [(index: Int, tile: PagedTile, wanted: TileStore.Wanted)] = []
        for case .tiles(let range, let drawing) in frame.commands {
            let set = frame.tileSets[drawing.set].set
            for index in range {
                let address = frame.tiles[index].address.ancestor(atZoom: set.info.maxZoom)
                let wanted = TileStore.Wanted(set, address, needsMipmaps: drawing.filter == .mipmapped)
                pending.append((index, PagedTile(key: .init(set, address), filter: drawing.filter), wanted))
            }
        }
        while !pending.isEmpty {
            let loaded = try load(pending.map { ($0.tile, $0.wanted) }, &shown, deadline)
            var next: [(index: Int, tile: PagedTile, wanted: TileStore.Wanted)] = []
            var refused: Set<PagedTile> = []
            for (index, tile, wanted) in pending {
                switch loaded[tile] {
                case nil: shown.tiles[index] = tile
                case .gap:
                    guard wanted.address.zoom > wanted.set.info.minZoom else { continue }
                    var above = wanted
                    above.address = wanted.address.ancestor(atZoom: wanted.address.zoom - 1)
                    next.append((index, PagedTile(key: .init(above.set, above.address), filter: tile.filter), above))
                case .refused(let refusal):
                    if refused.insert(tile).inserted {
                        refusals.append(RefusedTile(set: wanted.set.name, address: wanted.address, reason: refusal.reason))
                    }
                }
            }
            pending = next
        }
        return shown
    }

    private enum Missing {
        case gap
        case refused(TileRefusal)
    }

    /// Loads the given tiles that are not on the GPU. Returns the tiles that cannot be shown.
    private func load(
        _ pending: [(tile: PagedTile, wanted: TileStore.Wanted)], _ shown: inout Shown, _ deadline: TileDeadline
    ) throws(GPUError) -> [PagedTile: Missing] {
        let now = PictureClock.now
        // Each tile is looked up once, although many ground tiles may show it.
        var known: Set<PagedTile> = []
        var absent: [(tile: PagedTile, wanted: TileStore.Wanted)] = []
        for (tile, wanted) in pending where known.insert(tile).inserted {
            if let entry = entries[tile] {
                entry.page.slots[entry.layer].lastUse = now
            } else if shown.pixels[tile] == nil {
                absent.append((tile, wanted))
            }
        }
        var missing: [PagedTile: Missing] = [:]
        var start = 0
        while start < absent.count {
            // Takes as many tiles as fill a portion if they have the usual size.
            var (end, bytes) = (start, 0)
            while end < absent.count, bytes < Self.portionByteCount {
                let side = absent[end].wanted.set.info.usualSide
                bytes += side * side * 4
                end += 1
            }
            let portion = absent[start..<end]
            for ((tile, _), found) in zip(portion, store.load(portion.map(\.wanted), deadline: deadline)) {
                switch found {
                case .pixels(let pixels):
                    shown.pixels[tile] = pixels
                    shown.byteCount += pixels.byteCount
                case .missing: missing[tile] = .gap
                case .refused(let refusal): missing[tile] = .refused(refusal)
                }
            }
            if shown.byteCount >= Self.portionByteCount {
                try context.withCurrent { () throws(GPUError) in try upload(&shown) }
                // Evicts decoded tiles, so that a picture with very many or very large tiles does not keep two copies of all of them.
                let excess = caches.keptBytes - caches.budget.byteLimit
                if excess > 0 { store.cache.evict(through: .max, bytes: excess) }
            }
            start = end
        }
        return missing
    }

    /// Uploads the missing tiles. Returns the region to show for each of the frame's ground tiles.
    func place(_ shown: consuming Shown) throws(GPUError) -> [TileRegion?] {
        try upload(&shown)
        let tiles = Set(shown.tiles.compactMap(\.self))
        var seen: Set<PagedTile> = []
        for case let tile? in shown.tiles where seen.insert(tile).inserted { try surround(tile, among: tiles) }
        return shown.tiles.map { tile in
            tile.flatMap { tile in
                entries[tile].map { TileRegion(storage: $0.page.storage, sheet: $0.page.sheet, layer: $0.layer, address: tile.key.address) }
            }
        }
    }

    /// Uploads and releases the decoded tiles, in the order of their positions, so that pages have the same tiles in every run.
    private func upload(_ shown: inout Shown) throws(GPUError) {
        let order = shown.pixels.sorted { a, b in
            let (a, b) = (a.key, b.key)
            return (a.key.set, a.filter.rawValue, a.key.address.zoom, a.key.address.y, a.key.address.x)
                < (b.key.set, b.filter.rawValue, b.key.address.zoom, b.key.address.y, b.key.address.x)
        }
        (shown.pixels, shown.byteCount) = ([:], 0)
        for (tile, pixels) in order { try upload(pixels, tile) }
    }

    private func upload(_ pixels: DecodedTile, _ tile: PagedTile) throws(GPUError) {
        let (page, layer) = try room(side: pixels.side, tile.filter)
        for (level, bitmap) in pixels.levels.prefix(page.sheet.levels).enumerated() {
            let origin = page.sheet.origin(level)
            let rect = PixelRect(x: origin.x, y: origin.y, width: bitmap.width, height: bitmap.height)
            try page.storage.upload(bitmap.pixels, to: rect, layer: layer)
        }
        if let old = page.slots[layer].tile { entries[old] = nil }
        page.slots[layer] = Slot(
            tile: tile, lastUse: PictureClock.now, rim: page.sheet.margin > 0 ? TileRim(pixels, page.sheet) : nil)
        entries[tile] = (page, layer)
    }

    /// Fills the margin of a tile from the surrounding tiles of the picture. Other tiles on the GPU are not used, because a picture must
    /// not depend on earlier ones.
    private func surround(_ tile: PagedTile, among tiles: Set<PagedTile>) throws(GPUError) {
        guard let (page, layer) = entries[tile], let rim = page.slots[layer].rim else { return }
        func paged(_ address: TileAddress) -> PagedTile {
            var other = tile
            other.key.address = address
            return other
        }
        let surroundings = TileSurroundings(of: tile.key.address) { tiles.contains(paged($0)) }
        guard page.slots[layer].surroundings != surroundings else { return }
        let neighbors = surroundings.neighbors.compactMap { place in
            entries[paged(place.address)].flatMap { entry in entry.page.slots[entry.layer].rim.map { (place, $0) } }
        }
        for level in 0..<page.sheet.levels {
            let origin = page.sheet.origin(level)
            for part in TileMargin(of: rim, level, page.sheet).parts(neighbors) {
                let rect = PixelRect(
                    x: origin.x + part.x.lowerBound, y: origin.y + part.y.lowerBound, width: part.x.count, height: part.y.count)
                try page.storage.upload(part.pixels, to: rect, layer: layer)
            }
        }
        page.slots[layer].surroundings = surroundings
    }

    /// Finds a layer for a tile: a free layer or, if many bytes are kept, the layer whose tile was used least recently and before this
    /// picture, or a layer of a new page.
    private func room(side: Int, _ filter: TileDrawing.Filter) throws(GPUError) -> (Page, Int) {
        let suitable = pages.filter { $0.sheet.side == side && $0.filter == filter }
        for page in suitable {
            if let layer = page.slots.firstIndex(where: { $0.tile == nil }) { return (page, layer) }
        }
        if keptBytes >= caches.budget.byteLimit / 4 {
            let oldest = suitable.compactMap { page in
                page.slots.indices.min { page.slots[$0].lastUse < page.slots[$1].lastUse }.map { (page, $0) }
            }
            .min { $0.0.slots[$0.1].lastUse < $1.0.slots[$1.1].lastUse }
            if let oldest, oldest.0.slots[oldest.1].lastUse < caches.picture { return oldest }
        }
        let sheet = TileSheet(side: side, filter)
        let layers = max(1, min(Self.pageByteCount / sheet.byteCount, 64, context.info.maxTextureLayers))
        caches.makeRoom(for: sheet.byteCount * layers)
        let storage: TileStorage =
            paintsTiles(filter)
            ? .memory(TileMemory(sheet, layers: layers))
            : .texture(try Texture(context, width: sheet.width, height: sheet.height, layers: layers))
        let page = Page(storage, sheet, filter, layers: layers)
        pages.append(page)
        return (page, 0)
    }
}

extension TileTextures: BudgetedCache {
    var keptBytes: Int { pages.reduce(0) { $0 + $1.byteCount } }
    var oldestUse: UInt64? { pages.map(\.lastUse).min() }

    func evict(through picture: UInt64, bytes: Int) {
        var left = bytes
        for page in pages.sorted(by: { $0.lastUse < $1.lastUse }) where left > 0 && page.lastUse <= picture {
            left -= page.byteCount
            for case let tile? in page.slots.map(\.tile) { entries[tile] = nil }
            pages.removeAll { $0 === page }
        }
    }
}

/// A tile on the GPU or in memory.
struct TileRegion {
    var storage: TileStorage
    var sheet: TileSheet
    var layer: Int
    /// The address of the tile itself: that of the ground tiles that show it, or of an ancestor of theirs.
    var address: TileAddress
}

/// A tile that could not be drawn because of its source or its image.
package struct RefusedTile: Equatable, Sendable {
    /// The name of the tile set.
    package var set: String
    package var address: TileAddress
    /// The reason, as a clause.
    package var reason: String
}
