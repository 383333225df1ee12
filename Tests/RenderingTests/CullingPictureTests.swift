import Testing
import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRendering
import WaymarkTestSupport

@Suite(.serialized) struct CullingPictureTests {
    init() { PinnedRasterizer.pin }

    @Test func whatIsLeftOutChangesNoPixel() throws {
        let context = try Context.make()
        var left = (sprites: 0, all: 0, trimmed: 0)
        for submission in SpriteSubmission.allCases {
            let renderer = try FrameRenderer(context, submission: submission)
            for seed in Seeds.all {
                var random = SplitMix64(seed: seed)
                let frame = RandomFrame.sprites(&random, firstKey: seed * 100)
                let culled = frame.culled(density: 0)
                renderer.isCulling = false
                let expected = try renderer.render(frame)
                let picture = try renderer.render(culled)
                try #require(picture == expected, "seed \(seed)")
                let byDensity = try renderer.render(frame.culled())
                renderer.isCulling = true
                let byItself = try renderer.render(frame)
                try #require(byItself == byDensity, "seed \(seed)")
                left.all += frame.sprites.count
                left.sprites += culled.sprites.count
                left.trimmed += culled.sprites.count { $0.texelX > 0 || $0.texelY > 0 }
            }
        }
        #expect(
            left.sprites < left.all * 4 / 5 && left.sprites > left.all / 20 && left.trimmed > 20,
            "\(left)")
    }
}
