/// Natural breaks of sorted values: the division into classes with the smallest sum of squared differences from the classes' means
/// (W. D. Fisher, "On grouping for maximum homogeneity", 1958).
///
/// Equal values are one weighted value. The best last class of an additional value never begins earlier, so each class is found by divide
/// and conquer, in O(k n log n) for n different values. Beyond `mostValues` different values, neighbors are first joined into that many
/// groups of about equally many values, and breaks are then ends of groups.
struct NaturalBreaks {
    /// The largest value of each group, ascending.
    private var ends: [Double] = []
    /// Sums over the groups before an index: the number of values, and the sums of the values' differences from the mean and of their
    /// squares.
    private var weights: [Double] = [0]
    private var sums: [Double] = [0]
    private var squares: [Double] = [0]

    /// The maximum number of groups, which bounds the time to about a second.
    static let mostValues = 262_144

    /// - Parameter values: Finite numbers, ascending, at least one.
    init(_ values: [Double]) {
        // Differences from the mean lose less precision when they are squared. They are scaled, so that their squares are finite.
        let scale = max(abs(values[0]), abs(values[values.count - 1]))
        let unit = scale > 0 ? 1 / scale : 1
        let mean = values.reduce(0) { $0 + $1 * unit } / Double(values.count)
        var distinct = 1
        for index in 1..<values.count where values[index] != values[index - 1] { distinct += 1 }
        let groupSize = distinct > Self.mostValues ? (values.count + Self.mostValues - 1) / Self.mostValues : 1
        var (weight, sum, square) = (0.0, 0.0, 0.0)
        var size = 0
        for (index, value) in values.enumerated() {
            let difference = value * unit - mean
            weight += 1
            sum += difference
            square += difference * difference
            size += 1
            // Equal values stay together.
            let isEnd = index + 1 == values.count || size >= groupSize && values[index + 1] != value
            guard isEnd else { continue }
            ends.append(value)
            weights.append(weight)
            sums.append(sum)
            squares.append(square)
            size = 0
        }
    }

    /// The upper bounds of all classes but the last; one fewer than there are classes, or than there are groups.
    func breaks(classCount: Int) -> [Double] {
        let count = ends.count
        guard count > classCount else { return Array(ends.dropLast()) }
        var costs = (0..<count).map { cost(from: 0, through: $0) }
        // For each number of classes and each last group, the first group of the last class.
        var starts: [[Int32]] = []
        for classes in 1..<max(classCount, 1) {
            var next = [Double](repeating: .infinity, count: count)
            var first = [Int32](repeating: 0, count: count)
            divide(classes...count - 1, startingIn: classes...count - 1, costs, &next, &first)
            costs = next
            starts.append(first)
        }
        var breaks: [Double] = []
        var last = count - 1
        for first in starts.reversed() {
            last = Int(first[last]) - 1
            breaks.append(ends[last])
        }
        return breaks.reversed()
    }

    /// Finds the best start of the last class for a range of last groups.
    /// - Parameters:
    ///   - range: The last groups.
    ///   - starts: The groups at which the last class can begin.
    ///   - costs: The costs with one class less.
    private func divide(
        _ range: ClosedRange<Int>, startingIn starts: ClosedRange<Int>, _ costs: [Double], _ next: inout [Double], _ first: inout [Int32]
    ) {
        let middle = (range.lowerBound + range.upperBound) / 2
        var (best, bestStart) = (Double.infinity, starts.lowerBound)
        for start in starts.lowerBound...min(middle, starts.upperBound) {
            let cost = costs[start - 1] + cost(from: start, through: middle)
            // Among equal costs, the last class is the largest.
            if cost < best { (best, bestStart) = (cost, start) }
        }
        next[middle] = best
        first[middle] = Int32(bestStart)
        if range.lowerBound < middle {
            divide(range.lowerBound...middle - 1, startingIn: starts.lowerBound...bestStart, costs, &next, &first)
        }
        if middle < range.upperBound {
            divide(middle + 1...range.upperBound, startingIn: bestStart...starts.upperBound, costs, &next, &first)
        }
    }

    /// The sum of squared differences of the values of some groups from their mean.
    private func cost(from first: Int, through last: Int) -> Double {
        let sum = sums[last + 1] - sums[first]
        return squares[last + 1] - squares[first] - sum * sum / (weights[last + 1] - weights[first])
    }
}
