import Foundation
import Testing
import WaymarkImaging
import WaymarkScene
import WaymarkTestSupport

/// The results of mapclassify and matplotlib, written by `tools/scale-oracle tests`.
struct ScaleOracle: Decodable {
    struct DataSet: Decodable {
        let divisor: Double
        /// The differences between the values, ascending and multiplied by the divisor, as text.
        let differences: String
        let breaks: [String: Breaks]

        var values: [Double] {
            var sum = 0
            return differences.split(separator: " ").map { difference in
                sum += Int(difference) ?? 0
                return Double(sum) / divisor
            }
        }
    }

    /// The upper bounds of the classes, and the numbers of values in the classes.
    struct Breaks: Decodable {
        let quantiles: [Double]
        let equal: [Double]
        let natural: [Double]
        let naturalInSinglePrecision: [Double]
        let countsOfQuantiles: [Int]
        let countsOfEqual: [Int]
    }

    struct Scheme: Decodable {
        let all: [String]
        let samples: [String: [String]]?
    }

    let data: [String: DataSet]
    let schemes: [String: Scheme]

    static func read() throws -> ScaleOracle {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures/scales.json")
        return try JSONDecoder().decode(ScaleOracle.self, from: Data(contentsOf: file))
    }
}

@Suite struct ScaleClassTests {
    private func counts(_ values: [Double], _ breaks: [Double]) -> [Int] {
        let scale = Scale(by: "a", steps: breaks, (0...breaks.count).map(Double.init))
        var counts = [Int](repeating: 0, count: breaks.count + 1)
        for value in values { counts[Int(scale.output(at: value)!)] += 1 }
        return counts
    }

    /// mapclassify finds natural breaks in single precision, which moves some breaks; the same algorithm in double precision agrees always.
    @Test(arguments: ["cities", "airports", "countries"]) func breaksAreThoseOfMapclassify(name: String) throws {
        let data = try #require(try ScaleOracle.read().data[name])
        let values = data.values
        #expect(values.count == ["cities": 34_006, "airports": 7_884, "countries": 177][name])
        for (key, expected) in data.breaks {
            let count = try #require(Int(key))
            let quantiles = ScaleClasses.quantiles(count).breaks(of: values)
            #expect(quantiles == Array(expected.quantiles.dropLast()))
            #expect(self.counts(values, quantiles) == expected.countsOfQuantiles)
            let equal = ScaleClasses.equal(count).breaks(of: values)
            #expect(equal == Array(expected.equal.dropLast()))
            #expect(self.counts(values, equal) == expected.countsOfEqual)
            #expect(ScaleClasses.natural(count).breaks(of: values) == Array(expected.natural.dropLast()))
        }
        // In these cases, single precision makes no difference.
        for key in ["cities": ["3", "5", "9"], "airports": ["9"], "countries": ["3", "5", "7", "9"]][name] ?? [] {
            let breaks = try #require(data.breaks[key])
            #expect(breaks.natural == breaks.naturalInSinglePrecision)
        }
    }

    /// Their distance is infinite.
    @Test func equalClassesOfVeryLargeNumbers() {
        let most = Double.greatestFiniteMagnitude
        for (first, last) in [(-1e308, 1e308), (-most, most)] {
            #expect(ScaleClasses.equal(2).breaks(of: [first, 2, last]) == [0])
            #expect(ScaleClasses.equal(4).breaks(of: [first, 2, last]) == [first / 2, 0, last / 2])
            #expect(ScaleClasses.equal(1).breaks(of: [first, last]) == [])
            let breaks = ScaleClasses.equal(32).breaks(of: [first, last])
            #expect(breaks.count == 31 && zip(breaks, breaks.dropFirst()).allSatisfy { $0 < $1 } && breaks[0] > first && breaks[30] < last)
        }
    }

    /// The least sum of squared differences, found by trying all divisions.
    private func leastSum(_ values: ArraySlice<Double>, _ classes: Int) -> Double {
        func sum(_ part: ArraySlice<Double>) -> Double {
            let mean = part.reduce(0, +) / Double(part.count)
            return part.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        }
        guard classes > 1 else { return sum(values) }
        return (values.startIndex + 1..<values.endIndex - classes + 2).map { end in
            leastSum(values[end...], classes - 1) + sum(values[..<end])
        }.min() ?? .infinity
    }

    @Test(arguments: Seeds.all) func naturalBreaksAreTheBest(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let values = (0..<random.integer(4...14)).map { _ in Double(random.integer(-30...30)) }.sorted()
        let count = random.integer(2...4)
        let breaks = ScaleClasses.natural(count).breaks(of: values)
        guard Set(values).count > count else {
            #expect(breaks == Array(Set(values).sorted().dropLast()))
            return
        }
        #expect(breaks.count == count - 1)
        var (sum, start) = (0.0, 0)
        for end in breaks.map({ step in values.lastIndex { $0 <= step }! + 1 }) + [values.count] {
            sum += leastSum(values[start..<end], 1)
            start = end
        }
        #expect(abs(sum - leastSum(values[...], count)) < 1e-9)
    }

    /// So many different values are joined into groups first.
    @Test func naturalBreaksOfManyValues() {
        let values = (0..<300_000).map { Double($0) + ($0 < 100_000 ? 0 : 1e6) }
        let breaks = ScaleClasses.natural(2).breaks(of: values)
        #expect(breaks == [99_999])
        let even = ScaleClasses.natural(3).breaks(of: (0..<300_000).map(Double.init))
        #expect(even.count == 2 && abs(even[0] - 100_000) < 10 && abs(even[1] - 200_000) < 10)
    }

    /// Values that stand for missing data are far from the others.
    @Test(arguments: [1e11, 3.4e38, .greatestFiniteMagnitude, -9999, -3.4e38, -.greatestFiniteMagnitude], [1, 3])
    func naturalBreaksBesideOutliers(outlier: Double, count: Int) {
        var random = SplitMix64(seed: 7)
        let values = (0..<60).map { _ in Double(random.integer(0...1000)) }.sorted()
        let expected = ScaleClasses.natural(4).breaks(of: values)
        let all = (values + Array(repeating: outlier, count: count)).sorted()
        let breaks = ScaleClasses.natural(5).breaks(of: all)
        #expect(breaks == (outlier < 0 ? [outlier] + expected : expected + [values[59]]))
    }

    /// The differences among the values are small compared to the values.
    @Test func naturalBreaksFarFromZero() {
        var random = SplitMix64(seed: 8)
        let values = (0..<60).map { _ in Double(random.integer(0...1000)) }.sorted()
        let expected = ScaleClasses.natural(4).breaks(of: values)
        #expect(ScaleClasses.natural(4).breaks(of: values.map { $0 + 1e15 }) == expected.map { $0 + 1e15 })
        // Groups of neighbors far from each other.
        let groups = [0.0, 1, 2, 1e11, 1e11 + 1, 1e11 + 50, 1e11 + 51]
        #expect(ScaleClasses.natural(3).breaks(of: groups) == [2, 1e11 + 1])
    }

    @Test func fewestAndMostClasses() {
        let values = (0..<200).map { Double($0 * $0) }
        for method in ScaleClasses.Method.allCases {
            #expect(ScaleClasses(method, 1).breaks(of: values).isEmpty)
            #expect(ScaleClasses(method, 2).breaks(of: values).count == 1)
            let most = ScaleClasses(method, 32).breaks(of: values)
            #expect(most.count == 31 && zip(most, most.dropFirst()).allSatisfy(<) && most[30] < values[199])
        }
    }

    @Test func classesIncludeTheirUpperBounds() {
        let scale = Scale(by: "a", steps: [10, 20], [1.0, 2, 3], missing: -1)
        #expect([-5, 10, 10.0.nextUp, 20, 20.0.nextUp, .infinity, .nan].map { scale.output(at: $0) } == [1, 1, 2, 2, 3, 3, -1])
        // On a line, the output jumps at the same place.
        let positions = scale.positions
        #expect(Scale<Double>.output(at: 10, positions) == 1 && Scale<Double>.output(at: 10.0.nextUp, positions) == 2)
        #expect(Scale<Double>.output(at: 15, positions) == 2 && Scale<Double>.output(at: 99, positions) == 3)
    }

    @Test func theDataDetermineClasses() {
        let values = [1.0, 2, 3, 4, .nan, 5, 6, 7, 8, .infinity]
        let scale = Scale(by: "a", classes: .quantiles(4), [10.0, 20, 30, 40], missing: 0)
        #expect(scale.resolved(for: values) == Scale(by: "a", steps: [2.75, 4.5, 6.25], [10, 20, 30, 40], missing: 0))
        #expect(Scale(by: "a", classes: .equal(2), [1.0, 2]).resolved(for: values) == Scale(by: "a", steps: [4.5], [1, 2]))
        // Before the data are known, there is one class.
        #expect(scale.output(at: 5) == 30 && scale.resolved(for: []) == scale)
    }

    @Test func fewerValuesHaveFewerClasses() {
        let scale = Scale(by: "a", classes: .natural(5), [1.0, 2, 3, 4, 5])
        #expect(scale.resolved(for: [7, 9, 7, 8]) == Scale(by: "a", steps: [7, 8], [1, 3, 5]))
        #expect(scale.resolved(for: [7, 9]) == Scale(by: "a", steps: [7], [1, 5]))
        #expect(scale.resolved(for: [7]) == Scale(by: "a", steps: [], [3]))
        // Most values are equal.
        let zeros = Scale(by: "a", classes: .quantiles(4), [1.0, 2, 3, 4]).resolved(for: [0, 0, 0, 0, 0, 0, 0, 5])
        #expect(zeros == Scale(by: "a", steps: [0], [1, 4]))
    }

    @Test func categoriesHaveOutputsByName() {
        let scale = Scale(by: "kind", categories: [.init("school", Color.red), .init("7", .blue)], others: .green)
        #expect(scale.output(for: "school") == .red && scale.output(for: "bank") == .green && scale.output(for: nil) == .green)
        #expect(scale.output(at: 7) == .blue && scale.output(at: 7.5) == .green && scale.output(at: .nan) == .green)
        #expect(Scale(by: "kind", categories: [.init("a", 1.0)], missing: 3).output(for: nil) == 3)
        #expect(Scale(by: "kind", categories: [.init("a", 1.0)]).output(for: "b") == nil)
    }

    @Test func invalidClassesHaveAProblem() {
        func problem(_ scale: Scale<Double>) -> String? { scale.problem?.description }
        #expect(problem(Scale(by: "a", steps: [1, 2], [1, 2, 3])) == nil)
        #expect(problem(Scale(by: "a", steps: [2, 1], [1, 2, 3])) == "steps[1]: the steps must ascend; 1 follows 2")
        #expect(problem(Scale(by: "a", steps: [1, 1], [1, 2, 3])) == "steps[1]: the steps must ascend; 1 follows 1")
        #expect(problem(Scale(by: "a", steps: [.nan], [1, 2])) == "steps[0]: the value is not a finite number")
        #expect(problem(Scale(by: "a", steps: [1, 2], [1, 2])) == "numbers: 3 classes need 3 numbers, found 2")
        #expect(problem(Scale(by: "a", steps: [1], [1, .nan])) == "numbers[1]: this value is invalid")
        #expect(problem(Scale(by: "a", classes: .natural(0), [])) == "classes.natural: 0 is outside 1…32")
        #expect(problem(Scale(by: "a", classes: .equal(3), [1])) == "numbers: 3 classes need 3 numbers, found 1")
        #expect(problem(Scale(by: "a", categories: [])) == "categories: expected 1…1024 categories, found 0")
        #expect(
            problem(Scale(by: "a", categories: [.init("x", 1), .init("x", 2)])) == #"categories: the category "x" is listed twice"#)
        #expect(problem(Scale(by: "a", categories: [.init("x", 1)], others: .infinity)) == "others: this value is invalid")
    }
}
