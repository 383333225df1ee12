import Foundation
import Testing
import Waymark
import WaymarkTiles

@Suite struct TilePlanTests {
    @Test(arguments: [(256, 1.0), (256, 2), (512, 0.5), (512, 1), (512, 2), (512, 4)]) func everyTileIsInOneBlock(
        tileSize: Int, ratio: Double
    ) throws {
        let plan = try TilePlan(zooms: 0...8, tileSize: tileSize, pixelRatio: ratio)
        #expect(plan.tileCount == (0...8).reduce(0) { $0 + 1 << (2 * $1) })
        var nextPart = 0
        for zoom in plan.zooms {
            var seen = Set<TileAddress>()
            for block in plan.blocks(ofZoom: zoom) {
                #expect(block.firstPart == nextPart)
                nextPart += block.rows
                for row in 0..<block.rows {
                    for column in 0..<block.columns {
                        let tile = TileAddress(zoom: zoom, x: block.x + column, y: block.y + row)
                        #expect(tile.isValid && seen.insert(tile).inserted)
                    }
                }
                let view = plan.view(of: block)
                let viewport = try Viewport(camera: view.camera, size: view.size, pixelRatio: view.pixelRatio)
                #expect(viewport.deviceWidth == block.columns * plan.side && viewport.deviceHeight == block.rows * plan.side)
            }
            #expect(seen.count == 1 << (2 * zoom))
        }
    }

    /// The corners of tiles are where Web Mercator has them, to a thousandth of a pixel.
    @Test(arguments: [(256, 1.0), (512, 1), (512, 2)]) func cornersOfTiles(tileSize: Int, ratio: Double) throws {
        let plan = try TilePlan(zooms: 0...16, tileSize: tileSize, pixelRatio: ratio)
        for zoom in [0, 1, 5, 8, 16] {
            let blocks = plan.blocks(ofZoom: zoom > 8 ? 8 : zoom)
            var block = try #require(blocks.last)
            if zoom > 8 {
                (block.zoom, block.x, block.y) = (zoom, 12_345 / block.columns * block.columns, 54_321 / block.rows * block.rows)
            }
            let view = plan.view(of: block)
            let viewport = try Viewport(camera: view.camera, size: view.size, pixelRatio: view.pixelRatio)
            let count = Double(1 << zoom)
            for (column, row) in [(0, 0), (block.columns / 2, block.rows / 2), (block.columns, block.rows)] {
                let (x, y) = (Double(block.x + column) / count, Double(block.y + row) / count)
                // A little inside, because longitudes repeat and latitudes end at the world's edges.
                let corner = LatLng(lat: WebMercator.latitude(fromY: min(max(y, 1e-7), 1 - 1e-7)), lng: WebMercator.longitude(fromX: x))
                let offset = (
                    (WebMercator.x(lng: corner.lng) - viewport.centerX) * viewport.worldSize, (y - viewport.centerY) * viewport.worldSize
                )
                let point = viewport.project(offsetX: offset.0, offsetY: offset.1, height: 0)
                let world = viewport.worldSize
                let expected = (Double(column * plan.side) / view.pixelRatio, Double(row * plan.side) / view.pixelRatio)
                let dx = (point.x - expected.0).remainder(dividingBy: world)
                #expect(abs(dx) < 1e-3 && abs(point.y - expected.1) < 1e-3, "\(zoom) \(column) \(row): \(point) \(expected)")
            }
        }
    }

    /// Bounds of land, across ±180°, of a point, at the edges of the map, and of the whole world.
    @Test(arguments: [
        TileBounds(west: 126.7, south: 37.4, east: 127.2, north: 37.7), TileBounds(west: 170, south: -20, east: -175, north: 10),
        TileBounds(west: 10, south: 20, east: 10, north: 20), TileBounds(west: -180, south: -90, east: -90, north: -86),
        TileBounds(west: -10, south: 86, east: 190, north: 90), .world,
    ]) func boundsHaveTheTilesThatTheyOverlap(bounds: TileBounds) throws {
        var plan = try TilePlan(zooms: 0...6, tileSize: 256, mostWidth: 1024, mostHeight: 512)
        let all = plan.zooms.flatMap(plan.blocks).flatMap(tiles)
        plan.restrict(to: bounds)
        #expect(plan.bounds == bounds)
        let width = bounds.east < bounds.west ? bounds.east + 360 - bounds.west : bounds.east - bounds.west
        let overlapped = all.filter { tile in
            let side = 360 / Double(1 << tile.zoom)
            // Of the tile on three copies of the world.
            let isBeside = (-1...1).contains { copy in
                let west = Double(tile.x) * side - 180 + Double(copy) * 360
                return west < bounds.west + max(width, 1e-9) && west + side > bounds.west
            }
            let rows = Double(1 << tile.zoom)
            let north = tile.y == 0 ? 90 : WebMercator.latitude(fromY: Double(tile.y) / rows)
            let south = tile.y + 1 == 1 << tile.zoom ? -90 : WebMercator.latitude(fromY: Double(tile.y + 1) / rows)
            return isBeside && south < max(bounds.north, bounds.south + 1e-9) && north > bounds.south
        }
        let planned = plan.zooms.flatMap(plan.blocks).flatMap(tiles)
        #expect(planned.sorted() == overlapped.sorted())
        #expect(plan.tileCount == planned.count)
        #expect((0..<plan.tileCount).map(plan.tile).sorted() == planned.sorted())
        // Parts are numbered without gaps.
        #expect(plan.zooms.flatMap(plan.blocks).reduce(0) { part, block in block.firstPart == part ? part + block.rows : -1 } > 0)
    }

    private func tiles(_ block: TilePlan.Block) -> [TileAddress] {
        (0..<block.rows).flatMap { row in (0..<block.columns).map { block.address(column: $0, row: row) } }
    }

    /// Every tile in which an overlay shows is in the plan, and the archive's bounds overlap it.
    @Test func overlaysHaveTheTilesInWhichTheyShow() throws {
        let mapView = MapView(size: CGSize(width: 10, height: 10))
        var plan = try TilePlan(zooms: 0...12)
        #expect(try !plan.restrict(toOverlaysOf: mapView))
        #expect(plan == (try TilePlan(zooms: 0...12)))
        // On both sides of ±180°, and just west of the border of tiles at longitude 178.59375.
        mapView.add(Marker(position: LatLng(lat: 37.5, lng: 178.5937)))
        mapView.add(Marker(position: LatLng(lat: 37.6, lng: -179.9)))
        #expect(try plan.restrict(toOverlaysOf: mapView))
        #expect(plan.bounds.west < 178.5938 && plan.bounds.west > 177 && plan.bounds.east > -179.9 && plan.bounds.east < -178)
        #expect(plan.tileCount < 400)
        var bounded = try TilePlan(zooms: 0...12)
        bounded.restrict(to: plan.bounds)
        let planned = Set(plan.zooms.flatMap(plan.blocks).flatMap(tiles))
        #expect(planned.isSubset(of: bounded.zooms.flatMap(bounded.blocks).flatMap(tiles)))
        for zoom in plan.zooms {
            let world = Double(1 << zoom)
            for position in [LatLng(lat: 37.5, lng: 178.5937), LatLng(lat: 37.6, lng: -179.9)] {
                let (x, y) = (WebMercator.x(lng: position.lng) * world, try #require(WebMercator.y(lat: position.lat)) * world)
                // The corners of the icon, which is 26 × 36 pt above the position.
                for (dx, dy) in [(-13.0, -36.0), (13, -36), (-13, 0), (13, 0)] {
                    let column = Int((x + dx / 512).rounded(.down)) & (1 << zoom - 1)
                    #expect(planned.contains(TileAddress(zoom: zoom, x: column, y: Int(y + dy / 512))))
                }
            }
        }
    }

    @Test func whatCannotBeDrawn() {
        func problem(_ zooms: ClosedRange<Int>, _ tileSize: Int, _ ratio: Double) -> String {
            do {
                _ = try TilePlan(zooms: zooms, tileSize: tileSize, pixelRatio: ratio)
                return "none"
            } catch {
                return "\(error.path): \(error.problem)"
            }
        }
        #expect(problem(0...17, 512, 1) == "zooms: 17 is outside 0…16")
        #expect(problem(-1...3, 512, 1) == "zooms: -1 is outside 0…16")
        #expect(problem(0...3, 300, 1) == "tileSize: 300 is neither 256 nor 512")
        #expect(problem(0...3, 512, 9) == "pixelRatio: 9 is outside 0.5…8")
        #expect(problem(0...3, 512, 1.001) == "pixelRatio: 1.001 times 512 pt is not a whole number of pixels")
        #expect(
            problem(0...3, 512, 1.5)
                == "pixelRatio: 1.5 makes tiles of 768 pixels per side, but the side must be a power of two up to 2048")
        #expect(
            problem(0...3, 512, 8)
                == "pixelRatio: 8 makes tiles of 4096 pixels per side, but the side must be a power of two up to 2048")
        #expect(problem(0...3, 256, 0.5) == "pixelRatio: 0.5 is less than 1, the minimum for tiles of 256 pt at zoom 0")
        #expect(problem(1...3, 256, 0.5) == "none")
    }
}
