import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkTiles

/// The tiles of base maps on the GPU: on the layers of array textures, the pages, each with tiles of one size. A page is evicted as a whole.
final class TileTextures {
    private let context: Context
    // The renderer owns them, and they hold this.
    private unowned let caches: RendererCaches
    private let store: TileStore
    private var pages: [Page] = []
    private var entries: [PagedTile: (page: Page, layer: Int)] = [:]
    /// What of the frame's tiles was refused, in the order in which they are drawn.
    private(set) var refusals: [RefusedTile] = []

    /// About the bytes of a page; one tile may have more.
    private static let pageByteCount = 4 << 20

    fileprivate struct PagedTile: Hashable {
        var key: TileStore.Key
        var isMipmapped: Bool
    }

    private final class Page {
        let texture: Texture
        let isMipmapped: Bool
        /// By layer: its tile.
        var tiles: [PagedTile?]
        /// By layer: the picture for which it was last used.
        var uses: [UInt64]

        init(_ texture: Texture) {
            self.texture = texture
            isMipmapped = texture.isMipmapped
            tiles = Array(repeating: nil, count: texture.layers)
            uses = Array(repeating: 0, count: texture.layers)
        }

        var lastUse: UInt64 { uses.max() ?? 0 }
        var byteCount: Int { texture.width * texture.width * texture.layers * 4 * (isMipmapped ? 4 : 3) / 3 }
    }

    init(_ context: Context, _ caches: RendererCaches, store: TileStore = .shared) {
        self.context = context
        self.caches = caches
        self.store = store
        caches.add(self)
    }

    /// A tile of which a ground tile shows a part, before it is uploaded.
    fileprivate struct FoundTile {
        var tile: PagedTile
        /// nil when it is on the GPU already.
        var pixels: DecodedTile?
    }

    /// What is to be drawn for each of a frame's ground tiles; nil for a gap.
    struct Shown {
        fileprivate var tiles: [FoundTile?]
    }

    /// Finds the tiles that a frame shows, and loads those that are neither on the GPU nor cached: the tile itself or, where the set has none, the
    /// nearest above. Call it while no context is current, since it waits for sources.
    func find(_ frame: Frame, deadline: ContinuousClock.Instant, limit: String) -> Shown {
        refusals = []
        var shown = Shown(tiles: Array(repeating: nil, count: frame.tiles.count))
        guard !frame.tiles.isEmpty else { return shown }
        // By ground tile: the tile to look for next.
        var pending: [(index: Int, wanted: TileStore.Wanted)] = []
        for command in frame.commands {
            guard case .tiles(let range, let drawing) = command else { continue }
            let set = frame.tileSets[drawing.set].set
            for index in range {
                let address = frame.tiles[index].address.ancestor(atZoom: set.info.maxZoom)
                pending.append((index, TileStore.Wanted(set, address, needsMipmaps: drawing.filter == .mipmapped)))
            }
        }
        let now = PictureClock.now
        while !pending.isEmpty {
            // Each tile is looked for once, although many ground tiles may show it.
            var numbers: [PagedTile: Int] = [:]
            var missing: [TileStore.Wanted] = []
            for (_, wanted) in pending {
                let tile = PagedTile(key: .init(wanted.set, wanted.address), isMipmapped: wanted.needsMipmaps)
                if let entry = entries[tile] {
                    entry.page.uses[entry.layer] = now
                } else if numbers[tile] == nil {
                    numbers[tile] = missing.count
                    missing.append(wanted)
                }
            }
            let loaded = store.load(missing, deadline: deadline, limit: limit)
            var next: [(index: Int, wanted: TileStore.Wanted)] = []
            var refused: Set<PagedTile> = []
            for (index, wanted) in pending {
                let tile = PagedTile(key: .init(wanted.set, wanted.address), isMipmapped: wanted.needsMipmaps)
                guard let number = numbers[tile] else {
                    shown.tiles[index] = FoundTile(tile: tile, pixels: nil)
                    continue
                }
                switch loaded[number] {
                case .pixels(let pixels): shown.tiles[index] = FoundTile(tile: tile, pixels: pixels)
                case .missing:
                    guard wanted.address.zoom > wanted.set.info.minZoom else { continue }
                    var above = wanted
                    above.address = wanted.address.ancestor(atZoom: wanted.address.zoom - 1)
                    next.append((index, above))
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

    /// Uploads what is missing. Returns for each of the frame's ground tiles what it shows.
    func place(_ shown: consuming Shown) throws(GPUError) -> [TileRegion?] {
        var regions: [TileRegion?] = Array(repeating: nil, count: shown.tiles.count)
        for (index, found) in shown.tiles.enumerated() {
            guard let found else { continue }
            if entries[found.tile] == nil, let pixels = found.pixels { try upload(pixels, found.tile) }
            guard let entry = entries[found.tile] else { continue }
            regions[index] = TileRegion(texture: entry.page.texture, layer: entry.layer, address: found.tile.key.address)
        }
        return regions
    }

    private func upload(_ pixels: DecodedTile, _ tile: PagedTile) throws(GPUError) {
        let (page, layer) = try room(side: pixels.side, isMipmapped: tile.isMipmapped)
        for (level, bitmap) in pixels.levels.prefix(page.texture.levels).enumerated() {
            let rect = PixelRect(x: 0, y: 0, width: bitmap.width, height: bitmap.height)
            try bitmap.pixels.span.withUnsafeBytes { (bytes) throws(GPUError) in
                try page.texture.upload(bytes, to: rect, layer: layer, level: level)
            }
        }
        if let old = page.tiles[layer] { entries[old] = nil }
        page.tiles[layer] = tile
        page.uses[layer] = PictureClock.now
        entries[tile] = (page, layer)
    }

    /// A layer for a tile: a free one, else that of a tile used before this picture if there are many pages, else one of a new page.
    private func room(side: Int, isMipmapped: Bool) throws(GPUError) -> (Page, Int) {
        let suitable = pages.filter { $0.texture.width == side && $0.isMipmapped == isMipmapped }
        for page in suitable {
            if let layer = page.tiles.firstIndex(where: { $0 == nil }) { return (page, layer) }
        }
        if keptBytes >= caches.budget.byteLimit / 4 {
            let oldest = suitable.compactMap { page in page.uses.indices.min { page.uses[$0] < page.uses[$1] }.map { (page, $0) } }
                .min { $0.0.uses[$0.1] < $1.0.uses[$1.1] }
            if let oldest, oldest.0.uses[oldest.1] < caches.picture { return oldest }
        }
        let layers = max(1, min(Self.pageByteCount / (side * side * 4), 64, context.info.maxTextureLayers))
        caches.makeRoom(for: side * side * 4 * layers * (isMipmapped ? 4 : 3) / 3)
        let page = Page(try Texture(context, width: side, height: side, layers: layers, isMipmapped: isMipmapped))
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
            for case let tile? in page.tiles { entries[tile] = nil }
            pages.removeAll { $0 === page }
        }
    }
}

/// A tile on the GPU.
struct TileRegion {
    var texture: Texture
    var layer: Int
    /// The tile's own place, at or above that of the ground tiles that show it.
    var address: TileAddress
}

/// A tile that could not be drawn, because its source or its image is at fault.
package struct RefusedTile: Equatable, Sendable {
    /// The name of its set.
    package var set: String
    package var address: TileAddress
    /// A clause.
    package var reason: String
}

extension TileAddress {
    /// The tile of a lower zoom that this one lies in; itself where the zoom is not lower.
    package func ancestor(atZoom lower: Int) -> TileAddress {
        lower < zoom ? TileAddress(zoom: lower, x: x >> (zoom - lower), y: y >> (zoom - lower)) : self
    }
}
