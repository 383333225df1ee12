import Testing
import Waymark
import WaymarkTestSupport

/// The outlines of two buildings that share a wall covered it twice, so it was darker than other walls.
@Suite struct SharedWallTests {
    @Test(arguments: [0.0, 90, 180, 270]) func sharedWallsAreAsDarkAsOthers(bearing: Double) throws {
        var buildings = HandmadeLayer("building")
        for west in [2040, 2048] {
            buildings.add(.polygons([(west, 2032), (west + 8, 2032), (west + 8, 2064), (west, 2064)]), [:])
        }
        let tile = TileAddress(zoom: 10, x: 512, y: 512)
        let source = HandmadeTiles([tile: HandmadeTile(buildings)], layers: ["building", "water", "transportation"])
        // The middle of the tile.
        let map = MapView(160, 160, Camera(center: LatLng(lat: -0.17578, lng: 0.17578), zoom: 15.6, bearing: bearing))
        var layer = BaseMapLayer(source: source)
        layer.roleColors = [.land: .white, .building: .white]
        map.baseMap = [layer]
        map.showsAttribution = false
        PinnedRasterizer.pin
        let bitmap = try Renderer(device: .software).render(map).bitmap
        // The walls run north and south, 48.5 pt apart.
        let darkness = [20..<44, 68..<92, 116..<140].map { places in
            places.reduce(0) { sum, place in
                let pixel = bearing == 0 || bearing == 180 ? bitmap[place, 80] : bitmap[80, place]
                return sum + 255 - Int(pixel.red)
            }
        }
        #expect(darkness[0] > 25 && abs(darkness[0] - darkness[2]) <= 2, "\(darkness)")
        #expect(abs(darkness[1] - darkness[0]) <= 2, "\(darkness)")
    }
}
