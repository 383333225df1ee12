import Testing
import WaymarkImaging
import WaymarkTestSupport

@Suite struct OrientationTests {
    /// Where the stored upper left, upper right, lower left and lower right corners are to be seen, by the table in the EXIF standard
    /// (which side of the picture row 0 and column 0 are).
    static let corners: [Int: (x: [Int], y: [Int])] = [
        1: ([0, 1, 0, 1], [0, 0, 1, 1]), 2: ([1, 0, 1, 0], [0, 0, 1, 1]), 3: ([1, 0, 1, 0], [1, 1, 0, 0]),
        4: ([0, 1, 0, 1], [1, 1, 0, 0]),
        5: ([0, 0, 1, 1], [0, 1, 0, 1]), 6: ([1, 1, 0, 0], [0, 1, 0, 1]), 7: ([1, 1, 0, 0], [1, 0, 1, 0]),
        8: ([0, 0, 1, 1], [1, 0, 1, 0]),
    ]

    /// A picture of 24 × 16 pixels, its quarters of four colors.
    static let stored: Bitmap = {
        var bitmap = Bitmap(width: 24, height: 16)
        for y in 0..<16 {
            for x in 0..<24 { bitmap[x, y] = colors[y / 8 * 2 + x / 12].premultipliedBytes }
        }
        return bitmap
    }()

    static let colors: [Color] = [.red, .green, .blue, .white]

    static func check(_ bitmap: Bitmap, orientation: Int, tolerance: Int) throws {
        let size = orientation >= 5 ? (16, 24) : (24, 16)
        #expect(bitmap.width == size.0 && bitmap.height == size.1)
        let places = try #require(corners[orientation])
        for corner in 0..<4 {
            let pixel = bitmap[places.x[corner] * (size.0 - 5) + 2, places.y[corner] * (size.1 - 5) + 2]
            let expected = colors[corner].premultipliedBytes
            let distance = max(
                abs(Int(pixel.red) - Int(expected.red)), abs(Int(pixel.green) - Int(expected.green)),
                abs(Int(pixel.blue) - Int(expected.blue)))
            #expect(distance <= tolerance, "orientation \(orientation), corner \(corner): \(pixel)")
        }
    }

    @Test(arguments: 1...8, [false, true])
    func turnsJPEG(orientation: Int, isBigEndian: Bool) throws {
        let jpeg = try Self.stored.encoded(as: .jpeg, options: EncodingOptions(quality: 100))
        let data = Array("Exif\0\0".utf8) + exif(orientation: orientation, isBigEndian: isBigEndian)
        let segment = [0xff, 0xe1] + HandmadePNG.bigEndian(data.count + 2, bytes: 2) + data
        try Self.check(Bitmap(decoding: Array(jpeg[..<2]) + segment + jpeg[2...]), orientation: orientation, tolerance: 12)
    }

    @Test(arguments: 1...8, [false, true])
    func turnsPNG(orientation: Int, isBehindTheData: Bool) throws {
        let png = try Self.stored.encoded(as: .png)
        let chunk = HandmadePNG.chunk("eXIf", exif(orientation: orientation))
        let place = isBehindTheData ? png.count - 12 : 33
        try Self.check(Bitmap(decoding: Array(png[..<place]) + chunk + png[place...]), orientation: orientation, tolerance: 0)
    }

    @Test(arguments: 1...8, [false, true])
    func turnsWebP(orientation: Int, hasLetters: Bool) throws {
        let data = Array((hasLetters ? "Exif\0\0" : "").utf8) + exif(orientation: orientation)
        let webp = try HandmadeWebP.extended(Self.stored, flags: 0x08, behind: HandmadeWebP.chunk("EXIF", data))
        try Self.check(Bitmap(decoding: webp), orientation: orientation, tolerance: 0)
    }

    /// With any invalid EXIF data, the picture is shown as stored.
    @Test func nonsenseIsUpright() throws {
        let png = try Self.stored.encoded(as: .png)
        var random = SplitMix64(seed: 3)
        let good = exif(orientation: 6)
        var nonsense: [[UInt8]] = (0..<good.count).map { Array(good[..<$0]) }.filter { $0.count < 20 }
        nonsense += [exif(orientation: 0), exif(orientation: 9), exif(orientation: 65_535), []]
        nonsense.append(good.replacing(at: 4, with: [255, 255, 255, 255]))
        nonsense.append(good.replacing(at: 12, with: [4, 0]))
        for data in nonsense {
            let bytes = Array(png[..<33]) + HandmadePNG.chunk("eXIf", data) + png[33...]
            #expect(try Bitmap(decoding: bytes) == Self.stored)
        }
        for _ in 0..<500 {
            var data = good
            for _ in 0..<3 { data[Int.random(in: 0..<data.count, using: &random)] = UInt8.random(in: 0...255, using: &random) }
            _ = try Bitmap(decoding: Array(png[..<33]) + HandmadePNG.chunk("eXIf", data) + png[33...])
        }
    }
}
