import Testing
import Waymark
import WaymarkFrame
import WaymarkGPU
import WaymarkLayout
import WaymarkRendering
import WaymarkTestSupport
import WaymarkTiles

/// Tilted tiles are drawn in memory on a software rasterizer.
@Suite(.serialized) @MainActor struct TilePainterTests {
    init() { PinnedRasterizer.pin }

    private func frame(_ random: inout SplitMix64) throws -> Frame {
        let noise = Bitmap.noise(64, 64, &random, isOpaque: random.once(in: 2))
        let hasGaps = random.once(in: 3)
        let source = MadeTiles(TileSetInfo(maxZoom: random.integer(3...20), tileSize: 256)) { address in
            hasGaps && address.hash % 4 == 0 ? nil : .bitmap(noise)
        }
        let camera = Camera(
            center: LatLng(lat: random.number(-80...80), lng: random.number(-180...180)), zoom: random.number(1...12),
            bearing: random.one(of: [0, 90, 180, random.number(0...360)]), tilt: random.one(of: [random.number(1...80), 60, 80]))
        let map = MapView(211, 163, camera)
        map.pixelRatio = random.one(of: [1, 1.5, 2])
        map.background = random.one(of: [.white, .clear])
        map.baseMap = [BaseMapLayer(source: source)]
        if random.once(in: 3) { map.baseMap.append(BaseMapLayer(source: source)) }
        for index in map.baseMap.indices { map.baseMap[index].opacity = random.one(of: [1, 1, 0.5, 0.3]) }
        map.showsAttribution = false
        return try Composer.of(map).place(map).frame
    }

    @Test(arguments: Seeds.slow) func pixelsAreThoseOfTheShader(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let frame = try frame(&random)
        let painted = try FrameRenderer(Context.make(.software)).render(frame)
        let drawn = try FrameRenderer(Context.make(.software, limits: [.gpuSprites])).render(frame)
        // Few pixels have a sample more or less, or belong to another tile, where rounding decides.
        let comparison = PictureComparison(painted, drawn, threshold: 3, allowed: 0.01)
        #expect(comparison.matches, "\(comparison)")
    }

    /// Beneath something that needs the device, the tiles are copied to it.
    @Test(arguments: Seeds.slow) func pixelsAreTheSameBeneathOtherThings(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var frame = try frame(&random)
        let renderer = try FrameRenderer(Context.make(.software))
        let alone = try renderer.render(frame)
        #expect(renderer.drawCount == 0)
        frame.images = [FrameImage(key: 900 + seed, name: "red", bitmap: Bitmap(width: 4, height: 4, fill: .red))]
        frame.sprites = [Sprite(x: 1.5, y: 1.5, across: (4, 0), down: (0, 4), image: 0, sampling: .linear)]
        frame.commands.append(.sprites(0..<1, .linear))
        let beneath = try renderer.render(frame)
        #expect(renderer.drawCount > 0)
        var worst = 0
        for y in 0..<alone.height {
            for x in 0..<alone.width where x > 8 || y > 8 {
                let (a, b) = (alone[x, y], beneath[x, y])
                for (one, other) in [(a.red, b.red), (a.green, b.green), (a.blue, b.blue), (a.alpha, b.alpha)] {
                    worst = max(worst, abs(Int(one) - Int(other)))
                }
            }
        }
        #expect(worst <= 1)
    }

    @Test func evenColorsKeepTheirValues() throws {
        for value in stride(from: 0, through: 255, by: 5) {
            let gray = UInt8(value)
            var tile = Bitmap(width: 32, height: 32)
            for y in 0..<32 { for x in 0..<32 { tile[x, y] = .init(red: gray, green: gray, blue: gray, alpha: 255) } }
            let even = tile
            let source = MadeTiles(TileSetInfo(maxZoom: 8)) { _ in .bitmap(even) }
            let map = MapView(90, 60, Camera(zoom: 5, bearing: 20, tilt: 70))
            map.baseMap = [BaseMapLayer(source: source)]
            map.showsAttribution = false
            let picture = try draw(map)
            for y in 30..<60 { for x in 0..<90 { #expect(picture[x, y] == .init(red: gray, green: gray, blue: gray, alpha: 255)) } }
        }
    }
}
