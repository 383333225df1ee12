import Testing
import WaymarkImaging
import WaymarkSystem
import WaymarkTestSupport
import WaymarkTiles
import WaymarkVectorTiles

@Suite struct VectorTileStoreTests {
    private let address = TileAddress(zoom: 0, x: 0, y: 0)

    private func read(_ store: VectorTileStore, _ source: HandmadeTiles, _ address: TileAddress) throws -> VectorTileStore.Tile {
        let set = try VectorTileSet(source)
        return store.tiles([TileStore.Key(TileSet(source), address)], of: set)[0] ?? .missing
    }

    /// Tiles with a triangle each.
    private func triangles(_ addresses: [TileAddress]) -> HandmadeTiles {
        let tile = HandmadeTile(HandmadeLayer("water", .polygons([(0, 0), (64, 0), (64, 64)])))
        return HandmadeTiles(Dictionary(uniqueKeysWithValues: addresses.map { ($0, tile) }), layers: ["water", "place"])
    }

    /// A tile is read once, until the budget evicts it.
    @Test func tilesAreKept() throws {
        let source = HandmadeTiles(
            [address: HandmadeTile(HandmadeLayer("water", .polygons([(0, 0), (64, 0), (64, 64)])))], layers: ["water", "place"])
        let store = VectorTileStore()
        for _ in 0..<3 {
            guard case .geometry(let geometry) = try read(store, source, address) else { throw TileError(.noTiles) }
            #expect(geometry.areas(.water).count == 1)
        }
        #expect(store.readCount == 1 && store.keptBytes > 100)
        store.evict(through: .max, bytes: .max)
        #expect(store.keptBytes == 0 && store.oldestUse == nil)
        _ = try read(store, source, address)
        #expect(store.readCount == 2)
    }

    /// Several tiles come in the order of their keys, each read once, whether it is cached or not.
    @Test func manyTiles() throws {
        let addresses = (0..<16).map { TileAddress(zoom: 2, x: $0 % 4, y: $0 / 4) }
        let tiles = addresses.map { address in
            let ring = [(0, 0), (64 * (4 * address.y + address.x + 1), 0), (0, 64)]
            return (address, HandmadeTile(HandmadeLayer("water", .polygons(ring))))
        }
        let source = HandmadeTiles(Dictionary(uniqueKeysWithValues: tiles), layers: ["water", "place"])
        let (store, set) = (VectorTileStore(), try VectorTileSet(source))
        _ = try read(store, source, addresses[5])
        let widths = store.tiles(addresses.map { TileStore.Key(TileSet(source), $0) }, of: set).map { tile -> Float in
            guard case .geometry(let geometry) = tile else { return -1 }
            return geometry.areas(.water).boxes[0].z * 64
        }
        #expect(widths == (1...16).map { Float($0) })
        #expect(store.readCount == 16 && Set(source.readAddresses).count == 16)
    }

    /// The tiles from the first one that exceeds the limit of points are left out, and most of them are not even read.
    @Test func tilesBeyondTheLimit() throws {
        let addresses = (0..<256).map { TileAddress(zoom: 4, x: $0 % 16, y: $0 / 16) }
        let source = triangles(addresses)
        let (store, set) = (VectorTileStore(), try VectorTileSet(source))
        for _ in 0..<2 {
            let tiles = store.tiles(addresses.map { TileStore.Key(TileSet(source), $0) }, of: set, mostPoints: 7)
            #expect(tiles.map { $0 != nil } == addresses.indices.map { $0 < 2 })
        }
        #expect(store.readCount < 3 + ProcessorCount.usualThreadCount)
    }

    /// Copies of the world show the same tile, which is read once; its points count for each copy.
    @Test func copiesOfATile() throws {
        let source = triangles([address])
        let (store, set) = (VectorTileStore(), try VectorTileSet(source))
        let keys = Array(repeating: TileStore.Key(TileSet(source), address), count: 4)
        #expect(store.tiles(keys, of: set, mostPoints: 9).map { $0 != nil } == [true, true, true, false])
        #expect(store.readCount == 1 && source.readAddresses.count == 1)
    }

    /// Missing and damaged tiles are kept, too; the reason names neither the set nor the tile.
    @Test func missingAndDamagedTiles() throws {
        var damaged = HandmadeTile(HandmadeLayer("water"))
        damaged.layers[0].name = ""
        let source = HandmadeTiles([TileAddress(zoom: 1, x: 0, y: 0): damaged], layers: ["water", "place"])
        let store = VectorTileStore()
        for _ in 0..<2 {
            guard case .missing = try read(store, source, TileAddress(zoom: 1, x: 1, y: 1)),
                case .refused(let refusal) = try read(store, source, TileAddress(zoom: 1, x: 0, y: 0))
            else { throw TileError(.noTiles) }
            #expect(refusal.reason == "a layer has no name")
        }
        #expect(store.readCount == 2)
    }
}
