import Foundation
import Synchronization
import Testing
import Waymark
import WaymarkFrame
import WaymarkGPU
import WaymarkLayout
import WaymarkRendering
import WaymarkTestSupport
import WaymarkTiles

/// Tiles made by a function; it counts the calls.
final class MadeTiles: TileSource {
    let info: TileSetInfo
    private let make: @Sendable (TileAddress) throws -> TileData?
    private let calls = Mutex<[TileAddress: Int]>([:])
    var callCount: Int { calls.withLock { $0.values.reduce(0, +) } }
    /// The most calls for one tile.
    var mostCalls: Int { calls.withLock { $0.values.max() ?? 0 } }

    init(_ info: TileSetInfo, _ make: @escaping @Sendable (TileAddress) throws -> TileData?) {
        (self.info, self.make) = (info, make)
    }

    func tile(at address: TileAddress) throws -> TileData? {
        calls.withLock { $0[address, default: 0] += 1 }
        return try make(address)
    }
}

/// Vector tiles that wait before they say that a tile is missing.
private final class HangingVectorTiles: ArchivedTileSource {
    let info = TileSetInfo(maxZoom: 4, tileSize: 512, name: "vector")
    let content = TileContent.vector
    let layerNames = ["water", "place"]
    private let wait: @Sendable () -> Void

    init(_ wait: @escaping @Sendable () -> Void) { self.wait = wait }

    func bytes(at address: TileAddress) throws(TileError) -> [UInt8]? {
        wait()
        return nil
    }

    func sampleBytes() throws(TileError) -> [UInt8] { [] }
    func tile(at address: TileAddress) throws(TileError) -> TileData? { try bytes(at: address).map { .encoded($0) } }
}

extension TileAddress {
    /// A number of 0…255 that differs between neighbors.
    var hash: UInt8 { UInt8(truncatingIfNeeded: (x &* 37 &+ y &* 101 &+ zoom &* 59) & 127 &+ 64) }

    /// A tile whose red and green are the column and the row, and whose blue is the hash.
    var coded: Bitmap {
        var bitmap = Bitmap(width: 256, height: 256)
        for row in 0..<256 {
            for column in 0..<256 {
                bitmap[column, row] = .init(red: UInt8(column), green: UInt8(row), blue: hash, alpha: 255)
            }
        }
        return bitmap
    }
}

extension Bitmap {
    /// Dark lines one texel wide, many along rows and columns.
    fileprivate static func lines(side: Int, _ random: inout SplitMix64) -> Bitmap {
        var bitmap = Bitmap(width: side, height: side, fill: .white)
        let dark = Bitmap.Pixel(red: 30, green: 30, blue: 30, alpha: 255)
        for _ in 0..<160 {
            let place = random.once(in: 2) ? 64 * random.integer(1...side / 64 - 1) - random.integer(0...1) : random.integer(0...side - 1)
            let isRow = random.once(in: 2)
            let slope = random.one(of: [0, 0, 1, -2])
            for step in 0..<side {
                let other = ((place + slope * step) % side + side) % side
                if isRow { bitmap[step, other] = dark } else { bitmap[other, step] = dark }
            }
        }
        return bitmap
    }

    /// Half of the size: each pixel is the mean of four, rounded as mipmaps are.
    fileprivate var half: Bitmap {
        var half = Bitmap(width: width / 2, height: height / 2)
        for row in 0..<half.height {
            for column in 0..<half.width {
                let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map { Int(self[2 * column + $0.0, 2 * row + $0.1].red) }
                let mean = UInt8((four.reduce(0, +) + 2) / 4)
                half[column, row] = Pixel(red: mean, green: mean, blue: mean, alpha: 255)
            }
        }
        return half
    }

    fileprivate func part(x: Int, y: Int, side: Int) -> Bitmap {
        var part = Bitmap(width: side, height: side)
        for row in 0..<side {
            for column in 0..<side { part[column, row] = self[x + column, y + row] }
        }
        return part
    }
}

private struct Broken: Error, CustomStringConvertible {
    var description: String { "the disk is on fire" }
}

@Suite(.serialized) @MainActor struct BaseMapTests {
    init() { PinnedRasterizer.pin }

    private func map(_ source: some TileSource, _ width: Double = 200, _ height: Double = 150, _ camera: Camera) -> MapView {
        let map = MapView(width, height, camera)
        map.baseMap = [BaseMapLayer(source: source)]
        return map
    }

    private let coded = MadeTiles(TileSetInfo(maxZoom: 24)) { .bitmap($0.coded) }

    @Test(arguments: [0.5, 1, 2, 4]) func wholeZoomsGiveEveryTexelBack(ratio: Double) throws {
        var random = SplitMix64(seed: 5)
        for zoom in [0.0, 1, 4, 11, 19] {
            let center = LatLng(lat: random.number(-70...70), lng: random.number(-180...180))
            let map = map(coded, 150, 110, Camera(center: center, zoom: zoom))
            map.pixelRatio = ratio
            let picture = try draw(map)
            let tileZoom = Int(zoom + 1 + log2(ratio))
            // The world in texels, and the texel in the picture's upper left after rounding.
            let world = 256 * Double(1 << tileZoom)
            let left = (75 * ratio - WebMercator.x(lng: center.lng) * world + 0.5).rounded(.down)
            let top = (55 * ratio - WebMercator.uncheckedY(lat: center.lat) * world + 0.5).rounded(.down)
            for y in 0..<picture.height {
                for x in 0..<picture.width {
                    let (column, row) = (x - Int(left), y - Int(top))
                    let rows = 256 << tileZoom
                    guard row >= 0, row < rows else {
                        #expect(picture[x, y] == .clear)
                        continue
                    }
                    let wrapped = ((column % rows) + rows) % rows
                    let address = TileAddress(zoom: tileZoom, x: wrapped / 256, y: row / 256)
                    let expected = Bitmap.Pixel(red: UInt8(wrapped % 256), green: UInt8(row % 256), blue: address.hash, alpha: 255)
                    if picture[x, y] != expected {
                        Issue.record("\(picture[x, y]) at \(x) \(y), not \(expected), zoom \(zoom)")
                        return
                    }
                }
            }
        }
    }

    @Test(arguments: Seeds.slow) func everyPixelShowsTheRightPlaceOfTheRightTile(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var camera = Camera(
            center: LatLng(lat: random.number(-80...80), lng: random.number(-180...180)), zoom: random.number(0...20),
            bearing: random.number(0...360), tilt: random.one(of: [0, random.number(0...60), 60, 80]))
        if random.once(in: 4) { camera.contentInset = EdgeInsets(top: 20, left: 30, bottom: 0, right: 0) }
        let map = map(coded, 160, 120, camera)
        map.pixelRatio = random.one(of: [1, 1.5, 2])
        let picture = try draw(map)
        let viewport = try map.viewport()
        let frame = try Composer.of(map).place(map).frame
        var checked = 0
        for y in stride(from: 1, to: picture.height - 1, by: 3) {
            for x in stride(from: 1, to: picture.width - 1, by: 3) {
                let pixel = SIMD2(Double(x), Double(y)) + 0.5
                guard let middle = viewport.ground(at: pixel) else { continue }
                let offsets: [SIMD2<Double>] = [[-1.5, -1.5], [1.5, -1.5], [1.5, 1.5], [-1.5, 1.5]]
                let corners = offsets.compactMap { viewport.ground(at: pixel + $0) }
                // The tile around the middle, if everything that the pixel may show of it lies in it.
                guard corners.count == 4, let tile = frame.tiles.first(where: { tile in corners.allSatisfy { tile.contains($0) } })
                else { continue }
                checked += 1
                let width = Double(tile.east) - Double(tile.west)
                let column = (middle.x - Double(tile.west)) / width * 256 - 0.5
                let row = (middle.y - Double(tile.north)) / width * 256 - 0.5
                guard (2...253).contains(column), (2...253).contains(row) else { continue }
                let shown = picture[x, y]
                // Colors change evenly along the tile, so the mean over any footprint equals the color at its middle; mipmaps are rounded.
                let isRight = abs(Double(shown.red) - column) < 3 && abs(Double(shown.green) - row) < 3
                if !isRight || shown.alpha != 255 || shown.blue != tile.address.hash {
                    Issue.record("\(shown) at \(x) \(y), not \(column) \(row) of \(tile), \(camera)")
                    return
                }
            }
        }
        #expect(checked > 0 || abs(camera.center.lat) > 60)
    }

    @Test(arguments: Seeds.slow) func thereAreNoSeams(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let white = MadeTiles(TileSetInfo(maxZoom: random.integer(2...24), tileSize: random.one(of: [256, 512]))) { address in
            // Some are missing, and show those above.
            address.zoom > 2 && address.hash % 5 == 0 ? nil : .bitmap(Bitmap(width: 64, height: 64, fill: .white))
        }
        let camera = Camera(
            center: LatLng(lat: random.number(-10...10), lng: random.number(-180...180)), zoom: random.number(6...20),
            bearing: random.number(0...360), tilt: random.one(of: [0, random.number(0...80), 60, 80]))
        let map = map(white, 181, 143, camera)
        map.pixelRatio = random.one(of: [1, 1.3, 2])
        map.background = .black
        map.sky = Sky(.white)
        map.baseMap[0].opacity = random.one(of: [1, 0.5])
        let picture = try draw(map)
        let viewport = try map.viewport()
        let fade = viewport.groundFade
        let expected = map.baseMap[0].opacity == 1 ? 255 : 128
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let point = CGPoint(x: (Double(x) + 0.5) / map.pixelRatio, y: (Double(y) + 0.5) / map.pixelRatio)
                let depth = viewport.groundOffset(at: point).map { viewport.project(offsetX: $0.x, offsetY: $0.y, height: 0).depth }
                let pixel = picture[x, y]
                let isFading = depth == nil || fade?.share(Double(x) + 0.5, Double(y) + 0.5) ?? 0 > 0
                let isRight = isFading ? pixel.red >= expected - 1 : abs(Int(pixel.red) - expected) <= 1
                if !isRight || pixel.alpha != 255 { Issue.record("\(pixel) at \(x) \(y), \(camera)"); return }
            }
        }
    }

    /// The same texels in tiles of 64 pixels and in tiles of 512: the borders of the small ones, of which there are eight times as many, do not
    /// show, however small a picture makes them.
    @Test(arguments: Seeds.slow) func contentGoesOnAcrossBorders(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let world = Bitmap.lines(side: 1024, &random)
        func tiles(zoom: Int, side: Int) -> MadeTiles {
            var info = TileSetInfo(minZoom: zoom, maxZoom: zoom)
            info.pixelsPerPoint = Double(side) / 256
            return MadeTiles(info) { .bitmap(world.part(x: $0.x * side, y: $0.y * side, side: side)) }
        }
        let camera = Camera(
            center: LatLng(lat: random.number(-40...40), lng: random.number(-180...180)), zoom: random.number(0.6...1.6),
            bearing: random.number(0...360), tilt: random.one(of: [0, random.number(20...60), 60]))
        let fine = try draw(map(tiles(zoom: 4, side: 64), 300, 200, camera))
        let coarse = try draw(map(tiles(zoom: 1, side: 512), 300, 200, camera))
        var (compared, different) = (0, 0)
        for place in stride(from: 0, to: fine.pixels.count, by: 4) where fine.pixels[place + 3] == 255 && coarse.pixels[place + 3] == 255 {
            compared += 1
            // A few pixels have a sample more or less, where rounding decides.
            if abs(Int(fine.pixels[place]) - Int(coarse.pixels[place])) > 4 { different += 1 }
        }
        #expect(different * 2000 < compared && compared > 20_000, "\(different) of \(compared), \(camera)")
    }

    /// A pyramid of tiles, each the mean of four, gives the same picture as one large tile: borders between zooms do not show either.
    @Test(arguments: Seeds.slow) func contentGoesOnAcrossZooms(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var zooms = [Bitmap.lines(side: 1024, &random)]
        while zooms[0].width > 64 { zooms.insert(zooms[0].half, at: 0) }
        let levels = zooms
        var info = TileSetInfo(maxZoom: 4)
        info.pixelsPerPoint = 0.25
        let pyramid = MadeTiles(info) { .bitmap(levels[$0.zoom].part(x: $0.x * 64, y: $0.y * 64, side: 64)) }
        info = TileSetInfo(maxZoom: 0)
        info.pixelsPerPoint = 4
        let whole = MadeTiles(info) { _ in .bitmap(levels[4]) }
        let camera = Camera(
            center: LatLng(lat: random.number(-40...40), lng: random.number(-180...180)), zoom: random.number(0.6...1),
            bearing: random.number(0...360), tilt: random.number(60...75))
        let fine = try draw(map(pyramid, 300, 200, camera))
        let coarse = try draw(map(whole, 300, 200, camera))
        let frame = try Composer.of(map(pyramid, 300, 200, camera)).place(map(pyramid, 300, 200, camera)).frame
        #expect(Set(frame.tiles.map(\.address.zoom)).count > 1)
        var (compared, different) = (0, 0)
        for place in stride(from: 0, to: fine.pixels.count, by: 4) where fine.pixels[place + 3] == 255 && coarse.pixels[place + 3] == 255 {
            compared += 1
            if abs(Int(fine.pixels[place]) - Int(coarse.pixels[place])) > 12 { different += 1 }
        }
        #expect(different * 100 < compared && compared > 20_000, "\(different) of \(compared), \(camera)")
    }

    @Test func aMissingTileIsDrawnFromTheNearestAbove() throws {
        let red = Bitmap(width: 256, height: 256, fill: .red)
        let source = MadeTiles(TileSetInfo(minZoom: 1, maxZoom: 5, tileSize: 512)) { $0.zoom == 1 && $0.x == 1 ? .bitmap(red) : nil }
        // The western half has no tile at any zoom.
        let picture = try draw(map(source, 100, 100, Camera(center: LatLng(lat: 20, lng: 0), zoom: 4)))
        #expect(picture[25, 50] == .clear && picture[75, 50] == .opaqueRed)
        // Each is requested once: the four in the view and the tiles above them.
        #expect(source.callCount <= 4 + 3 * 4)
    }

    @Test func beyondTheLastZoomTilesAreEnlargedSmoothly() throws {
        let source = MadeTiles(TileSetInfo(maxZoom: 2)) { .bitmap($0.coded) }
        let map = map(source, 100, 100, Camera(center: LatLng(lat: 10, lng: 10), zoom: 5))
        let picture = try draw(map)
        // 16 pixels a texel.
        for x in 0..<99 { #expect((0...1).contains(Int(picture[x + 1, 50].red) - Int(picture[x, 50].red))) }
        let deep = try draw(self.map(source, 100, 100, Camera(center: LatLng(lat: 10, lng: 10), zoom: 22)))
        #expect(deep.inked == [0, 0, 100, 100])
    }

    @Test func whatCannotBeDrawnIsAGapWithOneWarning() throws {
        let source = MadeTiles(TileSetInfo(tileSize: 512, name: "tests")) { address in
            switch (address.x % 2, address.y % 2) {
            case (0, 0): .encoded(Array("<!DOCTYPE html><html>404</html>".utf8))
            case (1, 0): .bitmap(Bitmap(width: 40, height: 30, fill: .red))
            case (0, 1): throw Broken()
            default: .bitmap(Bitmap(width: 256, height: 256, fill: .green))
            }
        }
        let map = map(source, 1024, 1024, Camera(zoom: 1))
        map.showsAttribution = false
        let picture = try Drawing.shared.get().render(map)
        #expect(picture.bitmap[100, 100] == .clear && picture.bitmap[900, 900] == Color.green.premultipliedBytes)
        #expect(
            picture.diagnostics.words == [
                "warning: basemap: tests: tile 1/0/0 is left out: the tile must be a PNG, JPEG or WebP image",
                "warning: basemap: tests: tile 1/1/0 is left out: the tile has 40 × 30 pixels, "
                    + "but tiles must be squares whose side is a power of two",
                "warning: basemap: tests: tile 1/0/1 is left out: the disk is on fire",
            ])
        let calls = source.callCount
        // The next picture reports the same, and requests only tiles that may exist now.
        #expect(try Drawing.shared.get().render(map).diagnostics == picture.diagnostics && source.callCount == calls + 1)
    }

    @Test func aSourceThatDoesNotAnswerIsGivenUp() throws {
        let gate = DispatchSemaphore(value: 0)
        let entered = DispatchSemaphore(value: 0)
        let source = MadeTiles(TileSetInfo(name: "slow")) { _ in
            entered.signal()
            gate.wait()
            gate.signal()
            return .bitmap(Bitmap(width: 256, height: 256, fill: .red))
        }
        let good = MadeTiles(TileSetInfo(tileSize: 512)) { _ in .bitmap(Bitmap(width: 256, height: 256, fill: .green)) }
        let map = map(source, 64, 64, Camera(zoom: 3))
        map.baseMap.append(BaseMapLayer(source: good))
        let renderer = try Renderer()
        renderer.tileTimeout = 0.2
        var picture = try renderer.render(map)
        entered.wait()
        #expect(picture.bitmap[32, 32] == Color.green.premultipliedBytes)
        #expect(picture.diagnostics.count == 1)
        #expect("\(try #require(picture.diagnostics.first))".contains("the tile source has not answered within 0.2 s"))
        // It receives no further request until it has answered.
        let calls = source.callCount
        _ = try renderer.render(map)
        #expect(source.callCount == calls)
        gate.signal()
        renderer.tileTimeout = 60
        map.baseMap.removeLast()
        repeat { picture = try renderer.render(map) } while !picture.diagnostics.isEmpty
        #expect(picture.bitmap[32, 32] == .opaqueRed)
    }

    /// Vector tiles, which the layout waits for, and raster tiles share the time of the picture.
    @Test func hangingLayersShareTheTime() throws {
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        @Sendable func wait() {
            gate.wait()
            gate.signal()
        }
        let raster = MadeTiles(TileSetInfo(name: "raster")) { _ in
            wait()
            return nil
        }
        let map = map(raster, 64, 64, Camera(zoom: 3))
        map.baseMap.append(BaseMapLayer(source: HangingVectorTiles(wait)))
        let renderer = try Renderer()
        renderer.tileTimeout = 0.2
        let words = try renderer.render(map).diagnostics.words
        #expect(words.count == 2)
        #expect(words.contains { $0.contains("vector: ") && $0.hasSuffix("left out: the tile source has not answered within 0.2 s") })
        let rest = "left out: the tile source has not answered within the time limit for the picture's tiles, 0.2 s"
        #expect(words.contains { $0.contains("raster: ") && $0.hasSuffix(rest) }, "\(words)")
    }

    @Test func aTileIsDecodedOnceForAllPicturesAndRenderers() throws {
        let source = MadeTiles(TileSetInfo(maxZoom: 10)) { .bitmap($0.coded) }
        let map = map(source, 200, 200, Camera(zoom: 5))
        let first = try draw(map)
        let calls = source.callCount
        #expect(calls > 0)
        // Tilted tiles need copies of half the size, and more of them are in view.
        map.camera.tilt = 50
        let tilted = try draw(map)
        #expect(source.callCount > calls)
        for renderer in [try Drawing.shared.get(), try Renderer()] {
            for (tilt, picture) in [(0.0, first), (50, tilted), (0, first)] {
                map.camera.tilt = tilt
                #expect(try renderer.render(map).bitmap == picture)
            }
        }
        #expect(source.mostCalls == 1)
    }

    @Test(arguments: [0, 1 << 20, 256 << 20]) func noBudgetChangesAPicture(bytes: Int) throws {
        let renderer = try Renderer(cacheBytes: bytes)
        for (index, camera) in [Camera(zoom: 4.3), Camera(zoom: 6, bearing: 20, tilt: 70), Camera(zoom: 5)].enumerated() {
            let map = map(coded, 300, 200, camera)
            #expect(try renderer.render(map).bitmap == draw(map), "\(index)")
        }
        if bytes == 0 { #expect(renderer.ownKeptBytes == 0) }
    }

    @Test func aPictureInBandsIsTheSame() throws {
        for camera in [Camera(zoom: 3), Camera(zoom: 3.4), Camera(center: LatLng(lat: 10, lng: 20), zoom: 5, bearing: 30, tilt: 70)] {
            let map = map(coded, 300, 400, camera)
            map.sky = Sky(.red)
            let frame = try Composer.of(map).place(map).frame
            let frames = try FrameRenderer(Context.make())
            let whole = try frames.render(frame)
            var bands = Bitmap(width: 0, height: 0)
            try frames.render(frame, into: &bands, pixelLimit: 300 * 64)
            var worst = 0
            for (a, b) in zip(whole.pixels, bands.pixels) { worst = max(worst, abs(Int(a) - Int(b))) }
            #expect(worst <= 2)
        }
    }
}

extension Viewport {
    /// The offset of the ground under a device pixel, where it does not fade.
    fileprivate func ground(at pixel: SIMD2<Double>) -> (x: Double, y: Double)? {
        guard groundFade?.share(pixel.x, pixel.y) ?? 0 == 0 else { return nil }
        return groundOffset(at: CGPoint(x: pixel.x / pixelRatio, y: pixel.y / pixelRatio))
    }
}

extension GroundTile {
    fileprivate func contains(_ point: (x: Double, y: Double)) -> Bool {
        Double(west) < point.x && point.x < Double(east) && Double(north) < point.y && point.y < Double(south)
    }
}
