/// Natural breaks of sorted values: the division into classes with the smallest sum of squared differences from the classes' means
/// (W. D. Fisher, "On grouping for maximum homogeneity", 1958).
///
/// Equal values are treated as one weighted value. When a larger value is added, the last class of the best division never begins earlier
/// than before. Divide and conquer therefore finds k classes of n different values in O(k n log n). If there are more than `mostValues`
/// different values, neighbors are first joined into that many groups of about equal size, and each break is then the end of a group.
struct NaturalBreaks {
    /// The largest value of each group, ascending.
    private var ends: [Double] = []
    /// A tree of sums. The second half contains the groups, and each element i of the first half is the sum of the elements 2i and 2i +
    /// 1.
    private var tree: [Spread] = []

    /// The maximum number of groups, which bounds the time to about a second.
    static let mostValues = 262_144

    /// - Parameter values: Finite numbers, ascending, at least one.
    init(_ values: [Double]) {
        // Values are scaled, so that the squares of large values are finite, and the squares of much smaller values are above 0. The
        // factor is a power of two, so scaling is exact. Values are taken relative to the median, because smaller numbers lose less
        // precision when they are squared.
        let largest = max(abs(values[0]), abs(values[values.count - 1]))
        let unit = Double(sign: .plus, exponent: largest > 0 ? min(494 - Int(largest.exponent), 1000) : 0, significand: 1)
        let center = values[values.count / 2] * unit
        var distinct = 1
        for index in 1..<values.count where values[index] != values[index - 1] { distinct += 1 }
        let groupSize = distinct > Self.mostValues ? (values.count + Self.mostValues - 1) / Self.mostValues : 1
        var groups: [Spread] = []
        var (group, size) = (Spread(), 0)
        for (index, value) in values.enumerated() {
            group.add(Spread(weight: 1, mean: value * unit - center))
            size += 1
            // Equal values stay together.
            let isEnd = index + 1 == values.count || size >= groupSize && values[index + 1] != value
            guard isEnd else { continue }
            ends.append(value)
            groups.append(group)
            (group, size) = (Spread(), 0)
        }
        tree = [Spread](repeating: Spread(), count: groups.count) + groups
        for index in stride(from: groups.count - 1, to: 0, by: -1) {
            var sum = tree[index * 2]
            sum.add(tree[index * 2 + 1])
            tree[index] = sum
        }
    }

    /// The upper bounds of all classes but the last. Their number is one less than the number of classes or, if that is smaller, the
    /// number of groups.
    func breaks(classCount: Int) -> [Double] {
        let count = ends.count
        guard count > classCount else { return Array(ends.dropLast()) }
        var all = Spread()
        var costs = (0..<count).map { index in
            all.add(tree[count + index])
            return all.squares
        }
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
    ///   - costs: The costs with one class fewer.
    private func divide(
        _ range: ClosedRange<Int>, startingIn starts: ClosedRange<Int>, _ costs: [Double], _ next: inout [Double], _ first: inout [Int32]
    ) {
        guard range.count > 8 else {
            // The sum of the groups above all starts grows with the last group.
            var rest = sum(of: starts.upperBound + 1, upTo: range.lowerBound)
            for last in range {
                if last > starts.upperBound { rest.add(tree[ends.count + last]) }
                let start = bestStart(of: last, in: starts, rest, costs, &next)
                first[last] = Int32(start)
            }
            return
        }
        let middle = (range.lowerBound + range.upperBound) / 2
        let rest = sum(of: starts.upperBound + 1, upTo: middle + 1)
        let bestStart = bestStart(of: middle, in: starts, rest, costs, &next)
        first[middle] = Int32(bestStart)
        if range.lowerBound < middle {
            divide(range.lowerBound...middle - 1, startingIn: starts.lowerBound...bestStart, costs, &next, &first)
        }
        if middle < range.upperBound {
            divide(middle + 1...range.upperBound, startingIn: bestStart...starts.upperBound, costs, &next, &first)
        }
    }

    /// The best start of the last class, which ends with the group `last`.
    /// - Parameter rest: The sum of the groups above all starts.
    private func bestStart(
        of last: Int, in starts: ClosedRange<Int>, _ rest: Spread, _ costs: [Double], _ next: inout [Double]
    ) -> Int {
        var (best, bestStart, sum) = (Double.infinity, starts.lowerBound, rest)
        for start in stride(from: min(last, starts.upperBound), through: starts.lowerBound, by: -1) {
            sum.add(tree[ends.count + start])
            let cost = costs[start - 1] + sum.squares
            // Among equal costs, the last class is the largest.
            if cost <= best { (best, bestStart) = (cost, start) }
        }
        next[last] = best
        return bestStart
    }

    /// The sum of the groups in a range; empty if the range is empty.
    private func sum(of first: Int, upTo end: Int) -> Spread {
        var sum = Spread()
        var (low, high) = (first + ends.count, end + ends.count)
        while low < high {
            if low & 1 == 1 {
                sum.add(tree[low])
                low += 1
            }
            if high & 1 == 1 {
                high -= 1
                sum.add(tree[high])
            }
            (low, high) = (low / 2, high / 2)
        }
        return sum
    }
}

/// The count and the mean of some values, and the sum of their squared differences from the mean. Adding two spreads never subtracts large
/// sums. A single distant value therefore does not cancel the differences among the others.
private struct Spread {
    var weight = 0.0
    var mean = 0.0
    var squares = 0.0

    /// Adds other values (T. F. Chan, G. H. Golub, R. J. LeVeque, "Updating formulae and a pairwise algorithm for computing sample
    /// variances", 1979).
    mutating func add(_ other: Spread) {
        let difference = other.mean - mean
        let total = weight + other.weight
        let share = other.weight / total
        squares += other.squares + difference * difference * weight * share
        mean += difference * share
        weight = total
    }
}
