import Testing
import WaymarkImaging
import WaymarkTestSupport

@Suite struct EncodingTests {
    /// A picture of noise under every alpha, colors never above it.
    static func noise(width: Int, height: Int, isOpaque: Bool, seed: UInt64 = 1) -> Bitmap {
        var random = SplitMix64(seed: seed)
        var bitmap = Bitmap(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                let alpha = isOpaque ? 255 : UInt8(truncatingIfNeeded: random.next())
                bitmap[x, y] = .init(
                    red: .random(in: 0...alpha, using: &random), green: .random(in: 0...alpha, using: &random),
                    blue: .random(in: 0...alpha, using: &random), alpha: alpha)
            }
        }
        return bitmap
    }

    /// A slope without noise, on which filters pay.
    static func slope(width: Int, height: Int, isOpaque: Bool) -> Bitmap {
        var bitmap = Bitmap(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                let alpha: UInt8 = isOpaque ? 255 : 200
                bitmap[x, y] = .init(
                    red: UInt8((x * 3 + y * 5) % 199), green: UInt8((x * x / 40 + y) % 199), blue: UInt8(x * y / 50 % 199), alpha: alpha)
            }
        }
        return bitmap
    }

    /// A picture without edges, on which lossy formats lose little.
    static func gradient(side: Int, alpha: UInt8) -> Bitmap {
        var bitmap = Bitmap(width: side, height: side)
        for y in 0..<side {
            for x in 0..<side {
                bitmap[x, y] = .init(
                    red: UInt8(x * 180 / side), green: UInt8(y * 180 / side), blue: UInt8((x + y) * 90 / side), alpha: alpha)
            }
        }
        return bitmap
    }

    @Test(arguments: [true, false], [(1, 1), (1, 70), (70, 1), (3, 2), (129, 97)])
    func surviveAPNGUnchanged(isOpaque: Bool, size: (Int, Int)) throws {
        for bitmap in [
            Self.noise(width: size.0, height: size.1, isOpaque: isOpaque), Self.slope(width: size.0, height: size.1, isOpaque: isOpaque),
            Bitmap(width: size.0, height: size.1, fill: isOpaque ? .orange : .clear),
        ] {
            let bytes = try bitmap.encoded(as: .png)
            let decoded = try Bitmap(decoding: bytes)
            #expect(decoded == bitmap)
            #expect(decoded.straightPixels == bitmap.straightPixels)
        }
    }

    @Test func writesTheChunksInOrder() throws {
        let bytes = try Bitmap(width: 300, height: 2, fill: .red).encoded(as: .png)
        #expect(Array(bytes[..<8]) == HandmadePNG.signature)
        #expect(Array(bytes[8..<33]) == HandmadePNG.header(width: 300, height: 2, colorType: 2))
        #expect(Array(bytes[33..<46]) == HandmadePNG.chunk("sRGB", [0]))
        #expect(Array(bytes[50..<54]) == Array("IDAT".utf8))
        #expect(Array(bytes.suffix(12)) == HandmadePNG.chunk("IEND", []))
    }

    @Test func leavesAlphaOutWhenOpaque() throws {
        var bitmap = Bitmap(width: 4, height: 4, fill: .white)
        #expect(try bitmap.encoded(as: .png)[25] == 2)
        bitmap[3, 3].alpha = 254
        #expect(try bitmap.encoded(as: .png)[25] == 6)
    }

    @Test func filtersOnlyWhatPacksSmaller() throws {
        // A slope hardly packs unfiltered: every pixel is new.
        let slope = Self.slope(width: 256, height: 256, isOpaque: true)
        #expect(try slope.encoded(as: .png).count < slope.straightPixels.count / 8)
        // Noise packs no smaller filtered, so it stays, and grows by no more than the container.
        let noise = Self.noise(width: 256, height: 256, isOpaque: true)
        #expect(try noise.encoded(as: .png).count < 256 * 256 * 3 + 1000)
    }

    @Test func equalBitmapsGiveEqualBytes() throws {
        let bitmap = Self.slope(width: 100, height: 100, isOpaque: false)
        #expect(try bitmap.encoded(as: .png) == bitmap.encoded(as: .png))
    }

    @Test func rgbaIsStraightBytes() throws {
        let straight: [UInt8] = [255, 0, 0, 128, 10, 20, 30, 255]
        let bitmap = try #require(Bitmap(width: 2, height: 1, straightPixels: straight))
        #expect(try bitmap.encoded(as: .rgba) == straight)
    }

    @Test func aPNGHasAtLeastOnePixel() throws {
        let error = #expect(throws: ImagingError(.cannotEncode(width: 0, height: 3), format: "PNG")) {
            try Bitmap(width: 0, height: 3).encoded(as: .png)
        }
        #expect(error?.description == "a picture of 0 × 3 pixels cannot be written as PNG")
        #expect(try Bitmap(width: 0, height: 3).encoded(as: .rgba).isEmpty)
    }

    @Test func formatsFollowExtensions() {
        #expect(ImageFormat(path: "a/b.PNG") == .png)
        #expect(ImageFormat(path: "x.tar.rgba") == .rgba)
        for path in ["a.jpg", "a.jpeg", "A.JPG"] { #expect(ImageFormat(path: path) == .jpeg) }
        #expect(ImageFormat(path: "a.webp") == .webp)
        for path in ["png", "a.png/b", "a.jpe", "", "a.", "/"] { #expect(ImageFormat(path: path) == nil) }
    }
}
