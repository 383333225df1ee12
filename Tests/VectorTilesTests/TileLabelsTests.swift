import Testing
import WaymarkTestSupport
import WaymarkTiles
import WaymarkVectorTiles

/// The names, ranks and attributes of the points of a tile.
@Suite struct TileLabelsTests {
    private typealias Value = HandmadeValue

    private func schema(_ name: String) throws -> MapSchema { try #require(MapSchema.all.first { $0.name.hasPrefix(name) }) }

    private func labels(_ schema: String, _ layers: HandmadeLayer...) throws -> TileLabels {
        var tile = HandmadeTile()
        tile.layers = layers
        return try TileGeometry(VectorTile(tile.bytes), self.schema(schema), .labels).labels
    }

    private func layer(_ name: String, _ points: [KeyValuePairs<String, [UInt8]>]) -> HandmadeLayer {
        var layer = HandmadeLayer(name)
        for attributes in points { layer.add(.points([(5, 7)]), attributes) }
        return layer
    }

    private func name(_ names: (String, String)...) throws -> TileName { try #require(TileName(names.map { (key: $0.0, text: $0.1) })) }

    @Test func namesInALanguage() throws {
        let seoul = try name(("name:ko", "서울"), ("name", "서울특별시"), ("name:en", "Seoul"), ("name:latin", "Seoul Latin"))
        #expect(seoul.local == "서울특별시" && seoul.text(in: "local") == "서울특별시")
        #expect(seoul.text(in: "ko") == "서울" && seoul.text(in: "ko-KR") == "서울" && seoul.text(in: "en-GB") == "Seoul")
        // Readers of Finnish and of Serbian in Latin letters read Latin letters, readers of Russian do not.
        #expect(seoul.text(in: "fi") == "Seoul Latin" && seoul.text(in: "sr-Latn") == "Seoul Latin")
        #expect(seoul.text(in: "ru") == "서울특별시" && seoul.text(in: "sr") == "서울특별시")
        #expect(seoul.lines(in: []) == ["서울특별시"] && seoul.lines(in: ["ko", "local"]) == ["서울", "서울특별시"])
        #expect(seoul.lines(in: ["ru", "local"]) == ["서울특별시"])
        let taipei = try name(("name_en", "Taipei"), ("name:zh-Hant", "臺北"), ("name:zh", "台北"))
        #expect(taipei.text(in: "zh-hant") == "臺北" && taipei.text(in: "zh-Hans-CN") == "台北" && taipei.text(in: "en") == "Taipei")
        #expect(taipei.local == "Taipei")
        #expect(taipei.all.map(\.key) == ["name_en", "name:zh-Hant", "name:zh"])
        #expect(try name(("name:latin", "Oulu")).text(in: "ko") == "Oulu")
        #expect(TileName([("name", "")]) == nil)
        // The separator of names is not part of a text.
        #expect(try name(("name", "a\u{1F}b"), ("name:en", "c")).all.map(\.text) == ["a b", "c"])
    }

    /// Places with equally many people have the same rank in all schemas.
    @Test(arguments: [(10_000_000, 1.0, 14), (1_000_000, 4.0, 11), (100_000, 7.0, 8)])
    func ranksOfPlaces(population: Int, rank: Double, populationRank: Int) throws {
        let city = Value.text("city"), name = Value.text("A")
        let found = [
            try labels("OpenMapTiles", layer("place", [["class": city, "name": name, "rank": Value.double(rank)]])),
            try labels(
                "Protomaps",
                layer(
                    "places",
                    [
                        [
                            "kind": Value.text("locality"), "kind_detail": city, "name": name,
                            "population_rank": Value.integer(Int64(populationRank)),
                        ]
                    ])),
            try labels(
                "Shortbread", layer("place_labels", [["kind": city, "name": name, "population": Value.integer(Int64(population))]])),
        ]
        for labels in found {
            #expect(labels.roles == [.cityLabel])
            #expect(abs(Double(labels.ranks.first ?? 0) - rank) < 0.01)
        }
    }

    @Test func higherPeaksComeFirst() throws {
        let peaks = try labels(
            "OpenMapTiles",
            layer(
                "mountain_peak",
                [(3, 900), (2, 800), (2, 1200.4)].map {
                    ["class": Value.text("peak"), "name": Value.text("P"), "rank": Value.integer($0.0), "ele": Value.double($0.1)]
                }))
        #expect(peaks.roles == [.peakLabel, .peakLabel, .peakLabel] && peaks.elevations == [900, 800, 1200.4])
        #expect(peaks.ranks[2] < peaks.ranks[1] && peaks.ranks[1] < peaks.ranks[0])
        let unknown = try labels("Shortbread", layer("place_labels", [["kind": Value.text("city"), "name": Value.text("A")]]))
        #expect(unknown.ranks == [20] && unknown.elevations[0].isNaN)
    }

    @Test func attributes() throws {
        var pois = HandmadeLayer("poi")
        pois.add(.points([(5, 7)]), ["class": Value.text("railway"), "name": Value.text("A"), "subclass": Value.text("tram_stop")])
        pois.add(
            .points([(6, 7)]),
            ["rank": Value.double(3), "name:en": Value.text("B"), "indoor": Value.boolean(true), "class": Value.text("shop")])
        pois.features[1].id = 71
        // Without a name: only points of interest are kept.
        pois.add(.points([(7, 7)]), ["class": Value.text("parking")])
        let found = try labels("OpenMapTiles", layer("place", [["class": Value.text("city")]]), pois)
        #expect(found.count == 3 && found.names.map { $0?.local } == ["A", "B", nil])
        #expect(found.categories(of: 0).map(\.value) == ["tram_stop", "railway"] && found.categories(of: 1).map(\.value) == ["shop"])
        #expect(found.fields(of: 1).map { "\($0.key)=\($0.value.text)" } == ["rank=3", "indoor=true", "class=shop"])
        #expect(found.identity(of: 0) == "poi/0" && found.identity(of: 1) == "poi/1")
    }

    /// A point in the buffers of several tiles is a label of one of them, also where a part of a tile replaces a missing one.
    @Test(arguments: [4096, 1000]) func aPointBelongsToOneTile(extent: Int) throws {
        func tile(_ x: Int, _ y: Int, zooms: Int) throws -> HandmadeTile {
            var places = HandmadeLayer("place")
            places.extent = UInt64(extent)
            let points = [(0, 0), (extent / 2, extent / 2), (extent / 2 - 1, extent / 2), (extent - 1, 3), (extent, 3)]
            for (number, point) in points.enumerated() {
                let place = (point.0 << zooms - extent * x, point.1 << zooms - extent * y)
                places.add(.points([place]), ["class": Value.text("city"), "name": Value.text("\(number)")])
            }
            return HandmadeTile(places)
        }
        let schema = try schema("OpenMapTiles")
        let whole = try TileGeometry(VectorTile(tile(0, 0, zooms: 0).bytes), schema, .labels)
        #expect(whole.labels.names.map { $0?.local } == ["0", "1", "2", "3"])
        for (x, y, names) in [(0, 0, ["0"]), (1, 0, ["3"]), (0, 1, ["2"]), (1, 1, ["1"])] {
            let stored = try TileGeometry(VectorTile(tile(x, y, zooms: 1).bytes), schema, .labels).labels
            let part = whole.part(TilePart(TileAddress(zoom: 1, x: x, y: y), ofZoom: 0)).labels
            #expect(stored.names.map { $0?.local } == names && part.names.map { $0?.local } == names)
            #expect(part.positions == stored.positions)
            #expect(part.positions.allSatisfy { $0.x >= 0 && $0.y >= 0 && $0.x < 1 && $0.y < 1 })
            #expect(part.fields(of: 0).map(\.key) == ["class"] && part.identity(of: 0) == "place/\(names[0])")
        }
    }

    /// A tile is prepared only for what a picture draws, and prepared again when a picture needs more.
    @Test func contents() throws {
        let address = TileAddress(zoom: 0, x: 0, y: 0)
        let tile = HandmadeTile(
            HandmadeLayer("water", .polygons([(0, 0), (64, 0), (64, 64)])),
            layer("place", [["class": Value.text("city"), "name": Value.text("A")]]))
        let (store, source) = (VectorTileStore(), HandmadeTiles([address: tile], layers: ["water", "place"]))
        let set = try VectorTileSet(source)
        func read(_ contents: TileContents, _ address: TileAddress = address) throws -> TileGeometry? {
            guard case .geometry(let geometry) = store.tiles([address], of: set, contents, deadline: TileDeadline(seconds: 60))[0]
            else { return nil }
            return geometry
        }
        let labels = try #require(try read(.labels))
        #expect(labels.labels.count == 1 && labels.areas(.water).isEmpty && labels.contents == .labels)
        // Then both, so that two maps do not prepare it in turn.
        for contents in [TileContents.ground, .labels, [.ground, .labels]] {
            let both = try #require(try read(contents))
            #expect(both.labels.count == 1 && both.areas(.water).count == 1 && both.contents == [.ground, .labels])
        }
        #expect(store.readCount == 2)
        // The part of a tile, where the set lacks one.
        let below = TileAddress(zoom: 1, x: 0, y: 0)
        store.cache.evict(through: .max, bytes: .max)
        #expect(try #require(try read(.ground, below)).labels.isEmpty)
        let part = try #require(try read(.labels, below))
        #expect(part.labels.count == 1 && part.areas(.water).count == 1)
    }
}
