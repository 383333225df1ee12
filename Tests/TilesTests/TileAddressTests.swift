import Testing
import WaymarkTiles

@Suite struct TileAddressTests {
    @Test func childrenAndParents() {
        let tile = TileAddress(zoom: 5, x: 17, y: 11)
        #expect(tile.parent == TileAddress(zoom: 4, x: 8, y: 5))
        #expect(tile.children.map(\.description) == ["6/34/22", "6/35/22", "6/34/23", "6/35/23"])
        #expect(tile.children.allSatisfy { $0.parent == tile && $0.isValid })
        #expect(TileAddress(zoom: 0, x: 0, y: 0).parent == nil)
    }

    @Test func whichTilesThereAre() {
        #expect(TileAddress(zoom: 0, x: 0, y: 0).isValid && TileAddress(zoom: 30, x: 1 << 30 - 1, y: 0).isValid)
        for (zoom, x, y) in [(-1, 0, 0), (31, 0, 0), (0, 1, 0), (3, 8, 0), (3, 0, 8), (3, -1, 0), (3, 0, -1)] {
            #expect(!TileAddress(zoom: zoom, x: x, y: y).isValid, "\(zoom)/\(x)/\(y)")
        }
    }

    @Test func orderIsByZoomRowAndColumn() {
        let tiles = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 0, 1), (2, 0, 0)].map { TileAddress(zoom: $0, x: $1, y: $2) }
        #expect(tiles.shuffled().sorted() == tiles)
    }

    @Test func whatATileSetCannotBe() {
        #expect(TileSetInfo().problem == nil)
        #expect(TileSetInfo(minZoom: 5, maxZoom: 3).problem == "minZoom 5 is more than maxZoom 3")
        #expect(TileSetInfo(maxZoom: 31).problem == "maxZoom 31 is outside 0…30")
        #expect(TileSetInfo(tileSize: 300).problem == "the tile size 300 is neither 256 nor 512")
        var bounds = TileBounds.world
        bounds.north = .nan
        #expect(TileSetInfo(bounds: bounds).problem?.hasSuffix("nan is outside -90…90") == true)
        bounds = TileBounds(west: 170, south: 10, east: -170, north: 20)
        #expect(TileSetInfo(bounds: bounds).problem == nil)
    }
}
