import Foundation
import Synchronization
import Testing
import Waymark
import WaymarkTestSupport
import WaymarkTiles

@Suite struct TileRunTests {
    private let scratch = ScratchFolder()

    init() { PinnedRasterizer.pin }

    /// A marker whose caption crosses the border of tiles, an area and a line over many of them.
    private func map() -> MapView {
        let mapView = MapView(size: CGSize(width: 100, height: 100))
        let marker = Marker(position: LatLng(lat: 1, lng: 0.5))
        marker.captionText = "A caption across the borders"
        mapView.add(marker)
        let ring = [LatLng(lat: 20, lng: 10), LatLng(lat: 60, lng: 30), LatLng(lat: 40, lng: 120), LatLng(lat: -30, lng: 60)]
        let area = Polygon(points: ring)
        area.fillColor = Color(red: 0.2, green: 0.6, blue: 0.3)
        mapView.add(area)
        mapView.add(Polyline(points: [LatLng(lat: -50, lng: -170), LatLng(lat: 10, lng: -20), LatLng(lat: 70, lng: -100)]))
        return mapView
    }

    private func makeSpool(_ name: String, isResuming: Bool = false) throws -> TileSpool {
        try TileSpool("\(scratch.path)/\(name)", fingerprint: 1, renderer: "tests", isResuming: isResuming)
    }

    private func draw(
        _ plan: TilePlan, into spool: TileSpool, _ mapView: MapView, renderer: Renderer, report: (TileProgress) -> Bool = { _ in true }
    ) throws -> Bool {
        try TileRun(plan, of: mapView, with: renderer, into: spool, as: .png, options: EncodingOptions(), threadCount: 2)
            .draw(report: report, diagnose: { #expect($0.isEmpty, "\($0)") })
    }

    private func archive(_ spool: TileSpool, _ plan: TilePlan, _ name: String) throws -> any TileSource {
        let info = TileSetInfo(minZoom: plan.zooms.lowerBound, maxZoom: plan.zooms.upperBound, tileSize: plan.tileSize)
        let description = TileArchiveDescription(info: info, format: .png, isRetina: plan.pixelRatio == 2)
        try TileArchiveWriter.write(spool, description, as: .pmtiles, to: "\(scratch.path)/\(name)")
        return try TileArchive.open("\(scratch.path)/\(name)")
    }

    /// Each tile has the pixels of one picture of the whole zoom; the caption continues from one tile to the next.
    @Test(arguments: [(512, 1.0, 2), (256, 2, 3), (256, 1, 1)]) func tilesArePartsOfOnePicture(tileSize: Int, ratio: Double, zoom: Int)
        throws
    {
        let renderer = try Renderer(device: .software)
        let mapView = map()
        let plan = try TilePlan(zooms: zoom...zoom, tileSize: tileSize, pixelRatio: ratio)
        let spool = try makeSpool("spool")
        #expect(try draw(plan, into: spool, mapView, renderer: renderer))
        let source = try archive(spool, plan, "a.pmtiles")
        #expect(source.info.tileSize == tileSize)

        let (cameraZoom, _) = plan.scale(ofZoom: zoom)
        mapView.camera = Camera(center: LatLng(lat: 0, lng: 0), zoom: cameraZoom)
        mapView.size = CGSize(width: tileSize << zoom, height: tileSize << zoom)
        mapView.pixelRatio = ratio
        let whole = try renderer.render(mapView).bitmap
        var (drawn, empty) = (0, 0)
        for y in 0..<1 << zoom {
            for x in 0..<1 << zoom {
                var part = Bitmap(width: plan.side, height: plan.side)
                for row in 0..<plan.side {
                    for column in 0..<plan.side { part[column, row] = whole[x * plan.side + column, y * plan.side + row] }
                }
                let tile = try source.tile(at: TileAddress(zoom: zoom, x: x, y: y))
                guard case .encoded(let bytes)? = tile else {
                    #expect(part == Bitmap(width: plan.side, height: plan.side), "\(x)/\(y)")
                    empty += 1
                    continue
                }
                #expect(try Bitmap(decoding: bytes).largestDifference(to: part) <= 1, "\(x)/\(y)")
                drawn += 1
            }
        }
        #expect(drawn > 0 && (zoom < 2 || empty > 0))
    }

    /// A few of a thousand tiles show something: the markers at the ends and in the middle of a large area.
    @Test func theEstimateOfASparseMap() throws {
        let renderer = try Renderer(device: .software)
        let mapView = MapView(size: CGSize(width: 100, height: 100))
        for (lat, lng) in [(0.0, 0.0), (0.5, 1), (0.2, 0.3), (0.4, 0.1), (0.1, 0.8)] {
            mapView.add(Marker(position: LatLng(lat: lat, lng: lng)))
        }
        mapView.add(Polyline(points: [LatLng(lat: 0.3, lng: 0.5), LatLng(lat: 0.31, lng: 0.52)]))
        var plan = try TilePlan(zooms: 14...14, tileSize: 256, pixelRatio: 0.5)
        #expect(try plan.restrict(toOverlaysOf: mapView))
        #expect(plan.tileCount > 1000)
        let spool = try makeSpool("sparse")
        let run = TileRun(plan, of: mapView, with: renderer, into: spool, as: .png, options: EncodingOptions(), threadCount: 2)
        let estimate = try #require(try run.estimatedBytes(storesEqualTilesOnce: true))
        #expect(try draw(plan, into: spool, mapView, renderer: renderer))
        #expect((5...40).contains(spool.tiles().count))
        _ = try archive(spool, plan, "sparse.pmtiles")
        let size = try scratch.read("sparse.pmtiles").count
        #expect((size / 3...size * 3).contains(estimate), "\(estimate) \(size)")
    }

    /// An estimate can be stopped before each block that it lays out and before each sample that it draws.
    @Test func anEstimateIsStopped() throws {
        let renderer = try Renderer(device: .software)
        let mapView = map()
        let plan = try TilePlan(zooms: 0...4)
        let run = TileRun(
            plan, of: mapView, with: renderer, into: try makeSpool("stopped"), as: .png, options: EncodingOptions(), threadCount: 1)
        var calls = 0
        let whole = try run.estimatedBytes(storesEqualTilesOnce: true) {
            calls += 1
            return false
        }
        // At least a block of each zoom, and 32 samples.
        #expect(whole != nil && calls >= plan.zooms.count + 32, "\(calls)")
        for limit in [1, 3, calls] {
            var left = limit
            let part = try run.estimatedBytes(storesEqualTilesOnce: true) {
                left -= 1
                return left == 0
            }
            #expect(part == nil && left == 0, "\(limit)")
        }
    }

    /// Tiles of bounds across ±180° equal those of the whole world, and the estimate is near their size.
    @Test func someTilesOfTheWorld() throws {
        let renderer = try Renderer(device: .software)
        let mapView = map()
        mapView.add(Circle(center: LatLng(lat: -20, lng: 179.9), radius: 500_000))
        var plan = try TilePlan(zooms: 0...4)
        let world = try makeSpool("world")
        let run = TileRun(plan, of: mapView, with: renderer, into: world, as: .png, options: EncodingOptions(), threadCount: 2)
        let estimate = try #require(try run.estimatedBytes(storesEqualTilesOnce: true))
        #expect(try draw(plan, into: world, mapView, renderer: renderer))
        let all = try archive(world, plan, "world.pmtiles")
        let size = try scratch.read("world.pmtiles").count
        #expect((size / 3...size * 3).contains(estimate), "\(estimate) \(size)")
        plan.restrict(to: TileBounds(west: 150, south: -60, east: -120, north: 70))
        let some = try makeSpool("some")
        #expect(try draw(plan, into: some, mapView, renderer: renderer))
        let few = try archive(some, plan, "few.pmtiles")
        var drawn = 0
        for number in 0..<plan.tileCount {
            guard case .encoded(let bytes)? = try few.tile(at: plan.tile(number)) else {
                #expect(try all.tile(at: plan.tile(number)) == nil, "\(plan.tile(number))")
                continue
            }
            drawn += 1
            guard case .encoded(let expected)? = try all.tile(at: plan.tile(number)) else {
                Issue.record("\(plan.tile(number)) is empty")
                continue
            }
            #expect(try Bitmap(decoding: bytes).largestDifference(to: Bitmap(decoding: expected)) <= 1, "\(plan.tile(number))")
        }
        #expect(drawn > 10 && some.tiles().count == drawn)
    }

    /// At zoom 0, tiles of 256 pt show the world at half of the scale that the camera has there.
    @Test func theWorldIn256Points() throws {
        let renderer = try Renderer(device: .software)
        let plan = try TilePlan(zooms: 0...0, tileSize: 256)
        let spool = try makeSpool("spool")
        let mapView = map()
        mapView.background = Color(white: 1)
        #expect(try draw(plan, into: spool, mapView, renderer: renderer))
        guard case .encoded(let bytes)? = try archive(spool, plan, "a.pmtiles").tile(at: TileAddress(zoom: 0, x: 0, y: 0)) else {
            Issue.record("the tile is missing")
            return
        }
        let tile = try Bitmap(decoding: bytes)
        #expect(tile.width == 256 && tile.height == 256 && tile.isOpaque)
        // Within the area: 60° E, 35° N is 2/3 of the width, and 0.396 of the height.
        #expect(tile[170, 101].green > tile[170, 101].red)
    }

    /// A run that is stopped anywhere and resumed gives the same file as an uninterrupted one.
    @Test func aStoppedRunIsTakenUp() throws {
        let renderer = try Renderer(device: .software)
        let plan = try TilePlan(zooms: 0...3, tileSize: 512)
        let whole = try makeSpool("whole")
        var pieces = 0
        let isWhole = try draw(plan, into: whole, map(), renderer: renderer) { _ in
            pieces += 1
            return true
        }
        #expect(isWhole)
        _ = try archive(whole, plan, "whole.pmtiles")
        for stop in [1, 3, pieces - 2] {
            do {
                let spool = try makeSpool("spool")
                var left = stop
                let isDone = try draw(plan, into: spool, map(), renderer: renderer) { _ in
                    left -= 1
                    return left > 0
                }
                #expect(!isDone)
            }
            let spool = try makeSpool("spool", isResuming: true)
            var last: TileProgress?
            let isDone = try draw(plan, into: spool, map(), renderer: renderer) { progress in
                last = progress
                return true
            }
            let progress = try #require(last)
            #expect(isDone && progress.drawn + progress.skipped == progress.total && progress.skipped > 0)
            _ = try archive(spool, plan, "again.pmtiles")
            #expect(try scratch.read("again.pmtiles") == scratch.read("whole.pmtiles"))
        }
    }

    /// Zooms with many blocks, stopped in each of them: finished work is not drawn again, and the file equals the file of one run.
    @Test func aRunOfManyBlocksIsTakenUp() throws {
        let renderer = try Renderer(device: .software)
        let plan = try TilePlan(zooms: 0...3, tileSize: 256, mostWidth: 1024, mostHeight: 512)
        #expect(plan.blocks(ofZoom: 3).count == 8 && plan.blocks(ofZoom: 2).count == 2)
        /// A map that records the requested tiles of its base map.
        func noting(_ asked: Asked) -> MapView {
            let mapView = map()
            var info = TileSetInfo(maxZoom: 3)
            info.tileSize = 256
            mapView.baseMap = [
                BaseMapLayer(
                    source: MadeTiles(info) { address in
                        asked.note(address)
                        return .bitmap(address.coded)
                    })
            ]
            return mapView
        }
        let whole = try makeSpool("whole")
        #expect(try draw(plan, into: whole, noting(Asked()), renderer: renderer))
        _ = try archive(whole, plan, "whole.pmtiles")
        // Of each block of zoom 3 another row is the first that is missing: parts are numbered from 1 + 2 + 4.
        for stop in stride(from: 8, to: 23, by: 3) {
            do {
                let spool = try makeSpool("spool")
                let isDone = try draw(plan, into: spool, noting(Asked()), renderer: renderer) { _ in spool.finishedParts.count < stop }
                #expect(!isDone && spool.finishedParts.count >= stop)
            }
            let spool = try makeSpool("spool", isResuming: true)
            let done = spool.finishedParts
            let asked = Asked()
            #expect(try draw(plan, into: spool, noting(asked), renderer: renderer))
            var missing: Set<TileAddress> = []
            for block in plan.zooms.flatMap(plan.blocks) {
                for row in 0..<block.rows where !done.contains(block.part(row: row)) {
                    for column in 0..<block.columns { missing.insert(TileAddress(zoom: block.zoom, x: block.x + column, y: block.y + row)) }
                }
            }
            #expect(asked.tiles.isSuperset(of: missing), "\(stop)")
            // A picture also requests tiles that touch its edges.
            var near = missing
            for tile in missing {
                for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
                    near.insert(TileAddress(zoom: tile.zoom, x: (tile.x + dx) & (1 << tile.zoom - 1), y: tile.y + dy))
                }
            }
            #expect(near.isSuperset(of: asked.tiles) && near.count < 85, "\(stop)")
            _ = try archive(spool, plan, "again.pmtiles")
            #expect(try scratch.read("again.pmtiles") == scratch.read("whole.pmtiles"))
        }
    }

    /// The addresses requested from a source.
    private final class Asked: Sendable {
        private let addresses = Mutex<Set<TileAddress>>([])
        func note(_ address: TileAddress) { addresses.withLock { _ = $0.insert(address) } }
        var tiles: Set<TileAddress> { addresses.withLock { $0 } }
    }

    /// An opaque background is a tile, too, and stored once.
    @Test func emptyTilesOfAnOpaqueMap() throws {
        let renderer = try Renderer(device: .software)
        let plan = try TilePlan(zooms: 3...3)
        let mapView = MapView(size: CGSize(width: 10, height: 10))
        let clear = try makeSpool("clear")
        #expect(try draw(plan, into: clear, mapView, renderer: renderer))
        #expect(clear.tiles().isEmpty)
        mapView.background = Color(red: 0.5, green: 0.7, blue: 1)
        let opaque = try makeSpool("opaque")
        #expect(try draw(plan, into: opaque, mapView, renderer: renderer))
        #expect(opaque.tiles().count == 64 && opaque.contentCount == 1)
    }
}
