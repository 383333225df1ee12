import Testing
import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRendering
import WaymarkTestSupport

@Suite(.serialized) struct ManyImagesTests {
    init() { PinnedRasterizer.pin }

    /// Overlapping sprites of 300 different images, and some large ones.
    private func frame(_ random: inout SplitMix64) -> Frame {
        var frame = Frame(width: 200, height: 160, background: .white)
        for index in 0..<300 {
            let side = index % 60 == 7 ? 600 : 64
            let color = Color(
                red: random.number(0...1), green: random.number(0...1), blue: random.number(0...1), alpha: random.number(0.3...1))
            let bitmap = Bitmap(width: side, height: side, fill: color)
            frame.images.append(FrameImage(key: UInt64(1000 + index), name: "\(index)", bitmap: bitmap))
        }
        for index in 0..<900 {
            let image = random.integer(0...299)
            let side = Float(frame.images[image].bitmap.width)
            let isTurned = index % 5 == 0
            frame.sprites.append(
                Sprite(
                    x: Float(random.integer(-40...190)), y: Float(random.integer(-40...150)), across: (side, isTurned ? 7 : 0),
                    down: (isTurned ? -7 : 0, side), image: image, sampling: isTurned ? .linear : .nearest))
        }
        var start = 0
        for index in 1...frame.sprites.count
        where index == frame.sprites.count || frame.sprites[index].sampling != frame.sprites[start].sampling {
            frame.commands.append(.sprites(start..<index, frame.sprites[start].sampling))
            start = index
        }
        return frame
    }

    @Test func imagesBroughtInTurnGiveTheSamePicture() throws {
        var random = SplitMix64(seed: 1)
        let frame = frame(&random)
        let context = try Context.make()
        let all = try FrameRenderer(context, submission: nil)
        // Its pages hold a twentieth of the images, so that they are packed again and again.
        let few = try FrameRenderer(
            context, submission: nil, budget: CacheBudget(byteLimit: 1 << 20, isAlone: true), imageBytesAtOnce: 1 << 18)
        (all.isCulling, few.isCulling) = (false, false)
        #expect(try few.render(frame) == all.render(frame))
        #expect(all.atlasRepacks < 10)
        #expect(few.atlasRepacks > 20)
    }

    /// A new large image evicts cached images of earlier pictures, but not images of its own picture.
    @Test(arguments: [0, 1 << 20, 3 << 20, 5 << 20, 7 << 20]) func aLargeImageComesToSmallOnes(byteLimit: Int) throws {
        let context = try Context.make()
        let renderer = try FrameRenderer(context, submission: nil, budget: CacheBudget(byteLimit: byteLimit, isAlone: true))
        let plain = try FrameRenderer(context, submission: nil)
        for step in 0..<6 {
            _ = PictureClock.begin()
            var frame = Frame(width: 80, height: 60, background: .white)
            for index in 0..<(step == 3 ? 0 : 200) {
                let color = Color(red: Double(index) / 200, green: 0.5, blue: 0.2)
                frame.images.append(FrameImage(key: UInt64(index + 1), name: "small", bitmap: Bitmap(width: 60, height: 60, fill: color)))
            }
            let side = 513 + 100 * step
            let large = Bitmap(width: side, height: side, fill: Color(red: 0.1, green: 0.2, blue: Double(step) / 6))
            frame.images.append(FrameImage(key: UInt64(1000 + step), name: "large", bitmap: large))
            frame.sprites = frame.images.indices.map { index in
                Sprite(x: Float(index % 9) * 9, y: Float(index / 9) * 2, across: (9, 0), down: (0, 7), image: index)
            }
            frame.commands = [.sprites(0..<frame.sprites.count, .linear)]
            let (drawn, expected) = (try renderer.render(frame), try FrameRenderer(context, submission: nil).render(frame))
            #expect(try plain.render(frame) == expected, "plain, step \(step)")
            #expect(drawn == expected, "step \(step)")
        }
    }
}
