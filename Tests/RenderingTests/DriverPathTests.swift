import Testing
import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRendering
import WaymarkTestSupport

/// Drawing on a driver that lacks a feature: the same picture, or a poorer one and a shortfall.
@Suite(.serialized) struct DriverPathTests {
    init() { PinnedRasterizer.pin }

    private func renderer(_ limits: Set<DriverLimit> = []) throws -> FrameRenderer {
        try FrameRenderer(Context.make(.software, limits: limits))
    }

    private func model(samples: Int) -> Frame {
        var scene = MeshScene(48, 32, background: .red)
        let mesh = scene.add([[[-20, -11, 0], [17, -9, 0], [3, 13, 0]]])
        scene.frame.meshInstances = [MeshInstance(mesh: mesh, texture: nil)]
        scene.group(samples: samples)
        return scene.frame
    }

    @Test(arguments: DriverLimit.allCases) func everyPathDrawsTheSame(limit: DriverLimit) throws {
        let (free, limited) = (try renderer(), try renderer([limit]))
        for seed in Seeds.all {
            var random = SplitMix64(seed: seed)
            let frame = RandomFrame.everything(&random, firstKey: seed * 100)
            let comparison = PictureComparison(try free.render(frame), try limited.render(frame), threshold: 3, allowed: 0.02)
            #expect(comparison.matches, "seed \(seed): \(comparison)")
        }
    }

    @Test func withoutMultisamplingThereIsOneSample() throws {
        let (free, limited) = (try renderer(), try renderer([.noMultisampling]))
        let (fine, coarse) = (try free.render(model(samples: 4)), try free.render(model(samples: 1)))
        #expect(fine != coarse && free.shortfalls.isEmpty)
        #expect(try limited.render(model(samples: 4)) == coarse)
        #expect(limited.shortfalls == [.samples(1)])
        // With two bands, it is reported once.
        var bands = Bitmap(width: 0, height: 0)
        try limited.render(model(samples: 4), into: &bands, pixelLimit: 48 * 16)
        #expect(limited.shortfalls == [.samples(1)])
        // Only of pictures that it concerns.
        #expect(try limited.render(model(samples: 1)) == coarse && limited.shortfalls.isEmpty)
    }

    /// An image with longer sides than textures have, drawn texel for pixel on a picture that is longer, too.
    @Test func aLongImageIsTheSameTexelForPixel() throws {
        var random = SplitMix64(seed: 5)
        let image = Bitmap.noise(9000, 5, &random)
        var frame = Frame(width: 9100, height: 8, background: .white)
        frame.images = [
            FrameImage(key: 71, name: "long", bitmap: image),
            FrameImage(key: 72, name: "red", bitmap: Bitmap(width: 3, height: 3, fill: .red)),
        ]
        frame.sprites = [-300, 60, 9099, -8990].map {
            Sprite(x: $0, y: 2, across: (9000, 0), down: (0, 5), alpha: 0.7, image: 0, sampling: .nearest)
        }
        frame.sprites.append(Sprite(x: 4094, y: 1, across: (3, 0), down: (0, 3), image: 1, sampling: .nearest))
        frame.commands = [.sprites(0..<5, .nearest)]
        let (free, limited) = (try renderer(), try renderer([.texture4096]))
        #expect(try free.render(frame) == limited.render(frame))
        let info = try limited.context.info
        #expect(limited.shortfalls.isEmpty && info.maxTextureSize == 4096)
    }

    @Test func aLongImageThatIsFilteredIsDrawnFromASmallerCopy() throws {
        var image = Bitmap(width: 9000, height: 6, fill: .red)
        for x in 4500..<9000 { for y in 0..<6 { image[x, y] = .init(red: 0, green: 128, blue: 0, alpha: 255) } }
        var frame = Frame(width: 90, height: 8, background: .white)
        frame.images = [FrameImage(key: 73, name: "long.png", bitmap: image)]
        frame.sprites = [Sprite(x: 0, y: 1, across: (90, 0), down: (0, 6), image: 0)]
        frame.commands = [.sprites(0..<1, .linear)]
        let (free, limited) = (try renderer(), try renderer([.texture4096]))
        let (whole, smaller) = (try free.render(frame), try limited.render(frame))
        #expect(free.shortfalls.isEmpty)
        #expect(limited.shortfalls == [.image(name: "long.png", width: 9000, height: 6, limit: 4096)])
        for x in 0..<90 where x != 44 && x != 45 { #expect(smaller[x, 4] == whole[x, 4]) }
    }

    @Test func aLongTextureOfAModelIsDrawnFromASmallerCopy() throws {
        var scene = MeshScene(32, 32, background: .white)
        let texture = scene.add(Bitmap(width: 5000, height: 2, fill: .red))
        let mesh = scene.add([[[-9, -9, 0], [9, -9, 0], [0, 9, 0]]], texture: { [$0.x / 20 + 0.5, 0.5] })
        scene.frame.meshInstances = [MeshInstance(mesh: mesh, texture: texture)]
        scene.group()
        let (free, limited) = (try renderer(), try renderer([.texture4096]))
        #expect(try free.render(scene.frame) == limited.render(scene.frame))
        #expect(limited.shortfalls == [.image(name: "image", width: 5000, height: 2, limit: 4096)])
    }
}
