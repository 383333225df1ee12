import Synchronization
import WaymarkTiles

/// An archive of vector tiles in memory; it records the reads.
package final class HandmadeTiles: ArchivedTileSource {
    package let info: TileSetInfo
    package let content = TileContent.vector
    package let layerNames: [String]
    private let tiles: [TileAddress: [UInt8]]
    private let reads = Mutex<[TileAddress]>([])
    package var readAddresses: [TileAddress] { reads.withLock { $0 } }

    package convenience init(_ tiles: [TileAddress: HandmadeTile], layers: [String], attribution: String? = nil) {
        self.init(bytes: tiles.mapValues(\.bytes), layers: layers, attribution: attribution)
    }

    package init(bytes tiles: [TileAddress: [UInt8]], layers: [String], attribution: String? = nil) {
        let zooms = tiles.keys.map(\.zoom)
        info = TileSetInfo(
            minZoom: zooms.min() ?? 0, maxZoom: zooms.max() ?? 0, tileSize: 512, attribution: attribution, name: "handmade")
        layerNames = layers
        self.tiles = tiles
    }

    package func bytes(at address: TileAddress) throws(TileError) -> [UInt8]? {
        reads.withLock { $0.append(address) }
        return tiles[address]
    }

    package func sampleBytes() throws(TileError) -> [UInt8] { tiles.values.first ?? [] }
    package func tile(at address: TileAddress) throws(TileError) -> TileData? { try bytes(at: address).map { .encoded($0) } }
}
