import Testing
import WaymarkFrame
import WaymarkGPU
import WaymarkGeo
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

    /// Images without paths have the same pixels in memory as on the device.
    @Test(arguments: Seeds.slow) func imagesAloneInMemoryAndOnTheDevice(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var frame = frame(&random)
        frame.commands = frame.commands.filter { if case .sprites = $0 { true } else { false } }
        let (memory, device) = (try FrameRenderer(Context.make()), try FrameRenderer(Context.make(limits: [.gpuSprites])))
        #expect(try memory.render(frame) == device.render(frame))
        #expect(memory.drawCount == 0 && device.drawCount > 0)
    }

    /// A frame that is drawn by the device although it could be drawn in memory: it has an image beyond the picture.
    private func onDevice(_ frame: Frame) -> Frame {
        var other = frame
        other.images.append(FrameImage(key: 7_900_000, name: "beyond", bitmap: Bitmap(width: 5, height: 5, fill: .red)))
        other.sprites.append(Sprite(x: -100, y: 0, across: (5, 0), down: (0, 5), image: other.images.count - 1))
        other.commands.append(.sprites(other.sprites.count - 1..<other.sprites.count, .linear))
        return other
    }

    /// With a software rasterizer, only the meshes of a group between paths are drawn by the device.
    @Test(arguments: [1, 4]) func meshesBetweenPaths(samples: Int) throws {
        var scene = MeshScene(60, 50, tilt: 50, background: Color(red: 0.9, green: 0.8, blue: 0.7, alpha: 0.6))
        let mesh = scene.add([[[-9, -5, 0], [9, -5, 0], [0, -5, 14]], [[-9, -5, 0], [9, -5, 0], [3, 9, 6]]])
        scene.frame.meshInstances = [MeshInstance(mesh: mesh, diffuse: [0.8, 0.3, 0.2, 1])]
        scene.group(samples: samples)
        var frame = scene.frame
        frame.add([[PathPoint(3, 3), PathPoint(50, 10), PathPoint(20, 45)]], color: Color(red: 0.2, green: 0.5, blue: 0.9))
        frame.add([[PathPoint(0, 20), PathPoint(60, 20), PathPoint(60, 26)]], color: Color(red: 0.1, green: 0.1, blue: 0.1, alpha: 0.5))
        frame.commands = [.paths(0..<1)] + frame.commands + [.paths(1..<2)]
        let renderer = try FrameRenderer(Context.make())
        let (inMemory, drawn) = (try renderer.render(frame), renderer.drawCount)
        let onDevice = try renderer.render(onDevice(frame))
        #expect(drawn == 1 && renderer.drawCount > 2)
        let largest = zip(inMemory.pixels, onDevice.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 255
        #expect(largest <= 1, "\(largest)")
        #expect(Set(inMemory.pixels).count > 12)
    }

    /// Paths on the ground above the sky fade into it, in memory, too.
    @Test(arguments: [1.0, 0.5]) func pathsAboveTheSky(alpha: Double) throws {
        var frame = Frame(width: 40, height: 30, background: .white)
        let ring = [PathPoint(-5, -5), PathPoint(45, -5), PathPoint(45, 35), PathPoint(-5, 35)]
        frame.add([ring], color: Color(red: 0.2, green: 0.5, blue: 0.9))
        frame.add([ring], color: Color(red: 0.9, green: 0.2, blue: 0.1, alpha: 0.7))
        for index in 0..<2 { frame.paths[index].fades = true }
        let fade = GroundFade(edges: [GroundFade.Edge(x: 0.01, y: -0.06, offset: 1.4)])
        let sky = FrameSky(horizon: Color(white: 0.9, alpha: alpha), zenith: Color(white: 0.4, alpha: alpha), fade: fade)
        frame.commands = [.paths(0..<1), .sky(sky), .paths(1..<2)]
        let renderer = try FrameRenderer(Context.make())
        let (inMemory, drawn) = (try renderer.render(frame), renderer.drawCount)
        let onDevice = try renderer.render(onDevice(frame))
        #expect(drawn == 0 && renderer.drawCount > 0)
        let largest = zip(inMemory.pixels, onDevice.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 255
        #expect(largest <= 1, "\(largest)")
        #expect(inMemory[20, 1] != inMemory[20, 28])
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
        let renderer = try FrameRenderer(Context.make(limits: [.gpuSprites]))
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
