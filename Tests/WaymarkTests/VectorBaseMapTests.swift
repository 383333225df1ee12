import Foundation
import Testing
import Waymark
import WaymarkFrame
import WaymarkLayout
import WaymarkRaster
import WaymarkTestSupport
import WaymarkTiles

/// Base maps of vector tiles, drawn.
@Suite struct VectorBaseMapTests {
    private static let layers = ["water", "transportation", "building"]

    /// The content of a tile of zoom 10, southeast of latitude 0 and longitude 0: as this tile, or as the four tiles of the next zoom, with
    /// buffers.
    private static func tiles(isDivided: Bool, _ draw: (_ scale: (Int, Int) -> (Int, Int)) -> [HandmadeLayer]) -> HandmadeTiles {
        var tiles: [TileAddress: HandmadeTile] = [:]
        let zooms = isDivided ? 1 : 0
        for y in 0..<1 << zooms {
            for x in 0..<1 << zooms {
                var tile = HandmadeTile()
                tile.layers = draw { (($0 << zooms) - 4096 * x, ($1 << zooms) - 4096 * y) }
                tiles[TileAddress(zoom: 10 + zooms, x: 512 << zooms + x, y: 512 << zooms + y)] = tile
            }
        }
        return HandmadeTiles(tiles, layers: layers)
    }

    private func map(
        _ source: HandmadeTiles, zoom: Double = 14.7, bearing: Double = 0, tilt: Double = 0, _ change: (inout BaseMapLayer) -> Void
    ) -> MapView {
        let map = MapView(160, 120, Camera(center: LatLng(lat: -0.1757, lng: 0.1759), zoom: zoom, bearing: bearing, tilt: tilt))
        var layer = BaseMapLayer(source: source)
        change(&layer)
        map.baseMap = [layer]
        map.showsAttribution = false
        return map
    }

    private func picture(_ map: MapView) throws -> Bitmap {
        PinnedRasterizer.pin
        return try Renderer(device: .software).render(map).bitmap
    }

    private func frame(_ map: MapView) throws -> Frame { try Composer.of(map).place(map).frame }

    private static let cameras = [(10.7, 0.0, 0.0), (10.7, 33.0, 0.0), (11.31, 0.0, 60.0), (11.9, 200.5, 45.0)]

    /// Where the areas of tiles meet, every pixel has the color of the others, although all colors are translucent.
    @Test(arguments: cameras) func bordersOfTilesAreInvisible(zoom: Double, bearing: Double, tilt: Double) throws {
        let source = Self.tiles(isDivided: true) { scale in
            [HandmadeLayer("water", .polygons([scale(-99, -99), scale(4195, -99), scale(4195, 4195), scale(-99, 4195)]))]
        }
        let bitmap = try picture(
            map(source, zoom: zoom, bearing: bearing, tilt: tilt) {
                $0.roleColors = [.land: Color(hex: 0xFF0000, alpha: 0.5), .water: Color(hex: 0x0000FF, alpha: 0.5)]
            })
        let colors = Set((0..<120).flatMap { y in (0..<160).map { x in bitmap[x, y] } })
        #expect(colors.count == 1 && (190...193).contains(colors.first?.alpha ?? 0), "\(colors.count) colors")
    }

    /// The same where tiles of several zooms meet, on a tilted map.
    @Test(arguments: [(12.6, 60.0, 0.0), (13.0, 70.0, 45.0), (12.9, 55.0, 17.0)])
    func bordersOfZoomsAreInvisible(zoom: Double, tilt: Double, bearing: Double) throws {
        let ring = [(-99, -99), (4195, -99), (4195, 4195), (-99, 4195)]
        var tiles: [TileAddress: HandmadeTile] = [:]
        for zooms in 0...4 {
            for y in 0..<1 << zooms {
                for x in 0..<1 << zooms {
                    tiles[TileAddress(zoom: 10 + zooms, x: 512 << zooms + x, y: 512 << zooms + y)] = HandmadeTile(
                        HandmadeLayer("water", .polygons(ring)))
                }
            }
        }
        let source = HandmadeTiles(tiles, layers: Self.layers)
        let map = map(source, zoom: zoom, bearing: bearing, tilt: tilt) {
            $0.roleColors = [.land: Color(hex: 0xFF0000, alpha: 0.5), .water: Color(hex: 0x0000FF, alpha: 0.5)]
        }
        let bitmap = try picture(map)
        #expect(Set(source.readAddresses.map(\.zoom)).count > 1)
        let colors = Set((60..<120).flatMap { y in (0..<160).map { x in bitmap[x, y] } })
        #expect(colors.count == 1, "\(colors.count) colors")
    }

    /// Areas and roads that cross the borders of tiles look as if they were in one tile.
    @Test(arguments: cameras) func contentContinuesAcrossBorders(zoom: Double, bearing: Double, tilt: Double) throws {
        func draw(_ scale: (Int, Int) -> (Int, Int)) -> [HandmadeLayer] {
            var roads = HandmadeLayer("transportation")
            for (points, name) in [
                ([(1990, 1990), (2110, 2120)], "primary"), ([(1900, 2052), (2200, 2044)], "motorway"),
                ([(2046, 1800), (2053, 2040), (2060, 2300)], "minor"),
            ] {
                roads.add(.lines(points.map { scale($0.0, $0.1) }), ["class": HandmadeValue.text(name)])
            }
            let ring = [(2000, 2030), (2100, 1990), (2080, 2100), (1980, 2090)].map { scale($0.0, $0.1) }
            return [HandmadeLayer("water", .polygons(ring)), roads]
        }
        func bitmap(_ source: HandmadeTiles) throws -> Bitmap {
            try picture(
                map(source, zoom: zoom + 4, bearing: bearing, tilt: tilt) {
                    $0.roleColors = [.motorway: Color(hex: 0xFF8800, alpha: 0.5), .water: Color(hex: 0x0000FF, alpha: 0.4)]
                })
        }
        let (whole, four) = (try bitmap(Self.tiles(isDivided: false, draw)), try bitmap(Self.tiles(isDivided: true, draw)))
        // Only the coordinates at the borders are rounded differently.
        let largest = zip(whole.pixels, four.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
        #expect(largest <= 8, "the largest difference is \(largest)")
        #expect(Set(whole.pixels).count > 30)
    }

    /// The coverage of an area is its size, at any zoom and angle.
    @Test(arguments: Seeds.all) func coverageIsTheArea(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let corners = [(2036, 2039), (2061, 2034), (2058, 2060), (2040, 2055)].map {
            ($0.0 + random.integer(-2...2), $0.1 + random.integer(-2...2))
        }
        let source = Self.tiles(isDivided: random.once(in: 2)) { scale in
            [HandmadeLayer("building", .polygons(corners.map { scale($0.0, $0.1) }))]
        }
        let zoom = random.number(13.6...14.2)
        let map = map(source, zoom: zoom, bearing: random.number(0...360)) {
            $0.roleColors = [.land: .black, .building: .white]
        }
        let bitmap = try picture(map)
        let sum = stride(from: 0, to: bitmap.pixels.count, by: 4).reduce(0) { $0 + Double(bitmap.pixels[$1]) } / 255
        var area = 0.0
        for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1)) { area += Double(a.0 * b.1 - a.1 * b.0) / 2 }
        let unit = 512 * exp2(zoom - 10) / 4096
        #expect(abs(sum / (area * unit * unit) - 1) < 0.002)
    }

    /// Ferries in black on white.
    private func ferries(isDivided: Bool, _ lines: [(Int, Int)]..., east: Double = 0, south: Double = 0) throws -> Bitmap {
        let source = Self.tiles(isDivided: isDivided) { scale in
            var ferries = HandmadeLayer("transportation")
            for line in lines { ferries.add(.lines(line.map { scale($0.0, $0.1) }), ["class": HandmadeValue.text("ferry")]) }
            return [ferries]
        }
        let map = map(source, zoom: 14) { $0.roleColors = [.ferry: .black, .land: .white] }
        // Moved by pixels of the picture.
        let angle = 2 * Double.pi / (512 * exp2(14))
        let y = asinh(tan(map.camera.center.lat * .pi / 180)) - south * angle
        map.camera.center = LatLng(lat: atan(sinh(y)) * 180 / .pi, lng: map.camera.center.lng + east * angle * 180 / .pi)
        return try picture(map)
    }

    /// Where a line crosses the border of two tiles, the middle of a gap lies, which is as long as the others.
    @Test func dashesContinueAcrossBorders() throws {
        let line = try ferries(isDivided: true, [(1500, 2040), (2600, 2040)])
        // How dark each column is: the line has a width of 0.983.
        let columns = (0..<160).map { x -> Double in
            let dark = (0..<120).reduce(0) { $0 + 255 - Int(line[x, $1].red) }
            return Double(dark) / 255 / 0.983
        }
        // A tile of zoom 10 has 8192 pixels here.
        let border: Double = 80 + 2 * (2048 - 0.1759 / 360 * 1024 * 4096)
        for (column, dark) in columns.enumerated() where abs(Double(column) + 0.5 - border) < 1.9 { #expect(dark == 0) }
        #expect(columns[Int(border - 4.2)] > 0.9 && columns[Int(border + 4.2)] > 0.9)
        // The pattern of 6 and 5 widths covers 6/11 of the line, up to a part of a dash at the edges of the picture.
        let share = columns.reduce(0, +) / 160
        #expect(abs(share - 6.0 / 11) < 0.05)
    }

    /// Dashes do not depend on the view: if the map is moved by whole pixels, the same pixels move, whatever tiles it then shows.
    @Test(arguments: [(40, 0), (-37, 21), (110, 30), (-120, -45)]) func dashesMoveWithTheMap(east: Int, south: Int) throws {
        let line = [(1800, 1900), (2000, 2020), (2048, 2044), (2095, 2085), (2200, 2140)]
        let here = try ferries(isDivided: true, line)
        let there = try ferries(isDivided: true, line, east: Double(east), south: Double(south))
        var (largest, dark) = (0, 0)
        for y in max(0, south)..<min(120, 120 + south) {
            for x in max(0, east)..<min(160, 160 + east) {
                largest = max(largest, abs(Int(here[x, y].red) - Int(there[x - east, y - south].red)))
                if here[x, y].red < 128 { dark += 1 }
            }
        }
        #expect(largest <= 1 && dark > 10)
    }

    /// A closed line has whole dashes, also if it consists of several lines.
    @Test func dashesOfAClosedLine() throws {
        let ring = [(2020, 2030), (2080, 2030), (2080, 2060), (2020, 2060), (2020, 2030)]
        let whole = try ferries(isDivided: false, ring)
        let halves = try ferries(isDivided: false, Array(ring[0...2]), Array(ring[2...4]))
        #expect((zip(halves.pixels, whole.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 255) <= 8)
        // The line is a little narrower than a pixel.
        #expect((whole.pixels.min() ?? 255) < 64)
    }

    @Test func layersAreTranslucentAsAWhole() throws {
        let source = Self.tiles(isDivided: true) { scale in
            var roads = HandmadeLayer("transportation")
            roads.add(.lines([scale(0, 2100), scale(4096, 2000)]), ["class": HandmadeValue.text("motorway")])
            return [HandmadeLayer("water", .polygons([scale(0, 0), scale(4096, 0), scale(4096, 2000), scale(0, 2000)])), roads]
        }
        let opaque = try picture(map(source, zoom: 15) { _ in })
        let half = try picture(map(source, zoom: 15) { $0.opacity = 0.5 })
        let differences = zip(opaque.pixels, half.pixels).map { abs(Double($0) / 2 - Double($1)) }
        #expect(differences.max() ?? 9 <= 1.5)
    }

    /// A translucent sky lies above a translucent layer: the layer fades out once, and the sky comes in by the same share.
    @Test func translucentSkyOverATranslucentLayer() throws {
        let source = Self.tiles(isDivided: false) { scale in
            [HandmadeLayer("water", .polygons([scale(0, 0), scale(4096, 0), scale(4096, 2000), scale(0, 2000)]))]
        }
        func picture(_ opacity: Double, _ sky: Sky) throws -> Bitmap {
            let map = map(source, zoom: 14.7, tilt: 80) {
                $0.opacity = max(opacity, 0.5)
                $0.isVisible = opacity > 0
            }
            map.sky = sky
            return try self.picture(map)
        }
        let sky = Sky(horizon: Color(hex: 0x80C0FF, alpha: 0.5), zenith: Color(hex: 0x2040A0, alpha: 0.75))
        let (both, layer, alone) = (try picture(0.5, sky), try picture(0.5, Sky(.clear)), try picture(0, sky))
        var largest = 0
        for index in both.pixels.indices {
            largest = max(largest, abs(Int(both.pixels[index]) - Int(layer.pixels[index]) - Int(alone.pixels[index])))
        }
        #expect(largest <= 3, "the largest difference is \(largest)")
        // Some pixels belong to both.
        #expect((0..<120).contains { layer[80, $0].alpha > 30 && alone[80, $0].alpha > 30 })
    }

    @Test func themesRolesAndBuildings() throws {
        let source = Self.tiles(isDivided: false) { scale in
            [
                HandmadeLayer("water", .polygons([scale(0, 0), scale(2000, 0), scale(2000, 4096), scale(0, 4096)])),
                HandmadeLayer("building", .polygons([scale(2050, 0), scale(4096, 0), scale(4096, 4096), scale(2050, 4096)])),
            ]
        }
        func colors(_ change: (inout BaseMapLayer) -> Void) throws -> [Color] {
            try frame(map(source, zoom: 14, change)).paths.map(\.color)
        }
        let light = try colors { _ in }
        #expect(light.count == 2, "the land and the buildings, because the water is not in the picture")
        #expect(try colors { $0.theme = .dark } != light && colors { $0.theme = .gray } != light)
        #expect(try colors { $0.buildings = .none } == [light[0]])
        #expect(try colors { $0.buildings = .extruded } == light)
        #expect(try colors { $0.roleColors = [.building: .red] } == [light[0], .red])
        #expect(try colors { $0.isVisible = false }.isEmpty)
        // Below the zoom at which they have a meaning, buildings are not drawn.
        #expect(try frame(map(source, zoom: 10) { _ in }).paths.count == 2)
    }

    /// The outline of a building follows all of its sides, also of a triangle: its stroke is a ring of two contours.
    @Test func outlineOfATriangle() throws {
        let source = Self.tiles(isDivided: false) { scale in
            [HandmadeLayer("building", .polygons([scale(2046, 2046), scale(2050, 2046), scale(2048, 2050)]))]
        }
        let paths = try frame(map(source, zoom: 17) { _ in }).paths
        #expect(paths.map(\.contours.count) == [1, 1, 2])
    }

    /// Strokes have a limit of points, too: wide lines with many round joins have far more than the tiles.
    @Test func linesBeyondTheLimit() throws {
        let source = Self.tiles(isDivided: false) { scale in
            var roads = HandmadeLayer("transportation")
            var zigzag: [(Int, Int)] = []
            for number in 0..<200 { zigzag += [scale(2030 + number / 6, 2045), scale(2030 + number / 6, 2051)] }
            for name in ["minor", "motorway"] { roads.add(.lines(zigzag), ["class": HandmadeValue.text(name)]) }
            return [roads]
        }
        func place(_ limit: Int) throws -> (points: Int, messages: [String]) {
            let map = map(source) { _ in }
            var frame = try frame(MapView(160, 120, map.camera))
            let set = try #require(try map.baseMap[0].vectorTiles?.get())
            var shown = ShownVectorLayer(
                map.baseMap[0], set, index: 0, try map.viewport(), .ground, deadline: TileDeadline(seconds: 60), mostPoints: limit)
            let paths = VectorLayerPlacer.place(&shown, try map.viewport(), into: &frame, fades: false)
            var points = 0
            for index in paths {
                for contour in frame.paths[index].contours { points += frame.points(ofContour: contour).count }
            }
            return (points, shown.refusals.diagnostics("baseMap[0].source", ofSet: "city").map(\.message))
        }
        let all = try place(ShownVectorLayer.pointLimit)
        #expect(all.points > 4000 && all.messages.isEmpty)
        let limit = all.points / 2
        let some = try place(limit)
        #expect(some.points > 400 && some.points < all.points)
        #expect(some.messages == ["city: some lines are left out: the picture has more than \(limit) points from the base map"])
        #expect(try place(100).messages.first?.contains("is left out: the picture has more than 100 points") == true)
    }

    /// All outlines of a group lie beneath all of its roads.
    @Test func outlinesLieBeneathRoads() throws {
        let source = Self.tiles(isDivided: false) { scale in
            var roads = HandmadeLayer("transportation")
            for name in ["primary", "minor", "secondary"] {
                roads.add(.lines([scale(2000, 2048), scale(2100, 2048)]), ["class": HandmadeValue.text(name)])
            }
            return [roads]
        }
        func paths(_ theme: MapTheme) throws -> [Path] { try frame(map(source, zoom: 15) { $0.theme = theme }).paths }
        // The land, three outlines, three roads.
        for theme in MapTheme.allCases {
            let paths = try paths(theme)
            #expect(paths.count == 7, "\(theme)")
            #expect(Set(paths[1...3].map(\.color)).isDisjoint(with: paths[4...6].map(\.color)), "\(theme)")
        }
    }

    /// What has a transparent color is not drawn at all: neither the outline of a road nor that of a building remains.
    @Test(arguments: MapTheme.allCases) func transparentRolesHaveNoOutlines(theme: MapTheme) throws {
        let source = Self.tiles(isDivided: false) { scale in
            var roads = HandmadeLayer("transportation")
            for name in ["primary", "minor"] {
                roads.add(.lines([scale(2000, 2048), scale(2100, 2048)]), ["class": HandmadeValue.text(name)])
            }
            let square = [scale(2040, 2040), scale(2056, 2040), scale(2056, 2056), scale(2040, 2056)]
            return [roads, HandmadeLayer("building", .polygons(square)), HandmadeLayer("water", .polygons(square))]
        }
        func colors(_ roleColors: [MapRole: Color]) throws -> [Color] {
            try frame(
                map(source, zoom: 16) {
                    $0.theme = theme
                    $0.roleColors = roleColors
                }
            ).paths.map(\.color)
        }
        let all = try colors([:])
        // The land, the water, the building with its outline, two roads with theirs.
        #expect(all.count == 8)
        let clear = Color.red.withAlpha(0)
        func without(_ range: Range<Int>) -> [Color] { Array(all[..<range.lowerBound]) + Array(all[range.upperBound...]) }
        #expect(try colors([.water: clear]) == without(1..<2))
        #expect(try colors([.building: clear]) == without(2..<4))
        #expect(try colors([.minor: clear]).count == 6 && colors([.minor: clear, .primary: clear]) == Array(all[..<4]))
    }

    /// The tracks of trams do not cover the streets in which they lie.
    @Test(arguments: MapTheme.allCases) func railsLieBeneathRoads(theme: MapTheme) throws {
        let source = Self.tiles(isDivided: false) { scale in
            var lines = HandmadeLayer("transportation")
            for name in ["minor", "tram"] {
                lines.add(.lines([scale(2000, 2048), scale(2100, 2048)]), ["class": HandmadeValue.text(name)])
            }
            return [lines]
        }
        let paths = try frame(
            map(source, zoom: 15) {
                $0.theme = theme
                $0.roleColors = [.rail: .red, .minor: .green]
            }
        ).paths
        #expect(paths.map { $0.color == .red } == [false, true, false, false] && paths.last?.color == .green)
    }

    /// Areas that touch in a city differ by at least 1% of the range of a channel.
    @Test(arguments: MapTheme.allCases) func areasDiffer(theme: MapTheme) throws {
        let source = Self.tiles(isDivided: false) { scale in
            let ring = [scale(2000, 2000), scale(2100, 2000), scale(2100, 2100), scale(2000, 2100)]
            var squares = HandmadeLayer("transportation")
            squares.add(.polygons(ring), ["class": HandmadeValue.text("path")])
            var parks = HandmadeLayer("landcover")
            parks.add(.polygons(ring), ["class": HandmadeValue.text("park")])
            return [HandmadeLayer("water", .polygons(ring)), HandmadeLayer("building", .polygons(ring)), squares, parks]
        }
        let colors = try frame(map(source, zoom: 15) { $0.theme = theme }).paths.map(\.color)
        #expect(colors.count == 5)
        for (number, a) in colors.enumerated() {
            for b in colors[..<number] {
                #expect(max(abs(a.red - b.red), abs(a.green - b.green), abs(a.blue - b.blue)) > 0.015, "\(a), \(b)")
            }
        }
    }

    /// The zoom of the tiles is the camera's, rounded down, whatever the pixel ratio; tiles of the last zoom are not divided.
    @Test(arguments: [(13.99, 13), (14, 14), (15.5, 15), (16, 16), (19.2, 16)], [0.5, 1, 2, 3])
    func zoomOfTheTiles(zoom: (camera: Double, tiles: Int), pixelRatio: Double) throws {
        let tile = HandmadeTile(HandmadeLayer("water", .polygons([(0, 0), (4096, 0), (0, 4096)])))
        let source = HandmadeTiles(
            [TileAddress(zoom: 0, x: 0, y: 0): tile, TileAddress(zoom: 16, x: 0, y: 0): tile], layers: Self.layers)
        let map = map(source, zoom: zoom.camera) { _ in }
        map.pixelRatio = pixelRatio
        let paths = try frame(map).paths
        #expect(!paths.isEmpty && source.readAddresses.map(\.zoom).max() == zoom.tiles)
    }

    /// Protomaps has areas of land, which share borders with the water; other schemas have land everywhere, beneath the run of areas.
    @Test func theLand() throws {
        func paths(_ land: String, _ schema: [String]) throws -> [Path] {
            let tile = HandmadeTile(
                HandmadeLayer(land, .polygons([(0, 0), (2048, 0), (2048, 4096), (0, 4096)])),
                HandmadeLayer("water", .polygons([(2048, 0), (4096, 0), (4096, 4096), (2048, 4096)])))
            let source = HandmadeTiles([TileAddress(zoom: 10, x: 512, y: 512): tile], layers: schema)
            return try frame(map(source) { $0.roleColors = [.land: .red, .water: .blue] }).paths
        }
        let areas = try paths("earth", ["earth", "water", "roads"])
        #expect(areas.map(\.color) == [.red, .blue] && areas.map(\.run) == [1, 1] && areas.map(\.layering) == [.beside, .beside])
        let ground = try paths("housenumber", Self.layers)
        #expect(ground.map(\.color) == [.red, .blue] && ground.map(\.run) == [0, 1] && ground.map(\.layering) == [.over, .beside])
    }

    @Test func credits() throws {
        func credits(_ source: HandmadeTiles) throws -> String? {
            let map = map(source) { _ in }
            map.showsAttribution = true
            return try map.inspection().attribution
        }
        let tiles = [TileAddress(zoom: 0, x: 0, y: 0): HandmadeTile(HandmadeLayer("water"))]
        #expect(try credits(HandmadeTiles(tiles, layers: Self.layers)) == "© OpenMapTiles © OpenStreetMap contributors")
        #expect(try credits(HandmadeTiles(tiles, layers: ["earth", "roads"])) == "© OpenStreetMap contributors")
        #expect(try credits(HandmadeTiles(tiles, layers: ["ocean", "streets"], attribution: "<b>A</b> city")) == "A city")
    }

    /// The pale credits of a dark map are also legible where there are no tiles, on a white background.
    @Test func darkCreditsAreLegibleOnWhite() throws {
        let tiles = [TileAddress(zoom: 10, x: 0, y: 0): HandmadeTile(HandmadeLayer("water"))]
        let map = map(HandmadeTiles(tiles, layers: Self.layers)) { $0.theme = .dark }
        map.showsAttribution = true
        map.background = .white
        let bitmap = try picture(map)
        #expect(bitmap[0, 0] == Color.white.premultipliedBytes && bitmap[157, 118].red < 80)
    }

    @Test func problemsAreDiagnostics() throws {
        func messages(_ source: HandmadeTiles) throws -> [String] {
            try map(source) { $0.name = "city.pmtiles" }.inspection().diagnostics.map(\.description)
        }
        let address = TileAddress(zoom: 0, x: 0, y: 0)
        let good = HandmadeTile(HandmadeLayer("water", .polygons([(0, 0), (64, 0), (64, 64)])))
        #expect(try messages(HandmadeTiles([address: good], layers: Self.layers)).isEmpty)
        var damaged = good
        damaged.layers[0].version = 9
        #expect(
            try messages(HandmadeTiles([address: damaged], layers: Self.layers)) == [
                "basemap.source: city.pmtiles: layer \"water\" of tile 0/0/0 is left out: version 9 of the format MVT is not supported; "
                    + "only versions 1 and 2 are"
            ])
        // Copies of the world show the same tile.
        let world = MapView(1600, 120, Camera(center: LatLng(lat: 0, lng: 0), zoom: 0))
        world.baseMap = [BaseMapLayer(source: HandmadeTiles([address: damaged], layers: Self.layers), name: "world")]
        #expect(
            try world.inspection().diagnostics.map(\.message) == [
                "world: layer \"water\" of tile 0/0/0 is left out: version 9 of the format MVT is not supported; only versions 1 and 2 are"
            ])
        #expect(
            try messages(HandmadeTiles([address: good], layers: ["sea", "ships"])) == [
                "basemap.source: the layers of the vector tiles belong to no known schema (OpenMapTiles 3, Protomaps 4, Shortbread 1): "
                    + "sea, ships; the layer is left out"
            ])
    }
}
