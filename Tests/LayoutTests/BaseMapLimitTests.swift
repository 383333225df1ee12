import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport
import WaymarkTiles

/// Labels of base maps whose tiles have far too much of something, and what is kept of labels between pictures.
@Suite struct BaseMapLimitTests {
    private typealias Value = HandmadeValue

    /// Tiles of zoom 14 beside each other, the first southeast of latitude 0 and longitude 0.
    private static func tiles(_ layers: [HandmadeLayer]..., zoom: Int = 14) -> HandmadeTiles {
        var tiles: [TileAddress: HandmadeTile] = [:]
        for (number, layers) in layers.enumerated() {
            var tile = HandmadeTile()
            tile.layers = layers
            tiles[TileAddress(zoom: zoom, x: 1 << (zoom - 1) + number, y: 1 << (zoom - 1))] = tile
        }
        return HandmadeTiles(tiles, layers: ["place", "building", "transportation_name", "transportation"])
    }

    /// - Parameter places: In 4096ths of the tile, the most important first.
    private static func cities(_ places: [(name: String, x: Int, y: Int)]) -> HandmadeLayer {
        var layer = HandmadeLayer("place")
        layer.keys = ["class", "name", "rank"]
        layer.values = [Value.text("city")] + places.map { Value.text($0.name) } + (1...100).map { Value.integer(Int64($0)) }
        for (number, place) in places.enumerated() {
            var feature = HandmadeFeature.points([(place.x, place.y)])
            feature.tags = [0, 0, 1, UInt32(1 + number), 2, UInt32(1 + places.count + min(number, 99))]
            layer.features.append(feature)
        }
        return layer
    }

    /// - Parameter x: The center in tiles of zoom 14 from the corner of the first one.
    private func map(
        _ source: HandmadeTiles, _ width: Double = 20, _ height: Double = 20, zoom: Double = 14, x: Double = 0.5, tilt: Double = 0
    ) -> MapView {
        let center = LatLng(
            lat: WebMercator.latitude(fromY: 0.5 + 0.5 / 16384), lng: WebMercator.longitude(fromX: 0.5 + x / 16384))
        let map = MapView(width, height, Camera(center: center, zoom: zoom, tilt: tilt))
        map.baseMap = [BaseMapLayer(source: source)]
        map.showsAttribution = false
        return map
    }

    private func symbols(_ placement: Placement) -> [Inspection.SymbolEntry] {
        placement.inspection(listsBaseMapSymbols: true).symbols
    }

    private func messages(_ placement: Placement) -> [String] { placement.diagnostics.map(\.message) }

    private static let tooMany = "the view has too many labels of the base map; some of them are left out"

    /// Layers with the name of another one, or with a name that is not UTF-8, do not affect the others.
    @Test func layersWithBadNames() throws {
        let city = HandmadeTile(Self.cities([("Most", 2048, 2048)]))
        let bytes = city.bytes + city.bytes + Wire.bytes(3, Wire.bytes(1, [0xFF]))
        let source = HandmadeTiles(bytes: [TileAddress(zoom: 14, x: 8192, y: 8192): bytes], layers: ["place", "transportation"])
        let placement = try map(source, 60, 60).placement()
        #expect(symbols(placement).map(\.text) == ["Most"])
        let ends = [
            "a layer of tile 14/8192/8192 is left out: its name is not UTF-8",
            #"layer "place" of tile 14/8192/8192 is left out: an earlier layer has the same name"#,
        ]
        #expect(messages(placement).count == 2 && zip(messages(placement), ends).allSatisfy { $0.hasSuffix($1) })
    }

    /// The most important labels are placed, and a diagnostic tells that others are not.
    @Test func tooManyLabels() throws {
        // A picture of 60 × 60 pt with its margin has room for 1278.
        var random = SplitMix64(seed: 7)
        let places = (0..<1300).map { number in
            (name: number == 0 ? "Most" : "N\(number % 9)", x: number == 0 ? 2048 : random.integer(50...4000), y: random.integer(50...4000))
        }
        let all = try map(Self.tiles([Self.cities([("Most", 2048, 2048)] + places.dropFirst())]), 60, 60).placement()
        #expect(messages(all) == [Self.tooMany])
        #expect(symbols(all).first?.text == "Most" && symbols(all).first?.isVisible == true)
        let some = try map(Self.tiles([Self.cities(Array(places.prefix(1000)))])).placement()
        #expect(messages(some).isEmpty)
    }

    /// A road that winds through its tile a thousand times has places for more names than are tried.
    @Test func tooManyNamesOnARoad() throws {
        func road(_ turns: Int) -> HandmadeLayer {
            var layer = HandmadeLayer("transportation_name")
            let points = (0..<turns).map { ($0 % 2 == 0 ? 0 : 4095, $0 * 7 % 4096) }
            layer.add(.lines(points), ["class": Value.text("primary"), "name": Value.text("Ab")])
            return layer
        }
        let all = try map(Self.tiles([road(1200)]), 60, 60).placement()
        #expect(messages(all) == [Self.tooMany])
        #expect(try messages(map(Self.tiles([road(100)])).placement()).isEmpty)
    }

    /// The texts of labels count among the bytes that a map keeps, whether they are drawn or not, and can be evicted.
    @Test func labelsAreInTheBudget() throws {
        func places(_ count: Int) -> HandmadeTiles {
            Self.tiles([Self.cities((0..<count).map { ("Place \($0)", 2048, 2048) })])
        }
        let (one, many) = (map(places(1), 100, 100), map(places(300), 100, 100))
        let (first, second) = (symbols(try one.placement()), symbols(try many.placement()))
        #expect(first.count == 1 && second.count == 300 && second.count { $0.isVisible } == 1)
        #expect(Composer.of(many).keptBytes - Composer.of(one).keptBytes > 299 * 200)
        Composer.of(many).keep(atMost: 0)
        #expect(Composer.of(many).keptBytes < 1000)
        #expect(try symbols(many.placement()) == second)
    }

    /// A picture is the same whatever languages an earlier one had.
    @Test func lettersDoNotDependOnEarlierPictures() throws {
        let source = Self.tiles([Self.cities([("直骨", 2048, 2048)])])
        func letters(_ map: MapView, _ language: String) throws -> [UInt8] {
            map.baseMap[0].languages = [language]
            let images = try map.frame().images
            #expect(images.count == 1)
            return images.flatMap { $0.bitmap.pixels }
        }
        let map = map(source, 100, 100)
        let chinese = try letters(map, "zh-Hans")
        let japanese = try letters(map, "ja")
        #expect(chinese != japanese)
        #expect(try letters(self.map(source, 100, 100), "ja") == japanese)
    }

    /// Characters that no font has are reported for the pictures that show them only.
    @Test func missingCharactersOfOtherPictures() throws {
        let source = Self.tiles([Self.cities([("A\u{E000}", 2048, 2048)])], [Self.cities([("B", 2048, 2048)])])
        let map = map(source, 100, 100)
        #expect(try messages(map.placement()).contains { $0.contains("no font has") })
        map.camera.center = self.map(source, x: 1.5).camera.center
        let other = try map.placement()
        #expect(symbols(other).map(\.text) == ["B"] && messages(other).isEmpty)
    }

    /// Picking loads the tiles that are drawn, those beneath the foot of high buildings included.
    @Test(arguments: [0.0, 55, 70]) func pickingLoadsTheTilesOfThePicture(tilt: Double) throws {
        func map(_ source: HandmadeTiles) -> MapView {
            let map = self.map(source, 300, 200, zoom: 15.9, tilt: tilt)
            map.baseMap[0].buildings = .extruded
            return map
        }
        let layers = (0..<3).map { _ in [Self.cities([("B", 2048, 2048)])] }
        let (drawn, picked) = (Self.tiles(layers[0], layers[1], layers[2]), Self.tiles(layers[0], layers[1], layers[2]))
        _ = try map(drawn).placement()
        let map = map(picked)
        _ = try Composer.of(map).hits(PickRequest(.zero), on: map)
        #expect(Set(picked.readAddresses) == Set(drawn.readAddresses))
    }

    /// A map that is symmetric about a meridian needs a symmetric margin. This picture needs nearly as many tiles as it may have.
    @Test func marginsOnAllSides() throws {
        var tile = HandmadeTile()
        tile.layers = [Self.cities([("B", 2048, 2048)])]
        let zooms = [0, 14].map { TileAddress(zoom: $0, x: 0, y: 0) }
        let source = HandmadeTiles(Dictionary(uniqueKeysWithValues: zooms.map { ($0, tile) }), layers: ["place", "transportation"])
        let map = MapView(8000, 1200, pixelRatio: 0.5, Camera(center: LatLng(lat: 0, lng: 0), zoom: 14, tilt: 70))
        map.baseMap = [BaseMapLayer(source: source)]
        map.showsAttribution = false
        _ = try map.placement()
        let tiles = Set(source.readAddresses)
        let mirrored = source.readAddresses.map { TileAddress(zoom: $0.zoom, x: (1 << $0.zoom) - 1 - $0.x, y: $0.y) }
        #expect(tiles.count > 150 && tiles == Set(mirrored))
    }

    /// Four hundred buildings in rows, and a view of them.
    private func occluders(mostTests: Int = BuildingOccluders.testLimit) throws -> BuildingOccluders {
        var layer = HandmadeLayer("building")
        for number in 0..<400 {
            let (x, y) = (100 + number % 20 * 200, 100 + number / 20 * 200)
            let corners = [(x, y), (x + 90, y), (x + 90, y + 90), (x, y + 90)]
            layer.add(.polygons(corners), ["render_height": Value.integer(Int64(5 + number % 7 * 3))])
        }
        let map = map(Self.tiles([layer], zoom: 16), 300, 300, zoom: 17, x: 0.125, tilt: 60)
        map.camera.center.lat = WebMercator.latitude(fromY: 0.5 + 0.125 / 16384)
        map.baseMap[0].buildings = .extruded
        let set = try #require(try map.baseMap[0].vectorTiles?.get())
        let shown = ShownVectorLayer(
            map.baseMap[0], set, index: 0, try map.viewport(), [.buildings], deadline: TileDeadline(seconds: 60))
        return BuildingOccluders(try map.viewport(), [shown], mostTests: mostTests)
    }

    /// Points of the ground in that view.
    private static let points = (0..<100).map { number -> SIMD2<Double> in
        let (column, row) = (number % 10, number / 10)
        return [Double(30 * column + 7), Double(20 * row + 93)]
    }

    /// A ray is tested with few of the triangles that a view shows.
    @Test func fewTestsOfBuildings() throws {
        let occluders = try occluders()
        let hidden = Self.points.count { occluders.hideGround(at: $0) }
        #expect(hidden > 20 && hidden < 95)
        #expect(!occluders.isOverLimit && occluders.testCount < 15_000, "\(occluders.testCount)")
    }

    /// After the limit, positions count as seen.
    @Test func tooManyTestsOfBuildings() throws {
        let occluders = try occluders(mostTests: 500)
        let hidden = Self.points.map { occluders.hideGround(at: $0) }
        #expect(hidden.contains(true) && !hidden.suffix(50).contains(true))
        #expect(occluders.isOverLimit && occluders.testCount < 600)
    }
}
