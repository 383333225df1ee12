import Testing
import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRendering
import WaymarkTestSupport

@Suite(.serialized) struct FrameRendererTests {
    init() { PinnedRasterizer.pin }

    /// A frame of squares of one color each: left, top, side.
    private func squares(_ width: Int, _ height: Int, background: Color = .clear, _ squares: [(Int, Int, Int, Color)]) -> Frame {
        var frame = Frame(width: width, height: height, background: background)
        for (index, (x, y, side, color)) in squares.enumerated() {
            frame.images.append(
                FrameImage(key: UInt64(index), name: "\(index)", bitmap: Bitmap(width: side, height: side, fill: color)))
            frame.sprites.append(
                Sprite(
                    x: Float(x), y: Float(y), across: (Float(side), 0), down: (0, Float(side)), image: index, sampling: .nearest))
        }
        frame.commands = [.sprites(frame.sprites.indices, .nearest)]
        return frame
    }

    private func draw(_ frame: Frame) throws -> Bitmap { try FrameRenderer(Context.make()).render(frame) }

    private func isolated(_ frame: Frame, _ group: Group) -> Frame {
        var frame = frame
        frame.commands = [.beginGroup(group)] + frame.commands + [.endGroup]
        return frame
    }

    private func whole(_ frame: Frame) -> PixelRect { .init(x: 0, y: 0, width: frame.width, height: frame.height) }

    @Test func partsOfAGroupDoNotShineThroughOneAnother() throws {
        let frame = squares(9, 5, background: .white, [(0, 0, 5, .red), (3, 0, 5, .green)])
        let picture = try draw(isolated(frame, Group(alpha: 0.5, bounds: whole(frame))))
        // Half of the color over white.
        #expect(picture[1, 2].isNear(.init(red: 255, green: 127, blue: 127, alpha: 255)))
        #expect(picture[3, 2].isNear(.init(red: 127, green: 255, blue: 127, alpha: 255)))
        #expect(picture[6, 2] == picture[3, 2])
        #expect(picture[8, 2] == .white)
        // One by one they do.
        var apart = frame
        for index in apart.sprites.indices { apart.sprites[index].alpha = 0.5 }
        #expect(try draw(apart)[3, 2].isNear(.init(red: 127, green: 191, blue: 64, alpha: 255)))
    }

    @Test func groupsInGroupsMultiply() throws {
        let frame = squares(5, 5, [(0, 0, 5, .red)])
        let inner = isolated(frame, Group(alpha: 0.5, bounds: whole(frame)))
        let picture = try draw(isolated(inner, Group(alpha: 0.5, bounds: whole(frame))))
        #expect(picture[2, 2].isNear(.init(red: 64, green: 0, blue: 0, alpha: 64)))
    }

    @Test func theBoundsOfAGroupCutItOff() throws {
        let frame = squares(9, 9, [(0, 0, 9, .red)])
        let picture = try draw(isolated(frame, Group(bounds: .init(x: 2, y: 3, width: 4, height: 5))))
        for y in 0..<9 {
            for x in 0..<9 {
                #expect(picture[x, y] == ((2..<6).contains(x) && (3..<8).contains(y) ? .opaqueRed : .clear))
            }
        }
        let beside = try draw(isolated(frame, Group(bounds: .init(x: -3, y: 7, width: 5, height: 9))))
        for y in 0..<9 {
            for x in 0..<9 { #expect(beside[x, y] == (x < 2 && y >= 7 ? .opaqueRed : .clear)) }
        }
    }

    @Test(arguments: [1, 4], [false, true]) func anOpaqueGroupIsAsIfItWereNone(samples: Int, hasDepth: Bool) throws {
        var random = SplitMix64(seed: 21)
        var frame = randomFrame(&random)
        frame.commands = frame.commands.filter { if case .sprites = $0 { true } else { false } }
        frame.sprites = frame.sprites.map {
            var sprite = $0
            sprite.plane = .screen
            return sprite
        }
        let plain = try draw(frame)
        let group = try draw(isolated(frame, Group(bounds: whole(frame), samples: samples, depths: hasDepth ? 1...100 : nil)))
        #expect(group.largestDifference(to: plain) <= (samples == 1 ? 1 : 40))
        let nearest = squares(20, 20, [(1, 2, 9, .red), (5, 5, 9, .init(red: 0, green: 1, blue: 0, alpha: 0.5))])
        let grouped = isolated(nearest, Group(bounds: whole(nearest), samples: samples, depths: hasDepth ? 1...100 : nil))
        #expect(try draw(grouped) == draw(nearest))
    }

    @Test func whatFollowsAGroupLiesAboveIt() throws {
        var frame = squares(6, 6, [(0, 0, 6, .red), (0, 0, 4, .green), (0, 0, 2, .blue)])
        frame.commands = [
            .sprites(0..<1, .nearest), .beginGroup(Group(bounds: whole(frame))), .sprites(1..<2, .nearest), .endGroup,
            .sprites(2..<3, .nearest),
        ]
        let picture = try draw(frame)
        #expect(picture[1, 1] == .opaqueBlue && picture[3, 3] == .opaqueGreen && picture[5, 5] == .opaqueRed)
    }

    /// Sprites of all kinds on screen and ground, some in groups.
    private func randomFrame(_ random: inout SplitMix64, firstKey: UInt64 = 0) -> Frame {
        var frame = Frame(
            width: 90, height: 70, background: random.one(of: [.clear, .white, Color(red: 0, green: 0.4, blue: 1, alpha: 0.5)]),
            ground: GroundCamera(
                width: 60, height: 140.0 / 3, pixelRatio: 1.5, bearing: random.number(0...360), tilt: random.number(0...70),
                opticalOffsetX: random.number(-5...5), opticalOffsetY: 3))
        for index in 0..<6 {
            let bitmap = Bitmap.noise(random.integer(1...30), random.integer(1...30), &random)
            frame.images.append(FrameImage(key: firstKey + UInt64(index), name: "\(index)", bitmap: bitmap))
        }
        func number(_ range: ClosedRange<Double>) -> Float { Float(random.number(range)) }
        var isInGroup = false
        for _ in 0..<5 {
            let start = frame.sprites.count
            let sampling = random.one(of: [Sampling.nearest, .linear])
            for _ in 0..<random.integer(1...12) {
                let image = random.integer(0...5)
                let bitmap = frame.images[image].bitmap
                let alpha = random.one(of: [1, number(0...1)])
                if sampling == .nearest {
                    frame.sprites.append(
                        Sprite(
                            x: Float(random.integer(-20...90)), y: Float(random.integer(-20...70)), across: (Float(bitmap.width), 0),
                            down: (0, Float(bitmap.height)), alpha: alpha, image: image, sampling: .nearest))
                } else {
                    frame.sprites.append(
                        Sprite(
                            x: number(-30...60), y: number(-30...60), z: random.one(of: [0, number(0...10)]),
                            across: (number(-40...40), number(-40...40)), down: (number(-40...40), number(-40...40)), alpha: alpha,
                            image: image, plane: random.one(of: [.screen, .ground])))
                }
            }
            if !isInGroup, random.once(in: 3) {
                frame.commands.append(
                    .beginGroup(
                        Group(alpha: number(0...1), bounds: .init(x: 5, y: 6, width: 70, height: 50), samples: random.one(of: [1, 4]))))
                isInGroup = true
            }
            frame.commands.append(.sprites(start..<frame.sprites.count, sampling))
        }
        if isInGroup { frame.commands.append(.endGroup) }
        return frame
    }

    @Test func instancedAndExpandedGiveTheSamePixels() throws {
        let context = try Context.make()
        let instanced = try FrameRenderer(context, submission: .instanced)
        let expanded = try FrameRenderer(context, submission: .expanded)
        for seed in Seeds.slow {
            var random = SplitMix64(seed: seed)
            let frame = randomFrame(&random, firstKey: seed * 10)
            let picture = try instanced.render(frame)
            #expect(try expanded.render(frame) == picture, "seed \(seed)")
            #expect(picture != Bitmap(width: 90, height: 70, fill: frame.background))
        }
    }

    @Test(arguments: SpriteSubmission.allCases) func aRunIsOneDrawWhateverTheIcons(submission: SpriteSubmission) throws {
        // As on a GPU, because a software rasterizer's images pixel for pixel are drawn in memory.
        let renderer = try FrameRenderer(Context.make(limits: [.gpuSprites]), submission: submission)
        let many = (0..<900).map { index -> (Int, Int, Int, Color) in
            (index % 30 * 13, index / 30 * 13, 1 + index % 12, Color(white: Double(index % 256) / 255))
        }
        var frame = squares(400, 400, many)
        let picture = try renderer.render(frame)
        #expect(renderer.drawCount == 1)
        for (index, sprite) in frame.sprites.enumerated() {
            let grey = UInt8(index % 256)
            let expected = Bitmap.Pixel(red: grey, green: grey, blue: grey, alpha: 255)
            #expect(picture[Int(sprite.x), Int(sprite.y)] == expected)
        }
        frame.commands = [.sprites(0..<400, .nearest), .sprites(400..<401, .linear), .sprites(401..<900, .nearest)]
        _ = try renderer.render(frame)
        #expect(renderer.drawCount == 3)
        #expect(renderer.atlasRepacks == 1)
        frame.commands = []
        _ = try renderer.render(frame)
        #expect(renderer.drawCount == 0)
    }

    @Test(arguments: SpriteSubmission.allCases) func moreSpritesThanOneDrawTakes(submission: SpriteSubmission) throws {
        let renderer = try FrameRenderer(Context.make(limits: [.gpuSprites]), submission: submission)
        var frame = Frame(width: 200, height: 200)
        frame.images = [FrameImage(key: 1, name: "dot", bitmap: Bitmap(width: 1, height: 1, fill: .red))]
        for index in 0..<40_000 {
            frame.sprites.append(
                Sprite(x: Float(index % 200), y: Float(index / 200), across: (1, 0), down: (0, 1), image: 0, sampling: .nearest))
        }
        frame.commands = [.sprites(0..<40_000, .nearest)]
        #expect(try renderer.render(frame) == Bitmap(width: 200, height: 200, fill: .red))
    }

    @Test func whereAnImageLiesInTheAtlasChangesNoPixel() throws {
        for seed in Seeds.slow {
            var random = SplitMix64(seed: seed)
            let frame = randomFrame(&random)
            let expected = try draw(frame)
            let renderer = try FrameRenderer(Context.make(limits: [.gpuSprites]))
            // Growing steps: other images first, then this one, then enough that everything is packed again.
            for round in 0..<3 {
                var other = Frame(width: 4, height: 4)
                for index in 0..<(round * 120 + 5) {
                    other.images.append(
                        FrameImage(
                            key: UInt64(1000 * (round + 1) + index), name: "other",
                            bitmap: .noise(random.integer(1...60), random.integer(1...60), &random)))
                }
                // Images that nothing shows are not uploaded.
                other.sprites = other.images.indices.map { Sprite(x: 0, y: 0, across: (4, 0), down: (0, 4), image: $0) }
                other.commands = [.sprites(0..<other.sprites.count, .linear)]
                _ = try renderer.render(other)
                #expect(try renderer.render(frame) == expected, "seed \(seed) round \(round)")
            }
            #expect(renderer.atlasRepacks >= 2)
        }
    }

    @Test func imagesOfNoSizeAreNothing() throws {
        var frame = squares(4, 4, [(0, 0, 2, .red)])
        frame.images.append(FrameImage(key: 77, name: "none", bitmap: Bitmap(width: 0, height: 0)))
        frame.sprites.append(Sprite(x: 1, y: 1, across: (3, 0), down: (0, 3), image: 1, sampling: .nearest))
        frame.commands = [.sprites(0..<2, .nearest)]
        let picture = try draw(frame)
        #expect(picture[0, 0] == .opaqueRed && picture[1, 1] == .opaqueRed)
        // Without others, and before a renderer has had any.
        var none = Frame(width: 4, height: 4, background: .red)
        none.images = [frame.images[1]]
        none.sprites = [Sprite(x: 1, y: 1, across: (3, 0), down: (0, 3), image: 0, sampling: .nearest)]
        none.commands = [.sprites(0..<1, .nearest)]
        #expect(try FrameRenderer(Context.make(limits: [.gpuSprites])).render(none) == Bitmap(width: 4, height: 4, fill: .red))
    }

    @Test func anEmptyFrameIsItsBackground() throws {
        let (frame, expected) = (Frame(width: 3, height: 2, background: .red), Bitmap(width: 3, height: 2, fill: .red))
        #expect(try draw(frame) == expected)
        #expect(try FrameRenderer(Context.make(limits: [.gpuSprites])).render(frame) == expected)
    }
}
