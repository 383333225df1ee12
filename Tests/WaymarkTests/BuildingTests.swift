import Foundation
import Testing
import Waymark
import WaymarkFrame
import WaymarkLayout
import WaymarkRaster
import WaymarkTestSupport
import WaymarkTiles

/// Extruded buildings, drawn. The tiles are two tiles of zoom 14 in Helsinki, one above the other.
@Suite(.serialized) @MainActor struct BuildingTests {
    init() { PinnedRasterizer.pin }

    private static let (column, row) = (9327, 4741)
    private static let (roof, land) = (Color(hex: 0xFF0000), Color(hex: 0x0000FF))

    /// A building: its corners in the upper tile, 4096 units wide, and its heights in meters.
    private struct Block {
        var corners: [(Int, Int)]
        var top = 30.0
        var bottom = 0.0

        static func box(_ x: Int, _ y: Int, _ width: Int, _ depth: Int, top: Double = 30, bottom: Double = 0) -> Block {
            Block(corners: [(x, y), (x + width, y), (x + width, y + depth), (x, y + depth)], top: top, bottom: bottom)
        }
    }

    /// - Parameter rows: The tiles that exist: 0 for the upper and 1 for the lower tile.
    private func tiles(_ blocks: [Block], rows: [Int] = [0, 1]) -> HandmadeTiles {
        var tiles: [TileAddress: HandmadeTile] = [:]
        for row in rows {
            var layer = HandmadeLayer("building")
            for block in blocks {
                layer.add(
                    .polygons(block.corners.map { ($0.0, $0.1 - 4096 * row) }),
                    ["render_height": HandmadeValue.double(block.top), "render_min_height": HandmadeValue.double(block.bottom)])
            }
            tiles[TileAddress(zoom: 14, x: Self.column, y: Self.row + row)] = HandmadeTile(layer)
        }
        return HandmadeTiles(tiles, layers: ["building", "transportation"])
    }

    /// The latitude and longitude of a point of the upper tile.
    private static func place(_ x: Double, _ y: Double) -> LatLng {
        let side = 4096 * exp2(14.0)
        let (worldX, worldY) = ((Double(column) * 4096 + x) / side, (Double(row) * 4096 + y) / side)
        return LatLng(lat: atan(sinh(.pi * (1 - 2 * worldY))) * 180 / .pi, lng: worldX * 360 - 180)
    }

    private func map(
        _ source: HandmadeTiles, at center: (Double, Double) = (2048, 2048), zoom: Double = 17, bearing: Double = 0, tilt: Double = 0,
        size: (Double, Double) = (240, 180), _ change: (inout BaseMapLayer) -> Void = { _ in }
    ) -> MapView {
        let map = MapView(
            size.0, size.1, Camera(center: Self.place(center.0, center.1), zoom: zoom, bearing: bearing, tilt: tilt))
        var layer = BaseMapLayer(source: source)
        layer.buildings = .extruded
        layer.roleColors = [.building: Self.roof, .land: Self.land]
        (layer.labels, layer.pois) = (false, false)
        change(&layer)
        map.baseMap = [layer]
        map.showsAttribution = false
        return map
    }

    private func picture(_ map: MapView) throws -> Bitmap { try Renderer(device: .software).render(map).bitmap }

    private func count(_ bitmap: Bitmap, _ isCounted: (Bitmap.Pixel) -> Bool) -> Int {
        (0..<bitmap.height).reduce(0) { sum, y in sum + (0..<bitmap.width).count { isCounted(bitmap[$0, y]) } }
    }

    // MARK: Heights

    /// Every pixel is the roof's, a wall's or the ground's, by the formulas of the contract, except at edges.
    @Test(arguments: [(16.4, 0.0, 0.0), (17.0, 30.0, 60.0), (16.8, 200.0, 45.0), (17.2, -75.0, 65.0)])
    func heightsMatchTheFormula(zoom: Double, bearing: Double, tilt: Double) throws {
        let block = Block.box(1990, 2000, 120, 90, top: 12)
        let bitmap = try picture(map(tiles([block]), zoom: zoom, bearing: bearing, tilt: tilt))
        var design = DesignCamera()
        let center = Self.place(2048, 2048)
        (design.lat, design.lng, design.zoom, design.bearing, design.tilt) = (center.lat, center.lng, zoom, bearing, tilt)
        (design.width, design.height) = (240, 180)
        func ring(_ altitude: Double) -> [SIMD2<Double>] {
            var points: [SIMD2<Double>] = []
            for corner in block.corners {
                let place = Self.place(Double(corner.0), Double(corner.1))
                let point = design.project(lat: place.lat, lng: place.lng, altitude: altitude)
                points.append(SIMD2(point.x, point.y))
            }
            return points
        }
        /// How far a point is inside a convex ring that turns clockwise on the screen, in px; negative outside.
        func depth(_ point: SIMD2<Double>, in ring: [SIMD2<Double>]) -> Double {
            var least = Double.infinity
            for (index, a) in ring.enumerated() {
                let step = ring[(index + 1) % ring.count] - a
                let way = point - a
                let area: Double = step.x * way.y - step.y * way.x
                least = min(least, area / (step * step).sum().squareRoot())
            }
            return least
        }
        let (top, foot) = (ring(12), ring(0))
        let walls: [[SIMD2<Double>]] = (0..<4).map { corner in
            let next = (corner + 1) % 4
            return [top[corner], top[next], foot[next], foot[corner]]
        }
        var (roofs, grounds, wallColors) = (0, 0, Set<String>())
        for y in 0..<180 {
            for x in 0..<240 {
                let point = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
                let pixel = bitmap[x, y]
                let depths = ([top, foot] + walls).map { max(depth(point, in: $0), depth(point, in: $0.reversed())) }
                if depths[0] > 0.75 {
                    roofs += 1
                    #expect(pixel == Self.roof.premultipliedBytes, "roof at \(x) \(y)")
                } else if depths.allSatisfy({ $0 < -0.75 }) {
                    grounds += 1
                    #expect(pixel == Self.land.premultipliedBytes, "ground at \(x) \(y)")
                } else if depths[0] < -0.75, depths.max() ?? 0 > 0.75 {
                    #expect(pixel.blue == 0 && (150...250).contains(pixel.red), "wall at \(x) \(y)")
                    wallColors.insert("\(pixel.red)")
                }
            }
        }
        #expect(roofs > 400 && grounds > 4000)
        // Two walls are visible, each in one color. At the edge between them, pixels have a color between.
        #expect(tilt == 0 || !wallColors.isEmpty)
    }

    /// Two corners of a roof at zoom 22, where a meter is 100 pt: within a tenth of a pixel, by the share of the pixels at its edges.
    @Test func precisionAtHighZoom() throws {
        let block = Block.box(2040, 2040, 8, 8, top: 0.5)
        let bitmap = try picture(map(tiles([block]), at: (2044, 2044), zoom: 22, size: (1500, 1500)))
        // Straight from above, the roof is enlarged about the center by D / (D - height).
        let unit = 512 * exp2(22.0 - 14) / 4096
        let height = 0.5 * 512 * exp2(22.0) / (2 * .pi * 6_378_137 * cos(Self.place(2044, 2044).lat * .pi / 180))
        let half = 4 * unit * 2250 / (2250 - height)
        let row = (0..<1500).reduce(0.0) { $0 + Double(bitmap[$1, 750].red) / 255 }
        #expect(abs(row - 2 * half) < 0.3, "\(row) instead of \(2 * half)")
    }

    // MARK: Surfaces

    /// Neighbors, buildings on top of others and buildings that overlap: the faces of one direction have one color, whatever is behind them.
    @Test(arguments: [(0.0, 60.0), (33.0, 70.0), (180.0, 45.0), (0.0, 0.0)]) func nothingFlickers(bearing: Double, tilt: Double) throws {
        let blocks = [
            Block.box(1950, 2000, 100, 100), .box(2050, 2000, 100, 100), .box(1950, 2100, 100, 60, top: 12),
            .box(1950, 2000, 100, 100, top: 45, bottom: 30), .box(2010, 1960, 80, 200, top: 18), .box(1950, 2000, 100, 100),
        ]
        let bitmap = try picture(map(tiles(blocks), zoom: 16.5, bearing: bearing, tilt: tilt))
        var counts: [Int: Int] = [:]
        for y in 0..<180 { for x in 0..<240 { counts[Int(bitmap[x, y].red) << 8 | Int(bitmap[x, y].blue), default: 0] += 1 } }
        // The ground, roofs, and two directions of walls. All else is edges.
        let large = counts.values.sorted(by: >).prefix(4).reduce(0, +)
        #expect(large > 240 * 180 * 93 / 100, "\(large)")
        #expect(counts[255 << 8] ?? 0 > 1000)
    }

    /// Translucent as one: every pixel is a mix of the opaque picture and the ground, also where buildings are behind others.
    @Test func translucentAsOne() throws {
        let blocks = [Block.box(1950, 2000, 100, 60), .box(1950, 2080, 200, 60, top: 15), .box(2080, 1990, 50, 60, top: 60)]
        func picture(_ style: BuildingStyle, alpha: Double, opacity: Double = 1) throws -> Bitmap {
            try self.picture(
                map(tiles(blocks), zoom: 16.5, bearing: 20, tilt: 60) {
                    $0.buildings = style
                    $0.opacity = opacity
                    $0.roleColors[.building] = Self.roof.withAlpha(alpha)
                })
        }
        let (opaque, ground) = (try picture(.extruded, alpha: 1), try picture(.none, alpha: 1))
        let (translucent, layer) = (try picture(.extruded, alpha: 0.4), try picture(.extruded, alpha: 1, opacity: 0.4))
        var (largest, largestOfLayer) = (0.0, 0.0)
        for index in opaque.pixels.indices {
            let (solid, beneath) = (Double(opaque.pixels[index]), Double(ground.pixels[index]))
            largest = max(largest, abs(Double(translucent.pixels[index]) - 0.4 * solid - 0.6 * beneath))
            largestOfLayer = max(largestOfLayer, abs(Double(layer.pixels[index]) - 0.4 * solid))
        }
        #expect(largest <= 1.5 && largestOfLayer <= 1.5, "\(largest) \(largestOfLayer)")
        #expect(count(opaque) { $0.red > 100 } > 4000)
    }

    // MARK: Models

    private func model(at place: (Double, Double), height: Double) -> LocalModel {
        let model = LocalModel(mesh: .box([-6, -6, 0], [6, 6, Float(height)]), coordinates: Self.place(place.0, place.1))
        model.material.diffuse = Color(hex: 0x00FF00)
        return model
    }

    /// Buildings hide models behind them, and only those.
    @Test(arguments: [1, 4]) func buildingsHideModels(samples: Int) throws {
        func green(_ style: BuildingStyle, _ place: (Double, Double), height: Double, alpha: Double = 1) throws -> Int {
            let map = map(tiles([.box(1990, 2030, 120, 40, top: 20)]), zoom: 17, tilt: 60) { $0.buildings = style }
            map.modelSamples = samples
            let model = model(at: place, height: height)
            model.alpha = alpha
            map.add(model)
            return count(try picture(map)) { $0.green > 60 }
        }
        let behind = (2048.0, 2010.0)
        #expect(try green(.none, behind, height: 10) > 100)
        #expect(try green(.extruded, behind, height: 10) == 0)
        #expect(try green(.extruded, behind, height: 10, alpha: 0.5) == 0)
        // The upper part of a tower rises above the building.
        let tower = (try green(.none, behind, height: 34), try green(.extruded, behind, height: 34))
        #expect(tower.1 > 100 && tower.1 < tower.0 * 3 / 4, "\(tower)")
        let before = (2048.0, 2110.0)
        #expect(try green(.extruded, before, height: 10) == green(.none, before, height: 10))
        #expect(try green(.extruded, before, height: 10, alpha: 0.5) == green(.none, before, height: 10, alpha: 0.5))
    }

    /// Markers behind a building fade if they are to. Those in front of it, and those without `occludedAlpha`, do not.
    @Test func markersBehindBuildings() throws {
        let map = map(tiles([.box(1990, 2030, 120, 40, top: 20)]), zoom: 17, tilt: 60)
        func put(_ id: String, _ y: Double) {
            let marker = Marker(position: Self.place(2048, y))
            (marker.id, marker.occludedAlpha) = (id, 0.25)
            map.add(marker)
        }
        put("behind", 2010)
        put("before", 2110)
        put("far behind", 1700)
        let entries = try Composer.of(map).place(map).inspection().overlays
        #expect(entries.map(\.id) == ["behind", "before", "far behind"] && entries.map(\.isOccluded) == [true, false, false])
        map.baseMap[0].buildings = .flat
        #expect(try Composer.of(map).place(map).inspection().overlays.allSatisfy { $0.isOccluded == false })
    }

    /// Models hide buildings behind them, and everything that is not a model lies above buildings.
    @Test func overlaysLieAbove() throws {
        let map = map(tiles([.box(1990, 2030, 120, 40, top: 20)]), zoom: 17, tilt: 60)
        let line = Polyline(points: [Self.place(1990, 2000), Self.place(2110, 2000)])
        (line.color, line.width) = (.white, 6)
        map.add(line)
        map.add(model(at: (2048, 2110), height: 40))
        let bitmap = try picture(map)
        #expect(count(bitmap) { $0.green > 60 && $0.red < 60 } > 400)
        #expect(count(bitmap) { $0 == Color.white.premultipliedBytes } > 100)
        // Without models, nothing is drawn for their sake.
        let alone = self.map(tiles([.box(1990, 2030, 120, 40)]))
        #expect(try Composer.of(alone).place(alone).frame.commands.count == 4)
    }

    // MARK: Tiles

    /// A building across two tiles looks as if it were in one: no hole and no wall is visible at the border.
    @Test(arguments: [(0.0, 60.0), (90.0, 70.0), (180.0, 60.0), (20.0, 0.0)]) func bordersOfTilesAreInvisible(bearing: Double, tilt: Double)
        throws
    {
        let blocks = [Block.box(1990, 4040, 120, 120), .box(2120, 4000, 40, 96), .box(2120, 4096, 40, 50)]
        let both = try picture(map(tiles(blocks), at: (2048, 4096), bearing: bearing, tilt: tilt))
        // The same buildings, moved into one tile by less than changes the height.
        let moved = blocks.map { block in
            var block = block
            block.corners = block.corners.map { ($0.0, $0.1 - 256) }
            return block
        }
        let one = try picture(map(tiles(moved), at: (2048, 3840), bearing: bearing, tilt: tilt))
        let differences = zip(both.pixels, one.pixels).map { abs(Int($0) - Int($1)) }
        #expect(differences.count { $0 > 40 } < 160, "\(differences.count { $0 > 40 })")
        // Nothing but single pixels at edges.
        let wrong = (1..<179).reduce(0) { sum, y in
            sum
                + (1..<239).count { x in
                    (-1...1).allSatisfy { dy in (-1...1).allSatisfy { dx in differences[4 * ((y + dy) * 240 + x + dx)] > 12 } }
                }
        }
        #expect(wrong == 0)
    }

    /// Where a tile is missing, a wall closes the rest of a building.
    @Test func missingTile() throws {
        let block = Block.box(1990, 4000, 120, 200)
        func red(rows: [Int]) throws -> Set<UInt8> {
            let bitmap = try picture(map(tiles([block], rows: rows), at: (2048, 4150), zoom: 16, tilt: 60))
            // Beyond the missing tile, nothing is drawn.
            let reds = (0..<180).map { bitmap[120, $0] }.filter { $0.blue == 0 && $0.alpha == 255 }.map(\.red)
            // Not the pixels at edges.
            return Set(reds.filter { red in reds.count { $0 == red } > 2 })
        }
        // The south wall and the roof, in one column from above.
        let (cut, whole) = (try red(rows: [0]), try red(rows: [0, 1]))
        #expect(cut == whole)
        #expect(try red(rows: [0]).count >= 2)
    }

    /// Blocks of map tiles continue each other at their edges, where buildings would lean to both sides.
    @Test func mapTilesShowFlatBuildings() throws {
        let map = map(tiles([.box(1990, 2000, 120, 90)]))
        #expect(try Composer.of(map).place(map).frame.meshInstances.count > 0)
        map.continuesBeyondEdges = true
        let placement = try Composer.of(map).place(map)
        #expect(placement.frame.meshInstances.isEmpty && placement.diagnostics.contains { $0.path == "basemap.buildings" })
    }

    /// A prong on each side of a tile's border: nothing closes the gap between the two.
    @Test func cutTwice() throws {
        let block = Block(corners: [
            (1990, 3900), (2110, 3900), (2110, 4150), (2080, 4150), (2080, 4000), (2020, 4000), (2020, 4150), (1990, 4150),
        ])
        let map = map(tiles([block], rows: [0]), at: (2050, 4100), zoom: 18, tilt: 60)
        let bitmap = try picture(map)
        // A meter above the border.
        func pixel(_ x: Double) throws -> Bitmap.Pixel {
            var place = Self.place(x, 4096)
            place.altitude = 1
            let point = try #require(map.point(from: place))
            return bitmap[Int(point.x), Int(point.y)]
        }
        #expect(try pixel(2050) == Self.land.premultipliedBytes)
        #expect(try pixel(2005).blue == 0 && pixel(2095).blue == 0)
    }

    /// A tower whose ground is below the picture rises into it.
    @Test func towersRiseIntoThePicture() throws {
        let source = tiles([.box(2000, 4110, 100, 50, top: 36)])
        let map = map(source, at: (2050, 3960), zoom: 17, tilt: 60)
        #expect(try #require(map.visibleBounds).south > Self.place(0, 4096).lat)
        #expect(count(try picture(map)) { $0.red > 100 } > 300)
        // Flat, the lower tile is not even read.
        let flat = tiles([.box(2000, 4110, 100, 50, top: 36)])
        _ = try picture(self.map(flat, at: (2050, 3960), zoom: 17, tilt: 60) { $0.buildings = .flat })
        #expect(Set(flat.readAddresses.map(\.y)) == [Self.row] && Set(source.readAddresses.map(\.y)) == [Self.row, Self.row + 1])
    }

    /// Below their lowest zoom, buildings are flat.
    @Test func zooms() throws {
        let source = tiles([.box(1990, 2030, 120, 40)])
        func hasMeshes(_ zoom: Double) throws -> Bool {
            let map = map(source, zoom: zoom)
            return try !Composer.of(map).place(map).frame.meshes.isEmpty
        }
        #expect(try !hasMeshes(14.99) && hasMeshes(15) && hasMeshes(24))
    }

    // MARK: Sky

    /// Buildings fade where the ground beneath them fades. A building as low as a carpet looks like an area.
    @Test func fadeIntoTheSky() throws {
        func picture(_ style: BuildingStyle, _ sky: Sky) throws -> Bitmap {
            let block = Block(corners: [(0, -50), (4096, -50), (4096, 8300), (0, 8300)], top: 0.001)
            let map = map(tiles([block]), at: (2048, 7900), zoom: 15.1, bearing: 3, tilt: 80, size: (90, 60)) { $0.buildings = style }
            map.sky = sky
            return try self.picture(map)
        }
        for sky in [Sky(horizon: Color(hex: 0xFFFFFF), zenith: Color(hex: 0x808080)), Sky(.clear)] {
            let (flat, extruded) = (try picture(.flat, sky), try picture(.extruded, sky))
            let differences = zip(flat.pixels, extruded.pixels).map { abs(Int($0) - Int($1)) }
            // The outline of a flat building, and the ground beneath one that fades into transparency.
            #expect(differences.count { $0 > 3 } < (sky == Sky(.clear) ? 3000 : 400), "\(differences.count { $0 > 3 })")
            #expect(Set((0..<60).map { flat[45, $0].alpha }).count > (sky == Sky(.clear) ? 4 : 0))
        }
    }

    /// A tower that is higher than the camera stands before the sky.
    @Test func towersBeforeTheSky() throws {
        let map = map(tiles([.box(2000, 1900, 100, 60, top: 300)]), zoom: 17, tilt: 80)
        map.sky = Sky(.white)
        let bitmap = try picture(map)
        let row = (0..<240).map { bitmap[$0, 3] }
        #expect(row.contains { $0.blue == 0 } && row.contains(Color.white.premultipliedBytes))
    }

    // MARK: Hostile tiles

    /// A footprint with so many corners that its roof would take minutes is drawn flat, and the others are extruded.
    @Test func hugeFootprint() throws {
        let turns = (0..<16000).map { Double($0) * 0.003 }
        func point(_ turn: Double, _ radius: Double) -> (Int, Int) {
            (2048 + Int((cos(turn) * (radius + turn * 30)).rounded()), 2048 + Int((sin(turn) * (radius + turn * 30)).rounded()))
        }
        let spiral = Block(corners: turns.map { point($0, 100) } + turns.reversed().map { point($0, 180) }, top: 50)
        let map = map(tiles([spiral, .box(2000, 2000, 60, 60, top: 20)]), zoom: 15, tilt: 50)
        let frame = try Composer.of(map).place(map).frame
        let triangles = frame.meshes.reduce(0) { $0 + $1.indices.count / 3 }
        #expect(triangles == 10)
        #expect(frame.paths.count == 2)
        #expect(count(try picture(map)) { $0.red > 100 } > 200)
    }

    /// The same picture from any state of the caches.
    @Test func deterministic() throws {
        let blocks = (0..<60).map { Block.box(1500 + $0 % 10 * 100, 1700 + $0 / 10 * 110, 70 + $0, 80, top: Double(10 + $0 * 7 % 40)) }
        func frame() throws -> Frame {
            let map = map(tiles(blocks), zoom: 16, bearing: 40, tilt: 60)
            return try Composer.of(map).place(map).frame
        }
        let first = try frame()
        #expect(try first == frame() && first.meshInstances.count > 1)
    }
}
