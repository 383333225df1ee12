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
        let few = try FrameRenderer(context, submission: nil, budget: CacheBudget(byteLimit: 1 << 20), imageBytesAtOnce: 1 << 18)
        (all.isCulling, few.isCulling) = (false, false)
        #expect(try few.render(frame) == all.render(frame))
        #expect(all.atlasRepacks < 10)
        #expect(few.atlasRepacks > 20)
    }
}
