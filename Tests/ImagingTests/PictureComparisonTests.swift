import Testing
import WaymarkImaging
import WaymarkTestSupport

@Suite struct PictureComparisonTests {
    /// A white picture with these pixels darkened by so much.
    static func picture(_ width: Int, _ height: Int, _ marks: [(x: Int, y: Int, by: UInt8)] = []) -> Bitmap {
        var bitmap = Bitmap(width: width, height: height, fill: .white)
        for mark in marks { bitmap[mark.x, mark.y].green -= mark.by }
        return bitmap
    }

    @Test func equalPicturesMatch() {
        let comparison = PictureComparison(Self.picture(20, 20), Self.picture(20, 20))
        #expect(comparison.matches)
        #expect(comparison.differingPixels == 0)
        #expect(comparison.largest == nil && comparison.worstWindow == nil && comparison.bounds == nil)
        #expect(comparison.description == "the pictures are equal")
        #expect(PictureComparison(Bitmap(width: 0, height: 0), Bitmap(width: 0, height: 0)).matches)
    }

    @Test func otherSizesNeverMatch() {
        let comparison = PictureComparison(Self.picture(20, 20), Self.picture(20, 21), threshold: 255, allowed: 1)
        #expect(!comparison.matches)
        #expect(!comparison.haveEqualSizes)
        #expect(comparison.differencePicture() == nil)
        #expect(comparison.description == "the sizes differ: 20 × 20 and 20 × 21")
    }

    @Test func theThresholdItselfCountsAsEqual() {
        let first = Self.picture(20, 20)
        let second = Self.picture(20, 20, [(3, 4, by: 7), (9, 9, by: 8), (12, 9, by: 8)])
        let comparison = PictureComparison(first, second, threshold: 7)
        #expect(comparison.differingPixels == 2)
        #expect(comparison.largest == .init(difference: 8, x: 9, y: 9))
        #expect(comparison.bounds == .init(x: 9, y: 9, width: 4, height: 1))
        #expect(!comparison.matches)
        let tolerant = PictureComparison(first, second, threshold: 8)
        #expect(tolerant.matches)
        #expect(tolerant.description == "no pixel differs by more than 8; the largest difference is 8 at (9, 9)")
    }

    @Test func everyChannelCountsPremultiplied() throws {
        var first = Bitmap(width: 1, height: 1)
        var second = first
        first[0, 0] = .init(red: 0, green: 0, blue: 0, alpha: 10)
        second[0, 0] = .init(red: 0, green: 0, blue: 0, alpha: 14)
        #expect(PictureComparison(first, second).largest?.difference == 4)
        // Straight, red and green under an alpha of 2 are 255 apart.
        let red = try #require(Bitmap(width: 1, height: 1, straightPixels: [255, 0, 0, 2]))
        let green = try #require(Bitmap(width: 1, height: 1, straightPixels: [0, 255, 0, 2]))
        #expect(PictureComparison(red, green, threshold: 2).matches)
    }

    /// Five pixels: three that one window can hold, two that none can hold with them.
    @Test func theWorstWindowIsFoundAtEveryPosition() {
        let marks: [(x: Int, y: Int, by: UInt8)] = [(0, 0, 9), (20, 30, 9), (35, 30, 9), (27, 45, 9), (36, 46, 9)]
        let first = Self.picture(64, 64)
        let comparison = PictureComparison(first, Self.picture(64, 64, marks), allowed: 3 / 256)
        // Columns 20…35 and rows 30…45 hold three; (36, 46) is just outside.
        #expect(comparison.worstWindow?.rectangle == .init(x: 20, y: 30, width: 16, height: 16))
        #expect(comparison.worstWindow?.differingPixels == 3)
        #expect(comparison.worstWindow?.share == 3.0 / 256)
        #expect(comparison.differingPixels == 5)
        #expect(comparison.bounds == .init(x: 0, y: 0, width: 37, height: 47))
        #expect(comparison.matches)
        #expect(!PictureComparison(first, Self.picture(64, 64, marks), allowed: 2.9 / 256).matches)
        #expect(
            comparison.description
                == "5 of 4096 pixels differ, by up to 9 at (0, 0); in the worst window of 16 × 16 pixels, at (20, 30), 1.2% differ")
    }

    @Test func windowsAreClippedToSmallPictures() {
        let comparison = PictureComparison(Self.picture(4, 5), Self.picture(4, 5, [(1, 1, by: 1)]), allowed: 0.05)
        #expect(comparison.worstWindow?.rectangle == .init(x: 0, y: 0, width: 4, height: 5))
        #expect(comparison.worstWindow?.share == 0.05)
        #expect(comparison.matches)
        #expect(
            comparison.description
                == "1 of 20 pixels differs, by up to 1 at (1, 1); in the worst window of 4 × 5 pixels, at (0, 0), 5.0% differ")
        // 40 wide and 2 high: windows of 16 × 2.
        let flat = PictureComparison(Self.picture(40, 2), Self.picture(40, 2, [(39, 1, by: 5)]))
        #expect(flat.worstWindow?.rectangle == .init(x: 24, y: 0, width: 16, height: 2))
    }

    /// Against counting every window pixel by pixel.
    @Test func windowsAgreeWithCounting() {
        var random = SplitMix64(seed: 3)
        for _ in 0..<20 {
            let width = Int.random(in: 1...40, using: &random)
            let height = Int.random(in: 1...40, using: &random)
            var marks = Set<Int>()
            for _ in 0..<30 { marks.insert(Int.random(in: 0..<width * height, using: &random)) }
            let second = Self.picture(width, height, marks.map { ($0 % width, $0 / width, 50) })
            var most = 0
            for y in 0...height - min(16, height) {
                for x in 0...width - min(16, width) {
                    most = max(most, marks.count { (x..<x + 16).contains($0 % width) && (y..<y + 16).contains($0 / width) })
                }
            }
            let comparison = PictureComparison(Self.picture(width, height), second)
            #expect(comparison.worstWindow?.differingPixels == most)
            #expect(comparison.differingPixels == marks.count)
        }
    }

    @Test func theDifferencePictureIsRedOverFaintGrey() throws {
        var first = Bitmap(width: 3, height: 1, fill: .black)
        first[1, 0] = .init(red: 0, green: 0, blue: 0, alpha: 0)
        var second = first
        second[2, 0].blue = 1
        let picture = try #require(PictureComparison(first, second).differencePicture())
        #expect(picture.pixels == [192, 192, 192, 255, 255, 255, 255, 255, 255, 0, 0, 255])
    }

    @Test func pixelsThatAreLeftOutNeverDiffer() throws {
        let first = Self.picture(20, 20)
        let second = Self.picture(20, 20, [(3, 4, by: 7), (9, 9, by: 200)])
        var mask = PixelMask(width: 20, height: 20)
        mask.insert(PixelRect(x: 9, y: 9, width: .max, height: 1))
        mask.insert(PixelRect(x: -5, y: 9, width: 6, height: 1))
        #expect(mask.count == 12)
        let comparison = PictureComparison(first, second, leavingOut: mask)
        #expect(comparison.differingPixels == 1 && comparison.largest == .init(difference: 7, x: 3, y: 4))
        #expect(comparison.bounds == .init(x: 3, y: 4, width: 1, height: 1) && !comparison.matches)
        #expect(comparison.description.hasSuffix("% differ; 12 pixels are left out of the comparison"))
        let picture = try #require(comparison.differencePicture())
        #expect(picture[3, 4] == .init(red: 255, green: 0, blue: 0, alpha: 255))
        #expect(picture[9, 9] == .init(red: 207, green: 207, blue: 255, alpha: 255) && picture[0, 9] == picture[9, 9])
        #expect(picture[1, 9] == .init(red: 255, green: 255, blue: 255, alpha: 255))
        mask.insert(PixelRect(x: 3, y: 4, width: 1, height: 1))
        let equal = PictureComparison(first, second, leavingOut: mask)
        #expect(
            equal.matches && equal.largest == nil
                && equal.description == "the compared pixels are equal; 13 pixels are left out of the comparison")
        // A mask of another size.
        #expect(PictureComparison(first, second, leavingOut: PixelMask(width: 20, height: 19)).differingPixels == 2)
    }
}
