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
        #expect(problem(0...3, 512, 1.5) == "pixelRatio: 1.5 makes tiles of 768 pixels per side, which must be a power of two up to 2048")
        #expect(problem(0...3, 512, 8) == "pixelRatio: 8 makes tiles of 4096 pixels per side, which must be a power of two up to 2048")
        #expect(problem(0...3, 256, 0.5) == "pixelRatio: 0.5 is less than 1, the minimum for tiles of 256 pt at zoom 0")
        #expect(problem(1...3, 256, 0.5) == "none")
    }
}
