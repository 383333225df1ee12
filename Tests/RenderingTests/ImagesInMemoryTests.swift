import Testing
import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRaster
import WaymarkRendering
import WaymarkTestSupport

/// Frames of paths with a few images above them, which are drawn without the device, and frames inside images.
@Suite(.serialized) struct ImagesInMemoryTests {
    init() { PinnedRasterizer.pin }

    /// A path, then images at whole pixels, some of them beyond the edges, and paths between them.
    private func frame(_ random: inout SplitMix64) -> Frame {
        var frame = Frame(width: 40, height: 30, background: Color(red: 0.9, green: 0.8, blue: 0.7, alpha: random.once(in: 2) ? 1 : 0.4))
        let (x, y) = (Float(random.number(-5...40)), Float(random.number(-5...30)))
        let points = [PathPoint(x, y), PathPoint(x + 13, y + 3), PathPoint(x + 2, y + 11)]
        frame.add([points], color: Color(red: 0.2, green: 0.5, blue: 0.9, alpha: random.number(0.2...1)))
        frame.commands.append(.paths(0..<1))
        for key in 1...UInt64(4) {
            let (width, height) = (random.integer(1...20), random.integer(1...20))
            var bitmap = Bitmap(width: width, height: height)
            bitmap.withUnsafeMutablePixels { pixels in
                for index in 0..<width * height {
                    let alpha = random.integer(0...2) == 0 ? 255 : random.integer(0...255)
                    for channel in 0..<3 { pixels[index * 4 + channel] = UInt8(random.integer(0...alpha)) }
                    pixels[index * 4 + 3] = UInt8(alpha)
                }
            }
            frame.images.append(FrameImage(key: 7_000_000 + key + random.next() >> 8, name: "\(key)", bitmap: bitmap))
            frame.sprites.append(
                Sprite(
                    x: random.integer(-10...39), y: random.integer(-10...29), width: width, height: height, image: frame.images.count - 1))
            frame.commands.append(.sprites(frame.sprites.count - 1..<frame.sprites.count, .nearest))
            guard key % 2 == 0 else { continue }
            let (x, y) = (Float(random.number(-9...40)), Float(random.number(-9...30)))
            let color = Color(red: random.number(0...1), green: 0.7, blue: 0.1, alpha: random.number(0.2...1))
            frame.add([[PathPoint(x, y), PathPoint(x + 11, y + 5), PathPoint(x - 3, y + 9)]], color: color)
            frame.commands.append(.paths(frame.paths.count - 1..<frame.paths.count))
        }
        return frame
    }

    /// The same pixels as with the device, to which an image outside the picture that is not drawn pixel for pixel leads.
    @Test(arguments: Seeds.slow) func memoryAndDeviceGiveTheSamePixels(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let frame = frame(&random)
        let renderer = try FrameRenderer(Context.make())
        let inMemory = try renderer.render(frame)
        #expect(renderer.drawCount == 0)
        var other = frame
        other.sprites.append(Sprite(x: -100, y: 0, across: (5, 0), down: (0, 5), image: 0))
        other.commands.append(.sprites(other.sprites.count - 1..<other.sprites.count, .linear))
        let onDevice = try renderer.render(other)
        #expect(renderer.drawCount > 0)
        #expect(inMemory == onDevice)
    }

    @Test func manyImagesAreDrawnByTheDevice() throws {
        var random = SplitMix64(seed: 3)
        var frame = frame(&random)
        let first = frame.sprites.count
        for _ in 0..<4100 { frame.sprites.append(frame.sprites[0]) }
        frame.commands.append(.sprites(first..<frame.sprites.count, .nearest))
        let renderer = try FrameRenderer(Context.make())
        _ = try renderer.render(frame)
        #expect(renderer.drawCount > 0)
    }

    /// An image that shows a frame looks like the frame itself, whole and in bands, and is drawn once.
    @Test func aFrameInsideAnImage() throws {
        var random = SplitMix64(seed: 5)
        let inner = frame(&random)
        var outer = Frame(width: 60, height: 50, background: .white)
        outer.images = [FrameImage(key: 9_000_001, name: "inset", frame: inner)]
        outer.sprites = [Sprite(x: 7, y: 11, width: inner.width, height: inner.height, image: 0)]
        outer.commands = [.sprites(0..<1, .nearest)]
        let renderer = try FrameRenderer(Context.make())
        var plain = outer
        plain.images = [FrameImage(key: 9_000_002, name: "plain", bitmap: try renderer.render(inner))]
        let expected = try renderer.render(plain)
        #expect(try renderer.render(outer) == expected)
        var bands = Bitmap(width: 0, height: 0)
        try renderer.render(outer, into: &bands, pixelLimit: 600)
        #expect(bands == expected)
        #expect(PixelStore.shared.has(9_000_001))
        #expect(outer.description.contains("\n  frame 40 × 30 px"))
        #expect(outer != plain && outer.isSame(as: outer) && !outer.isSame(as: plain))
    }
}
