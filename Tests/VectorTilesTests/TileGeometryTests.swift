import Testing
import WaymarkTestSupport
import WaymarkTiles
import WaymarkVectorTiles

/// The areas and lines that a base map draws from a tile.
@Suite struct TileGeometryTests {
    private func geometry(
        _ layers: HandmadeLayer..., address: TileAddress = TileAddress(zoom: 0, x: 0, y: 0), schema: String = "OpenMapTiles 3"
    ) throws -> TileGeometry {
        var tile = HandmadeTile()
        tile.layers = layers
        let schema = try #require(MapSchema.all.first { $0.name == schema })
        let whole = try TileGeometry(VectorTile(tile.bytes), schema)
        return address.zoom == 0 ? whole : whole.part(TilePart(address, ofZoom: 0))
    }

    private func text(_ shapes: TileShapes) -> [String] {
        (0..<shapes.count).map { index in
            let points = shapes.points[shapes.range(index)].map { "\($0.x) \($0.y)" }.joined(separator: ", ")
            return shapes.lineEnds.isEmpty ? points : "\(points): \(shapes.lineEnds[2 * index]), \(shapes.lineEnds[2 * index + 1])"
        }
    }

    private func roads(_ lines: [(Int, Int)]...) -> HandmadeLayer {
        var layer = HandmadeLayer("transportation")
        for line in lines { layer.add(.lines(line), ["class": HandmadeValue.text("primary")]) }
        return layer
    }

    @Test func buffersAreClipped() throws {
        let geometry = try geometry(
            HandmadeLayer("water", .polygons([(-64, -64), (4160, -64), (4160, 4160), (-64, 4160)])),
            roads([(-64, 1024), (2048, 1024), (2048, 4160)]))
        #expect(text(geometry.areas(.water)) == ["0.0 0.0, 1.0 0.0, 1.0 1.0, 0.0 1.0"] || geometry.areas(.water).points.count == 4)
        #expect(geometry.areas(.water).boxes == [SIMD4(0, 0, 1, 1)])
        #expect(text(geometry.lines(.primary)) == ["0.0 0.25, 0.5 0.25, 0.5 1.0: edge, edge"])
        #expect(geometry.pointCount(of: .ground) == 7)
    }

    /// An extent that is not a power of two, and a part of a tile: points at the edges are still exact.
    @Test(arguments: [4096, 1000, 49, 3]) func edgesAreExact(extent: Int) throws {
        var water = HandmadeLayer("water", .polygons([(0, 0), (extent, 0), (extent, extent), (0, extent)]))
        water.extent = UInt64(extent)
        for address in [TileAddress(zoom: 0, x: 0, y: 0), TileAddress(zoom: 7, x: 93, y: 127), TileAddress(zoom: 2, x: 3, y: 1)] {
            let areas = try geometry(water, address: address).areas(.water)
            #expect(Set(areas.points.map { "\($0.x) \($0.y)" }) == ["0.0 0.0", "1.0 0.0", "0.0 1.0", "1.0 1.0"], "\(address)")
        }
    }

    /// Whatever the direction in the tile, exterior rings turn clockwise and holes counterclockwise.
    @Test func ringsHaveOneDirection() throws {
        let outer = [(0, 0), (4096, 0), (4096, 4096), (0, 4096)], inner = [(1024, 1024), (1024, 2048), (2048, 2048), (2048, 1024)]
        for isReversed in [false, true] {
            var water = HandmadeLayer("water", isReversed ? .polygons(outer.reversed(), inner.reversed()) : .polygons(outer, inner))
            water.version = isReversed ? 1 : 2
            let areas = try geometry(water).areas(.water)
            let signs = (0..<areas.count).map { index in
                let points = areas.points[areas.range(index)].map { SIMD2<Double>($0) }
                return zip(points, points.dropFirst() + points.prefix(1)).reduce(0) { $0 + $1.0.x * $1.1.y - $1.0.y * $1.1.x } / 2
            }
            #expect(signs == [1, -0.0625])
        }
    }

    @Test func linesAreJoinedWhereTwoMeet() throws {
        let lines = try geometry(roads([(0, 0), (1024, 1024)], [(2048, 1024), (1024, 1024)], [(2048, 1024), (2048, 2048)])).lines(.primary)
        #expect(text(lines) == ["0.0 0.0, 0.25 0.25, 0.5 0.25, 0.5 0.5: edge, free"])
        // The straightest pair is joined, and covers the end of the third line.
        let crossing = try geometry(
            roads([(1024, 1024), (2048, 1024)], [(2048, 2048), (2048, 1024)], [(2048, 1024), (3072, 1280)])
        ).lines(.primary)
        #expect(text(crossing) == ["0.25 0.25, 0.5 0.25, 0.75 0.3125: free, free", "0.5 0.5, 0.5 0.25: free, attached"])
        // A line may end on a point within another.
        let side = try geometry(roads([(1024, 1024), (2048, 1024), (3072, 1024)], [(2048, 1024), (2048, 2048)])).lines(.primary)
        #expect(text(side).last == "0.5 0.25, 0.5 0.5: attached, free")
    }

    @Test func ringRoadsAreClosed() throws {
        let lines = try geometry(
            roads([(1024, 1024), (2048, 1024)], [(2048, 1024), (2048, 2048)], [(1024, 1024), (1024, 2048), (2048, 2048)])
        ).lines(.primary)
        #expect(text(lines) == ["0.25 0.25, 0.25 0.5, 0.5 0.5, 0.5 0.25: closed, closed"])
        // A line and its reverse enclose nothing; both remain.
        let twice = try geometry(roads([(1024, 1024), (2048, 1024)], [(2048, 1024), (1024, 1024)])).lines(.primary)
        #expect(twice.lineEnds.allSatisfy { $0 != .closed })
    }

    /// Where no two of the lines that meet are joined, one has a round cap, which covers the ends of the others.
    @Test func endsThatAreNotJoined() throws {
        let twice = try geometry(roads([(1024, 1024), (2048, 1024)], [(1024, 1024), (2048, 1024)])).lines(.primary)
        #expect(text(twice) == ["0.25 0.25, 0.5 0.25: free, free", "0.25 0.25, 0.5 0.25: attached, attached"])
        let hairpin = try geometry(roads([(1024, 1024), (2048, 1024)], [(2048, 1024), (1024, 1030)])).lines(.primary)
        #expect(hairpin.lineEnds == [.free, .free, .attached, .free])
        var star = HandmadeLayer("transportation")
        for number in 0..<13 {
            star.add(.lines([(2048, 2048), (3000, 1000 + 100 * number)]), ["class": HandmadeValue.text("primary")])
        }
        let ends = try geometry(star).lines(.primary).lineEnds
        #expect(ends.count == 26 && ends.count { $0 == .free } == 14 && ends.count { $0 == .attached } == 12)
    }

    /// Names along lines are not drawn, so their layers are not even decoded.
    @Test func labelsAreNotPrepared() throws {
        var names = HandmadeLayer("transportation_name", .lines([(0, 0), (64, 64)]))
        #expect(try geometry(names).pointCount(of: .all) == 0)
        names.version = 3
        #expect(try geometry(names).refusals(of: .all).isEmpty)
    }

    @Test func overzoomShowsAPart() throws {
        let deep = try geometry(
            roads([(0, 1536), (4096, 1536)]), address: TileAddress(zoom: 2, x: 2, y: 1)
        ).lines(.primary)
        #expect(text(deep) == ["0.0 0.5, 1.0 0.5: edge, edge"])
        #expect(try geometry(roads([(0, 1536), (4096, 1536)]), address: TileAddress(zoom: 2, x: 2, y: 2)).pointCount(of: .ground) == 0)
    }

    /// Ends inside a part remain what they are, a cut end lies on the edge, and a ring road remains closed unless it is cut.
    @Test func endsOfParts() throws {
        let layer = roads(
            [(1024, 1024), (1024, 1536), (1536, 1536)], [(1024, 1536), (600, 1700)],
            [(3000, 3000), (3500, 3000), (3500, 3500), (3000, 3000)])
        func part(_ zoom: Int, _ x: Int, _ y: Int) throws -> [String] {
            text(try geometry(layer, address: TileAddress(zoom: zoom, x: x, y: y)).lines(.primary))
        }
        let (first, last, cut) = try (part(1, 0, 0), part(1, 1, 1), part(3, 6, 6))
        #expect(first == ["0.5 0.5, 0.5 0.75, 0.75 0.75: free, free", "0.5 0.75, 0.29296875 0.8300781: attached, free"])
        #expect(last == ["0.46484375 0.46484375, 0.7089844 0.46484375, 0.7089844 0.7089844: closed, closed"])
        #expect(cut == ["0.8359375 0.0, 0.8359375 0.8359375, 0.0 0.0: edge, edge"])
    }

    /// A pier is land, but lies above the water. The land of Protomaps lies beneath it.
    @Test func piersAreNotTheGround() throws {
        var piers = HandmadeLayer("transportation")
        piers.add(.polygons([(0, 0), (64, 0), (64, 64)]), ["class": HandmadeValue.text("pier")])
        #expect(try geometry(piers).piers.count == 1 && geometry(piers).areas(.land).isEmpty)
        let earth = HandmadeLayer("earth", .polygons([(0, 0), (64, 0), (64, 64)]))
        let land = try geometry(earth, schema: "Protomaps 4")
        #expect(land.piers.isEmpty && land.areas(.land).count == 1)
    }

    /// A damaged layer is left out; the others are read.
    @Test func damagedLayers() throws {
        var water = HandmadeLayer("water", .polygons([(0, 0), (64, 0), (64, 64)]))
        water.version = 3
        let geometry = try geometry(water, roads([(0, 0), (64, 64)]))
        let refusals = geometry.refusals(of: .ground)
        #expect(refusals.map(\.layer) == ["water"])
        #expect(refusals.first?.reason.reason == "version 3 of the format MVT is not supported; only versions 1 and 2 are")
        #expect(geometry.areas(.water).isEmpty && geometry.lines(.primary).count == 1)
    }

    /// Rings and lines that cross themselves, fall into one point, or lie outside.
    @Test func degenerateGeometry() throws {
        let geometry = try geometry(
            HandmadeLayer(
                "water", .polygons([(0, 0), (64, 64), (64, 0), (0, 64)]), .polygons([(5000, 0), (5064, 0), (5064, 64)]),
                .polygons([(-64, -64), (-32, -64), (-32, 5000)])),
            roads([(9, 9), (9, 9)], [(5000, 5000), (6000, 6000)], [(-10, 4096), (5000, 4096)]))
        #expect(geometry.areas(.water).count <= 1)
        #expect(text(geometry.lines(.primary)) == ["0.0 1.0, 1.0 1.0: edge, edge"])
    }

    @Test func helsinki() throws {
        let set = try VectorTileSet(HelsinkiTiles.source())
        let tile = try #require(try set.tile(at: TileAddress(zoom: 14, x: 9327, y: 4741)))
        let geometry = TileGeometry(tile, set.schema)
        let (buildings, points, bytes) = (geometry.areas(.building).count, geometry.pointCount(of: .ground), geometry.byteCount)
        #expect(buildings > 20 && bytes > 8 * points)
        let reserved = MapRole.allCases.reduce(0) { $0 + geometry.areas($1).points.capacity + geometry.lines($1).points.capacity }
        #expect(bytes > 8 * reserved)
        for role in MapRole.allCases {
            for shapes in [geometry.areas(role), geometry.lines(role)] {
                let isInside = shapes.points.allSatisfy { $0.min() >= 0 && $0.max() <= 1 }
                let (boxes, lines, last) = (shapes.boxes.count, shapes.count, Int(shapes.ends.last ?? 0))
                #expect(isInside && boxes == lines && last == shapes.points.count, "\(role)")
            }
        }
        // A road that consists of many lines is drawn as few.
        let layer = try #require(try tile.layer(named: "transportation"))
        let (given, drawn) = (set.schema.roles(of: layer).filter { $0 == .minor }.count, geometry.lines(.minor).count)
        #expect(drawn > 0 && drawn < given)
    }
}
