import Testing
import WaymarkImaging
import WaymarkTestSupport

@Suite struct PaletteTests {
    /// The file, read by libpng and by the tests' own decoder; they agree.
    private func decoded(_ bitmap: Bitmap, _ colorCount: Int, threadCount: Int = 1) throws -> (bitmap: Bitmap, palette: [[UInt8]]) {
        let options = EncodingOptions(paletteColors: colorCount, threadCount: threadCount)
        let file = try bitmap.encoded(as: .png, options: options)
        let plain = try PlainPNG(file)
        let decoded = try Bitmap(decoding: file, limits: ImageLimits(width: 65_535))
        #expect(plain.straightPixels == decoded.straightPixels)
        #expect(plain.palette.count <= colorCount && Set(plain.palette).count == plain.palette.count && !plain.palette.isEmpty)
        return (decoded, plain.palette)
    }

    /// Mean square error per channel over a background of brightness 0…1.
    private func error(_ a: Bitmap, _ b: Bitmap, over brightness: Double) -> Double {
        var sum = 0.0
        for offset in stride(from: 0, to: a.pixels.count, by: 4) {
            let alpha = Double(a.pixels[offset + 3]) - Double(b.pixels[offset + 3])
            for channel in 0..<3 {
                let color = Double(a.pixels[offset + channel]) - Double(b.pixels[offset + channel])
                sum += (color - brightness * alpha) * (color - brightness * alpha)
            }
        }
        return sum / Double(a.width * a.height * 3)
    }

    @Test(arguments: Seeds.all) func picturesOfFewColorsAreUnchanged(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let colorCount = random.one(of: [2, 3, 5, 16, 17, 255, 256])
        let colors = (0..<colorCount).map { _ in PNGWriterTests.pixel(isOpaque: random.once(in: 3), random: &random) }
        var bitmap = Bitmap(width: random.integer(1...300), height: random.integer(1...200))
        for y in 0..<bitmap.height {
            for x in 0..<bitmap.width { bitmap[x, y] = random.one(of: colors) }
        }
        let result = try decoded(bitmap, colorCount)
        #expect(result.bitmap == bitmap)
        // Opaque colors last, so that the list of alphas ends before them.
        #expect(result.palette.firstIndex { $0[3] == 255 } ?? result.palette.count == result.palette.filter { $0[3] < 255 }.count)
        #expect(try decoded(bitmap, 256).bitmap == bitmap)
    }

    @Test func aSlopeNeedsManyColors() throws {
        let slope = EncodingTests.gradient(side: 256, alpha: 255)
        var errors: [Double] = []
        for colorCount in [2, 16, 64, 256] { errors.append(error(slope, try decoded(slope, colorCount).bitmap, over: 0)) }
        #expect(errors == errors.sorted(by: >))
        // A plane of 180 by 180 in two of three channels, cut into 256 squares of 11.25: each of the two has 11.25² / 12, the third half of it.
        #expect(errors[3] < 11.25 * 11.25 / 12 * 2.5 / 3 * 1.25)
    }

    /// A pin on a photo: few pixels, but far from every other color.
    @Test func rareColorsAreKept() throws {
        var bitmap = EncodingTests.gradient(side: 400, alpha: 255)
        for y in 100..<112 {
            for x in 100..<112 { bitmap[x, y] = Color.red.premultipliedBytes }
        }
        let result = try decoded(bitmap, 32).bitmap
        #expect(result[105, 105] == Color.red.premultipliedBytes)
    }

    /// Transparent pixels, and the color that fills most of the picture, stay the same to the last bit.
    @Test func backgroundsStayAsTheyAre() throws {
        var random = SplitMix64(seed: 8)
        let ground = Bitmap.Pixel(red: 243, green: 241, blue: 237, alpha: 255)
        for fill in [Bitmap.Pixel(red: 0, green: 0, blue: 0, alpha: 0), ground] {
            var bitmap = Bitmap(width: 300, height: 300)
            for y in 0..<300 {
                for x in 0..<300 { bitmap[x, y] = y < 200 ? fill : PNGWriterTests.pixel(isOpaque: fill.alpha == 255, random: &random) }
            }
            for colorCount in [2, 3, 8, 200] {
                let result = try decoded(bitmap, colorCount).bitmap
                #expect((0..<200).allSatisfy { y in (0..<300).allSatisfy { result[$0, y] == fill } }, "\(colorCount) colors")
            }
        }
    }

    /// Antialiased edges of one color need only shades of its alpha.
    @Test func shadesOfAlpha() throws {
        var bitmap = Bitmap(width: 256, height: 64)
        for y in 0..<64 {
            for x in 0..<256 {
                let alpha = UInt8(x)
                bitmap[x, y] = .init(red: UInt8(x * 200 / 255), green: y < 32 ? alpha : 0, blue: 0, alpha: alpha)
            }
        }
        let result = try decoded(bitmap, 64).bitmap
        for brightness in [0, 0.5, 1] { #expect(error(bitmap, result, over: brightness) < 8) }
        #expect(result.pixels.indices.filter { $0 % 4 == 3 }.allSatisfy { result.pixels[$0 - 3] <= result.pixels[$0] })
    }

    /// More distinct colors than are counted one by one.
    @Test func noiseOfVeryManyColors() throws {
        let noise = EncodingTests.noise(width: 700, height: 400, isOpaque: false)
        let (few, many) = (try decoded(noise, 16).bitmap, try decoded(noise, 256).bitmap)
        #expect(error(noise, many, over: 0.5) < error(noise, few, over: 0.5))
        #expect(error(noise, many, over: 0.5) < 400)
    }

    @Test func theNumberOfThreadsChangesNothing() throws {
        let noise = EncodingTests.noise(width: 1500, height: 1500, isOpaque: true)
        let files = try [1, 2, 3].map { try noise.encoded(as: .png, options: EncodingOptions(paletteColors: 40, threadCount: $0)) }
        #expect(files[0].count(of: "IDAT") > 1)
        #expect(files[1] == files[0] && files[2] == files[0])
    }

    @Test(arguments: [(1, 1), (1, 500), (40_000, 2), (7, 3)]) func allSizes(width: Int, height: Int) throws {
        var random = SplitMix64(seed: 2)
        let bitmap = PNGWriterTests.hostile(width: width, height: height, isOpaque: false, random: &random)
        for colorCount in [2, 20, 256] {
            let result = try decoded(bitmap, colorCount).bitmap
            #expect(result.width == width && result.height == height)
        }
        #expect(throws: ImagingError(.cannotEncode(width: 0, height: 3), format: "PNG")) {
            try Bitmap(width: 0, height: 3).encoded(as: .png, options: EncodingOptions(paletteColors: 2))
        }
    }

    @Test(arguments: [Int.min, -1, 0, 1, 257, .max]) func countsThatCannotBe(count: Int) throws {
        let bitmap = Bitmap(width: 3, height: 3)
        let error = #expect(throws: ImagingError(.badPalette(count), format: "PNG")) {
            try bitmap.encoded(as: .png, options: EncodingOptions(paletteColors: count))
        }
        #expect(error?.description == "a palette must have 2…256 colors, not \(count)")
        // Not of other formats.
        #expect(try bitmap.encoded(as: .webp, options: EncodingOptions(paletteColors: count)) == bitmap.encoded(as: .webp))
    }
}
