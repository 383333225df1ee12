import Testing
import WaymarkTestSupport
import WaymarkTiles
import WaymarkVectorTiles

/// Names, heights and shapes that no map has, and limits on what a tile has of each of its contents.
@Suite struct HostileContentsTests {
    private typealias Value = HandmadeValue

    private func geometry(
        _ layers: HandmadeLayer..., contents: TileContents = .all, schema: String = "OpenMapTiles 3",
        _ change: (inout TileGeometry.Limits) -> Void = { _ in }
    ) throws -> TileGeometry {
        var (tile, limits) = (HandmadeTile(), TileGeometry.Limits())
        tile.layers = layers
        change(&limits)
        let schema = try #require(MapSchema.all.first { $0.name == schema })
        return try TileGeometry(VectorTile(tile.bytes), schema, contents, limits: limits)
    }

    private func cities(_ names: [String], count: Int = 1) -> HandmadeLayer {
        var layer = HandmadeLayer("place")
        for number in 0..<count {
            layer.add(.points([(5, 7)]), ["class": Value.text("city"), "name": Value.text(names[number % names.count])])
        }
        return layer
    }

    private static func square(_ x: Int, _ side: Int = 100) -> [(Int, Int)] { [(x, 0), (x + side, 0), (x + side, side), (x, side)] }

    /// Of two layers with one name, the first is drawn.
    @Test func repeatedAndUnreadableNames() throws {
        let layers = [cities(["A"]), cities(["B", "C"], count: 2), HandmadeLayer("unknown"), HandmadeLayer("unknown")]
        let bytes = layers.flatMap { HandmadeTile($0).bytes } + Wire.bytes(3, Wire.bytes(1, [0xFF]))
        let schema = try #require(MapSchema.all.first { $0.name == "OpenMapTiles 3" })
        let geometry = try TileGeometry(VectorTile(bytes), schema, .all)
        #expect(geometry.labels.count == 1)
        let refusals = geometry.refusals(of: .labels).map { "\($0.layer ?? "nil"): \($0.reason.reason)" }
        #expect(refusals == [": its name is not UTF-8", "place: an earlier layer has the same name"])
        #expect(geometry.refusals(of: .ground).map(\.layer) == [""])
    }

    /// A peak is not higher than Mount Everest.
    @Test func heightsOfPeaks() throws {
        let heights: [([UInt8], Float)] = [
            (Value.double(1e20), .nan), (Value.text("1e20"), .nan), (Value.text("-1e300"), .nan), (Value.double(.infinity), .nan),
            (Value.integer(.max), .nan), (Value.float(9000.5), .nan), (Value.double(-430), -430), (Value.text("8848.86"), 8848.86),
            (Value.text(String(repeating: "0", count: 30) + "900"), .nan),
        ]
        for (value, height) in heights {
            var peaks = HandmadeLayer("mountain_peak")
            peaks.add(.points([(5, 7)]), ["class": Value.text("peak"), "name": Value.text("P"), "ele": value])
            let labels = try geometry(peaks).labels
            #expect(labels.elevations.map(\.description) == [height.description] && labels.ranks[0].isFinite)
        }
    }

    /// Features share their texts, and a feature may have a text many times.
    @Test func repeatedNames() throws {
        var layer = cities(["Oulu"])
        layer.values.append(Value.text("Vaasa"))
        layer.features[0].tags += Array(repeatElement([1, 2], count: 1000).joined())
        let name = try #require(try geometry(layer).labels.names[0])
        #expect(name.local == "Oulu" && name.all.count == 1)
    }

    /// A name longer than any in OpenStreetMap is no name, in whatever language, of a place or of a road.
    @Test func longNames() throws {
        for (count, isKept) in [(255, true), (256, false), (100_000, false)] {
            let long = String(repeating: "가", count: count)
            #expect(try geometry(cities([long])).labels.names.map { $0?.local } == (isKept ? [long] : []))
            var roads = HandmadeLayer("transportation_name")
            let names: KeyValuePairs = ["class": Value.text("minor"), "name": Value.text("Elm"), "name:ko": Value.text(long)]
            roads.add(.lines([(0, 64), (640, 64)]), names)
            #expect(try geometry(roads).roads.names.map { $0.text(in: "ko") } == [isKept ? long : "Elm"])
        }
        let key = "name:" + String(repeating: "x", count: 60)
        var layer = HandmadeLayer("place")
        layer.add(.points([(5, 7)]), ["class": Value.text("city"), "name": Value.text("A"), key: Value.text("B")])
        let labels = try geometry(layer).labels
        #expect(labels.names[0]?.all.map(\.key) == ["name"] && labels.fields(of: 0).map(\.key) == ["class", key])
    }

    /// White space and control characters are single spaces. A name without visible letters is left out.
    @Test func namesAreOneLine() throws {
        let lines = String(repeating: "\n", count: 200)
        for (text, expected) in [
            ("A" + lines + "B", "A B"), (" A\u{2028}B\u{A0}\u{3000}C\t", "A B C"), ("A\u{85}B", "A B"), ("A B", "A B"), (lines, nil),
            (" \u{200B}\u{2060}", nil), ("\u{200B}x", "\u{200B}x"),
        ] {
            #expect(try geometry(cities([text])).labels.names.map { $0?.local } == (expected.map { [$0] } ?? []))
        }
    }

    /// The number of a feature may be that of another, or its index.
    @Test func identitiesDiffer() throws {
        var layer = cities(["Oulu"], count: 5)
        for (index, id) in [nil, nil, 1, 7, 7 as UInt64?].enumerated() { layer.features[index].id = id }
        let labels = try geometry(layer).labels
        #expect((0..<5).map(labels.identity) == ["place/0", "place/1", "place/2", "place/3", "place/4"])
    }

    /// A text that all features share is not read as a number or looked up as a class for each of them.
    @Test func longTextsOfAttributes() throws {
        let long = String(repeating: "0", count: 2000) + "30"
        var buildings = HandmadeLayer("building")
        buildings.add(.polygons(Self.square(0)), ["render_height": Value.text(long), "hide_3d": Value.text(long)])
        #expect(try geometry(buildings).buildings.heights == [[0, TileBuildings.usualHeight]])
        let category = PointOfInterestCategory(layer: "poi", classes: [(key: "class", value: long)])
        #expect(category == PointOfInterestCategory(layer: "poi", classes: [(key: "class", value: "strange")]))
    }

    /// Parts that all lie in all outlines are compared with some of them only.
    @Test func manyOutlines() throws {
        var layer = HandmadeLayer("buildings")
        for number in 0..<20 {
            layer.add(.polygons(Self.square(0, 400)), ["kind": Value.text("building"), "height": Value.integer(9)])
            layer.add(.polygons(Self.square(number, 350)), ["kind": Value.text("building_part"), "height": Value.integer(9)])
        }
        func count(_ comparisons: Int) throws -> Int {
            try geometry(layer, schema: "Protomaps 4") { $0.comparisons = comparisons }.buildings.count
        }
        // Each outline takes about 20 times its four points.
        #expect(try count(1 << 22) == 20 && count(0) == 40)
        #expect(try (25...39).contains(count(1000)))
        // One outline with many corners.
        var comb = HandmadeLayer("buildings")
        let teeth = (0..<500).map { (8 * $0, $0 % 2 == 0 ? 4000 : 3900) }
        comb.add(.polygons([(0, 0)] + teeth + [(4000, 0)]), ["kind": Value.text("building")])
        for _ in 0..<40 { comb.add(.polygons([(8, 8), (3990, 8), (3990, 3800), (8, 3800)]), ["kind": Value.text("building_part")]) }
        #expect(try geometry(comb, schema: "Protomaps 4").buildings.count == 40)
        #expect(try geometry(comb, schema: "Protomaps 4") { $0.comparisons = 5000 }.buildings.count == 41)
    }

    /// Contents that exceed a limit are left out, and the others are not.
    @Test func contentsBeyondALimit() throws {
        var roads = HandmadeLayer("transportation_name")
        for number in 0..<3 {
            let line = [(0, 64 * number), (640, 64 * number)]
            roads.add(.lines(line), ["class": Value.text("minor"), "name": Value.text("Street \(number)")])
        }
        var buildings = HandmadeLayer("building")
        for number in 0..<3 { buildings.add(.polygons(Self.square(200 * number)), [:]) }
        let places = cities(["Oulu", "Vaasa", "Lahti"], count: 3)
        func result(_ contents: TileContents = .all, _ change: (inout TileGeometry.Limits) -> Void) throws -> [String] {
            let tile = try geometry(roads, buildings, places, contents: contents, change)
            #expect(tile.contents == contents)
            return TileContents.each.map { tile.isLeftOut($0) ? "\(tile.pointCount(of: $0)) left" : "\(tile.pointCount(of: $0))" }
                + tile.refusals(of: contents).map(\.reason.reason)
        }
        #expect(try result { _ in } == ["12", "3", "6", "12"])
        #expect(
            try result { $0.buildingPoints = 11 } == ["12", "3", "6", "0 left", "the tile has more than 11 points in buildings"])
        #expect(
            try result { $0.points = 5 } == [
                "0 left", "3", "0 left", "12", "the tile has more than 5 points in areas and lines",
                "the tile has more than 5 points in named roads",
            ])
        #expect(
            try result { $0.names = 2 } == [
                "12", "0 left", "0 left", "12", "the tile has more than 2 names of roads", "the tile has more than 2 labels",
            ])
        let bytes = ["12", "0 left", "6", "12", "the tile has more than 24 bytes of names"]
        #expect(try result([.ground, .labels, .buildings]) { $0.nameBytes = 24 } == bytes.enumerated().map { $0 == 2 ? "0" : $1 })
    }

    /// A tile that was prepared for a picture that asked for more is the same for one that asks for less, and tells it the same.
    @Test func cachedContents() throws {
        let address = TileAddress(zoom: 0, x: 0, y: 0)
        var (buildings, limits) = (HandmadeLayer("building"), TileGeometry.Limits())
        for number in 0..<3 { buildings.add(.polygons(Self.square(200 * number)), [:]) }
        var places = cities(["Oulu"])
        places.version = 3
        (limits.points, limits.buildingPoints) = (16, 8)
        let source = HandmadeTiles([address: HandmadeTile(buildings, places)], layers: ["building", "place"])
        let (store, set) = (VectorTileStore(limits: limits), try VectorTileSet(source))
        func tile(_ contents: TileContents, mostPoints: Int = .max) throws -> TileGeometry? {
            let deadline = TileDeadline(seconds: 60)
            guard case .geometry(let tile) = store.tiles([address], of: set, contents, deadline: deadline, mostPoints: mostPoints)[0]
            else { return nil }
            return tile
        }
        let both = try #require(try tile(.all))
        #expect(both.refusals(of: .all).map(\.layer) == [nil, "place"] && both.isLeftOut(.buildings))
        let ground = try #require(try tile(.ground))
        #expect(ground.areas(.building).count == 3 && ground.refusals(of: .ground) == [] && store.readCount == 1)
        // Points of contents that a picture does not ask for do not count.
        #expect(try tile(.ground, mostPoints: 12) != nil && tile(.ground, mostPoints: 11) == nil)
        #expect(try tile(.buildings, mostPoints: 0) != nil)
    }

    /// Whatever a tile has, what is prepared of it is valid, also within small limits, and each of the contents as if it were alone.
    @Test(arguments: Seeds.all) func randomTiles(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var counts = [0, 0, 0, 0]
        for name in HostileTile.schemas {
            let schema = try #require(MapSchema.all.first { $0.name == name })
            for _ in 0..<4 {
                let tile = try VectorTile(HostileTile.tile(name, &random).bytes)
                var limits = TileGeometry.Limits()
                if random.once(in: 3) {
                    (limits.points, limits.buildingPoints) = (random.integer(0...100), random.integer(0...60))
                    (limits.names, limits.nameBytes) = (random.integer(0...10), random.integer(0...300))
                    limits.comparisons = random.integer(0...100)
                }
                let whole = TileGeometry(tile, schema, .all, limits: limits)
                let part = whole.part(TilePart(TileAddress(zoom: 1, x: 1, y: 0), ofZoom: 0))
                #expect(TileMistakes.all(in: whole) == [] && TileMistakes.all(in: part) == [])
                for (index, contents) in TileContents.each.enumerated() {
                    let alone = TileGeometry(tile, schema, contents, limits: limits)
                    #expect(alone.pointCount(of: contents) == whole.pointCount(of: contents))
                    #expect(alone.refusals(of: contents).map(\.reason) == whole.refusals(of: contents).map(\.reason))
                    counts[index] += whole.pointCount(of: contents)
                }
            }
        }
        // The limits of a seed may leave out one of the contents in all of its tiles.
        #expect(counts.count { $0 > 0 } >= counts.count - 1)
    }
}
