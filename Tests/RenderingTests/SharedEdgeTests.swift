import Foundation
import Testing
import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRendering
import WaymarkTestSupport

/// Images on the ground that lie edge to edge.
@Suite(.serialized) struct SharedEdgeTests {
    init() { PinnedRasterizer.pin }

    private func frame(_ random: inout SplitMix64, fill: Color) -> Frame {
        var frame = Frame(
            width: 200, height: 160, background: .black,
            ground: GroundCamera(
                width: 200, height: 160, pixelRatio: 1, bearing: random.one(of: [0, 90, random.number(0...360)]),
                tilt: random.one(of: [0, random.number(0...65)])))
        frame.images = [FrameImage(key: 900, name: "tile", bitmap: Bitmap(width: 8, height: 8, fill: fill))]
        return frame
    }

    /// Tiles of a grid in any order, or one sprite in their place.
    private func add(_ count: Int, size: Float, to frame: inout Frame, alpha: Float, off: Float = 0, _ random: inout SplitMix64) {
        let corner = (x: Float(random.integer(-60_000 ... -30_000)) / 1024, y: Float(random.integer(-60_000 ... -30_000)) / 1024)
        let angle = random.one(of: [0, 0.4])
        let (c, s) = (Float(cos(angle)), Float(sin(angle)))
        var places = (0..<count * count).map { ($0 % count, $0 / count) }
        places.shuffle(using: &random)
        for (column, row) in places {
            let (x, y) = (Float(column) * size, Float(row) * size)
            var tile = Sprite(
                x: corner.x + x * c - y * s + random.one(of: [0, off]), y: corner.y + x * s + y * c, across: (size * c, size * s),
                down: (-size * s, size * c), alpha: alpha, image: 0, plane: .ground)
            // Turned about its middle: another side of it is the left one.
            for _ in 0..<random.integer(0...3) {
                (tile.x, tile.y) = (tile.x + tile.acrossX, tile.y + tile.acrossY)
                (tile.acrossX, tile.acrossY, tile.downX, tile.downY) = (tile.downX, tile.downY, -tile.acrossX, -tile.acrossY)
            }
            frame.sprites.append(tile)
        }
        frame.commands = [.sprites(0..<frame.sprites.count, .linear)]
    }

    @Test(arguments: Seeds.slow) func tilesAreOneImage(seed: UInt64) throws {
        let renderer = try FrameRenderer(Context.make())
        // Opacities that 8 bits hold, so that no last bit of interpolation decides.
        for alpha: Float in [1, 0.4] {
            var random = SplitMix64(seed: seed)
            var tiles = frame(&random, fill: .white)
            var whole = tiles
            var again = random
            let count = random.integer(1...4)
            _ = again.integer(1...4)
            add(count, size: 24, to: &tiles, alpha: alpha, &random)
            add(1, size: 24 * Float(count), to: &whole, alpha: alpha, &again)
            // The same grid: the same corner and angle.
            let expected = try renderer.render(whole)
            let plain = try renderer.render(tiles)
            tiles.shareEdges()
            #expect(tiles.sprites.contains { $0.sharedEdges != .none } == (count > 1))
            let drawn = try renderer.render(tiles)
            let inside = (0..<200 * 160).map { expected[$0 % 200, $0 / 200].red }.max() ?? 0
            var seams = 0
            var wrong: [(x: Int, y: Int)] = []
            for y in 1..<159 {
                for x in 1..<199 {
                    // The edge of the whole is antialiased in either case.
                    let isInside = (-1...1).allSatisfy { dy in (-1...1).allSatisfy { expected[x + $0, y + dy].red == inside } }
                    guard isInside else { continue }
                    if drawn[x, y] != expected[x, y] { wrong.append((x, y)) }
                    if plain[x, y] != expected[x, y] { seams += 1 }
                }
            }
            #expect(seams > 0 || count == 1)
            // Neighbors' limits overlap by 1/65,536 pt and the rounding of interpolation, so that no gap can open between them. A center in
            // there is drawn by both, which shows where they are translucent: at one of some ten thousand pixels of borders.
            #expect(wrong.count <= (alpha == 1 ? 0 : 1), "\(wrong)")
        }
    }

    /// Tiles whose places were rounded on the way: a hundredth of a point apart, or over each other.
    @Test(arguments: Seeds.slow) func nearEdgesCloseToo(seed: UInt64) throws {
        let renderer = try FrameRenderer(Context.make())
        var random = SplitMix64(seed: seed)
        var tiles = frame(&random, fill: .white)
        let off: Float = random.one(of: [0.03, -0.03])
        var again = random
        var whole = tiles
        add(3, size: 20, to: &tiles, alpha: 1, off: off, &random)
        add(1, size: 60, to: &whole, alpha: 1, &again)
        tiles.shareEdges()
        let (drawn, expected) = (try renderer.render(tiles), try renderer.render(whole))
        for y in 1..<159 {
            for x in 1..<199 {
                let isInside = (-1...1).allSatisfy { dy in (-1...1).allSatisfy { expected[x + $0, y + dy] == .white } }
                if isInside { #expect(drawn[x, y] == .white, "\(x), \(y)") }
            }
        }
    }

    @Test func onlyWholeEdgesOnEitherSideAreShared() {
        var frame = Frame(width: 9, height: 9)
        func tile(_ x: Float, _ y: Float, z: Float = 0, size: Float = 8, image: Int = 0) -> Sprite {
            Sprite(x: x, y: y, z: z, across: (size, 0), down: (0, size), image: image, plane: .ground)
        }
        var empty = Bitmap(width: 3, height: 3)
        empty[1, 1] = .opaqueRed
        frame.images = [
            FrameImage(key: 1, name: "tile", bitmap: Bitmap(width: 2, height: 2, fill: .red)),
            FrameImage(key: 2, name: "pin", bitmap: empty),
        ]
        func shared(_ sprites: Sprite..., split: Int? = nil) -> [String] {
            frame.sprites = sprites
            let split = split ?? sprites.count
            frame.commands = [.sprites(0..<split, .linear), .sprites(split..<sprites.count, .linear)]
            frame.shareEdges()
            return frame.sprites.map { "\($0.sharedEdges)" }
        }
        #expect(shared(tile(0, 0), tile(8, 0)) == ["right inclusive", "left exclusive"])
        #expect(shared(tile(0, 0), tile(0, -8)) == ["top inclusive", "bottom exclusive"])
        #expect(shared(tile(0, 0), tile(8.001, 0)) == ["right adjoining", "left exclusive"])
        #expect(shared(tile(0, 0), tile(8.03, 0)) == ["right overlapping", "left exclusive"])
        // Too far away, at another height, of another size, half way along, in the same place, and in another run.
        #expect(shared(tile(0, 0), tile(8.1, 0)) == ["", ""])
        #expect(shared(tile(0, 0), tile(8, 0, z: 1)) == ["", ""])
        #expect(shared(tile(0, 0), tile(8, 0, size: 4)) == ["", ""])
        #expect(shared(tile(0, 0), tile(8, 4)) == ["", ""])
        #expect(shared(tile(0, 0), tile(0, 0)) == ["", ""])
        #expect(shared(tile(0, 0), tile(8, 0), split: 1) == ["", ""])
        // Nothing of the image is at its edges.
        #expect(shared(tile(0, 0, image: 1), tile(8, 0, image: 1)) == ["", ""])
        // Numbers that a layout never produces.
        #expect(shared(tile(.nan, 0), tile(.infinity, 0), tile(-1e30, 1e30), tile(0, 0, size: 0)) == ["", "", "", ""])
    }
}
