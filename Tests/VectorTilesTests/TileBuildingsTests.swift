import Testing
import WaymarkTestSupport
import WaymarkTiles
import WaymarkVectorTiles

/// The heights of the buildings of a tile.
@Suite struct TileBuildingsTests {
    private func tile(_ layer: HandmadeLayer, _ schema: String = "OpenMapTiles 3") throws -> TileBuildings {
        let schema = try #require(MapSchema.all.first { $0.name == schema })
        return try TileGeometry(VectorTile(HandmadeTile(layer).bytes), schema, .buildings).buildings
    }

    private static func square(_ x: Int, _ y: Int, _ side: Int = 100) -> [(Int, Int)] {
        [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]
    }

    private func layer(_ name: String, _ buildings: [KeyValuePairs<String, [UInt8]>]) -> HandmadeLayer {
        var layer = HandmadeLayer(name)
        for (number, attributes) in buildings.enumerated() { layer.add(.polygons(Self.square(200 * number, 0)), attributes) }
        return layer
    }

    @Test func openMapTiles() throws {
        let heights = try tile(
            layer(
                "building",
                [
                    ["render_height": HandmadeValue.float(12.5), "render_min_height": HandmadeValue.float(3)],
                    ["render_height": HandmadeValue.integer(20)], ["render_height": HandmadeValue.unsigned(7)],
                    ["render_height": HandmadeValue.signed(9)], ["render_height": HandmadeValue.double(2.25)],
                    ["render_height": HandmadeValue.text("14.5")], [:], ["render_min_height": HandmadeValue.integer(8)],
                    ["hide_3d": HandmadeValue.boolean(true), "render_height": HandmadeValue.integer(30)],
                    ["hide_3d": HandmadeValue.boolean(false), "render_height": HandmadeValue.integer(31)],
                ])
        ).heights
        #expect(
            heights == [
                [3, 12.5], [0, 20], [0, 7], [0, 9], [0, 2.25], [0, 14.5], [0, TileBuildings.usualHeight],
                [8, 8 + TileBuildings.usualHeight], [0, 31],
            ])
    }

    /// Heights that mean nothing are like heights that are not stated; a building without height is left out.
    @Test func strangeHeights() throws {
        let usual = SIMD2(0, TileBuildings.usualHeight)
        let values: [([UInt8], SIMD2<Float>)] = [
            (HandmadeValue.float(.nan), usual), (HandmadeValue.float(-3), usual), (HandmadeValue.integer(0), usual),
            (HandmadeValue.text("high"), usual), (HandmadeValue.boolean(true), usual), (HandmadeValue.text("nan"), usual),
            (HandmadeValue.float(.infinity), [0, TileBuildings.greatestHeight]),
            (HandmadeValue.double(1e300), [0, TileBuildings.greatestHeight]),
        ]
        for (value, expected) in values { #expect(try tile(layer("building", [["render_height": value]])).heights == [expected]) }
        let raised: [(Float, [SIMD2<Float>])] = [(-2, [[0, 10]]), (.nan, [[0, 10]]), (4, [[4, 10]]), (10, []), (.infinity, [])]
        for (bottom, expected) in raised {
            let attributes: KeyValuePairs = [
                "render_height": HandmadeValue.integer(10), "render_min_height": HandmadeValue.float(bottom),
            ]
            #expect(try tile(layer("building", [attributes])).heights == expected, "\(bottom)")
        }
        let highest = try tile(layer("building", [["render_min_height": HandmadeValue.float(.infinity)]])).heights
        #expect(highest.allSatisfy { $0.x < $0.y && $0.y.isFinite })
    }

    /// Parts replace the outline of their building if they cover at least half of it.
    @Test func partsAndOutlines() throws {
        var layer = HandmadeLayer("buildings")
        func add(_ ring: [(Int, Int)], _ kind: String, _ height: Int64) {
            layer.add(.polygons(ring), ["kind": HandmadeValue.text(kind), "height": HandmadeValue.integer(height)])
        }
        add(Self.square(0, 0, 400), "building", 50)
        add([(0, 0), (400, 0), (400, 150), (0, 150)], "building_part", 51)
        add([(0, 150), (400, 150), (400, 250), (0, 250)], "building_part", 52)
        add(Self.square(1000, 0, 400), "building", 60)
        add(Self.square(1100, 100, 100), "building_part", 61)
        add(Self.square(2000, 0, 400), "building", 70)
        #expect(try tile(layer, "Protomaps 4").heights.map(\.y) == [51, 52, 60, 61, 70])
    }

    @Test func shortbreadHasNoHeights() throws {
        let buildings = try tile(layer("buildings", [["height": HandmadeValue.integer(50)]]), "Shortbread 1")
        #expect(buildings.heights == [[0, TileBuildings.usualHeight]])
    }

    /// Footprints are clipped to the tile, with their holes; those outside of it are left out.
    @Test func clipping() throws {
        var layer = HandmadeLayer("building")
        layer.add(.polygons(Self.square(-200, 0), Self.square(-190, 10, 20).reversed()), ["render_height": HandmadeValue.integer(1)])
        layer.add(
            .polygons(Self.square(-50, 1000, 1000), Self.square(-20, 1100, 10).reversed(), Self.square(400, 1400).reversed()),
            ["render_height": HandmadeValue.integer(2)])
        layer.add(
            .polygons(Self.square(3000, 3000), Self.square(5000, 3000), Self.square(3500, 3000)),
            ["render_height": HandmadeValue.integer(3)])
        let whole = try tile(layer)
        #expect(whole.heights.map(\.y) == [2, 3, 3])
        #expect((0..<whole.count).map { whole.rings(of: $0).count } == [2, 1, 1])
        #expect(whole.rings.points.allSatisfy { $0.min() >= 0 && $0.max() <= 1 })
        // A part of the tile: the quarter with the two buildings of height 3.
        let schema = try #require(MapSchema.all.first { $0.name == "OpenMapTiles 3" })
        let contents: TileContents = [.ground, .buildings]
        let geometry = try TileGeometry(VectorTile(HandmadeTile(layer).bytes), schema, contents)
        let part = geometry.part(TilePart(TileAddress(zoom: 1, x: 1, y: 1), ofZoom: 0)).buildings
        #expect(part.heights.map(\.y) == [3, 3] && part.rings.count == 2)
        #expect(part.number != geometry.buildings.number && part.number != 0)
        let empty = geometry.part(TilePart(TileAddress(zoom: 1, x: 1, y: 0), ofZoom: 0)).buildings
        #expect(empty.isEmpty && empty.number == 0)
        let points = geometry.pointCount(of: contents)
        #expect(geometry.byteCount > points * 8 && points > geometry.areas(.building).points.count)
    }

    @Test func readOnRequest() throws {
        let schema = try #require(MapSchema.all.first { $0.name == "OpenMapTiles 3" })
        let tile = try VectorTile(HandmadeTile(layer("building", [[:]])).bytes)
        let ground = TileGeometry(tile, schema, .ground)
        #expect(ground.buildings.isEmpty && ground.areas(.building).count == 1)
        let buildings = TileGeometry(tile, schema, .buildings)
        #expect(buildings.buildings.count == 1 && buildings.areas(.building).isEmpty)
    }
}
