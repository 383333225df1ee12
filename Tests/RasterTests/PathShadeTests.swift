import Testing
import WaymarkImaging
import WaymarkRaster
import WaymarkTestSupport

@Suite struct PathShadeTests {
    private let red: UInt32 = 0xFF00_00FF
    private let blue: UInt32 = 0xFFFF_0000

    /// The colors of 40 × 30 pixels.
    private func paint(_ shade: PathShade, rows: Range<Int> = 0..<30, left: Int = 0, width: Int = 40) -> [UInt32] {
        var pixels = [UInt32](repeating: 0, count: rows.count * width)
        pixels.withUnsafeMutableBufferPointer { shade.paint(rows: rows, left: left, width: width, into: $0.baseAddress!) }
        return pixels
    }

    /// Every pixel whose center is in the strip has the mean of both colors by its place along the strip.
    @Test(arguments: Seeds.all) func pixelsHaveTheColorOfTheirPlace(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func point() -> PathPoint { PathPoint(Float(random.number(-10...50)), Float(random.number(-10...40))) }
        let shade = PathShade(
            start: point(), end: point(), startColor: red, endColor: blue, radius: Float(random.number(0.5...6)),
            before: Float(random.number(0...3)), after: Float(random.number(0...3)))
        let pixels = paint(shade)
        let (start, step) = (PlanePoint(shade.start), PlanePoint(shade.end) - PlanePoint(shade.start))
        let along = step / step.length
        for y in 0..<30 {
            for x in 0..<40 {
                let offset = PlanePoint(Double(x) + 0.5, Double(y) + 0.5) - start
                let (place, across) = (along.dot(offset), abs(along.cross(offset)))
                let margins = [
                    Double(shade.radius) - across, place + Double(shade.before), step.length + Double(shade.after) - place,
                ]
                guard let least = margins.min(), abs(least) > 0.01 else { continue }
                let pixel = pixels[y * 40 + x]
                #expect((pixel != 0) == (least > 0), "\(x), \(y)")
                guard least > 0 else { continue }
                let share = min(max(place / step.length, 0), 1)
                #expect(abs(Double(pixel & 255) - 255 * (1 - share)) <= 0.51 && abs(Double(pixel >> 16 & 255) - 255 * share) <= 0.51)
                #expect(pixel >> 24 == 255 && pixel >> 8 & 255 == 0)
            }
        }
    }

    /// A part of the picture has the same pixels.
    @Test func partsHaveTheSamePixels() {
        let shade = PathShade(
            start: PathPoint(3.25, 4), end: PathPoint(35, 22.5), startColor: red, endColor: 0x8000_8000, radius: 7, before: 2, after: 3)
        let whole = paint(shade)
        let part = paint(shade, rows: 7..<20, left: 11, width: 13)
        for y in 7..<20 {
            for x in 11..<24 { #expect(part[(y - 7) * 13 + x - 11] == whole[y * 40 + x]) }
        }
    }

    @Test func aShadeWithoutLengthHasOneColor() {
        let place = PathPoint(20, 15)
        let pixels = paint(PathShade(start: place, end: place, startColor: red, endColor: blue, radius: 3, before: 2, after: 2))
        #expect(pixels.count { $0 == blue } == 4 * 6 && pixels.allSatisfy { $0 == 0 || $0 == blue })
    }
}
