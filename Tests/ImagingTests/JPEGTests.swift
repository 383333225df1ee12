import Testing
import WaymarkImaging
import WaymarkTestSupport

@Suite struct JPEGTests {
    @Test(arguments: ["quadrants-progressive.jpg", "quadrants-422.jpg", "quadrants-cmyk.jpg"])
    func readsOthersFiles(name: String) throws {
        let bitmap = try Bitmap(decoding: fixture(name))
        #expect(bitmap.isOpaque)
        // A quarter inside each color, away from the edges that subsampling blurs.
        let side = bitmap.width
        for (x, y) in [(1, 1), (side - 2, 1), (1, side - 2), (side - 2, side - 2)] {
            let pixel = bitmap[x, y]
            let expected = Bitmap.quadrants(side)[x, y]
            #expect(abs(Int(pixel.red) - Int(expected.red)) < 16 && abs(Int(pixel.green) - Int(expected.green)) < 16)
            #expect(abs(Int(pixel.blue) - Int(expected.blue)) < 16)
        }
    }

    @Test func readsGrey() throws {
        let bitmap = try Bitmap(decoding: fixture("quadrants-gray.jpg"))
        // ITU-R 601 luma of red, green, blue and white.
        for (x, y, luma) in [(3, 3, 76), (12, 3, 150), (3, 12, 29), (12, 12, 255)] {
            let pixel = bitmap[x, y]
            #expect(pixel.red == pixel.green && pixel.green == pixel.blue && abs(Int(pixel.red) - luma) < 6)
        }
    }

    /// The same samples, marked as YCCK: their ink is computed from luma and chroma first. Without Adobe's marker they are not inverted.
    @Test func readsYCCKAndPlainCMYK() throws {
        let cmyk = try fixture("quadrants-cmyk.jpg")
        let ycck = try Bitmap(decoding: cmyk.replacing(at: 17, with: [2]))
        // Red is stored as C 255, M 0, Y 0, K 255; as Y, Cb, Cr: Y 255, Cb −128, Cr −128. The inks are the inverse of the resulting RGB.
        let red = (255.0 - 1.402 * 128, 255 + (0.344 + 0.714) * 128, 255 - 1.772 * 128)
        let stored = [red.0, red.1, red.2].map { 255 - Int(min(max($0, 0), 255)) }
        let pixel = ycck[3, 3]
        for (actual, expected) in zip([pixel.red, pixel.green, pixel.blue], stored) { #expect(abs(Int(actual) - expected) < 10) }

        let plain = try Bitmap(decoding: Array(cmyk[..<2]) + cmyk[18...])
        // C 255 and K 255 as inks: black, whatever the rest.
        #expect(plain[3, 3] == .init(red: 0, green: 0, blue: 0, alpha: 255))
    }

    @Test func keepsSharpColours() throws {
        // Red lines one pixel wide on blue: with halved chroma they would be purple.
        var bitmap = Bitmap(width: 32, height: 32, fill: .blue)
        for y in 0..<32 { bitmap[y / 8 * 8 + 3, y] = Color.red.premultipliedBytes }
        let decoded = try Bitmap(decoding: bitmap.encoded(as: .jpeg, options: EncodingOptions(quality: 95)))
        #expect(try #require(decoded.distance(to: bitmap)) < 50)
    }

    @Test func qualityDecidesTheSize() throws {
        let bitmap = EncodingTests.gradient(side: 128, alpha: 255)
        let sizes = try [1, 50, 85, 100].map { try bitmap.encoded(as: .jpeg, options: EncodingOptions(quality: $0)).count }
        #expect(sizes == sizes.sorted())
        #expect(try bitmap.encoded(as: .jpeg).count == sizes[2])
        #expect(try #require(Bitmap(decoding: bitmap.encoded(as: .jpeg)).distance(to: bitmap)) < 16)
        for quality in [0, 101, -5] {
            let error = #expect(throws: ImagingError(.badQuality(quality), format: "JPEG")) {
                try bitmap.encoded(as: .jpeg, options: EncodingOptions(quality: quality))
            }
            #expect(error?.description == "the JPEG quality \(quality) is outside 1…100")
        }
    }

    /// The frame's marker of each, and tables that suit the picture: fewer bytes for the same coefficients.
    @Test func baselineAndProgressive() throws {
        let bitmap = EncodingTests.gradient(side: 200, alpha: 255)
        let baseline = try bitmap.encoded(as: .jpeg)
        let progressive = try bitmap.encoded(as: .jpeg, options: EncodingOptions(isProgressive: true))
        #expect(Self.markers(of: baseline).filter { (0xc0...0xcf).contains($0) } == [0xc0, 0xc4, 0xc4, 0xc4, 0xc4])
        let markers = Self.markers(of: progressive)
        #expect(markers.contains(0xc2) && !markers.contains(0xc0) && markers.filter { $0 == 0xda }.count > 5)
        #expect(try Bitmap(decoding: progressive) == Bitmap(decoding: baseline))
        #expect(try bitmap.encoded(as: .jpeg, options: EncodingOptions(isProgressive: true)) == progressive)
    }

    /// The standard's tables have 12 codes for direct current and 162 for the rest, whatever the picture.
    @Test func theHuffmanTablesAreThePictures() throws {
        let flat = try Bitmap(width: 64, height: 64, fill: .orange).encoded(as: .jpeg)
        var lengths: [Int] = []
        for (at, marker) in Self.segments(of: flat) where marker == 0xc4 { lengths.append(Int(flat[at + 2]) << 8 | Int(flat[at + 3])) }
        #expect(lengths.count == 4 && lengths.allSatisfy { $0 < 2 + 17 + 4 })
        #expect(flat.count < 450)
    }

    @Test func noiseOfEveryQualityIsReadAgain() throws {
        for (width, height) in [(1, 1), (8, 8), (17, 3), (3, 400)] {
            let noise = EncodingTests.noise(width: width, height: height, isOpaque: true)
            for options in [EncodingOptions(quality: 100), EncodingOptions(quality: 1), EncodingOptions(quality: 60, isProgressive: true)] {
                let decoded = try Bitmap(decoding: noise.encoded(as: .jpeg, options: options))
                #expect(decoded.width == width && decoded.height == height)
            }
        }
    }

    /// Where each segment begins, up to the first scan's data, then by search.
    private static func segments(of file: [UInt8]) -> [(at: Int, marker: UInt8)] {
        var found: [(Int, UInt8)] = []
        var at = 2
        while at + 3 < file.count {
            guard file[at] == 0xff, file[at + 1] != 0, file[at + 1] != 0xff else {
                at += 1
                continue
            }
            found.append((at, file[at + 1]))
            at += 2 + (Int(file[at + 2]) << 8 | Int(file[at + 3]))
        }
        return found
    }

    private static func markers(of file: [UInt8]) -> [UInt8] { segments(of: file).map(\.marker) }

    @Test func liesOverTheBackground() throws {
        let bitmap = Bitmap(width: 16, height: 16, fill: Color.red.withAlpha(0.5))
        let options = { EncodingOptions(quality: 100, background: $0) }
        // Half red over white, over blue, and over a half blue that is itself over white.
        for (background, expected) in [
            (nil, (255, 127, 127)), (.blue, (128, 0, 127)), (Color.blue.withAlpha(0.5), (191, 63, 127)), (.clear, (255, 127, 127)),
        ] as [(Color?, (Int, Int, Int))] {
            let pixel = try Bitmap(decoding: bitmap.encoded(as: .jpeg, options: options(background)))[8, 8]
            #expect(abs(Int(pixel.red) - expected.0) < 4 && abs(Int(pixel.green) - expected.1) < 4 && abs(Int(pixel.blue) - expected.2) < 4)
        }
        #expect(bitmap.laid(over: .blue)[0, 0] == .init(red: 128, green: 0, blue: 127, alpha: 255))
    }

    @Test func aJPEGHasSidesWithinBounds() {
        for (width, height) in [(0, 3), (65_501, 1)] {
            #expect(throws: ImagingError(.cannotEncode(width: width, height: height), format: "JPEG")) {
                try Bitmap(width: width, height: height).encoded(as: .jpeg)
            }
        }
    }

    @Test(arguments: ["quadrants-progressive.jpg", "quadrants-422.jpg", "quadrants-cmyk.jpg", "quadrants-gray.jpg"])
    func refusesEveryTruncation(name: String) throws {
        let bytes = try fixture(name)
        for end in 0..<bytes.count {
            #expect(throws: ImagingError.self, "cut off at \(end)") { try Bitmap(decoding: Array(bytes[..<end])) }
        }
    }

    @Test func aJPEGCutInHalfIsAnError() throws {
        let bytes = try EncodingTests.noise(width: 64, height: 64, isOpaque: true).encoded(as: .jpeg)
        let error = #expect(throws: ImagingError.self) { try Bitmap(decoding: Array(bytes[..<(bytes.count / 2)])) }
        #expect(error?.description.hasPrefix("the JPEG data is damaged: ") == true)
    }

    @Test func refusesHeadersThatLie() throws {
        let bytes = try fixture("quadrants-422.jpg")
        let frame = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xff, 0xc0]) })
        let lie = bytes.replacing(at: frame + 5, with: HandmadePNG.bigEndian(60_000, bytes: 2) + HandmadePNG.bigEndian(60_000, bytes: 2))
        #expect(throws: ImagingError(.tooLarge(width: 60_000, height: 60_000, limits: ImageLimits()), format: "JPEG")) {
            try Bitmap(decoding: lie)
        }
        let longer = bytes.replacing(at: frame + 5, with: HandmadePNG.bigEndian(500, bytes: 2))
        #expect(throws: ImagingError.self) { try Bitmap(decoding: longer) }
    }

    @Test func survivesRandomDamage() throws {
        var random = SplitMix64(seed: 5)
        for name in ["quadrants-progressive.jpg", "quadrants-422.jpg", "quadrants-cmyk.jpg", "quadrants-gray.jpg"] {
            let bytes = try fixture(name)
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
