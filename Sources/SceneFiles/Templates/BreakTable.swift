import WaymarkScene

/// The breaks of classes, by column, so that scales of the same values share them.
struct BreakTable {
    private var finite: [(column: Int, hasLists: Bool, values: [Double])] = []
    private var known: [(column: Int, hasLists: Bool, classes: ScaleClasses, breaks: [Double])] = []

    /// - Parameter numbers: The numbers of the column, with NaN for missing numbers.
    /// - Returns: Nil if there are no numbers.
    mutating func breaks(_ classes: ScaleClasses, of column: Int, hasLists: Bool, _ numbers: [Double]) -> [Double]? {
        if let found = known.first(where: { $0.column == column && $0.hasLists == hasLists && $0.classes == classes }) {
            return found.breaks
        }
        let values: [Double]
        if let found = finite.first(where: { $0.column == column && $0.hasLists == hasLists }) {
            values = found.values
        } else {
            values = numbers.filter(\.isFinite)
            finite.append((column, hasLists, values))
        }
        guard !values.isEmpty else { return nil }
        let breaks = classes.breaks(of: values)
        known.append((column, hasLists, classes, breaks))
        return breaks
    }
}
