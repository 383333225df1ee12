import Testing
import WaymarkImaging
import WaymarkTestSupport

@Suite struct DecodingTests {
    struct Kind: CustomTestStringConvertible {
        var colorType: HandmadePNG.ColorType
        var depth: Int

        var testDescription: String { "\(colorType), \(depth) bits" }

        static let all = HandmadePNG.ColorType.allCases.flatMap { type in type.depths.map { Kind(colorType: type, depth: $0) } }
    }

    @Test(arguments: Kind.all, [false, true])
    func decodesEveryKindOfPNG(kind: Kind, isInterlaced: Bool) throws {
        let canKey = kind.colorType != .grayAlpha && kind.colorType != .rgba
        for hasTransparency in canKey ? [false, true] : [false] {
            // Down to one pixel, where most interlacing passes are empty.
            for side in [1, 2, 5, 11] {
                let png = HandmadePNG(
                    width: side, height: 9, colorType: kind.colorType, depth: kind.depth, isInterlaced: isInterlaced,
                    hasTransparency: hasTransparency)
                let expected = try #require(Bitmap(width: side, height: 9, straightPixels: png.straightPixels))
                #expect(try Bitmap(decoding: png.bytes) == expected)
            }
        }
    }

    @Test func ignoresGammaAndProfiles() throws {
        var png = HandmadePNG()
        let plain = try Bitmap(decoding: png.bytes)
        png.extraChunks = HandmadePNG.chunk("gAMA", HandmadePNG.bigEndian(100_000)) + HandmadePNG.chunk("iCCP", Array("x\0\0nonsense".utf8))
        #expect(try Bitmap(decoding: png.bytes) == plain)
    }

    @Test func refusesEveryTruncation() throws {
        let bytes = HandmadePNG(isInterlaced: true).bytes
        for end in 0..<bytes.count {
            #expect(throws: ImagingError.self, "cut off at \(end)") { try Bitmap(decoding: Array(bytes[..<end])) }
        }
    }

    @Test func refusesADamagedChecksum() throws {
        var bytes = HandmadePNG().bytes
        let data = try #require(bytes.indices.first { bytes[$0...].starts(with: "IDAT".utf8) })
        bytes[data + 6] ^= 1
        let error = #expect(throws: ImagingError.self) { try Bitmap(decoding: bytes) }
        #expect(error?.description.hasPrefix("the PNG data is damaged: IDAT: ") == true)
    }

    @Test func refusesHeadersThatLie() {
        let lie = HandmadePNG.signature + HandmadePNG.header(width: 60_000, height: 60_000) + HandmadePNG.chunk("IEND", [])
        #expect(throws: ImagingError(.corrupt(message: "Not enough image data"), format: "PNG")) { try Bitmap(decoding: lie) }
        // Long enough to hold that many pixels, so that only the limits refuse it.
        let long = lie + [UInt8](repeating: 0, count: 14_000_000)
        let tooLarge = ImagingError(.tooLarge(width: 60_000, height: 60_000, limits: ImageLimits()), format: "PNG")
        #expect(throws: tooLarge) { try Bitmap(decoding: long) }
        #expect(
            tooLarge.description == "the PNG is 60000 × 60000 pixels, but at most 16384 × 16384 and 67108864 pixels in total are allowed")
        let empty = HandmadePNG.signature + HandmadePNG.header(width: 0, height: 5)
        #expect(throws: ImagingError(.corrupt(message: "Invalid IHDR data"), format: "PNG")) { try Bitmap(decoding: empty) }
    }

    @Test func keepsToTheLimitsGiven() throws {
        let bytes = HandmadePNG(width: 11, height: 9).bytes
        #expect(try Bitmap(decoding: bytes, limits: ImageLimits(width: 11, height: 9, pixels: 99, bytes: bytes.count)).width == 11)
        for limits in [ImageLimits(width: 10), ImageLimits(height: 8), ImageLimits(pixels: 98)] {
            #expect(throws: ImagingError(.tooLarge(width: 11, height: 9, limits: limits), format: "PNG")) {
                try Bitmap(decoding: bytes, limits: limits)
            }
        }
        let short = ImageLimits(bytes: bytes.count - 1)
        #expect(throws: ImagingError(.tooLong(limits: short))) { try Bitmap(decoding: bytes, limits: short) }
    }

    @Test func namesWhatItCannotDecode() {
        let error = #expect(throws: ImagingError(.unsupported, format: "GIF")) { try Bitmap(decoding: Array("GIF89a".utf8)) }
        #expect(error?.description == "GIF images cannot be decoded")
    }

    @Test(
        arguments: [
            ("JPEG", [0xff, 0xd8, 0xff, 0xe0]), ("WebP", Array("RIFF\0\0\0\0WEBPVP8 ".utf8)),
            ("BMP", Array("BM".utf8) + [UInt8](repeating: 0, count: 24)), ("SVG", Array("<svg xmlns='x'/>".utf8)),
            ("SVG", Array("\u{feff}\n<?xml version='1.0'?><!-- pin --><svg>".utf8)),
        ] as [(String, [UInt8])])
    func tellsFormatsByTheirBeginning(format: String, bytes: [UInt8]) {
        let error = #expect(throws: ImagingError.self) { try Bitmap(decoding: bytes) }
        #expect(error?.format == format)
        #expect(error?.description.hasPrefix("the \(format) data is damaged: ") == true)
    }

    @Test func refusesWhatIsNoImage() {
        #expect(throws: ImagingError(.empty)) { try Bitmap(decoding: []) }
        for text in ["hello", "BMW", "<html></html>", "RIFF", "\u{89}PNG"] {
            #expect(throws: ImagingError(.notAnImage)) { try Bitmap(decoding: Array(text.utf8)) }
        }
    }

    @Test func survivesRandomDamage() {
        var random = SplitMix64(seed: 7)
        for kind in Kind.all {
            let bytes = HandmadePNG(colorType: kind.colorType, depth: kind.depth).bytes
            for _ in 0..<100 {
                var damaged = bytes
                damaged[Int(random.next() % UInt64(bytes.count))] ^= UInt8(truncatingIfNeeded: random.next() | 1)
                // Damage in an ancillary place may pass, but must not cause a crash or a picture of another size.
                if let bitmap = try? Bitmap(decoding: damaged) { #expect(bitmap.width == 11 && bitmap.height == 9) }
            }
        }
    }
}
