import Dispatch
import Foundation
import Synchronization
import Testing
import WaymarkImaging
import WaymarkSystem
import WaymarkTestSupport
import WaymarkTiles
import WaymarkVectorTiles

@Suite struct VectorTileStoreTests {
    private let address = TileAddress(zoom: 0, x: 0, y: 0)
    private let deadline = TileDeadline(seconds: 60)

    private func read(_ store: VectorTileStore, _ source: any ArchivedTileSource, _ address: TileAddress) throws -> VectorTileStore.Tile {
        store.tiles([address], of: try VectorTileSet(source), deadline: deadline)[0] ?? .missing
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
        #expect(store.readCount == 1 && store.cache.keptBytes > 100)
        store.cache.evict(through: .max, bytes: .max)
        #expect(store.cache.keptBytes == 0 && store.cache.oldestUse == nil)
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
        let widths = store.tiles(addresses, of: set, deadline: deadline).map { tile -> Float in
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
            let tiles = store.tiles(addresses, of: set, deadline: deadline, mostPoints: 7)
            #expect(tiles.map { $0 != nil } == addresses.indices.map { $0 < 2 })
        }
        #expect(store.readCount < 3 + ProcessorCount.usualThreadCount)
    }

    /// Copies of the world show the same tile, which is read once; its points count for each copy.
    @Test func copiesOfATile() throws {
        let source = triangles([address])
        let (store, set) = (VectorTileStore(), try VectorTileSet(source))
        let copies = Array(repeating: address, count: 4)
        #expect(store.tiles(copies, of: set, deadline: deadline, mostPoints: 9).map { $0 != nil } == [true, true, true, false])
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

    /// Beyond the last zoom, and where a tile is missing, a tile is a part of its nearest ancestor.
    @Test func overzoomAndMissingTiles() throws {
        let (store, source) = (VectorTileStore(), try HelsinkiTiles.source())
        let set = try VectorTileSet(source)
        func isPart(_ address: TileAddress, ofZoom zoom: Int) throws -> Bool {
            let part = TilePart(address, ofZoom: zoom)
            guard case .geometry(let shown) = try read(store, source, address), let stored = try set.tile(at: part.stored) else {
                return false
            }
            let expected = TileGeometry(stored, set.schema).part(part)
            return shown.pointCount(of: .ground) == expected.pointCount(of: .ground)
                && MapRole.allCases.allSatisfy {
                    shown.areas($0).points == expected.areas($0).points && shown.lines($0).points == expected.lines($0).points
                }
        }
        #expect(try isPart(TileAddress(zoom: 17, x: 9327 * 8 + 5, y: 4741 * 8 + 2), ofZoom: 14))
        // The excerpt has no tile at zoom 8, and none for the last address from zoom 12 on.
        #expect(try isPart(TileAddress(zoom: 8, x: 145, y: 74), ofZoom: 7))
        #expect(try isPart(TileAddress(zoom: 15, x: 2331 * 8, y: 1184 * 8 + 7), ofZoom: 11))
        for missing in [(14, 0, 0), (17, 9, 9), (3, 4, 2), (4, 9, 4), (31, 0, 0), (14, -1, 0)] {
            guard case .missing = try read(store, source, TileAddress(zoom: missing.0, x: missing.1, y: missing.2)) else {
                throw TileError(.noTiles)
            }
        }
    }

    /// Many missing tiles under one ancestor: it is read and prepared once, and each of them is a part of it, also in later pictures.
    @Test func partsShareTheirAncestor() throws {
        let ring = [(0, 0), (4096, 0), (4096, 4096), (0, 4096)]
        let whole = HandmadeTile(HandmadeLayer("water", .polygons(ring)))
        // The set has zooms 2…6, but only one tile around the others.
        let source = HandmadeTiles(
            [TileAddress(zoom: 2, x: 1, y: 1): whole, TileAddress(zoom: 6, x: 0, y: 0): whole], layers: ["water", "place"])
        let (store, set) = (VectorTileStore(), try VectorTileSet(source))
        let addresses = (0..<64).map { TileAddress(zoom: 6, x: 16 + $0 % 8, y: 16 + $0 / 8) }
        for _ in 0..<2 {
            let tiles = store.tiles(addresses, of: set, deadline: deadline)
            #expect(
                tiles.allSatisfy { if case .geometry(let tile) = $0 { tile.areas(.water).boxes == [SIMD4(0, 0, 1, 1)] } else { false } })
        }
        // 64 tiles, and 16, 4, 1 and 1 ancestors.
        #expect(store.readCount == 86 && Set(source.readAddresses).count == 86 && source.readAddresses.count == 86)
        // A deeper tile is a part of the same ancestor; each of its points counts.
        let deep = store.tiles([TileAddress(zoom: 7, x: 32, y: 33), addresses[0]], of: set, deadline: deadline, mostPoints: 4)
        #expect(deep.map { $0 != nil } == [true, false] && store.readCount == 86)
    }

    /// A tile that is stored as no bytes at all says that there is nothing here, so that no ancestor is shown.
    @Test func emptyTiles() throws {
        let ocean = HandmadeTile(HandmadeLayer("ocean", .polygons([(0, 0), (4096, 0), (0, 4096)])))
        let source = HandmadeTiles(
            bytes: [TileAddress(zoom: 1, x: 0, y: 0): ocean.bytes, TileAddress(zoom: 2, x: 1, y: 0): []], layers: ["ocean", "streets"])
        for (x, y, count) in [(1, 0, 0), (0, 0, 4)] {
            guard case .geometry(let tile) = try read(VectorTileStore(), source, TileAddress(zoom: 2, x: x, y: y)) else {
                throw TileError(.noTiles)
            }
            #expect(tile.pointCount(of: .ground) == count)
        }
    }

    /// An archive on a disk that does not respond.
    private final class StuckTiles: ArchivedTileSource {
        let info = TileSetInfo(maxZoom: 4, tileSize: 512, name: "stuck")
        let content = TileContent.vector
        let layerNames = ["water", "place"]
        let gate = DispatchSemaphore(value: 0)
        let calls = Atomic<Int>(0)

        func bytes(at address: TileAddress) throws(TileError) -> [UInt8]? {
            calls.add(1, ordering: .relaxed)
            gate.wait()
            gate.signal()
            return HandmadeTile(HandmadeLayer("water", .polygons([(0, 0), (64, 0), (64, 64)]))).bytes
        }

        func sampleBytes() throws(TileError) -> [UInt8] { [] }
        func tile(at address: TileAddress) throws(TileError) -> TileData? { try bytes(at: address).map { .encoded($0) } }
    }

    /// An archive on a slow disk.
    private final class SlowTiles: ArchivedTileSource {
        let info = TileSetInfo(maxZoom: 4, tileSize: 512, name: "slow")
        let content = TileContent.vector
        let layerNames = ["water", "place"]

        func bytes(at address: TileAddress) throws(TileError) -> [UInt8]? {
            Thread.sleep(forTimeInterval: 0.1)
            return HandmadeTile(HandmadeLayer("water", .polygons([(0, 0), (64, 0), (64, 64)]))).bytes
        }

        func sampleBytes() throws(TileError) -> [UInt8] { [] }
        func tile(at address: TileAddress) throws(TileError) -> TileData? { try bytes(at: address).map { .encoded($0) } }
    }

    /// As long as tiles arrive, none is left out, however long all of them take.
    @Test func aSlowSource() throws {
        let set = try VectorTileSet(SlowTiles())
        let addresses = (0..<min(256, 20 * ProcessorCount.usualThreadCount)).map { TileAddress(zoom: 4, x: $0 % 16, y: $0 / 16) }
        let tiles = VectorTileStore().tiles(addresses, of: set, deadline: TileDeadline(seconds: 1.5))
        #expect(tiles.allSatisfy { if case .geometry = $0 { true } else { false } })
    }

    /// A source that does not answer in time is abandoned, and is not called again until it has answered.
    @Test func aSourceThatHangs() throws {
        let (store, source) = (VectorTileStore(), StuckTiles())
        let set = try VectorTileSet(source)
        let addresses = (0..<16).map { TileAddress(zoom: 4, x: $0, y: 0) }
        for seconds in [0.2, 0.2, 0.1] {
            for tile in store.tiles(addresses, of: set, deadline: TileDeadline(seconds: seconds)) {
                guard case .refused(let refusal)? = tile else { throw TileError(.noTiles) }
                #expect(refusal.reason == "the tile source has not answered within \(seconds) s")
            }
        }
        #expect((1...ProcessorCount.usualThreadCount).contains(source.calls.load(ordering: .relaxed)))
        // A picture with more time waits for the rest of it.
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { source.gate.signal() }
        let patient = store.tiles(addresses, of: set, deadline: TileDeadline(seconds: 3600))
        #expect(patient.allSatisfy { if case .geometry = $0 { true } else { false } })
        var isRead = false
        while !isRead {
            isRead = store.tiles(addresses, of: set, deadline: deadline).allSatisfy { if case .geometry = $0 { true } else { false } }
        }
        // The answers that came too late may be asked for again.
        #expect((16...16 + ProcessorCount.usualThreadCount).contains(source.calls.load(ordering: .relaxed)))
    }
}
