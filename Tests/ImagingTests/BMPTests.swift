import Testing
import WaymarkImaging
import WaymarkTestSupport

@Suite struct BMPTests {
    /// A BMP put together by hand.
    struct Handmade {
        var width = 5
        var height = 3
        var bits = 24
        var compression = 0
        /// 12 (CORE), 40 (INFO), 52, 56, 108 (V4) or 124 (V5).
        var headerLength = 40
        var masks: [Int] = []
        var palette: [(UInt8, UInt8, UInt8)] = []
        var data: [UInt8] = []

        var bytes: [UInt8] {
            var header: [UInt8] = .little(headerLength, 4)
            if headerLength == 12 {
                header += .little(width, 2) + .little(height, 2) + .little(1, 2) + .little(bits, 2)
            } else {
                header += .little(width, 4) + .little(height, 4) + .little(1, 2) + .little(bits, 2) + .little(compression, 4)
                header += .little(data.count, 4) + .little(0, 8) + .little(palette.count, 4) + .little(0, 4)
            }
            header += masks.flatMap { [UInt8].little($0, 4) }
            if header.count < headerLength { header += [UInt8](repeating: 0, count: headerLength - header.count) }
            header += palette.flatMap { headerLength == 12 ? [$0.2, $0.1, $0.0] : [$0.2, $0.1, $0.0, 0] }
            let offset = 14 + header.count
            return Array("BM".utf8) + .little(offset + data.count, 4) + .little(0, 4) + .little(offset, 4) + header + data
        }

        /// Rows of samples, the lowest first, filled up to four bytes.
        mutating func fill(_ sample: (_ x: Int, _ y: Int) -> Int) {
            data = []
            for row in 0..<abs(height) {
                let y = height < 0 ? row : height - 1 - row
                var line = [UInt8](repeating: 0, count: (width * bits + 31) / 32 * 4)
                for x in 0..<width {
                    if bits < 8 {
                        line[x * bits / 8] |= UInt8(sample(x, y) << (8 - bits - x * bits % 8))
                    } else {
                        for byte in 0..<bits / 8 { line[x * bits / 8 + byte] = UInt8(truncatingIfNeeded: sample(x, y) >> (byte * 8)) }
                    }
                }
                data += line
            }
        }

        func bitmap(_ pixel: (_ x: Int, _ y: Int) -> [UInt8]) -> Bitmap? {
            let straight = (0..<abs(height)).flatMap { y in (0..<width).flatMap { x in pixel(x, y) } }
            return Bitmap(width: width, height: abs(height), straightPixels: straight)
        }
    }

    static func value(_ x: Int, _ y: Int) -> Int { x &* 0x3f1a_7c53 &+ y &* 0x1d2e_9b47 &+ x &* y &* 0x0505_1133 & 0xffff_ffff }

    @Test(arguments: [1, 4, 8], [12, 40, 52, 56, 64, 108, 124])
    func readsPalettes(bits: Int, headerLength: Int) throws {
        for (width, height) in [(1, 1), (5, 3), (16, -4), (33, 2)] where headerLength > 12 || height > 0 {
            var bmp = Handmade(width: width, height: height, bits: bits, headerLength: headerLength)
            let color = { (index: Int) in (UInt8(index * 5 & 255), UInt8(255 - index), UInt8(index * 31 & 255)) }
            bmp.palette = (0..<1 << bits).map(color)
            let index = { Self.value($0, $1) >> 5 & (1 << bits - 1) }
            bmp.fill(index)
            let expected = bmp.bitmap { x, y in
                let (red, green, blue) = color(index(x, y))
                return [red, green, blue, 255]
            }
            #expect(try Bitmap(decoding: bmp.bytes) == expected)
        }
    }

    @Test func aMissingPaletteIsBlack() throws {
        var bmp = Handmade(bits: 8, palette: [(9, 8, 7), (6, 5, 4)])
        bmp.fill { x, _ in x }
        let bitmap = try Bitmap(decoding: bmp.bytes)
        #expect(bitmap[1, 0] == .init(red: 6, green: 5, blue: 4, alpha: 255))
        #expect(bitmap[2, 0] == .init(red: 0, green: 0, blue: 0, alpha: 255))
    }

    @Test(arguments: [12, 40, 108, 124], [3, -3])
    func reads24And32Bits(headerLength: Int, height: Int) throws {
        guard headerLength > 12 || height > 0 else { return }
        for bits in [24, 32] {
            var bmp = Handmade(height: height, bits: bits, headerLength: headerLength)
            bmp.fill(Self.value)
            // The fourth byte of 32 bits means nothing without a mask.
            let expected = bmp.bitmap { x, y in
                let value = Self.value(x, y)
                return [UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255), 255]
            }
            #expect(try Bitmap(decoding: bmp.bytes) == expected)
        }
    }

    @Test(
        arguments: [
            (16, 0, 40, []), (16, 3, 40, [0xf800, 0x07e0, 0x001f]), (16, 3, 56, [0x0f00, 0x00f0, 0x000f, 0xf000]),
            (16, 3, 124, [0x7c00, 0x03e0, 0x001f, 0x8000]), (32, 3, 40, [0xff, 0xff00, 0xff0000]),
            (32, 3, 108, [0xff0000, 0xff00, 0xff, 0xff00_0000]), (32, 6, 40, [0xff0000, 0xff00, 0xff, 0xff00_0000]),
            (32, 3, 52, [0x3ff0_0000, 0xffc00, 0x3ff]), (32, 3, 56, [0xff0000, 0xff00, 0, 0]),
        ] as [(Int, Int, Int, [Int])])
    func readsBitFields(bits: Int, compression: Int, headerLength: Int, masks: [Int]) throws {
        var bmp = Handmade(bits: bits, compression: compression, headerLength: headerLength, masks: masks)
        bmp.fill(Self.value)
        var known = masks.isEmpty ? [0x7c00, 0x03e0, 0x001f] : masks
        if known.count == 3 { known.append(0) }
        let expected = bmp.bitmap { x, y in
            let value = Self.value(x, y)
            return known.enumerated().map { index, mask in
                guard mask != 0 else { return index == 3 ? 255 : 0 }
                let most = mask >> mask.trailingZeroBitCount
                return UInt8((Double((value & mask) >> mask.trailingZeroBitCount) * 255 / Double(most)).rounded())
            }
        }
        #expect(try Bitmap(decoding: bmp.bytes) == expected)
    }

    @Test func readsRunLengths() throws {
        let palette: [(UInt8, UInt8, UInt8)] = (0..<16).map { ($0 * 16, 255 - $0 * 16, $0) }
        // The lowest row: a run of 5; the middle one: skip 2, then three literal pixels; above: only the end marker.
        let packed8: [UInt8] = [5, 3, 0, 0, 0, 2, 2, 0, 0, 3, 7, 8, 9, 0, 0, 0, 0, 1]
        let packed4: [UInt8] = [5, 0x33, 0, 0, 0, 2, 2, 0, 0, 3, 0x78, 0x90, 0, 0, 0, 1]
        for (bits, compression, data) in [(8, 1, packed8), (4, 2, packed4)] {
            let bmp = Handmade(bits: bits, compression: compression, palette: palette, data: data)
            let rows = [[-1, -1, -1, -1, -1], [-1, -1, 7, 8, 9], [3, 3, 3, 3, 3]]
            let expected = bmp.bitmap { x, y in
                let index = rows[y][x]
                return index < 0 ? [0, 0, 0, 0] : [palette[index].0, palette[index].1, palette[index].2, 255]
            }
            #expect(try Bitmap(decoding: bmp.bytes) == expected)
            for end in 0..<bmp.bytes.count {
                #expect(throws: ImagingError.self, "cut off at \(end)") { try Bitmap(decoding: Array(bmp.bytes[..<end])) }
            }
        }
        // Two colors in turn.
        let turns = Handmade(height: 1, bits: 4, compression: 2, palette: palette, data: [5, 0x12, 0, 1])
        let turned = try Bitmap(decoding: turns.bytes)
        #expect((0..<5).map { turned[$0, 0].blue } == [1, 2, 1, 2, 1])
    }

    /// Some writers leave out the last mark; then every row has to be there.
    @Test func runLengthsMayEndWithTheLastRow() throws {
        let palette: [(UInt8, UInt8, UInt8)] = [(1, 2, 3), (4, 5, 6)]
        let whole = Handmade(height: 2, bits: 8, compression: 1, palette: palette, data: [5, 1, 0, 0, 5, 1])
        #expect(try Bitmap(decoding: whole.bytes)[4, 0].red == 4)
        let half = Handmade(height: 2, bits: 8, compression: 1, palette: palette, data: [5, 1, 0, 0])
        #expect(throws: ImagingError(.corrupt(message: "the file ends early"), format: "BMP")) { try Bitmap(decoding: half.bytes) }
        let tooMuch = Handmade(height: 2, bits: 8, compression: 1, palette: palette, data: [6, 1, 0, 1])
        #expect(throws: ImagingError(.corrupt(message: "a run extends beyond the picture"), format: "BMP")) {
            try Bitmap(decoding: tooMuch.bytes)
        }
    }

    @Test func refusesImpossibleSizes() {
        var bmp = Handmade()
        bmp.fill(Self.value)
        for (width, height) in [(-5, 3), (0, 3), (5, 0), (Int(Int32.min), 3)] {
            (bmp.width, bmp.height) = (width, height)
            let error = ImagingError(.corrupt(message: "a size of \(width) × \(height) pixels is impossible"), format: "BMP")
            #expect(throws: error) { try Bitmap(decoding: Self.lying(width, height)) }
        }
        let tooLarge = ImagingError(.tooLarge(width: 60_000, height: 60_000, limits: ImageLimits()), format: "BMP")
        #expect(throws: tooLarge) { try Bitmap(decoding: Self.lying(60_000, 60_000)) }
        #expect(throws: tooLarge) { try Bitmap(decoding: Self.lying(60_000, -60_000)) }
        let lowest = ImagingError(.tooLarge(width: 5, height: 1 << 31, limits: ImageLimits()), format: "BMP")
        #expect(throws: lowest) { try Bitmap(decoding: Self.lying(5, Int(Int32.min))) }
        // Within the limits, but not in the file.
        #expect(throws: ImagingError(.corrupt(message: "the file ends early"), format: "BMP")) {
            try Bitmap(decoding: Self.lying(8000, 8000))
        }
    }

    static func lying(_ width: Int, _ height: Int) -> [UInt8] {
        var bmp = Handmade()
        bmp.fill(value)
        return bmp.bytes.replacing(at: 18, with: .little(width, 4) + .little(height, 4))
    }

    @Test func refusesWhatMakesNoSense() {
        for bmp in [
            Handmade(bits: 7), Handmade(bits: 24, compression: 4), Handmade(bits: 24, compression: 3), Handmade(headerLength: 39),
            Handmade(height: -3, bits: 8, compression: 1), Handmade(bits: 16, compression: 3, masks: [0xf0f0, 0x0f00, 0x000f]),
            Handmade(bits: 16, compression: 3, masks: [0xff00, 0x0ff0, 0x000f]),
            Handmade(bits: 16, compression: 3, masks: [0x1f_0000, 1, 2]),
        ] {
            var filled = bmp
            filled.data = [UInt8](repeating: 0, count: 4000)
            #expect(throws: ImagingError.self) { try Bitmap(decoding: filled.bytes) }
        }
    }

    @Test func refusesEveryTruncation() {
        for (bits, compression, masks) in [(24, 0, []), (16, 3, [0xf800, 0x07e0, 0x001f]), (8, 0, [])] {
            var bmp = Handmade(width: 4, bits: bits, compression: compression, masks: masks)
            bmp.fill(Self.value)
            for end in 0..<bmp.bytes.count {
                #expect(throws: ImagingError.self, "cut off at \(end)") { try Bitmap(decoding: Array(bmp.bytes[..<end])) }
            }
        }
    }

    /// Headers of random numbers over random data: an error or a picture within the limits, and no trap.
    @Test func survivesRandomHeaders() {
        var random = SplitMix64(seed: 21)
        var pictures = 0
        for _ in 0..<20_000 {
            let bits = [1, 4, 8, 16, 24, 32].randomElement(using: &random) ?? 8
            var bmp = Handmade(
                width: .random(in: 0...20, using: &random), height: .random(in: -12...12, using: &random), bits: bits,
                compression: [0, 0, 0, 1, 2, 3, 6].randomElement(using: &random) ?? 0,
                headerLength: [12, 40, 40, 52, 56, 108, 124].randomElement(using: &random) ?? 40)
            if bmp.compression == 1 { bmp.bits = 8 }
            if bmp.compression == 2 { bmp.bits = 4 }
            if bmp.compression > 2 { bmp.masks = [0xf800, 0x07e0, 0x001f, 0].shuffled(using: &random) }
            bmp.palette = [(1, 2, 3), (4, 5, 6), (7, 8, 9)]
            // Small numbers, so that run lengths often fit.
            bmp.data = (0..<Int.random(in: 0...900, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) & 7 }
            var bytes = bmp.bytes
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                bytes[Int.random(in: 10..<min(bytes.count, 80), using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let limits = ImageLimits(width: 300, height: 300)
            if let bitmap = try? Bitmap(decoding: bytes, limits: limits) {
                pictures += 1
                #expect(bitmap.width <= 300 && bitmap.height <= 300 && bitmap.pixels.count == bitmap.width * bitmap.height * 4)
            }
        }
        #expect(pictures > 1000)
    }
}
