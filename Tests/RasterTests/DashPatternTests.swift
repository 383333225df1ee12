import Testing
import WaymarkRaster
import WaymarkTestSupport

@Suite struct DashPatternTests {
    private func cut(_ pattern: [Double], _ line: [PlanePoint], from start: Double = 0) throws -> [[PlanePoint]] {
        var dashes: [[PlanePoint]] = []
        let pattern = try #require(DashPattern(pattern))
        line.withUnsafeBufferPointer { line in pattern.cut(line, from: start) { dash, _ in dashes.append(dash) } }
        return dashes
    }

    private func spans(_ pattern: [Double], length: Double, from start: Double = 0) throws -> [[Double]] {
        try cut(pattern, [PlanePoint(0, 0), PlanePoint(length, 0)], from: start).map { $0.map(\.x) }
    }

    @Test func beginsWithADash() throws {
        #expect(try spans([3, 2], length: 12) == [[0, 3], [5, 8], [10, 12]])
        #expect(try spans([3, 2], length: 8) == [[0, 3], [5, 8]])
    }

    @Test func goesThroughAnOddPatternTwice() throws {
        #expect(try spans([3, 2, 1], length: 12) == [[0, 3], [5, 6], [9, 11]])
    }

    @Test func goesOnFromWhereTheLineBegins() throws {
        #expect(try spans([3, 2], length: 6, from: 4) == [[1, 4]])
        #expect(try spans([3, 2], length: 6, from: 1e9 + 4) == [[1, 4]])
        #expect(try spans([3, 2], length: 4, from: 5) == [[0, 3]])
    }

    @Test func turnsCorners() throws {
        let line = [PlanePoint(0, 0), PlanePoint(2, 0), PlanePoint(2, 2)]
        #expect(try cut([3, 9], line) == [[PlanePoint(0, 0), PlanePoint(2, 0), PlanePoint(2, 1)]])
    }

    @Test func dashesWithoutLengthArePoints() throws {
        #expect(try spans([0, 4], length: 9) == [[0], [4], [8]])
    }

    @Test func dashesWithoutGapsGoOn() throws {
        #expect(try spans([3, 0, 2, 1], length: 8).map { [$0.first, $0.last] } == [[0, 5], [6, 8]])
    }

    @Test func whatHasNoGapsIsNoPattern() {
        #expect(DashPattern([]) == nil)
        #expect(DashPattern([4, 0]) == nil)
        #expect(DashPattern([0, 0]) == nil)
        #expect(DashPattern([4]) != nil)
    }

    /// A line that was cut has the same dashes as the whole.
    @Test(arguments: Seeds.all) func aPieceHasTheDashesOfTheWhole(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let pattern = (0..<random.integer(1...5)).map { _ in random.number(0.5...7) }
        let start = random.number(0...100)
        let whole = try spans(pattern, length: 200)
        let piece = try spans(pattern, length: 50, from: start)
        for x in stride(from: start + 0.01, to: start + 50, by: 0.37) {
            func isIn(_ dashes: [[Double]], _ x: Double) -> Bool { dashes.contains { $0[0] < x - 1e-9 && x + 1e-9 < $0[$0.count - 1] } }
            func isNearEnd(_ dashes: [[Double]]) -> Bool { dashes.joined().contains { abs($0 - x) < 1e-6 } }
            guard !isNearEnd(whole) else { continue }
            #expect(isIn(whole, x) == isIn(piece, x - start))
        }
    }

    /// Where a line is continued, the middle of a gap lies, and whole patterns lie between two such ends.
    @Test(arguments: Seeds.all) func patternsOfContinuedLines(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (dash, gap, length) = (random.number(0.5...9), random.number(0.5...9), random.number(0.1...200))
        let pattern = try #require(DashPattern([dash, gap]))
        func dashes(_ ends: DashPattern.Ends) -> [(from: Double, to: Double)]? {
            guard let (fitted, start) = pattern.fitted(to: length, ends) else { return nil }
            var result: [(from: Double, to: Double)] = []
            [PlanePoint(0, 0), PlanePoint(length, 0)].withUnsafeBufferPointer {
                fitted.cut($0, from: start) { dash, _ in
                    // Rounding may leave a part of a dash at the end of a closed line.
                    if dash[dash.count - 1].x - dash[0].x > 1e-9 { result.append((dash[0].x, dash[dash.count - 1].x)) }
                }
            }
            return result
        }
        let count = max(1, Int((length / (dash + gap)).rounded()))
        let between = try #require(dashes(.bothContinued))
        let scale = length / (Double(count) * (dash + gap))
        try #require(between.count == count)
        for (number, piece) in between.enumerated() {
            let start = (Double(number) * (dash + gap) + gap / 2) * scale
            #expect(abs(piece.from - start) < 1e-9 && abs(piece.to - start - dash * scale) < 1e-9)
        }
        #expect(pattern.fitted(to: 0, .bothContinued)?.start == nil)
        let closed = try #require(dashes(.closed))
        #expect(closed.count == count && closed[0].from == 0)
        if length > gap / 2 + dash {
            #expect(abs(try #require(dashes(.startContinued)?.first).from - gap / 2) < 1e-9)
            #expect(abs(try #require(dashes(.endContinued)?.last).to - (length - gap / 2)) < 1e-9)
        }
        #expect(dashes(.free)?.first?.from == 0)
    }
}
