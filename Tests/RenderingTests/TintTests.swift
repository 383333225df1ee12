import Testing
import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRendering
import WaymarkTestSupport

@Suite(.serialized) struct TintTests {
    init() { PinnedRasterizer.pin }

    /// One image over the whole picture.
    private func picture(
        _ bitmap: Bitmap, _ tint: Tint, alpha: Float = 1, _ sampling: Sampling, _ submission: SpriteSubmission? = nil
    ) throws -> Bitmap {
        let (width, height) = (Float(bitmap.width), Float(bitmap.height))
        var frame = Frame(width: bitmap.width, height: bitmap.height)
        frame.images = [FrameImage(key: 1, name: "test", bitmap: bitmap)]
        frame.sprites = [Sprite(x: 0, y: 0, across: (width, 0), down: (0, height), alpha: alpha, image: 0, sampling: sampling)]
        frame.sprites[0].tint = tint
        frame.commands = [.sprites(0..<1, sampling)]
        // As on a GPU; a software rasterizer's upright images are drawn in memory.
        return try FrameRenderer(Context.make(limits: [.gpuSprites]), submission: submission).render(frame)
    }

    /// min(1, icon + tint) of the straight color, times alpha: all in exact numbers but for the last step.
    private func expected(_ pixel: Bitmap.Pixel, _ tint: Tint, alpha: Double) -> Bitmap.Pixel {
        let opacity = Double(pixel.alpha) / 255
        func channel(_ value: UInt8, _ added: UInt8) -> UInt8 {
            let straight = opacity == 0 ? 0 : min(1, Double(value) / 255 / opacity + Double(added) / 255)
            return UInt8((straight * opacity * alpha * 255).rounded())
        }
        return Bitmap.Pixel(
            red: channel(pixel.red, tint.red), green: channel(pixel.green, tint.green), blue: channel(pixel.blue, tint.blue),
            alpha: UInt8((opacity * alpha * 255).rounded()))
    }

    @Test(arguments: [Sampling.nearest, .linear], SpriteSubmission.allCases)
    func addsToTheStraightColourAndKeepsAlpha(sampling: Sampling, submission: SpriteSubmission) throws {
        var random = SplitMix64(seed: 5)
        let bitmap = Bitmap.noise(31, 23, &random)
        let tints = [
            Tint(red: 255, green: 0, blue: 0), Tint(red: 10, green: 128, blue: 254), Tint(red: 255, green: 255, blue: 255), .none,
        ]
        for tint in tints {
            for alpha in [1, 0.5] as [Float] {
                let drawn = try picture(bitmap, tint, alpha: alpha, sampling, submission)
                var wrong = 0
                for y in 0..<bitmap.height {
                    for x in 0..<bitmap.width {
                        if !drawn[x, y].isNear(expected(bitmap[x, y], tint, alpha: Double(alpha))) { wrong += 1 }
                    }
                }
                #expect(wrong == 0, "\(tint) alpha \(alpha)")
            }
        }
        #expect(try picture(bitmap, .none, .nearest, submission) == bitmap)
    }

    @Test func ofColours() {
        #expect(Tint(.red) == Tint(red: 255, green: 0, blue: 0))
        // Its alpha is ignored, even 0; only `.clear` adds nothing.
        #expect(Tint(Color(red: 1, green: 0.2, blue: 0, alpha: 0)) == Tint(red: 255, green: 51, blue: 0))
        #expect(Tint(Color(red: 1, green: 0.2, blue: 0, alpha: 0.5)) == Tint(red: 255, green: 51, blue: 0))
        #expect(Tint(.clear) == .none)
        #expect(Tint(Color(white: 0)) == .none)
    }

    @Test(arguments: SpriteSubmission.allCases) func tintedAndUntintedInOneRunAreOneDraw(submission: SpriteSubmission) throws {
        let renderer = try FrameRenderer(Context.make(), submission: submission)
        var frame = Frame(width: 30, height: 3)
        frame.images = [FrameImage(key: 1, name: "grey", bitmap: Bitmap(width: 3, height: 3, fill: Color(white: 0.2)))]
        for index in 0..<10 {
            var sprite = Sprite(x: Float(index * 3), y: 0, across: (3, 0), down: (0, 3), image: 0, sampling: .nearest)
            if index % 3 == 1 { sprite.tint = Tint(red: UInt8(index * 20), green: 0, blue: 7) }
            frame.sprites.append(sprite)
        }
        frame.commands = [.sprites(0..<10, .nearest)]
        let picture = try renderer.render(frame)
        #expect(renderer.drawCount == 1)
        for index in 0..<10 {
            let isTinted = index % 3 == 1
            let expected = Bitmap.Pixel(red: UInt8(51 + (isTinted ? index * 20 : 0)), green: 51, blue: isTinted ? 58 : 51, alpha: 255)
            #expect(picture[index * 3 + 1, 1] == expected)
        }
    }
}
