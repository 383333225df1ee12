/// Finds the elements at given ranks among many numbers, in a third of the time that sorting takes.
package enum OrderStatistics {
    /// The numbers, reordered so that the elements at the given indices are the same as after sorting.
    /// - Parameters:
    ///   - values: Numbers other than NaN.
    ///   - ranks: The indices, ascending. Indices beyond the end are ignored.
    package static func moved(in values: [Double], ranks: [Int]) -> [Double] {
        var values = values
        let ranks = ranks.filter { $0 < values.count }
        // Quickselect would take quadratic time if its pivots were bad at more levels than this.
        let depth = 2 * (Int.bitWidth - values.count.leadingZeroBitCount)
        values.withUnsafeMutableBufferPointer { select($0, 0..<$0.count, ranks[...], depth) }
        return values
    }

    /// The number of elements below which a range is sorted instead of divided.
    private static let fewest = 32

    /// Hoare, "Algorithm 65: Find" (1961), for several indices at once.
    private static func select(
        _ values: UnsafeMutableBufferPointer<Double>, _ range: Range<Int>, _ ranks: ArraySlice<Int>, _ depth: Int
    ) {
        guard !ranks.isEmpty else { return }
        guard range.count > fewest, depth > 0 else { return values[range].sort() }
        let (low, middle, high) = (values[range.lowerBound], values[range.lowerBound + range.count / 2], values[range.upperBound - 1])
        let pivot = max(min(low, middle), min(max(low, middle), high))
        var (left, right) = (range.lowerBound, range.upperBound - 1)
        while left <= right {
            while values[left] < pivot { left += 1 }
            while values[right] > pivot { right -= 1 }
            guard left <= right else { break }
            values.swapAt(left, right)
            left += 1
            right -= 1
        }
        // Between the two, elements are equal to the pivot.
        select(values, range.lowerBound..<right + 1, ranks.prefix { $0 <= right }, depth - 1)
        select(values, left..<range.upperBound, ranks.drop { $0 < left }, depth - 1)
    }
}
