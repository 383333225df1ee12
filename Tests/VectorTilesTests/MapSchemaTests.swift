import Testing
import WaymarkTestSupport
import WaymarkTiles
import WaymarkVectorTiles

@Suite struct MapSchemaTests {
    private func schema(_ layers: String) -> String {
        do throws(VectorTileError) {
            return try MapSchema.recognized(in: layers.split(separator: " ").map(String.init)).name
        } catch {
            return "\(error)"
        }
    }

    @Test func schemasAreRecognizedByTheirLayers() {
        #expect(
            schema(
                "place boundary poi housenumber waterway transportation transportation_name building water water_name aeroway "
                    + "aerodrome_label park landuse landcover mountain_peak"
            ) == "OpenMapTiles 3")
        #expect(schema("boundaries buildings earth landcover landuse places pois roads water") == "Protomaps 4")
        #expect(
            schema(
                "addresses aerialways boundaries boundary_labels bridges buildings dam_lines dam_polygons ferries land ocean "
                    + "pier_lines pier_polygons place_labels pois public_transport sites street_labels street_labels_points "
                    + "street_polygons streets streets_polygons_labels water_lines water_lines_labels water_polygons "
                    + "water_polygons_labels"
            ) == "Shortbread 1")
        // The layers of single tiles, in any order, with layers of other sources.
        #expect(schema("water place") == "OpenMapTiles 3")
        #expect(schema("contours transportation hillshade water") == "OpenMapTiles 3")
        #expect(schema("earth water landcover boundaries places") == "Protomaps 4")
        #expect(schema("ocean boundaries") == "Shortbread 1")
        #expect(schema("ocean") == "Shortbread 1")
    }

    @Test func otherSchemasAreNamedByTheirLayers() {
        func unknown(_ layers: String) -> String {
            "the layers of the vector tiles belong to no known schema (OpenMapTiles 3, Protomaps 4, Shortbread 1): \(layers)"
        }
        // Mapbox Streets 8 shares five layers with OpenMapTiles; Protomaps 3 has the layers of version 4, and other attributes.
        let streets =
            "admin aeroway airport_label building landuse motorway_junction natural_label place_label road structure "
            + "transit_stop_label water waterway"
        #expect(schema(streets) == unknown(streets.replacing(" ", with: ", ")))
        let protomaps = "boundaries buildings earth landuse natural physical_line physical_point places pois roads transit water"
        #expect(schema(protomaps) == unknown(protomaps.replacing(" ", with: ", ")))
        #expect(schema("water") == unknown("water"))
        #expect(schema("a b c roads") == unknown("a, b, c, roads"))
        #expect(schema("") == "the vector tiles have no layers")
        let many = (100..<200).map { "l\($0)" }
        #expect(schema(many.joined(separator: " ")) == unknown(many.prefix(29).joined(separator: ", ") + " and 71 more"))
    }

    /// Features of a layer, described by their kind of geometry and attributes, and their roles.
    private func roles(
        _ schema: String, _ name: String, _ features: [(kind: VectorGeometry, attributes: KeyValuePairs<String, [UInt8]>)]
    ) throws -> [MapRole?] {
        var layer = HandmadeLayer(name)
        for feature in features { layer.add(HandmadeFeature(UInt64(feature.kind.rawValue), []), feature.attributes) }
        let decoded = try #require(try VectorTile(HandmadeTile(layer).bytes).layer(named: name))
        return try #require(MapSchema.all.first { $0.name.hasPrefix(schema) }).roles(of: decoded)
    }

    private func text(_ text: String) -> [UInt8] { HandmadeValue.text(text) }

    @Test func classes() throws {
        #expect(
            try roles(
                "OpenMapTiles", "transportation",
                [
                    (.lines, ["class": text("motorway")]), (.lines, ["brunnel": text("bridge"), "class": text("tertiary")]),
                    (.lines, ["class": text("aerialway")]), (.lines, [:]), (.polygons, ["class": text("path")]),
                    (.polygons, ["class": text("pier")]), (.lines, ["class": text("pier")]), (.points, ["class": text("path")]),
                    (.unknown, ["class": text("path")]), (.lines, ["class": HandmadeValue.boolean(true)]),
                ]) == [.motorway, .secondary, nil, nil, .path, .land, .path, nil, nil, nil])
        #expect(try roles("OpenMapTiles", "building", [(.polygons, [:]), (.lines, [:])]) == [.building, nil])
        #expect(try roles("OpenMapTiles", "housenumber", [(.points, [:])]) == [nil])
        #expect(try roles("OpenMapTiles", "something", [(.points, [:])]) == [nil])
    }

    /// Of two keys, the more specific decides; a class that it does not know does not count.
    @Test func twoKeys() throws {
        #expect(
            try roles(
                "OpenMapTiles", "landcover",
                [
                    (.polygons, ["class": text("grass"), "subclass": text("park")]),
                    (.polygons, ["subclass": text("bog"), "class": text("wetland")]), (.polygons, ["class": text("wood")]),
                    (.polygons, ["subclass": text("forest")]),
                ]) == [.park, .grass, .wood, .wood])
        #expect(
            try roles(
                "Protomaps", "roads",
                [
                    (.lines, ["kind": text("major_road"), "kind_detail": text("tertiary_link")]), (.lines, ["kind": text("highway")]),
                    (.lines, ["kind": text("rail"), "kind_detail": text("tram")]),
                    (.lines, ["kind": text("rail"), "kind_detail": text("abandoned")]), (.lines, ["kind": text("other")]),
                ]) == [.secondary, .motorway, .rail, nil, nil])
        #expect(
            try roles(
                "Protomaps", "places",
                [
                    (.points, ["kind": text("locality"), "kind_detail": text("city")]), (.points, ["kind": text("locality")]),
                    (.points, ["kind": text("neighbourhood"), "kind_detail": text("suburb")]), (.points, ["kind": text("country")]),
                ]) == [.cityLabel, .villageLabel, .suburbLabel, .countryLabel])
    }

    /// The level of a boundary may be a number of any type; boundaries at sea are not drawn.
    @Test func boundaries() throws {
        let levels = [
            HandmadeValue.integer(2), HandmadeValue.unsigned(4), HandmadeValue.signed(3), HandmadeValue.double(2), HandmadeValue.float(4),
            text("2"), HandmadeValue.integer(6), HandmadeValue.double(2.5), HandmadeValue.integer(-2),
        ]
        #expect(
            try roles("OpenMapTiles", "boundary", levels.map { (.lines, ["admin_level": $0, "maritime": HandmadeValue.integer(0)]) }) == [
                .countryBoundary, .regionBoundary, .regionBoundary, .countryBoundary, .regionBoundary, .countryBoundary, nil, nil, nil,
            ])
        for sea in [HandmadeValue.integer(1), HandmadeValue.boolean(true), HandmadeValue.double(1)] {
            #expect(
                try roles(
                    "Shortbread", "boundaries",
                    [
                        (.lines, ["maritime": sea, "admin_level": HandmadeValue.integer(2)]),
                        (.lines, ["admin_level": HandmadeValue.integer(2), "maritime": sea]),
                        (.lines, ["admin_level": HandmadeValue.integer(2), "maritime": HandmadeValue.boolean(false)]),
                    ]) == [nil, nil, .countryBoundary])
        }
        #expect(try roles("Protomaps", "boundaries", [(.lines, ["kind": text("region")])]) == [.regionBoundary])
    }

    /// Minor ways and railways in tunnels are left out; main roads, bridges and everything else are not.
    @Test func tunnels() throws {
        for (schema, layer, key, name, tunnel, other) in [
            ("OpenMapTiles", "transportation", "class", "brunnel", text("tunnel"), text("bridge")),
            ("Protomaps", "roads", "kind_detail", "is_tunnel", HandmadeValue.boolean(true), HandmadeValue.boolean(false)),
            ("Shortbread", "streets", "kind", "tunnel", HandmadeValue.boolean(true), HandmadeValue.boolean(false)),
        ] {
            for (road, role, isHidden) in [("primary", MapRole.primary, false), ("service", .service, true), ("rail", .rail, true)] {
                let found = try roles(schema, layer, [tunnel, other].map { (.lines, [key: text(road), name: $0]) })
                #expect(found == [isHidden ? nil : role, role], "\(schema): \(road)")
            }
        }
    }

    /// A value is read once, not for each feature: otherwise, this would take an hour.
    @Test func hugeHidingValue() throws {
        var layer = HandmadeLayer("transportation")
        layer.keys = ["class", "brunnel"]
        layer.values = [text("service"), text(String(repeating: "tunnel", count: 1 << 20)), text("tunnel")]
        for number in 0..<100_000 {
            layer.features.append(HandmadeFeature(2, []))
            layer.features[number].tags = [0, 0, 1, number == 7 ? 2 : 1]
        }
        let decoded = try #require(try VectorTile(HandmadeTile(layer).bytes).layer(named: "transportation"))
        let roles = try #require(MapSchema.all.first { $0.name == "OpenMapTiles 3" }).roles(of: decoded)
        #expect(roles.count == 100_000 && roles.indices.filter { roles[$0] != .service } == [7])
    }

    @Test func shortbread() throws {
        #expect(
            try roles("Shortbread", "water_polygons", [(.polygons, ["kind": text("glacier")]), (.polygons, ["kind": text("river")])])
                == [.ice, .water])
        #expect(
            try roles("Shortbread", "street_labels", [(.lines, ["kind": text("tram")]), (.lines, ["kind": text("residential")])])
                == [nil, .roadLabel])
        #expect(try roles("Shortbread", "pois", [(.points, ["amenity": text("cafe")])]) == [.poiLabel])
    }

    /// Encoders should write each key once; a layer may have it twice nevertheless.
    @Test func aKeyThatIsStoredTwice() throws {
        var layer = HandmadeLayer("water_polygons")
        layer.keys = ["kind", "kind"]
        layer.values = [text("glacier"), text("river")]
        // The first of several values counts.
        for tags in [[0, 0], [1, 0], [1, 1], [0, 0, 0, 1], [0, 1, 0, 0], [1, 1, 0, 0]] as [[UInt32]] {
            layer.features.append(HandmadeFeature(3, []))
            layer.features[layer.features.count - 1].tags = tags
        }
        let decoded = try #require(try VectorTile(HandmadeTile(layer).bytes).layer(named: "water_polygons"))
        #expect(try #require(MapSchema.all.last).roles(of: decoded) == [.ice, .ice, .water, .ice, .water, .water])
        #expect(decoded.features.value(of: 3, key: 0) == 0 && decoded.features.value(of: 4, key: 0) == 1)
    }

    @Test func theFirstOfSeveralValuesHidesAFeature() throws {
        let (sea, land) = (HandmadeValue.boolean(true), HandmadeValue.boolean(false))
        let level = HandmadeValue.integer(2)
        #expect(
            try roles(
                "Shortbread", "boundaries",
                [
                    (.lines, ["admin_level": level, "maritime": sea, "maritime": land]),
                    (.lines, ["admin_level": level, "maritime": land, "maritime": sea]),
                ]) == [nil, .countryBoundary])
    }

    @Test func namesAlongLines() {
        func isNamed(_ schema: Int, _ layer: String) -> Bool? { MapSchema.all[schema].layer(named: layer)?.hasLineNames }
        #expect(isNamed(0, "waterway") == true && isNamed(0, "transportation") == false && isNamed(0, "transportation_name") == true)
        #expect(isNamed(1, "roads") == true && isNamed(1, "water") == true && isNamed(1, "buildings") == false)
        #expect(isNamed(2, "streets") == false && isNamed(2, "street_labels") == true)
    }

    /// A theme can draw every role with the tiles of every schema, except for those that a schema does not have.
    @Test func rolesOfSchemas() {
        let missing = MapSchema.all.map { schema in Set(MapRole.allCases).subtracting(schema.roles) }
        #expect(missing[0] == [])
        #expect(missing[1] == [])
        #expect(missing[2] == [.peakLabel])
        #expect(MapRole.allCases.count == 34)
    }

    /// The features of a tile, counted by role.
    @Test func helsinki() throws {
        let bytes = try #require(try HelsinkiTiles.tiles().last).bytes
        let tile = try VectorTile(bytes)
        let schema = try MapSchema.recognized(in: tile.layerNames)
        #expect(schema.name == "OpenMapTiles 3")
        var counts: [String: Int] = [:]
        for index in tile.layerNames.indices {
            for role in schema.roles(of: try tile.layer(at: index)) { counts[role.map { "\($0)" } ?? "none", default: 0] += 1 }
        }
        #expect(counts.values.reduce(0, +) == 1572)
        #expect(counts["building"] == 76 && counts["water"] == 6 && counts["suburbLabel"] == 2)
    }
}
