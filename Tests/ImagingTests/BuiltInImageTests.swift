import Testing
import WaymarkImaging

@Suite struct BuiltInImageTests {
    static let pins: [BuiltInImage] = [.blue, .gray, .green, .lightblue, .pink, .red, .yellow, .black]
    static let clusters: [BuiltInImage] = [.clusterLow, .clusterMedium, .clusterHigh]
    static let ratios = [0.5, 1, 1.5, 2, 3, 4, 8]

    static func draw(_ image: BuiltInImage, _ ratio: Double) -> Bitmap {
        image.bitmap(
            width: Int((image.naturalWidth * ratio).rounded()), height: Int((image.naturalHeight * ratio).rounded()))
    }

    @Test func namesAreTheContracts() {
        let names = ["blue", "gray", "green", "lightblue", "pink", "red", "yellow", "black", "clusterLow", "clusterMedium", "clusterHigh"]
        #expect(BuiltInImage.allCases.map(\.rawValue) == names)
        #expect(Self.pins.allSatisfy { $0.naturalWidth == 26 && $0.naturalHeight == 36 })
        #expect(Self.clusters.map(\.naturalWidth) == [40, 48, 56])
        #expect(Self.clusters.map(\.naturalHeight) == [40, 48, 56])
    }

    @Test(arguments: BuiltInImage.allCases, ratios)
    func isSymmetricAndValid(image: BuiltInImage, ratio: Double) {
        let bitmap = Self.draw(image, ratio)
        for y in 0..<bitmap.height {
            for x in 0..<bitmap.width {
                let pixel = bitmap[x, y]
                if pixel != bitmap[bitmap.width - 1 - x, y] { Issue.record("not symmetric at \(x), \(y)") }
                if max(pixel.red, pixel.green, pixel.blue) > pixel.alpha { Issue.record("not premultiplied at \(x), \(y)") }
            }
        }
    }

    @Test(arguments: BuiltInImage.allCases, ratios.dropFirst())
    func cornersAreTransparent(image: BuiltInImage, ratio: Double) {
        let bitmap = Self.draw(image, ratio)
        for (x, y) in [(0, 0), (bitmap.width - 1, 0), (0, bitmap.height - 1), (bitmap.width - 1, bitmap.height - 1)] {
            #expect(bitmap[x, y].alpha == 0)
        }
    }

    /// The drawing reaches all four edges, so the collision box fits the picture.
    @Test(arguments: BuiltInImage.allCases, ratios)
    func fillsItsBox(image: BuiltInImage, ratio: Double) {
        let bitmap = Self.draw(image, ratio)
        let columns = 0..<bitmap.width
        let rows = 0..<bitmap.height
        #expect(columns.contains { bitmap[$0, 0].alpha > 0 } && columns.contains { bitmap[$0, bitmap.height - 1].alpha > 0 })
        #expect(rows.contains { bitmap[0, $0].alpha > 0 } && rows.contains { bitmap[bitmap.width - 1, $0].alpha > 0 })
    }

    /// The lowest row is covered around the middle only, at most by the tip's width of 2.2 pt.
    @Test(arguments: pins, ratios)
    func theTipIsAtTheMiddleOfTheLowerEdge(pin: BuiltInImage, ratio: Double) {
        let bitmap = Self.draw(pin, ratio)
        let covered = (0..<bitmap.width).filter { bitmap[$0, bitmap.height - 1].alpha > 0 }
        #expect(Double(covered.count) <= 2.2 * ratio + 2)
        #expect(covered.contains(bitmap.width / 2))
        #expect(covered.first.map { bitmap.width - 1 - $0 } == covered.last)
    }

    /// From the outside to the inside of the head the alpha goes from 0 to 255 within two pixels: no blur at any ratio.
    @Test(arguments: pins + clusters, ratios.dropFirst())
    func edgesAreSharp(image: BuiltInImage, ratio: Double) {
        let bitmap = Self.draw(image, ratio)
        let isPin = Self.pins.contains(image)
        let row = Int(Double(isPin ? 13 : image.naturalHeight / 2) * ratio)
        let full: UInt8 = isPin ? 255 : 72
        let alphas = (0..<bitmap.width / 2).map { bitmap[$0, row].alpha }
        #expect(alphas.prefix { $0 < full }.count <= 1)
        #expect(zip(alphas, alphas.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test(arguments: pins, ratios.dropFirst())
    func theHeadHasAWhiteDot(pin: BuiltInImage, ratio: Double) {
        let bitmap = Self.draw(pin, ratio)
        #expect(bitmap[bitmap.width / 2, Int(13 * ratio)] == .init(red: 255, green: 255, blue: 255, alpha: 255))
    }

    /// Below the head black is pure black, so that an additive tint gives exactly its own color; above, a faint gray.
    @Test func blackTakesATint() {
        let bitmap = Self.draw(.black, 2)
        for y in 40..<72 {
            for x in 0..<52 {
                let pixel = bitmap[x, y]
                #expect(pixel.red == 0 && pixel.green == 0 && pixel.blue == 0)
            }
        }
        let light = bitmap[26, 4]
        #expect(light.red == light.green && light.green == light.blue && light.red < 48)
    }

    @Test(arguments: ratios) func grayIsNeutral(ratio: Double) {
        let bitmap = Self.draw(.gray, ratio)
        for y in 0..<bitmap.height {
            for x in 0..<bitmap.width {
                let pixel = bitmap[x, y]
                if pixel.red != pixel.green || pixel.green != pixel.blue { Issue.record("colored at \(x), \(y): \(pixel)") }
            }
        }
    }

    @Test func everyImageLooksOtherwise() {
        let pictures = Self.pins.map { Self.draw($0, 1) }
        for (index, picture) in pictures.enumerated() { #expect(pictures[(index + 1)...].allSatisfy { $0 != picture }) }
    }

    @Test func stretchesToAnySize() {
        #expect(BuiltInImage.red.bitmap(width: 0, height: 10).pixels.isEmpty)
        #expect(BuiltInImage.red.bitmap(width: 1, height: 1)[0, 0].alpha > 0)
        let wide = BuiltInImage.red.bitmap(width: 260, height: 36)
        #expect(wide[0, 13].alpha > 0 && wide[259, 13].alpha > 0 && wide[0, 30].alpha == 0)
    }
}
