import Testing
import WaymarkImaging
import WaymarkRendering
import WaymarkTestSupport

@Suite struct OccupiedCellsTests {
    @Test func anEmptyPictureHasNone() {
        #expect(OccupiedCells.rectangles([UInt32](repeating: 0, count: 70 * 50), width: 70, height: 50).isEmpty)
    }

    @Test func aPictureThatIsMostlyDrawnIsOneRectangle() {
        var pixels = [UInt32](repeating: 1, count: 100 * 90)
        pixels[0] = 0
        #expect(OccupiedCells.rectangles(pixels, width: 100, height: 90) == [PixelRect(x: 0, y: 0, width: 100, height: 90)])
    }

    /// A column two pixels wide at the border of two cells of 32, in a picture that ends within a cell.
    @Test func neighboringCellsAreJoined() {
        let (width, height) = (200, 40)
        var pixels = [UInt32](repeating: 0, count: width * height)
        for y in 0..<height { (pixels[y * width + 63], pixels[y * width + 64]) = (0xff, 0xff00_0000) }
        #expect(
            OccupiedCells.rectangles(pixels, width: width, height: height) == [
                PixelRect(x: 32, y: 0, width: 64, height: 32), PixelRect(x: 32, y: 32, width: 64, height: 8),
            ])
    }

    @Test(arguments: Seeds.all) func everyDrawnPixelIsInExactlyOne(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let (width, height) = (random.integer(1...150), random.integer(1...150))
        var pixels = [UInt32](repeating: 0, count: width * height)
        for _ in 0..<random.integer(1...20) { pixels[random.integer(0...width * height - 1)] = 1 << UInt32(random.integer(0...31)) }
        var covered = [Int](repeating: 0, count: width * height)
        for rect in OccupiedCells.rectangles(pixels, width: width, height: height) {
            #expect(rect.width > 0 && rect.height > 0 && rect.x >= 0 && rect.y >= 0, "seed \(seed)")
            #expect(rect.x + rect.width <= width && rect.y + rect.height <= height, "seed \(seed)")
            for y in rect.y..<rect.y + rect.height { for x in rect.x..<rect.x + rect.width { covered[y * width + x] += 1 } }
        }
        #expect(covered.allSatisfy { $0 <= 1 }, "seed \(seed)")
        #expect(zip(pixels, covered).allSatisfy { $0 == 0 || $1 == 1 }, "seed \(seed)")
    }
}
