import Testing
import WaymarkImaging

@Suite struct ScalingTests {
    static let sizes = [(1, 1), (2, 3), (7, 5), (16, 16), (31, 64), (100, 3)]

    @Test(arguments: sizes, sizes)
    func oneColourStaysOneColour(old: (Int, Int), new: (Int, Int)) {
        for color in [Color.orange, Color.red.withAlpha(0.3), .clear, .white] {
            let scaled = Bitmap(width: old.0, height: old.1, fill: color).scaled(toWidth: new.0, height: new.1)
            #expect(scaled == Bitmap(width: new.0, height: new.1, fill: color))
        }
    }

    /// Each new pixel is the mean of its block, to nearest, halves up.
    @Test(arguments: [(1, 1), (2, 2), (3, 1), (4, 5), (7, 2)])
    func wholeRatiosGiveTheMean(ratio: (Int, Int)) {
        let bitmap = EncodingTests.noise(width: 6 * ratio.0, height: 5 * ratio.1, isOpaque: false)
        let scaled = bitmap.scaled(toWidth: 6, height: 5)
        let area = ratio.0 * ratio.1
        for y in 0..<5 {
            for x in 0..<6 {
                var sums = [0, 0, 0, 0]
                for row in y * ratio.1..<(y + 1) * ratio.1 {
                    for column in x * ratio.0..<(x + 1) * ratio.0 {
                        let pixel = bitmap[column, row]
                        for (index, value) in [pixel.red, pixel.green, pixel.blue, pixel.alpha].enumerated() { sums[index] += Int(value) }
                    }
                }
                let mean = sums.map { UInt8((2 * $0 + area) / (2 * area)) }
                #expect(scaled[x, y] == .init(red: mean[0], green: mean[1], blue: mean[2], alpha: mean[3]))
            }
        }
    }

    /// Against areas worked out in floating point, for ratios that are not whole.
    @Test func otherRatiosWeighByArea() {
        let bitmap = EncodingTests.noise(width: 17, height: 11, isOpaque: false)
        let scaled = bitmap.scaled(toWidth: 5, height: 4)
        func overlap(_ pixel: Int, _ from: Double, _ to: Double) -> Double { max(0, min(to, Double(pixel + 1)) - max(from, Double(pixel))) }
        for y in 0..<4 {
            for x in 0..<5 {
                var sum = 0.0
                for row in 0..<11 {
                    for column in 0..<17 {
                        let across = overlap(column, Double(x) * 3.4, Double(x + 1) * 3.4)
                        sum += Double(bitmap[column, row].green) * across * overlap(row, Double(y) * 2.75, Double(y + 1) * 2.75)
                    }
                }
                #expect(abs(Double(scaled[x, y].green) - sum / 3.4 / 2.75) <= 0.5001)
            }
        }
    }

    /// Against the cubic filter of Mitchell and Netravali in floating point, in a row and in a column.
    @Test(arguments: [(2, 4), (5, 7), (24, 25), (9, 40), (1, 3)])
    func growsByACubicFilter(old: Int, new: Int) {
        let row = EncodingTests.noise(width: old, height: 1, isOpaque: true)
        let column = Bitmap(width: 1, height: old, premultipliedPixels: row.pixels) ?? row
        let (wide, high) = (row.scaled(toWidth: new, height: 1), column.scaled(toWidth: 1, height: new))
        #expect(wide.pixels == high.pixels)
        func filter(_ distance: Double) -> Double {
            let x = abs(distance)
            if x < 1 { return (7 * x * x * x - 12 * x * x + 16.0 / 3) / 6 }
            return x < 2 ? (-7.0 / 3 * x * x * x + 12 * x * x - 20 * x + 32.0 / 3) / 6 : 0
        }
        for index in 0..<new {
            let center = (Double(index) + 0.5) * Double(old) / Double(new) - 0.5
            let first = Int(center.rounded(.down)) - 1
            let expected = (first..<first + 4).reduce(0.0) { sum, pixel in
                sum + filter(center - Double(pixel)) * Double(row[min(max(pixel, 0), old - 1), 0].green)
            }
            #expect(abs(Double(wide[index, 0].green) - min(max(expected, 0), 255)) <= 0.55)
        }
    }

    /// An edge does not ring visibly, and does not become a staircase.
    @Test func anEnlargedEdgeRisesSteadily() {
        var bitmap = Bitmap(width: 8, height: 1, fill: .black)
        for x in 4..<8 { bitmap[x, 0] = Color.white.premultipliedBytes }
        let values = (0..<32).map { bitmap.scaled(toWidth: 32, height: 1)[$0, 0].red }
        #expect(zip(values, values.dropFirst()).allSatisfy { Int($1) >= Int($0) - 9 })
        #expect(values[14..<18].allSatisfy { (5..<250).contains($0) })
        #expect(values[..<8].allSatisfy { $0 < 9 } && values[24...].allSatisfy { $0 > 246 })
    }

    @Test(arguments: sizes)
    func noColourExceedsItsAlpha(size: (Int, Int)) {
        for old in Self.sizes {
            let scaled = EncodingTests.noise(width: old.0, height: old.1, isOpaque: false).scaled(toWidth: size.0, height: size.1)
            for y in 0..<size.1 {
                for x in 0..<size.0 {
                    let pixel = scaled[x, y]
                    #expect(max(pixel.red, pixel.green, pixel.blue) <= pixel.alpha)
                }
            }
        }
    }

    /// Transparent pixels contribute no color: red next to transparent becomes a paler red, not a darker one.
    @Test func transparencyDoesNotDarken() {
        var bitmap = Bitmap(width: 2, height: 2)
        bitmap[0, 0] = Color.red.premultipliedBytes
        let pixel = bitmap.scaled(toWidth: 1, height: 1)
        #expect(pixel.straightPixels == [255, 0, 0, 64])
    }

    @Test func sizesOfNothing() {
        #expect(Bitmap(width: 0, height: 4).scaled(toWidth: 3, height: 2) == Bitmap(width: 3, height: 2))
        #expect(Bitmap(width: 4, height: 4, fill: .red).scaled(toWidth: 0, height: 2) == Bitmap(width: 0, height: 2))
        let same = EncodingTests.noise(width: 9, height: 9, isOpaque: false)
        #expect(same.scaled(toWidth: 9, height: 9) == same)
    }
}
