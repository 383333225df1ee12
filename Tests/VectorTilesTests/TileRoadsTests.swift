import Testing
import WaymarkTestSupport
import WaymarkTiles
import WaymarkVectorTiles

/// The named lines of a tile.
@Suite struct TileRoadsTests {
    private func roads(
        _ layer: HandmadeLayer, schema: String = "OpenMapTiles 3", part: TileAddress? = nil
    ) throws -> TileRoads {
        let schema = try #require(MapSchema.all.first { $0.name == schema })
        let whole = try TileGeometry(VectorTile(HandmadeTile(layer).bytes), schema, .roads)
        return (part.map { whole.part(TilePart($0, ofZoom: 0)) } ?? whole).roads
    }

    /// Each line as a text: name, role, and points in 64ths of the tile.
    private func text(_ roads: TileRoads) -> [String] {
        (0..<roads.count).map { line in
            let points = roads.points[roads.range(line)].map { "\($0.x * 64) \($0.y * 64)".replacing(".0", with: "") }
            return "\(roads.name(of: line).local) \(roads.roles[line]): \(points.joined(separator: ", "))"
        }
    }

    /// The number of a unit in which a tile is 64 wide.
    private func line(_ points: (Int, Int)...) -> HandmadeFeature { .lines(points.map { ($0.0 * 64, $0.1 * 64) }) }

    private func layer(
        _ name: String, key: String = "class", _ features: [(HandmadeFeature, name: String?, kind: String)]
    ) -> HandmadeLayer {
        var layer = HandmadeLayer(name)
        for feature in features {
            if let name = feature.name {
                layer.add(feature.0, ["name": HandmadeValue.text(name), key: HandmadeValue.text(feature.kind)])
            } else {
                layer.add(feature.0, [key: HandmadeValue.text(feature.kind)])
            }
        }
        return layer
    }

    @Test func linesOfANameAreJoined() throws {
        let roads = try roads(
            layer(
                "transportation_name",
                [
                    (line((8, 8), (16, 8)), "Elm", "minor"), (line((24, 16), (16, 8)), "Elm", "minor"),
                    (line((24, 16), (24, 32)), "Elm", "secondary"), (line((24, 32), (40, 32)), "Oak", "minor"),
                    (line((24, 32), (24, 40)), nil, "minor"), (line((2, 2), (4, 2)), "Line 1", "rail"), (line((2, 3), (4, 3)), "", "minor"),
                ]))
        #expect(text(roads) == ["Elm minor: 8 8, 16 8, 24 16, 24 32", "Oak minor: 24 32, 40 32"])
        let expected: Float = 24 + 8 * Float(2).squareRoot()
        #expect(abs(roads.lengths[0] * 64 - expected) < 1e-4)
        #expect(roads.boxes[0] * 64 == SIMD4(8, 8, 24, 32))
    }

    /// A footpath with the name of a street is another line.
    @Test func roadsPathsAndRiversAreNotJoined() throws {
        let paths = try roads(
            layer("transportation_name", [(line((8, 8), (16, 8)), "Elm", "minor"), (line((16, 8), (24, 8)), "Elm", "path")]))
        #expect(text(paths) == ["Elm minor: 8 8, 16 8", "Elm path: 16 8, 24 8"])
    }

    @Test func classesOfSchemas() throws {
        let feature = line((8, 8), (16, 8))
        func roles(_ schema: String, _ name: String, key: String, _ kinds: [String]) throws -> [MapRole] {
            try roads(layer(name, key: key, kinds.map { (feature, $0, $0) }), schema: schema).roles
        }
        let classes = ["motorway", "tertiary", "ferry"]
        #expect(try roles("OpenMapTiles 3", "transportation_name", key: "class", classes) == [.motorway, .secondary])
        #expect(try roles("OpenMapTiles 3", "waterway", key: "class", ["river"]) == [.water])
        #expect(try roles("OpenMapTiles 3", "water_name", key: "class", ["lake"]) == [.water])
        #expect(try roles("OpenMapTiles 3", "transportation", key: "class", ["motorway"]) == [])
        #expect(try roles("Protomaps 4", "roads", key: "kind_detail", ["trunk_link", "footway", "rail"]) == [.trunk, .path])
        #expect(try roles("Protomaps 4", "water", key: "kind", ["river"]) == [.water])
        #expect(try roles("Shortbread 1", "street_labels", key: "kind", ["primary", "runway", "living_street"]) == [.primary, .minor])
        #expect(try roles("Shortbread 1", "water_lines_labels", key: "kind", ["canal"]) == [.water])
    }

    @Test func tunnelsOfMinorRoadsHaveNoNames() throws {
        var layer = HandmadeLayer("transportation_name")
        for kind in ["minor", "motorway"] {
            layer.add(
                line((8, 8), (16, 8)),
                ["name": HandmadeValue.text(kind), "class": HandmadeValue.text(kind), "brunnel": HandmadeValue.text("tunnel")])
        }
        #expect(try roads(layer).names.map(\.local) == ["motorway"])
    }

    /// Lines are clipped to the tile and to its parts, and simplified; a closed line ends where it begins.
    @Test func shapes() throws {
        let long = layer("transportation_name", [(line((-8, 8), (20, 8), (72, 8)), "Elm", "minor")])
        #expect(try text(roads(long)) == ["Elm minor: 0 8, 64 8"])
        #expect(try text(roads(long, part: TileAddress(zoom: 1, x: 1, y: 0))) == ["Elm minor: 0 16, 64 16"])
        #expect(try roads(long, part: TileAddress(zoom: 1, x: 1, y: 1)).isEmpty)
        let ring = layer("transportation_name", [(line((8, 8), (16, 8), (16, 16), (8, 8)), "Ring", "minor")])
        #expect(try text(roads(ring)) == ["Ring minor: 8 8, 16 8, 16 16, 8 8"])
    }

    @Test func overlongNames() throws {
        let name = String(repeating: "x", count: 257)
        #expect(try roads(layer("transportation_name", [(line((8, 8), (16, 8)), name, "minor")])).isEmpty)
    }

    /// A picture without names of roads does not decode them.
    @Test func roadsAreReadOnRequest() throws {
        let bytes = HandmadeTile(layer("transportation_name", [(line((8, 8), (16, 8)), "Elm", "minor")])).bytes
        let schema = try #require(MapSchema.all.first)
        for contents in [TileContents.ground, .labels, [.ground, .buildings]] {
            #expect(try TileGeometry(VectorTile(bytes), schema, contents).roads.isEmpty)
        }
    }

    /// Counted once with an independent reader: names of the fixture, the names of one name each time.
    @Test func helsinki() throws {
        let bytes = try #require(try HelsinkiTiles.tiles().last).bytes
        let tile = try VectorTile(bytes)
        let roads = try TileGeometry(tile, MapSchema.recognized(in: tile.layerNames), .roads).roads
        #expect(roads.names.map(\.local).contains("Siltasaarenkatu"))
        #expect(Set(roads.names).count == roads.names.count)
        // 13 lines of a secondary and 4 of a tertiary road are a few.
        let lines = (0..<roads.count).filter { roads.name(of: $0).local == "Siltasaarenkatu" }
        #expect((1...6).contains(lines.count) && lines.allSatisfy { roads.roles[$0] == .secondary })
    }
}
