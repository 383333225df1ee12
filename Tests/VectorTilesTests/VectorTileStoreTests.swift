import Testing
import WaymarkImaging
import WaymarkTestSupport
import WaymarkTiles
import WaymarkVectorTiles

@Suite struct VectorTileStoreTests {
    private let address = TileAddress(zoom: 0, x: 0, y: 0)

    private func read(_ store: VectorTileStore, _ source: HandmadeTiles, _ address: TileAddress) throws -> VectorTileStore.Tile {
        let set = try VectorTileSet(source)
        return store.tiles([TileStore.Key(TileSet(source), address)], of: set)[0]
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
