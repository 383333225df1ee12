import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport
import WaymarkTiles

/// A source without tiles.
private final class NoTiles: TileSource {
    let info: TileSetInfo

    init(_ info: TileSetInfo = TileSetInfo(maxZoom: 24)) { self.info = info }

    func tile(at address: TileAddress) -> TileData? { nil }
}

@Suite struct TileCoverTests {
    private func tiles(_ mapView: MapView) throws -> (tiles: [GroundTile], filter: TileDrawing.Filter?) {
        let frame = try mapView.frame()
        for command in frame.commands { if case .tiles(_, let drawing) = command { return (frame.tiles, drawing.filter) } }
        return ([], nil)
    }

    private func map(_ random: inout SplitMix64, tilt: ClosedRange<Double>, _ info: TileSetInfo) -> MapView {
        let design = DesignCamera(random: &random, zoom: 0...24, tilt: tilt)
        let map = MapView(design, pixelRatio: random.one(of: [0.5, 1, 1.5, 2, 3]))
        map.baseMap = [BaseMapLayer(source: NoTiles(info))]
        return map
    }

    @Test(arguments: Seeds.all) func everyVisiblePointOfTheWorldLiesInOneTileThatIsFineEnough(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let info = TileSetInfo(maxZoom: random.integer(0...24), tileSize: random.one(of: [256, 512]))
        let map = map(&random, tilt: 0...80, info)
        let viewport = try map.viewport()
        let (tiles, filter) = try tiles(map)
        #expect(filter != nil)
        let depthOfPixel = { (depth: Double) in depth / viewport.cameraDistance / map.pixelRatio }
        let most = 256 + 4 * (Double(viewport.deviceWidth * viewport.deviceHeight) / Double(info.tileSize * info.tileSize) + 1)
        #expect(Double(tiles.count) <= most * 1.5)
        var checked = 0
        for _ in 0..<200 {
            let point = CGPoint(x: random.number(0...map.size.width), y: random.number(0...map.size.height))
            guard let offset = viewport.groundOffset(at: point) else { continue }
            let depth = viewport.project(offsetX: offset.x, offsetY: offset.y, height: 0).depth
            let (x, y) = (viewport.centerX + offset.x / viewport.worldSize, viewport.centerY + offset.y / viewport.worldSize)
            guard depth < viewport.farDepth * 0.9999, depth > viewport.nearDepth, y > 0, y < 1, x > -3, x < 4 else { continue }
            checked += 1
            // Points on an edge are useless, and offsets are floats.
            let around = tiles.filter { tile in
                let slack = Double(tile.east - tile.west) * 1e-4
                return Double(tile.west) - slack < offset.x && offset.x < Double(tile.east) + slack && Double(tile.north) - slack < offset.y
                    && offset.y < Double(tile.south) + slack
            }
            let isOnEdge = around.contains { tile in
                let slack = Double(tile.east - tile.west) * 1e-4
                let edges: [Double] = [
                    offset.x - Double(tile.west), Double(tile.east) - offset.x, offset.y - Double(tile.north),
                    Double(tile.south) - offset.y,
                ]
                return edges.contains { abs($0) < slack }
            }
            if isOnEdge { continue }
            #expect(around.count == 1, "at \(point), seed \(seed)")
            guard let tile = around.first else { continue }
            // The address of the position.
            let side = Double(1 << tile.address.zoom)
            let (column, row) = (WebMercator.wrap(x) * side, y * side)
            #expect(tile.address.y == Int(row.rounded(.down)))
            #expect(tile.address.x == Int(column.rounded(.down)))
            // Across the view, a texel is not much larger than a pixel, or than an eighth of it along the view.
            let texel = Double(tile.east - tile.west) / Double(info.tileSize)
            let slant = depth / (viewport.cameraDistance * viewport.projection.cosTilt)
            #expect(texel <= depthOfPixel(depth) * max(1, slant / 8) * 1.4151 || tile.address.zoom == 30)
        }
        #expect(checked > 0 || tiles.isEmpty)
    }

    /// Tiles of up to 2048 pixels a side are drawn coarser where a picture would need very many of them: a tile takes some 24 MB.
    @Test(arguments: Seeds.all) func tilesOfManyPixelsAreFew(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var info = TileSetInfo(maxZoom: 24, tileSize: 512)
        info.pixelsPerPoint = random.one(of: [2, 4])
        let side = 512 * info.pixelsPerPoint
        let map = map(&random, tilt: 0...80, info)
        let viewport = try map.viewport()
        let picture = (Double(viewport.deviceWidth * viewport.deviceHeight) / (side * side)).rounded(.up)
        // The limit, and the subdivisions by which neighbors differ by at most one zoom.
        let limit = max(16, 0x1p25 / (side * side)) + 4 * picture
        #expect(try Double(tiles(map).tiles.count) <= 1.5 * limit)
    }

    @Test(arguments: Seeds.all) func noCornerLiesOnTheSideOfAnotherTileThatHasNoneThere(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let map = map(&random, tilt: 30...80, TileSetInfo(maxZoom: 24, tileSize: random.one(of: [256, 512])))
        let (tiles, _) = try tiles(map)
        // Vertices by their numbers: vertices at the same position have the same bits.
        var corners: Set<SIMD2<Float>> = []
        for tile in tiles {
            for x in [tile.west, tile.east] { for y in [tile.north, tile.south] { corners.insert([x, y]) } }
        }
        for tile in tiles {
            let middles: [(GroundTile.Sides, SIMD2<Float>)] = [
                (.north, [tile.middleX, tile.north]), (.east, [tile.east, tile.middleY]), (.south, [tile.middleX, tile.south]),
                (.west, [tile.west, tile.middleY]),
            ]
            for (side, middle) in middles {
                #expect(tile.splitSides.contains(side) == corners.contains(middle), "\(tile)")
            }
            // Neither are there corners at the quarters: neighbors differ by one zoom at most.
            let quarters = [(tile.west + tile.middleX) / 2, (tile.middleX + tile.east) / 2]
            let width = tile.east - tile.west
            for corner in corners where corner.y == tile.north || corner.y == tile.south {
                #expect(!quarters.contains { abs($0 - corner.x) < width / 64 })
            }
        }
    }

    @Test func wholeZoomsAreExactAndSnapped() throws {
        let map = MapView(300, 200, Camera(center: LatLng(lat: 37.5, lng: 127), zoom: 5))
        for (tileSize, zoom, ratio) in [(256, 6, 1.0), (512, 5, 1.0), (256, 7, 2.0), (512, 6, 2.0)] {
            map.pixelRatio = ratio
            map.baseMap = [BaseMapLayer(source: NoTiles(TileSetInfo(tileSize: tileSize)))]
            let (tiles, filter) = try tiles(map)
            #expect(filter == .exact && !tiles.isEmpty)
            for tile in tiles {
                #expect(tile.address.zoom == zoom)
                #expect((Double(tile.east) - Double(tile.west)) * ratio == Double(tileSize))
                let left = (150 + Double(tile.west)) * ratio
                #expect(abs(left - left.rounded()) < 1e-3)
            }
        }
        map.camera.zoom = 5.25
        #expect(try tiles(map).filter == .linear)
        map.camera.zoom = 5
        map.camera.bearing = 90
        #expect(try tiles(map).filter == .linear)
        map.camera.bearing = 0
        map.camera.tilt = 1
        #expect(try tiles(map).filter == .mipmapped)
    }

    @Test func theNearestZoomIsTaken() throws {
        let map = MapView(300, 200)
        map.baseMap = [BaseMapLayer(source: NoTiles(TileSetInfo(tileSize: 512)))]
        for (zoom, expected) in [(3.0, 3), (3.49, 3), (3.5, 4), (3.51, 4), (4, 4)] {
            map.camera.zoom = zoom
            #expect(try tiles(map).tiles.allSatisfy { $0.address.zoom == expected })
        }
    }

    @Test func aSetIsShownWithinItsBoundsAndNotFarBelowItsFirstZoom() throws {
        let map = MapView(512, 512)
        let info = TileSetInfo(minZoom: 2, tileSize: 512, bounds: TileBounds(west: 170, south: -10, east: -170, north: 10))
        map.baseMap = [BaseMapLayer(source: NoTiles(info))]
        map.camera.center = LatLng(lat: 0, lng: 180)
        map.camera.zoom = 2
        #expect(
            Set(try tiles(map).tiles.map(\.address)) == [
                TileAddress(zoom: 2, x: 3, y: 1), TileAddress(zoom: 2, x: 0, y: 1), TileAddress(zoom: 2, x: 3, y: 2),
                TileAddress(zoom: 2, x: 0, y: 2),
            ])
        // Two zooms below the first, they are drawn small.
        map.camera.zoom = 0
        let small = try tiles(map)
        #expect(small.filter == .mipmapped && small.tiles.allSatisfy { $0.address.zoom == 2 } && !small.tiles.isEmpty)
        let far = TileSetInfo(minZoom: 3, tileSize: 512)
        map.baseMap = [BaseMapLayer(source: NoTiles(far))]
        #expect(try tiles(map).tiles.isEmpty)
    }

    @Test func layersHaveZoomsOpacityAndVisibility() throws {
        let map = MapView(64, 64)
        map.camera.zoom = 4
        var layer = BaseMapLayer(source: NoTiles(), opacity: 0.5)
        map.baseMap = [layer, layer]
        let frame = try map.frame()
        #expect(frame.tileSets.count == 2 && frame.description.contains("alpha 0.500"))
        layer.isVisible = false
        map.baseMap = [layer]
        #expect(try map.frame().tiles.isEmpty)
        layer.isVisible = true
        (layer.minZoom, layer.maxZoom) = (4.5, 6)
        map.baseMap = [layer]
        #expect(try map.frame().tiles.isEmpty)
        layer.minZoom = 4
        map.baseMap = [layer]
        #expect(try !map.frame().tiles.isEmpty)
        layer.opacity = 1.5
        map.baseMap = [layer]
        let placement = try map.placement()
        #expect(placement.diagnostics.words == ["warning: basemap.opacity: 1.5 is outside 0…1; the layer is left out"])
        #expect(placement.frame.tiles.isEmpty)
    }

    @Test func theSkyIsDrawnWhereTheGroundEnds() throws {
        let map = MapView(200, 200)
        map.camera = Camera(zoom: 8, tilt: 80)
        // Without a base map and without a color, no sky is drawn.
        #expect(try map.frame().commands.isEmpty)
        let fade = try #require(try map.viewport().groundFade)
        func sky(_ horizon: Color, _ zenith: Color? = nil) -> Command {
            .sky(FrameSky(horizon: horizon, zenith: zenith ?? horizon, fade: fade))
        }
        map.background = .white
        map.baseMap = [BaseMapLayer(source: NoTiles())]
        #expect(try map.frame().commands.last == sky(.white))
        map.sky = Sky(.red)
        #expect(try map.frame().commands.last == sky(.red))
        map.baseMap = []
        #expect(try map.frame().commands == [sky(.red)])
        map.sky = Sky(horizon: .white, zenith: .blue)
        #expect(try map.frame().commands == [sky(.white, .blue)])
        map.sky = Sky(horizon: .white, zenith: Color(red: 2, green: 0, blue: 0, alpha: 1))
        #expect(try map.frame().commands.isEmpty)
        #expect(
            try map.placement().diagnostics.words == ["warning: sky: a channel is outside 0…1; the sky has the color of the background"])
        map.sky = Sky(.red)
        map.camera.tilt = 20
        #expect(try map.frame().commands.isEmpty)
    }

    @Test func creditsAreDrawnOnceEachUnlessTheyAreSwitchedOff() throws {
        let map = MapView(400, 200)
        let one = TileSetInfo(attribution: "<a href=\"https://example.org/?a=1&amp;b=2\">&copy; One &amp; Co</a>")
        let two = TileSetInfo(attribution: "Two<br>&#8211; three")
        map.baseMap = [one, two, one].map { BaseMapLayer(source: NoTiles($0)) }
        let frame = try map.frame()
        #expect(frame.images.map(\.name) == ["label “© One & Co | Two – three”"])
        #expect(frame.commands.last == .sprites(0..<1, .nearest))
        let sprite = try #require(frame.sprites.first)
        #expect(sprite.x + sprite.acrossX == 400 && sprite.y + sprite.downY == 200)
        #expect(try map.inspection().attribution == "© One & Co | Two – three")
        map.showsAttribution = false
        #expect(try map.frame().sprites.isEmpty && map.inspection().attribution == nil)
    }
}
