import Testing
import WaymarkImaging
import WaymarkTestSupport
import WaymarkText

/// Glyphs, halos and their composition.
@Suite struct DrawingTests {
    func block(
        _ text: String, size: Double = 12, ratio: Double = 1, color: Color = .black, halo: Color = .clear, radius: Double = 0,
        wrapWidth: Double = 0
    ) -> TextBlock {
        TextBlock(parts: [
            .init(
                layout: layout(text, size: size, wrapWidth: wrapWidth), pixelsPerPoint: ratio, color: color, haloColor: halo,
                haloRadius: radius)
        ])
    }

    static let texts = ["Hamburg", "서울 2호선", "กรุงเทพ น้ำ", "القاهرة مَرْحَبًا", "नई दिल्ली", "👩‍👩‍👧‍👦🍎 ok", "ae\nfj"]

    @Test func aBoxIsWhereItsOutlineSays() {
        // U+2588, the full block of Noto Sans Symbols2 or CJK, against its outline's own numbers would need the font: the hyphen bar of
        // U+2014 in Noto Sans is a rectangle from (82, 234) to (918, 315) of 1000 units.
        let size = 100.0
        let dash = layout("\u{2014}", size: size)
        let bitmap = block("\u{2014}", size: size).bitmap(in: InkBounds(x: 0, y: 0, width: 100, height: 136))
        let inked = (0..<136).filter { y in (0..<100).contains { bitmap[$0, y].alpha > 0 } }
        #expect(dash.width == 100)
        // Baseline at row 93.
        #expect(inked.first! >= 93 - 32 && inked.last! <= 93 - 23)
        #expect(bitmap[50, 93 - 27].alpha == 255)
    }

    @Test(arguments: texts)
    func theHaloCoversTheGlyphs(_ text: String) {
        for radius in [0.3, 0.5, 1, 2, 3.7] {
            let fill = block(text, ratio: 1.5, color: .white)
            let halo = block(text, ratio: 1.5, color: .clear, halo: .white, radius: radius)
            let ink = halo.ink()
            let a = fill.bitmap(in: ink)
            let b = halo.bitmap(in: ink)
            let lacks = zip(a.pixels, b.pixels).enumerated().contains { $0.offset % 4 == 3 && $0.element.0 > $0.element.1 }
            #expect(!lacks, "radius \(radius)")
            #expect(a != b)
        }
    }

    /// A pixel as far from the ink as the halo reaches is covered, one farther is not.
    @Test func theHaloReachesItsRadius() {
        let fill = block("l", size: 40, color: .white)
        let rect = InkBounds(x: -10, y: -10, width: 60, height: 80)
        let glyph = fill.bitmap(in: rect)
        let halo = block("l", size: 40, color: .clear, halo: .white, radius: 4).bitmap(in: rect)
        for y in 0..<rect.height {
            for x in 0..<rect.width {
                var nearest = Double.infinity
                for v in 0..<rect.height {
                    for u in 0..<rect.width where glyph[u, v].alpha > 127 {
                        nearest = min(nearest, Double((u - x) * (u - x) + (v - y) * (v - y)).squareRoot())
                    }
                }
                if nearest < 2.5 { #expect(halo[x, y].alpha == 255) }
                if nearest > 5.8 { #expect(halo[x, y].alpha == 0) }
            }
        }
    }

    /// Its alpha does not add up where the halos of neighbors overlap, or under the glyphs.
    @Test func aTranslucentHaloDoesNotDouble() {
        let half = Color(red: 1, green: 0, blue: 0, alpha: 0.5)
        for text in ["WAWA", "서울시", "🍎🍎"] {
            let bitmap = block(text, size: 20, color: .clear, halo: half, radius: 4).bitmap()
            #expect(stride(from: 3, to: bitmap.pixels.count, by: 4).map { bitmap.pixels[$0] }.max() == 128)
        }
        // Nor do fills whose glyphs overlap.
        let fill = block("f\u{301}\u{302}\u{323}\u{338}", size: 30, color: half).bitmap()
        #expect(stride(from: 3, to: fill.pixels.count, by: 4).map { fill.pixels[$0] }.max() == 128)
    }

    @Test func fillsStandOverAllHalos() {
        let caption = TextBlock.Part(
            layout: layout("gjpqy"), pixelsPerPoint: 1, color: .black, haloColor: .white, haloRadius: 6)
        let sub = TextBlock.Part(layout: layout("gjpqy"), pixelsPerPoint: 1, color: .black, haloColor: .white, haloRadius: 6)
        let both = TextBlock(parts: [caption, sub])
        let bare = TextBlock(parts: [caption, sub].map { .init(layout: $0.layout, pixelsPerPoint: 1, color: .black) })
        let rect = bare.ink()
        let a = both.bitmap(in: rect)
        let b = bare.bitmap(in: rect)
        for index in stride(from: 0, to: b.pixels.count, by: 4) {
            // Black over white: the darkness is the glyph's coverage.
            #expect(a.pixels[index + 3] == 255)
            #expect(abs(255 - Int(a.pixels[index]) - Int(b.pixels[index + 3])) <= 1)
        }
    }

    @Test(arguments: texts)
    func aPartIsTheCropOfTheWhole(_ text: String) {
        var random = SplitMix64(seed: 7)
        for (size, radius) in [(12.0, 1.0), (40, 5), (700, 9)] {
            let block = block(text, size: size, color: .blue, halo: Color(white: 1, alpha: 0.7), radius: radius)
            var whole = block.ink(phase: 1)
            whole.width = min(whole.width, 900)
            whole.height = min(whole.height, 900)
            let bitmap = block.bitmap(phase: 1, in: whole)
            for _ in 0..<4 {
                let part = InkBounds(
                    x: whole.x + random.integer(-20...whole.width), y: whole.y + random.integer(-20...whole.height),
                    width: random.integer(1...200), height: random.integer(1...200))
                let found = block.bitmap(phase: 1, in: part)
                var isSame = true
                for y in 0..<part.height {
                    for x in 0..<part.width {
                        let u = x + part.x - whole.x
                        let v = y + part.y - whole.y
                        guard (0..<whole.width).contains(u), (0..<whole.height).contains(v) else { continue }
                        if found[x, y] != bitmap[u, v] { isSame = false }
                    }
                }
                #expect(isSame, "\(text) at \(size): \(part)")
            }
        }
    }

    /// Nothing is drawn outside of the ink, which is at most slightly larger than the drawn pixels.
    @Test(arguments: texts)
    func theInkHoldsEverything(_ text: String) {
        for (ratio, radius) in [(1.0, 0.0), (1, 1), (2.3, 3.3), (6, 11)] {
            for phase in 0...3 {
                let block = block(text, ratio: ratio, halo: radius > 0 ? .white : .clear, radius: radius)
                let ink = block.ink(phase: phase)
                let around = InkBounds(x: ink.x - 8, y: ink.y - 8, width: ink.width + 16, height: ink.height + 16)
                let bitmap = block.bitmap(phase: phase, in: around)
                var outside = 0
                var left = Int.max
                var right = 0
                for y in 0..<around.height {
                    for x in 0..<around.width where bitmap[x, y].alpha > 0 {
                        let isInside = (8..<8 + ink.width).contains(x) && (8..<8 + ink.height).contains(y)
                        if !isInside { outside += 1 }
                        left = min(left, x - 8)
                        right = max(right, x - 8 + 1)
                    }
                }
                #expect(outside == 0)
                // Pictures of color may have empty edges.
                if !text.contains("🍎") { #expect(left <= 2 && right >= ink.width - 2, "\(text) \(ratio) \(phase)") }
            }
        }
    }

    /// Four quarter pixels are a pixel, and every phase is its own picture.
    @Test func phasesMoveByQuarterPixels() {
        // One glyph: where two share a pixel, the larger coverage counts.
        let block = block("l", size: 13)
        let rect = InkBounds(x: -2, y: 0, width: 40, height: 20)
        let phases = (0...3).map { block.bitmap(phase: $0, in: rect) }
        #expect(Set(phases.map(\.pixels)).count == 4)
        // The middle of the ink moves by a quarter pixel each.
        let centers = phases.map { bitmap -> Double in
            var sum = 0.0
            var total = 0.0
            for y in 0..<rect.height {
                for x in 0..<rect.width {
                    sum += Double(x) * Double(bitmap[x, y].alpha)
                    total += Double(bitmap[x, y].alpha)
                }
            }
            return sum / total
        }
        // Coverage gives a place within a pixel only by its neighbors, so not to the last digit.
        for phase in 1...3 {
            #expect(abs(centers[phase] - centers[0] - Double(phase) / 4) < 0.13)
            #expect(centers[phase] > centers[phase - 1] + 0.1)
        }
    }

    @Test func linesAndPartsAreCentred() {
        let part = TextBlock.Part(layout: layout("I\nIIIIIIII"), pixelsPerPoint: 2, color: .black)
        let sub = TextBlock.Part(layout: layout("II", size: 9), pixelsPerPoint: 2, color: .black)
        let block = TextBlock(parts: [part, sub])
        #expect(block.height == 2 * (part.layout.height + sub.layout.height))
        #expect(block.width == 2 * part.layout.width)
        let bitmap = block.bitmap(in: InkBounds(x: 0, y: 0, width: block.boxWidth, height: block.boxHeight))
        for y in 0..<bitmap.height {
            let inked = (0..<bitmap.width).filter { bitmap[$0, y].alpha > 0 }
            guard let first = inked.first, let last = inked.last else { continue }
            #expect(abs(first - (bitmap.width - 1 - last)) <= 2)
        }
    }

    @Test func coloursArePremultipliedAndEmojiKeepTheirs() {
        let bitmap = block("Wm", size: 30, color: Color(red: 1, green: 0.5, blue: 0, alpha: 0.5)).bitmap()
        let alphas = (0..<bitmap.width * bitmap.height).map { bitmap.pixels[$0 * 4 + 3] }
        #expect(alphas.max() == 128)
        #expect((0..<alphas.count).allSatisfy { bitmap.pixels[$0 * 4] == alphas[$0] && bitmap.pixels[$0 * 4 + 2] == 0 })
        let apple = block("🍎", size: 30, color: .black).bitmap()
        let pale = block("🍎", size: 30, color: Color(white: 0, alpha: 0.5)).bitmap()
        var red = 0
        for index in 0..<apple.width * apple.height {
            if apple.pixels[index * 4] > 150 { red += 1 }
            for channel in 0..<4 {
                #expect(abs(Double(apple.pixels[index * 4 + channel]) * 128 / 255 - Double(pale.pixels[index * 4 + channel])) <= 1)
            }
        }
        #expect(red > 100)
    }

    @Test func nothingToDrawIsNothing() {
        #expect(block("").ink().isEmpty)
        #expect(block("   ").ink().isEmpty)
        #expect(block("a", color: .clear).ink().isEmpty)
        #expect(block("a", ratio: 0).ink().isEmpty)
        #expect(block("a", ratio: .nan).ink().isEmpty)
        #expect(block("a", size: 20_000).ink().isEmpty)
        #expect(TextBlock(parts: []).ink().isEmpty)
        #expect(block("a").bitmap(in: .nothing).pixels.isEmpty)
        // A halo without a radius, or a transparent one, counts as missing.
        #expect(block("a", halo: .white, radius: 0).ink() == block("a").ink())
        #expect(block("a", halo: .clear, radius: 9).ink() == block("a").ink())
    }

    /// A block drawn again draws no glyph again, and one in another color neither.
    @Test func glyphsAreDrawnOnce() {
        let size = 12.375
        let first = block("xyz", size: size, halo: .white, radius: 3)
        let bitmap = first.bitmap()
        // Other tests draw at the same time, so a total count proves nothing, but the pixels do.
        #expect(bitmap == first.bitmap())
        #expect(FontLibrary.rasterizations >= 6)
        let red = block("xyz", size: size, color: .red, halo: .white, radius: 3).bitmap()
        #expect(stride(from: 3, to: red.pixels.count, by: 4).allSatisfy { red.pixels[$0] == bitmap.pixels[$0] })
    }
}
