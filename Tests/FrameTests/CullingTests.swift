import Testing
import WaymarkFrame
import WaymarkImaging
import WaymarkTestSupport

@Suite struct CullingTests {
    /// A frame of opaque squares drawn one texel per pixel, the first at the bottom: left, top, side.
    private func squares(_ squares: (x: Int, y: Int, side: Int)...) -> Frame {
        var frame = Frame(width: 20, height: 20)
        for (index, square) in squares.enumerated() {
            frame.images.append(
                FrameImage(key: UInt64(index), name: "\(index)", bitmap: Bitmap(width: square.side, height: square.side, fill: .red)))
            frame.sprites.append(sprite(square.x, square.y, square.side, square.side, image: index))
        }
        frame.commands = [.sprites(frame.sprites.indices, .nearest)]
        return frame
    }

    private func sprite(_ x: Int, _ y: Int, _ width: Int, _ height: Int, image: Int) -> Sprite {
        Sprite(x: Float(x), y: Float(y), across: (Float(width), 0), down: (0, Float(height)), image: image, sampling: .nearest)
    }

    /// The quad of a sprite: position, size, first texel.
    private func rect(_ sprite: Sprite) -> [Int] {
        [sprite.x, sprite.y, sprite.acrossX, sprite.downY].map { Int($0) } + [Int(sprite.texelX), Int(sprite.texelY)]
    }

    @Test func coveredSpritesAreRemoved() {
        let frame = squares((4, 5, 6), (3, 5, 8), (3, 5, 2)).culled(density: 0)
        #expect(frame.sprites.map(\.image) == [1, 2])
        #expect(frame.commands == [.sprites(0..<2, .nearest)])
        #expect(frame.images.count == 3)
    }

    @Test func partlyCoveredSpritesAreCropped() {
        // Visible: the left 3 columns, then the lower 2 rows, then the right column of a sprite.
        #expect(squares((2, 2, 8), (5, 0, 12)).culled(density: 0).sprites.map(rect) == [[2, 2, 3, 8, 0, 0], [5, 0, 12, 12, 0, 0]])
        #expect(squares((2, 2, 8), (0, -4, 12)).culled(density: 0).sprites.map(rect)[0] == [2, 8, 8, 2, 0, 6])
        #expect(squares((2, 2, 8), (0, 0, 9)).culled(density: 0).sprites.map(rect)[0] == [2, 2, 8, 8, 0, 0])
        #expect(squares((2, 2, 8), (-3, 0, 12)).culled(density: 0).sprites.map(rect)[0] == [9, 2, 1, 8, 7, 0])
        // Under two sprites, the bounding rectangle of the visible pixels remains.
        #expect(squares((0, 0, 10), (-5, -5, 10), (5, 0, 10)).culled(density: 0).sprites.map(rect)[0] == [0, 5, 5, 5, 0, 5])
        // Only rows inside the picture count, but all columns.
        #expect(squares((15, 16, 10), (10, 10, 7)).culled(density: 0).sprites.map(rect)[0][1...] == [16, 5, 4, 0, 0])
    }

    @Test func spritesOutsideThePictureAreRemoved() {
        let frame = squares((-6, 0, 6), (20, 0, 6), (0, -6, 6), (0, 20, 6), (-500, 700, 6), (9, 9, 2))
        #expect(frame.culled(density: 0).sprites.map(\.image) == [5])
    }

    @Test func onlyOpaquePixelsCover() {
        var frame = squares((4, 4, 4), (3, 3, 6))
        var translucent = frame
        translucent.images[1] = FrameImage(
            key: 100, name: "translucent", bitmap: Bitmap(width: 6, height: 6, fill: Color(red: 1, green: 0, blue: 0, alpha: 0.99)))
        #expect(translucent.culled(density: 0).sprites.count == 2)
        frame.sprites[1].alpha = 0.999
        #expect(frame.culled(density: 0).sprites.count == 2)
        frame.sprites[1].alpha = 1
        frame.sprites[1].tint = Tint(red: 9, green: 0, blue: 0)
        #expect(frame.culled(density: 0).sprites.count == 1)
        // Through a hole of one pixel, one pixel is visible.
        var holed = frame.images[1].bitmap
        holed[2, 3] = .init(red: 0, green: 0, blue: 0, alpha: 254)
        frame.images[1] = FrameImage(key: 101, name: "holed", bitmap: holed)
        #expect(frame.culled(density: 0).sprites.map(rect)[0] == [5, 6, 1, 1, 1, 2])
    }

    @Test func linearSpritesAreKeptAndCoverNothing() {
        var frame = squares((5, 5, 4), (3, 3, 8))
        frame.sprites[0].sampling = .linear
        frame.commands = [.sprites(0..<1, .linear), .sprites(1..<2, .nearest)]
        #expect(frame.culled(density: 0) == frame)
        var above = squares((5, 5, 4), (3, 3, 8))
        above.sprites[1].sampling = .linear
        above.commands = [.sprites(0..<1, .nearest), .sprites(1..<2, .linear)]
        #expect(above.culled(density: 0) == above)
    }

    @Test func groundSpritesAreKept() {
        var frame = squares((5, 5, 4), (3, 3, 8))
        frame.sprites[0].sampling = .linear
        frame.sprites[0].plane = .ground
        frame.commands = [.sprites(0..<1, .linear), .sprites(1..<2, .nearest)]
        #expect(frame.culled(density: 0) == frame)
    }

    @Test func spritesInGroupsMayBeCoveredButCoverNothing() {
        var frame = squares((5, 5, 4), (3, 3, 8), (5, 5, 2))
        let group = Group(bounds: .init(x: 0, y: 0, width: 20, height: 20))
        frame.commands = [.sprites(0..<1, .nearest), .beginGroup(group), .sprites(1..<2, .nearest), .endGroup, .sprites(2..<3, .nearest)]
        #expect(frame.culled(density: 0).sprites.map(rect)[0] == [5, 5, 4, 4, 0, 0])
        frame.commands = [.beginGroup(group), .sprites(0..<1, .nearest), .endGroup, .sprites(1..<3, .nearest)]
        #expect(frame.culled(density: 0).commands == [.beginGroup(group), .endGroup, .sprites(0..<2, .nearest)])
    }

    @Test func densityDecides() {
        // 4 × 100 of 400 pixels.
        let frame = squares((0, 0, 10), (0, 0, 10), (0, 0, 10), (0, 0, 10))
        #expect(frame.culled(density: 1) == frame)
        #expect(frame.culled(density: 0.999).sprites.count == 1)
        #expect(frame.culled() == frame)
        #expect(squares((0, 0, 20), (0, 0, 20)).culled().sprites.count == 1)
    }

    @Test func framesWithUnorderedRunsAreUnchanged() {
        var frame = squares((4, 5, 6), (3, 5, 8))
        frame.commands = [.sprites(1..<2, .nearest), .sprites(0..<1, .nearest)]
        #expect(frame.culled(density: 0) == frame)
        frame.commands = [.sprites(0..<2, .nearest), .sprites(1..<2, .nearest)]
        #expect(frame.culled(density: 0) == frame)
        // Ranges with gaps between them ascend, too.
        var gap = squares((4, 5, 6), (4, 5, 6), (3, 5, 8))
        gap.commands = [.sprites(0..<1, .nearest), .sprites(2..<3, .nearest)]
        let culled = gap.culled(density: 0)
        #expect(culled.sprites.map(\.image) == [2] && culled.commands == [.sprites(0..<1, .nearest)])
    }

    @Test func emptyFramesAndSprites() {
        let frame = Frame(width: 3, height: 3)
        #expect(frame.culled(density: 0) == frame)
        var empty = squares((2, 2, 0), (0, 0, 9))
        empty.sprites[0].acrossX = 0
        #expect(empty.culled(density: 0).sprites.map(\.image) == [1])
    }

    /// Compares with the visible pixels of each sprite, found pixel by pixel.
    @Test(arguments: Seeds.all) func croppedSpritesAreTheBoundsOfTheVisiblePixels(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let (width, height) = (random.integer(1...150), random.integer(1...40))
        var frame = Frame(width: width, height: height)
        for index in 0..<5 {
            let size = (random.one(of: [random.integer(1...12), random.integer(60...140)]), random.integer(1...30))
            frame.images.append(
                FrameImage(key: UInt64(index), name: "\(index)", bitmap: .noise(size.0, size.1, &random, isOpaque: index > 2)))
        }
        for _ in 0..<random.integer(1...60) {
            let image = random.integer(0...4)
            let bitmap = frame.images[image].bitmap
            frame.sprites.append(
                sprite(random.integer(-150...200), random.integer(-40...50), bitmap.width, bitmap.height, image: image))
            if random.once(in: 4) { frame.sprites[frame.sprites.count - 1].alpha = 0.5 }
        }
        frame.commands = [.sprites(frame.sprites.indices, .nearest)]
        var covered = Set<[Int]>()
        var expected: [[Int]] = []
        for sprite in frame.sprites.reversed() {
            let bitmap = frame.images[Int(sprite.image)].bitmap
            var (xs, ys, laid) = (Set<Int>(), Set<Int>(), Set<[Int]>())
            for y in 0..<bitmap.height {
                for x in 0..<bitmap.width where bitmap[x, y].alpha > 0 {
                    let (left, top) = (Int(sprite.x) + x, Int(sprite.y) + y)
                    guard (0..<width).contains(left), (0..<height).contains(top), !covered.contains([left, top]) else { continue }
                    xs.insert(left)
                    ys.insert(top)
                    if sprite.alpha == 1, bitmap[x, y].alpha == 255 { laid.insert([left, top]) }
                }
            }
            covered.formUnion(laid)
            guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { continue }
            expected.append([left, top, right - left + 1, bottom - top + 1, left - Int(sprite.x), top - Int(sprite.y)])
        }
        // Parts of a sprite outside the picture may be kept, because they are clipped in any case.
        func inPicture(_ rect: [Int]) -> [Int] {
            let (left, top) = (max(0, rect[0]), max(0, rect[1]))
            let (right, bottom) = (min(width, rect[0] + rect[2]), min(height, rect[1] + rect[3]))
            return [left, top, right - left, bottom - top, rect[4] + left - rect[0], rect[5] + top - rect[1]]
        }
        #expect(frame.culled(density: 0).sprites.map { inPicture(rect($0)) } == expected.reversed())
    }
}
