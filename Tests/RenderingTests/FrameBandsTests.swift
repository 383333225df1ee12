import Testing
import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRendering
import WaymarkTestSupport

@Suite(.serialized) struct FrameBandsTests {
    init() { PinnedRasterizer.pin }

    /// The pixels where the two differ by more than the last bit of interpolated values.
    private func differences(_ a: Bitmap, _ b: Bitmap) -> (count: Int, largest: Int, sum: Int) {
        guard a.width == b.width, a.height == b.height else { return (.max, .max, .max) }
        let steps = zip(a.pixels, b.pixels).map { abs(Int($0) - Int($1)) }
        return (steps.count { $0 > 0 }, steps.max() ?? 0, steps.reduce(0, +))
    }

    @Test(arguments: Seeds.all) func aPictureInPiecesIsTheWholeOne(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let renderer = try FrameRenderer(Context.make())
        let frame = RandomFrame.everything(&random, firstKey: seed * 100)
        let whole = try renderer.render(frame)
        for _ in 0..<4 {
            let limit = random.integer(1...frame.width * frame.height)
            var pieces = Bitmap(width: 0, height: 0)
            try renderer.render(frame, into: &pieces, pixelLimit: limit)
            let (count, largest, sum) = differences(whole, pieces)
            // For quads that are antialiased or on the ground, the device interpolates the position in the image, starting from a different
            // corner in each piece: a last bit of that is one or several color steps where an image of noise is shrunk.
            #expect(sum <= whole.pixels.count / 4, "\(count) of \(whole.pixels.count) by up to \(largest)")
            var rows: [UInt8] = []
            try renderer.render(frame, pixelLimit: limit) { band in
                rows += band.pixels
                return true
            }
            #expect(rows == pieces.pixels)
        }
    }

    @Test(arguments: Seeds.all) func whatIsDrawnTexelForPixelIsTheSame(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let renderer = try FrameRenderer(Context.make())
        var frame = RandomFrame.everything(&random, firstKey: seed * 100)
        frame.commands.removeAll { command in if case .sprites(_, .linear) = command { true } else { false } }
        let whole = try renderer.render(frame)
        var pieces = Bitmap(width: 0, height: 0)
        try renderer.render(frame, into: &pieces, pixelLimit: random.integer(1...frame.width * frame.height))
        // In one picture of two hundred the device rounds a few channels otherwise.
        let (count, largest, _) = differences(whole, pieces)
        #expect(largest <= 1 && count * 100 <= whole.pixels.count, "\(count) of \(whole.pixels.count) by up to \(largest)")
    }

    @Test func aPictureWiderThanTheDeviceDrawsComesInColumns() throws {
        let renderer = try FrameRenderer(Context.make(limits: [.gpuSprites]))
        let side = Target.longestSide(try renderer.context)
        var frame = Frame(width: side * 2 + 5, height: 3, background: .white)
        frame.images = [FrameImage(key: 1, name: "red", bitmap: Bitmap(width: 4, height: 2, fill: .red))]
        // About the columns' borders, and at the ends.
        let third = (frame.width + 2) / 3
        let places = [0, third - 2, third * 2 - 1, frame.width - 4]
        frame.sprites = places.map { Sprite(x: Float($0), y: 1, across: (4, 0), down: (0, 2), image: 0, sampling: .nearest) }
        frame.commands = [.sprites(0..<4, .nearest)]
        let picture = try renderer.render(frame)
        for y in 0..<3 {
            for x in 0..<frame.width {
                let isRed = y > 0 && places.contains { $0..<$0 + 4 ~= x }
                #expect(picture[x, y] == (isRed ? .opaqueRed : .white))
            }
        }
    }

    @Test func whoHasEnoughEndsIt() throws {
        let renderer = try FrameRenderer(Context.make())
        var bands = 0
        try renderer.render(Frame(width: 10, height: 10), pixelLimit: 10) { band in
            #expect(band.width == 10 && band.height == 1)
            bands += 1
            return bands < 3
        }
        #expect(bands == 3)
    }
}
