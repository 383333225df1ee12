import Foundation
import Testing
import Waymark
import WaymarkLayout
import WaymarkTestSupport
import WaymarkTiles

/// The names along roads and rivers of vector base maps.
@Suite struct RoadNameTests {
    /// The tile of zoom 14 whose upper left corner is at latitude 0 and longitude 0.
    private static let (firstX, firstY) = (8192, 8192)

    /// Tiles around the origin with roads, whose points are in 4096ths of a tile from the origin.
    private static func tiles(_ roads: [(name: String, kind: String, points: [(Int, Int)])], reach: Int = 1) -> HandmadeTiles {
        var tiles: [TileAddress: HandmadeTile] = [:]
        for y in -reach..<reach {
            for x in -reach..<reach {
                var layer = HandmadeLayer("transportation_name")
                for road in roads {
                    layer.add(
                        .lines(road.points.map { ($0.0 - 4096 * x, $0.1 - 4096 * y) }),
                        ["name": HandmadeValue.text(road.name), "class": HandmadeValue.text(road.kind)])
                }
                tiles[TileAddress(zoom: 14, x: firstX + x, y: firstY + y)] = HandmadeTile(layer)
            }
        }
        return HandmadeTiles(tiles, layers: ["transportation_name", "place"])
    }

    /// A city of winding streets that cross each other.
    private static let city: HandmadeTiles = {
        var random = SplitMix64(seed: 14)
        let kinds = ["primary", "secondary", "tertiary", "minor", "minor", "minor"]
        let roads = (0..<28).flatMap { number in
            [false, true].map { isVertical in
                let (shift, turn) = (random.number(0...6), random.number(60...180))
                let points = (-20...20).map { step in
                    let (along, off) = (step * 430, (number - 14) * 600 + Int(turn * sin(Double(step) / 4 + shift)))
                    return isVertical ? (off, along) : (along, off)
                }
                return ("\(isVertical ? "Avenue" : "Street") \(number)", kinds[number % kinds.count], points)
            }
        }
        return tiles(roads, reach: 2)
    }()

    /// Streets of all directions that are shorter than a tile. Many cross a border of tiles.
    private static func streets(_ count: Int) -> HandmadeTiles {
        var random = SplitMix64(seed: 15)
        let roads = (0..<count).map { number in
            let (x, y, turn) = (random.number(-7500...7500), random.number(-7500...7500), random.number(0...6.28))
            let half = random.number(100...1000)
            let points = (-2...2).map { step in
                let along = half * Double(step) / 2
                return (Int(x + along * cos(turn)), Int(y + along * sin(turn)) + step * step * 9)
            }
            return ("Street \(number % 300)", "primary", points)
        }
        return tiles(roads, reach: 2)
    }

    private func map(
        _ source: HandmadeTiles, _ width: Double = 600, _ height: Double = 500, zoom: Double = 15.4, x: Double = 0, y: Double = 0,
        bearing: Double = 0, tilt: Double = 0, _ change: (inout BaseMapLayer) -> Void = { _ in }
    ) -> MapView {
        // A degree of longitude, and near the equator of latitude, is the same length.
        let degrees = 360 / 16384.0
        let center = LatLng(lat: -y * degrees, lng: x * degrees)
        let map = MapView(width, height, Camera(center: center, zoom: zoom, bearing: bearing, tilt: tilt))
        var layer = BaseMapLayer(source: source)
        change(&layer)
        map.baseMap = [layer]
        map.showsAttribution = false
        return map
    }

    private func names(_ map: MapView) throws -> [Inspection.SymbolEntry] {
        try map.inspection(listsBaseMapSymbols: true).symbols.filter { $0.isVisible && $0.role == "roadLabel" }
    }

    private func one(_ points: [(Int, Int)], kind: String = "primary", name: String = "Elm Street") -> HandmadeTiles {
        Self.tiles([(name, kind, points)])
    }

    @Test(arguments: [0.0, 60]) func noNameIsUpsideDown(tilt: Double) throws {
        for bearing in stride(from: 0.0, to: 360, by: 5) {
            let names = try names(map(Self.city, 900, 800, bearing: bearing, tilt: tilt))
            #expect(names.count > 5)
            for name in names {
                let angle = try #require(name.angle)
                #expect(abs(angle) <= 95, "\(bearing): \(name)")
            }
        }
    }

    /// The areas of names do not overlap, whatever the camera.
    @Test(arguments: [0.0, 45, 60]) func noNameOverlapsAnother(tilt: Double) throws {
        for (zoom, bearing) in [(14.0, 0.0), (15.4, 33), (16, 90), (16.7, 201)] {
            let map = map(Self.city, 900, 800, zoom: zoom, bearing: bearing, tilt: tilt)
            let areas = try Composer.of(map).place(map).areas(lineTolerance: 0)
            let labels = areas.filter { if case .label = $0.hit.target { true } else { false } }
            #expect(labels.count > 3)
            for (index, area) in labels.enumerated() {
                for other in labels[(index + 1)...] {
                    let overlaps = area.polygons.contains { a in other.polygons.contains { b in !isSeparated(a, b) } }
                    #expect(!overlaps, "\(area.hit.target) and \(other.hit.target) at \(zoom), \(bearing)")
                }
            }
        }
    }

    /// Whether an edge of one of two convex polygons separates them, but for a hundredth of a pt.
    private func isSeparated(_ a: [SIMD2<Double>], _ b: [SIMD2<Double>]) -> Bool {
        for (polygon, other) in [(a, b), (b, a)] {
            for (from, to) in zip(polygon, polygon.dropFirst() + polygon.prefix(1)) {
                let normal = SIMD2(to.y - from.y, from.x - to.x)
                let length = (normal * normal).sum().squareRoot()
                guard length > 0 else { continue }
                func offsets(_ points: [SIMD2<Double>]) -> [Double] { points.map { (($0 - from) * normal).sum() / length } }
                let (own, others) = (offsets(polygon), offsets(other))
                if own.max()! <= others.min()! + 0.02 || others.max()! <= own.min()! + 0.02 { return true }
            }
        }
        return false
    }

    /// A road that crosses many tiles, or runs along their border, has its name once at a place.
    @Test func namesAreOnceAcrossTiles() throws {
        let roads = [
            (-8192, 900, 8192, 1100), (-8192, 0, 8192, 0), (0, -8192, 0, 8192), (-6000, -6000, 6000, 6000), (-4096, 2000, 700, -4096),
        ].enumerated().map { ("Road \($0)", "primary", [($1.0, $1.1), ($1.2, $1.3)]) }
        let source = Self.tiles(roads, reach: 2)
        for zoom in [14.0, 14.9, 15.5, 16.2, 17] {
            let names = try names(map(source, 900, 700, zoom: zoom, x: 0.02, y: -0.01))
            #expect(names.count > 2)
            // 125 pt at the whole zoom.
            let least = 125 * exp2(zoom - zoom.rounded(.down)) - 0.1
            for (index, name) in names.enumerated() {
                let (a, text) = (try #require(name.anchor), name.text)
                for other in names[(index + 1)...] where other.text == text {
                    let b = try #require(other.anchor)
                    #expect(hypot(a.x - b.x, a.y - b.y) >= least, "\(name) and \(other)")
                }
            }
        }
    }

    /// What a larger picture shows far from its edges, a cut of it shows at the same places.
    @Test(arguments: [15.0, 15.6, 16.3]) func aCutShowsTheSameNames(zoom: Double) throws {
        try compareCuts(Self.city, zoom)
    }

    @Test(arguments: [(14.0, 300), (14.4, 300), (14.95, 300), (15, 1000), (15.6, 1000), (16.3, 2000)])
    func aCutShowsTheSameNamesAcrossTiles(zoom: Double, count: Int) throws {
        try compareCuts(Self.streets(count), zoom)
    }

    private func compareCuts(_ source: HandmadeTiles, _ zoom: Double) throws {
        let size = 512 * exp2(zoom - 14)
        let whole = try names(map(source, 1700, 1600, zoom: zoom))
        for (x, y) in [(0.0, 0.0), (37.3, -110.7), (-64.25, 41.9)] {
            let cut = try names(map(source, 1400, 1300, zoom: zoom, x: x / size, y: y / size))
            func places(_ names: [Inspection.SymbolEntry], _ dx: Double, _ dy: Double) throws -> [String: SIMD2<Double>] {
                var places: [String: SIMD2<Double>] = [:]
                for name in names {
                    let anchor = try #require(name.anchor)
                    let place = SIMD2(anchor.x + dx, anchor.y + dy)
                    if abs(place.x - x) < 700 - 512, abs(place.y - y) < 650 - 512 { places["\(name.id) \(name.text ?? "")"] = place }
                }
                return places
            }
            let (expected, found) = (try places(whole, -850, -800), try places(cut, x - 700, y - 650))
            #expect(!expected.isEmpty && expected.keys.sorted() == found.keys.sorted())
            for (id, place) in found {
                let other = try #require(expected[id])
                #expect(abs(place.x - other.x) < 0.01 && abs(place.y - other.y) < 0.01, "\(id)")
            }
        }
    }

    /// A street across the borders of tiles has its name once and in its middle, like a street inside a tile, at whatever center.
    @Test(arguments: [(15.0, 340), (16, 450), (17, 300), (15.9, 300)]) func aStreetContinuesInTheNextTile(zoom: Double, half: Int) throws {
        let side = 4096 >> Int(max(0, zoom - 14))
        // Across a vertical and a horizontal border, and through the corner of four tiles, which are parts of tiles at higher zooms.
        for (x, y, dx, dy) in [(0, side / 2, 10, 3), (side / 2, side, 3, 10), (side, side, 7, 7), (side / 2, side / 2, 10, -3)] {
            let (along, across) = (half * dx / 10, half * dy / 10)
            let source = one([(x - along, y - across), (x, y), (x + along, y + across)], name: "Marlborough Street")
            for shift in [0, 0.01, -0.02] {
                let (column, row) = (Double(x) / 4096, Double(y) / 4096)
                let found = try names(map(source, 900, 800, zoom: zoom, x: column + shift, y: row - shift))
                let (name, anchor) = (try #require(found.first), try #require(found.first?.anchor))
                let pixels = 512 * exp2(zoom - 14)
                #expect(found.count == 1 && hypot(anchor.x - 450 + shift * pixels, anchor.y - 400 - shift * pixels) < 1, "\(name)")
            }
        }
    }

    /// Streets that meet at a border are joined with those of their own name. A street that leads around a corner of tiles begins anywhere.
    @Test func namesOfJoinedStreetsDiffer() throws {
        let roads = (0..<4).map { ("Long Street \($0)", "primary", [(-260, 700 + $0), (260, 700 + 200 * ($0 - 2))]) }
        let ring = ("Ring Road", "primary", [(-200, -200), (300, -240), (260, 260), (-220, 250), (-200, -200)])
        let entries = try map(Self.tiles(roads + [ring]), 900, 800, zoom: 15).inspection(listsBaseMapSymbols: true).symbols
        #expect(Set(entries.map(\.id)).count == entries.count)
        #expect(Set(entries.compactMap(\.text)) == Set(roads.map(\.0) + [ring.0]))
        #expect(entries.count { $0.text == ring.0 } == 1)
    }

    /// On a straight road, the name lies on the road, in its middle, and has its direction.
    @Test(arguments: [0.0, 50, 170, 310]) func namesFollowTheRoad(bearing: Double) throws {
        let source = one([(600, 1200), (3000, 3000)])
        for tilt in [0.0, 60] {
            let map = map(source, zoom: 14.5, x: 0.45, y: 0.5, bearing: bearing, tilt: tilt)
            let name = try #require(try names(map).first)
            let (anchor, angle) = (try #require(name.anchor), try #require(name.angle))
            let ends = [(600.0, 1200.0), (3000, 3000)].map { point -> SIMD2<Double> in
                let degrees = 360 / 16384.0 / 4096
                let seen = map.point(from: LatLng(lat: -point.1 * degrees, lng: point.0 * degrees))
                return SIMD2(Double(seen?.x ?? .nan), Double(seen?.y ?? .nan))
            }
            let step = ends[1] - ends[0]
            let direction = step / (step * step).sum().squareRoot()
            let offset = SIMD2(anchor.x, anchor.y) - ends[0]
            #expect(abs(direction.x * offset.y - direction.y * offset.x) < 0.05)
            let turn = sin(angle * .pi / 180) * direction.x - cos(angle * .pi / 180) * direction.y
            #expect(abs(turn) < 1e-3)
            if tilt == 0 {
                let share = (offset * direction).sum() / (step * step).sum().squareRoot()
                #expect(abs(share - 0.5) < 1e-3)
            }
        }
    }

    @Test func roadsWithoutRoomHaveNoName() throws {
        let (short, sharp) = (one([(2000, 2000), (2200, 2000)]), one((0..<40).map { (1800 + 8 * $0, 2000 + 60 * ($0 % 2)) }))
        let long = one([(1000, 2000), (3000, 2000)])
        func count(_ source: HandmadeTiles) throws -> Int { try names(map(source, zoom: 14, x: 0.5, y: 0.5)).count }
        #expect(try count(short) == 0 && count(sharp) == 0 && count(long) == 1)
    }

    /// The places of one zoom are also places of the next.
    @Test func placesRemainAtHigherZooms() throws {
        let source = one([(-4000, 700), (4000, 900)])
        var before: Set<String> = []
        for zoom in [14.0, 15, 16] {
            let ids = Set(try names(map(source, 2048, 1200, zoom: zoom, x: 0, y: 0.2)).map(\.id))
            #expect(!ids.isEmpty)
            let tiles = Set(ids.map { $0.split(separator: "/").prefix(6).joined(separator: "/") })
            #expect(before.isSubset(of: tiles.union(before)))
            before = tiles
        }
        #expect(try names(map(source, 2048, 1200, zoom: 16, x: 0.5, y: 0.2)).count > 3)
    }

    @Test func namesCanBePicked() throws {
        let map = map(one([(1000, 2000), (3000, 2000)]), zoom: 14, x: 0.5, y: 0.5)
        let anchor = try #require(try names(map).first?.anchor)
        let object = try #require(map.objects(at: CGPoint(x: anchor.x + 20, y: anchor.y + 3)).first as? PointOfInterest)
        #expect(object.placeName == "Elm Street")
        #expect(object.category == "primary")
        #expect(object.fields["name"] == "Elm Street")
        #expect(map.objects(at: CGPoint(x: anchor.x, y: anchor.y + 30)).isEmpty)
    }

    /// A marker that hides symbols moves a name along its road, or hides it.
    @Test func markersHideNames() throws {
        let map = map(one([(1000, 2000), (3000, 2000)]), zoom: 14, x: 0.5, y: 0.5)
        let before = try #require(try names(map).first?.anchor)
        try map.put("small", before.x, before.y) {
            ($0.isHideCollidedSymbols, $0.width, $0.height) = (true, 20, 20)
        }
        let moved = try #require(try names(map).first?.anchor)
        #expect(abs(moved.x - before.x) > 30 && abs(moved.y - before.y) < 0.01)
        try map.put("wide", before.x, before.y) { ($0.isHideCollidedSymbols, $0.width, $0.height) = (true, 400, 20) }
        #expect(try names(map).isEmpty)
        let hidden = try map.inspection(listsBaseMapSymbols: true).symbols.first { $0.role == "roadLabel" }
        #expect(hidden?.hiddenBy != nil)
    }

    /// Of two roads with one name, the shorter has the name if something takes its place on the longer.
    @Test func aNameMovesToAnotherRoad() throws {
        let source = Self.tiles([("Elm", "primary", [(600, 1200), (3400, 1200)]), ("Elm", "primary", [(700, 2600), (3300, 2600)])])
        let map = map(source, zoom: 14, x: 0.5, y: 0.5)
        let name = try #require(try names(map).first?.anchor)
        #expect(try names(map).count == 1)
        try map.put("wide", name.x, name.y) { ($0.isHideCollidedSymbols, $0.width, $0.height) = (true, 600, 20) }
        let moved = try #require(try names(map).first?.anchor)
        #expect(try names(map).count == 1 && abs(moved.y - name.y - 175) < 0.1)
    }

    @Test func layersWithoutLabelsHaveNoNames() throws {
        let source = one([(1000, 2000), (3000, 2000)])
        #expect(try names(map(source, zoom: 14, x: 0.5, y: 0.5) { $0.labels = false }).isEmpty)
    }

    @Test func namesCutByTheEdge() throws {
        let map = map(one([(1000, 2000), (3000, 2000)]), 60, 60, zoom: 14, x: 0.5, y: 0.5)
        #expect(try names(map).count == 1)
        map.captionsAvoidEdges = true
        let entry = try #require(try map.inspection(listsBaseMapSymbols: true).symbols.first)
        #expect(!entry.isVisible && entry.isCutByEdge)
    }

    /// Rivers have names in the role of waters.
    @Test func rivers() throws {
        var layer = HandmadeLayer("waterway")
        layer.add(.lines([(200, 2000), (3900, 2000)]), ["name": HandmadeValue.text("Aura"), "class": HandmadeValue.text("river")])
        let source = HandmadeTiles(
            [TileAddress(zoom: 14, x: Self.firstX, y: Self.firstY): HandmadeTile(layer)], layers: ["waterway", "transportation"])
        let symbols = try map(source, zoom: 14, x: 0.5, y: 0.5).inspection(listsBaseMapSymbols: true).symbols
        #expect(symbols.map(\.role) == ["waterLabel"] && symbols.map(\.text) == ["Aura"])
    }

    /// Both languages stand on one line.
    @Test func twoLanguages() throws {
        var layer = HandmadeLayer("transportation_name")
        layer.add(
            .lines([(200, 2000), (3900, 2000)]),
            ["name": HandmadeValue.text("Elm"), "name:fi": HandmadeValue.text("Jalava"), "class": HandmadeValue.text("primary")])
        let source = HandmadeTiles(
            [TileAddress(zoom: 14, x: Self.firstX, y: Self.firstY): HandmadeTile(layer)], layers: ["transportation_name", "place"])
        let texts = try names(map(source, zoom: 14, x: 0.5, y: 0.5) { $0.languages = ["fi", BaseMapLayer.localLanguage] }).map(\.text)
        #expect(texts == ["Jalava Elm"])
    }

    /// A picture with names has the letters as paths, and one without has none.
    @Test func namesAreDrawn() throws {
        let source = one([(1000, 2000), (3000, 2000)])
        func paths(_ change: (inout BaseMapLayer) -> Void = { _ in }) throws -> Int {
            let map = map(source, zoom: 14, x: 0.5, y: 0.5, change)
            return try Composer.of(map).place(map).frame.paths.count
        }
        #expect(try paths() == paths { $0.labels = false } + 2)
    }
}
