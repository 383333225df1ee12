import CWaymarkCodecs
import Testing
import WaymarkImaging
import WaymarkTestSupport

@Suite struct PNGWriterTests {
    /// A picture such as encoders get wrong: of runs, rows, slopes, noise and emptiness of chosen lengths, opaque or not.
    static func hostile(width: Int, height: Int, isOpaque: Bool, random: inout SplitMix64) -> Bitmap {
        var bitmap = Bitmap(width: width, height: height)
        let runs = [1, 2, 3, 63, 64, 65, 66, 128, 129, 130, 257, 258, 259, 1000]
        var index = 0
        while index < width * height {
            let kind = random.integer(0...5)
            let color = Self.pixel(isOpaque: isOpaque, random: &random)
            for i in index..<min(index + random.one(of: runs), width * height) {
                let (x, y) = (i % width, i / width)
                switch kind {
                case 0: bitmap[x, y] = color
                case 1: bitmap[x, y] = Self.pixel(isOpaque: isOpaque, random: &random)
                case 2 where y > 0: bitmap[x, y] = bitmap[x, y - 1]
                case 3 where i > 0:
                    var next = bitmap[(i - 1) % width, (i - 1) / width]
                    next.red = min(next.red &+ 1, next.alpha)
                    bitmap[x, y] = next
                case 4 where x > 300: bitmap[x, y] = bitmap[x - 300, y]
                default: if isOpaque { bitmap[x, y].alpha = 255 }
                }
                if isOpaque { bitmap[x, y].alpha = 255 }
                index = i + 1
            }
        }
        return bitmap
    }

    static func pixel(isOpaque: Bool, random: inout SplitMix64) -> Bitmap.Pixel {
        let alpha = isOpaque ? 255 : random.integer(0...255)
        let color = { (random: inout SplitMix64) in UInt8(random.integer(0...alpha)) }
        return .init(red: color(&random), green: color(&random), blue: color(&random), alpha: UInt8(alpha))
    }

    /// By libpng, which checks every chunk and the whole stream, and by a decoder written from the documents alone.
    func expectUnchanged(_ bitmap: Bitmap, threadCount: Int = 1, _ comment: Comment? = nil) throws {
        let file = try bitmap.encoded(as: .png, options: EncodingOptions(threadCount: threadCount))
        #expect(try Bitmap(decoding: file, limits: ImageLimits(width: 65_535)) == bitmap, comment)
        let plain = try PlainPNG(file)
        #expect(plain.width == bitmap.width && plain.height == bitmap.height, comment)
        #expect(plain.straightPixels == bitmap.straightPixels, comment)
    }

    @Test(arguments: Seeds.all) func hostilePicturesSurvive(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (width, height) = (random.integer(1...random.one(of: [4, 70, 400])), random.integer(1...random.one(of: [4, 90])))
        let bitmap = Self.hostile(width: width, height: height, isOpaque: random.once(in: 2), random: &random)
        try expectUnchanged(bitmap, "seed \(seed), \(width) × \(height)")
    }

    /// One pixel, one row, one column, and rows so wide that the row above lies beyond deflate's window of 32 KiB, or just within or at its edge.
    @Test(arguments: [(1, 1), (1, 4000), (4000, 1), (8191, 3), (8192, 3), (10922, 3), (10923, 3), (65_535, 2)], [true, false])
    func edgesOfTheWindow(size: (Int, Int), isOpaque: Bool) throws {
        var random = SplitMix64(seed: 7)
        try expectUnchanged(Self.hostile(width: size.0, height: size.1, isOpaque: isOpaque, random: &random))
        // Every row the same: found again only where it is near enough.
        var rows = Self.hostile(width: size.0, height: 1, isOpaque: isOpaque, random: &random).pixels
        rows += (1..<size.1).flatMap { _ in rows }
        try expectUnchanged(try #require(Bitmap(width: size.0, height: size.1, premultipliedPixels: rows)))
    }

    /// Runs whose lengths in bytes are about multiples of the longest match, 258.
    @Test(arguments: 61...68) func runsAsLongAsAMatch(run: Int) throws {
        for length in [run, run * 2, run * 4] {
            var bitmap = Bitmap(width: length * 3, height: 3)
            for y in 0..<3 {
                for x in 0..<length { bitmap[length + x, y] = .init(red: 9, green: 90, blue: 200, alpha: 255) }
            }
            try expectUnchanged(bitmap, "\(length) pixels")
        }
    }

    @Test func whatIsEmptyTakesNoSpace() throws {
        let bitmap = Bitmap(width: 512, height: 512)
        try expectUnchanged(bitmap)
        #expect(try bitmap.encoded(as: .png).count < 1300)
        #expect(try Bitmap(width: 1, height: 1).encoded(as: .png).count < 90)
    }

    @Test(arguments: [true, false]) func theNumberOfThreadsChangesNothing(isOpaque: Bool) throws {
        var random = SplitMix64(seed: 3)
        let bitmap = Self.hostile(width: 900, height: 1111, isOpaque: isOpaque, random: &random)
        let single = try bitmap.encoded(as: .png, options: EncodingOptions(threadCount: 1))
        #expect(single.count(of: "IDAT") > 2)
        for threadCount in [0, 2, 3, 64, nil] {
            #expect(try bitmap.encoded(as: .png, options: EncodingOptions(threadCount: threadCount)) == single)
        }
        try expectUnchanged(bitmap, threadCount: 2)
    }

    @Test func aSlopeInStripesIsFilteredInEach() throws {
        let bitmap = EncodingTests.slope(width: 1000, height: 1000, isOpaque: true)
        try expectUnchanged(bitmap)
        #expect(try bitmap.encoded(as: .png).count < bitmap.pixels.count / 8)
    }

    /// The straight pixels of every color under every alpha, against division.
    @Test func unpremultipliesExactly() throws {
        var pixels: [UInt8] = []
        for alpha in 0...255 {
            for color in 0...255 { pixels += [UInt8(color), UInt8(255 - color), UInt8(color / 2), UInt8(alpha)] }
        }
        // An odd number of pixels, the first alone, so that all pairs are met the other way too.
        for shift in [0, 1] {
            let bitmap = try #require(Bitmap(width: 65_536 - shift, height: 1, premultipliedPixels: Array(pixels[(shift * 4)...])))
            let expected = stride(from: 0, to: bitmap.pixels.count, by: 4).flatMap { offset in
                let alpha = Int(bitmap.pixels[offset + 3])
                return (0..<4).map { channel in
                    let value = Int(bitmap.pixels[offset + channel])
                    if channel == 3 { return UInt8(alpha) }
                    return alpha == 0 ? 0 : UInt8(min(255, (value * 510 + alpha) / (2 * alpha)))
                }
            }
            #expect(bitmap.straightPixels == expected)
        }
    }
}

extension [UInt8] {
    /// How often a word occurs.
    func count(of word: String) -> Int {
        let word = Array(word.utf8)
        return indices.dropLast(word.count - 1).filter { self[$0] == word[0] && self[$0..<$0 + word.count].elementsEqual(word) }.count
    }
}
