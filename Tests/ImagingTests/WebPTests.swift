import Testing
import WaymarkImaging
import WaymarkTestSupport

@Suite struct WebPTests {
    @Test(arguments: [true, false], [(1, 1), (1, 70), (70, 1), (129, 97)])
    func losslessByDefault(isOpaque: Bool, size: (Int, Int)) throws {
        for bitmap in [
            EncodingTests.noise(width: size.0, height: size.1, isOpaque: isOpaque),
            EncodingTests.slope(width: size.0, height: size.1, isOpaque: isOpaque),
        ] {
            let bytes = try bitmap.encoded(as: .webp)
            #expect(ImageSignature(of: bytes) == .webp)
            #expect(try Bitmap(decoding: bytes) == bitmap)
            #expect(try bitmap.encoded(as: .webp) == bytes)
        }
    }

    /// 456 bytes with libwebp 1.2.4 at its preset 6, 512 and more at its presets 0 to 2.
    @Test func losslessIsAsSmallAsTheMostThoroughPresets() throws {
        let bitmap = EncodingTests.gradient(side: 128, alpha: 200)
        let bytes = try bitmap.encoded(as: .webp)
        #expect(bytes.count < 490, "\(bytes.count)")
    }

    @Test func lossyWithAQuality() throws {
        let bitmap = EncodingTests.gradient(side: 128, alpha: 200)
        let fine = try bitmap.encoded(as: .webp, options: EncodingOptions(quality: 95))
        let coarse = try bitmap.encoded(as: .webp, options: EncodingOptions(quality: 5))
        #expect(coarse.count < fine.count)
        let decoded = try Bitmap(decoding: fine)
        #expect(try #require(decoded.distance(to: bitmap)) < 16)
        #expect(decoded != bitmap)
        #expect(decoded[64, 64].alpha == 200)
    }

    @Test func readsOthersFiles() throws {
        let lossy = try Bitmap(decoding: fixture("lossy.webp"))
        #expect(try #require(Bitmap(decoding: fixture("lossy.webp")).scaled(toWidth: 2, height: 2).distance(to: .quadrants(2))) < 30)
        #expect(lossy.isOpaque)
        let translucent = try Bitmap(decoding: fixture("lossy-alpha.webp"))
        #expect(translucent[3, 3].alpha == 100 && translucent[3, 3].red > 85 && translucent[3, 3].red <= 100)
    }

    @Test func anAnimationGivesItsFirstFrameAndAWarning() throws {
        let (bitmap, warnings) = try Bitmap.decode(fixture("animation.webp"))
        #expect(bitmap == Bitmap(width: 9, height: 7, fill: .red))
        #expect(warnings == ["the WebP is an animation with 3 frames; only the first frame is shown"])
        #expect(try Bitmap(decoding: fixture("animation.webp")) == bitmap)
        #expect(try Bitmap.decode(fixture("lossy.webp")).warnings.isEmpty)
    }

    @Test func theFirstFrameStandsOnATransparentCanvas() throws {
        let small = Bitmap(width: 3, height: 2, fill: .blue)
        let bytes = try HandmadeWebP.animation(
            width: 9, height: 8, frames: [(small, 4, 2), (Bitmap(width: 9, height: 8, fill: .red), 0, 0)])
        var expected = Bitmap(width: 9, height: 8)
        for y in 2..<4 {
            for x in 4..<7 { expected[x, y] = Color.blue.premultipliedBytes }
        }
        #expect(try Bitmap(decoding: bytes) == expected)
        let outside = try HandmadeWebP.animation(width: 5, height: 8, frames: [(small, 4, 2)])
        #expect(throws: ImagingError.self) { try Bitmap(decoding: outside) }
    }

    @Test func refusesEveryTruncation() throws {
        for bytes in [try fixture("animation.webp"), try fixture("lossy.webp"), try fixture("lossy-alpha.webp")] {
            for end in 0..<bytes.count {
                #expect(throws: ImagingError.self, "cut off at \(end)") { try Bitmap(decoding: Array(bytes[..<end])) }
            }
        }
    }

    @Test func refusesHeadersThatLie() throws {
        let tooLarge = ImagingError(.tooLarge(width: 60_000, height: 60_000, limits: ImageLimits()), format: "WebP")
        let picture = try HandmadeWebP.picture(Bitmap(width: 3, height: 3))
        let canvas = HandmadeWebP.riff(
            HandmadeWebP.header(flags: 0x12, width: 60_000, height: 60_000) + HandmadeWebP.chunk("ANIM", [0, 0, 0, 0, 0, 0]))
        #expect(throws: ImagingError.self) { try Bitmap(decoding: canvas) }
        let animation = try HandmadeWebP.animation(width: 60_000, height: 60_000, frames: [(Bitmap(width: 3, height: 3), 0, 0)])
        #expect(throws: tooLarge) { try Bitmap(decoding: animation) }
        // A still picture smaller than its canvas is damaged.
        let still = HandmadeWebP.riff(HandmadeWebP.header(flags: 0, width: 50, height: 50) + picture)
        #expect(throws: ImagingError.self) { try Bitmap(decoding: still) }
        // A frame whose own header is larger than the canvas.
        let frame = try HandmadeWebP.animation(width: 8, height: 9, frames: [(Bitmap(width: 9, height: 9, fill: .red), 0, 0)])
        #expect(throws: ImagingError.self) { try Bitmap(decoding: frame) }
    }

    @Test func hasSidesAndQualitiesWithinBounds() {
        for (width, height) in [(0, 3), (16_384, 1)] {
            #expect(throws: ImagingError(.cannotEncode(width: width, height: height), format: "WebP")) {
                try Bitmap(width: width, height: height).encoded(as: .webp)
            }
        }
        #expect(throws: ImagingError(.badQuality(101), format: "WebP")) {
            try Bitmap(width: 1, height: 1).encoded(as: .webp, options: EncodingOptions(quality: 101))
        }
    }

    @Test func survivesRandomDamage() throws {
        var random = SplitMix64(seed: 11)
        for bytes in [try fixture("animation.webp"), try fixture("lossy.webp"), try fixture("lossy-alpha.webp")] {
            for _ in 0..<300 {
                var damaged = bytes
                damaged[Int(random.next() % UInt64(bytes.count))] ^= UInt8(truncatingIfNeeded: random.next() | 1)
                // Either a complete bitmap within the limits, or an error with the reason.
                do throws(ImagingError) {
                    let bitmap = try Bitmap(decoding: damaged, limits: ImageLimits(pixels: 1 << 20))
                    #expect(bitmap.width > 0 && bitmap.height > 0 && bitmap.width * bitmap.height <= 1 << 20)
                    #expect(bitmap.pixels.count == bitmap.width * bitmap.height * 4)
                } catch {
                    #expect(!error.description.isEmpty)
                }
            }
        }
    }
}
