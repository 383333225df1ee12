/// An editable list of points in Morton order. It consists of the sorted points, and of the few points that were added or removed after the
/// last sort.
struct PointGroup: Sendable {
    private(set) var sorted = SortedPoints()
    /// The added points, in Morton order.
    private(set) var added: [EditedPoint] = []
    private(set) var removed: [EditedPoint] = []

    init() {}

    init(_ numbers: [Int32], _ grid: CellGrid, place: (Int32) -> WorldSteps) {
        sorted = SortedPoints(numbers, grid, place: place)
    }

    var count: Int { sorted.count + added.count - removed.count }

    /// The maximum number of edits that are kept before they are merged into the sorted points. At this number, inserting an edit takes
    /// about a microsecond, and so does each edit's share of the cost of merging, for a million points.
    private static func limit(_ count: Int) -> Int { 64 + Int((16 * Double(count)).squareRoot()) }

    mutating func add(_ point: EditedPoint) {
        let (index, wasRemoved) = removed.place(of: point.code, point.number)
        if wasRemoved, removed[index].place == point.place {
            removed.remove(at: index)
            return
        }
        added.insert(point, at: added.place(of: point.code, point.number).index)
        mergeIfMany()
    }

    mutating func remove(_ point: EditedPoint) {
        let (index, wasAdded) = added.place(of: point.code, point.number)
        if wasAdded {
            added.remove(at: index)
            return
        }
        removed.insert(point, at: removed.place(of: point.code, point.number).index)
        mergeIfMany()
    }

    private mutating func mergeIfMany() {
        if added.count + removed.count > Self.limit(sorted.count) { merge() }
    }

    mutating func merge() {
        guard !added.isEmpty || !removed.isEmpty else { return }
        sorted = sorted.merged(without: removed, with: added)
        (added, removed) = ([], [])
    }

    var isMerged: Bool { added.isEmpty && removed.isEmpty }
}

extension PointGroup {
    /// Collects the cells of a rectangle. A cell may be empty, and may occur more than once. If `isMerged`, the cells are sorted.
    func collect(_ rect: CellRect, into cells: inout [PointCell]) {
        sorted.forEachCell(in: rect) { code, range in
            let sums = sorted.sums(range)
            let lone = range.count == 1 ? sorted.numbers[range.lowerBound] : -1
            cells.append(PointCell(code: code, count: Int32(range.count), lone: lone, sumX: sums.x, sumY: sums.y))
        }
        guard !isMerged else { return }
        let (shift, box) = (rect.shift, CodeBox(rect))
        for point in added where box.contains(point.code >> shift) {
            cells.append(
                PointCell(code: point.code >> shift, count: 1, lone: point.number, sumX: point.place.x, sumY: point.place.y))
        }
        for point in removed where box.contains(point.code >> shift) {
            cells.append(
                PointCell(code: point.code >> shift, count: -1, lone: -1, sumX: -point.place.x, sumY: -point.place.y))
        }
    }

    /// Calls `body` with each point of a cell, in Morton order, except that added points come last.
    func forEachPoint(ofCell code: UInt64, shift: UInt64, _ body: (EditedPoint) -> Void) {
        let range = sorted.range(ofCell: code, shift: shift)
        if removed.isEmpty {
            for index in range {
                body(EditedPoint(code: sorted.codes[index], number: sorted.numbers[index], place: sorted.place(at: index)))
            }
        } else {
            var next = range.isEmpty ? 0 : removed.place(of: sorted.codes[range.lowerBound], .min).index
            for index in range {
                if next < removed.count, removed[next].code == sorted.codes[index], removed[next].number == sorted.numbers[index] {
                    next += 1
                    continue
                }
                body(EditedPoint(code: sorted.codes[index], number: sorted.numbers[index], place: sorted.place(at: index)))
            }
        }
        for point in added where point.code >> shift == code { body(point) }
    }
}

extension PointGroup {
    /// The lowest and the highest code of a cell's points; nil if the cell is empty.
    func codes(ofCell code: UInt64, shift: UInt64) -> ClosedRange<UInt64>? {
        let range = sorted.range(ofCell: code, shift: shift)
        if isMerged { return range.isEmpty ? nil : sorted.codes[range.lowerBound]...sorted.codes[range.upperBound - 1] }
        var (lowest, highest) = (UInt64.max, UInt64.min)
        forEachPoint(ofCell: code, shift: shift) { (lowest, highest) = (min(lowest, $0.code), max(highest, $0.code)) }
        return lowest <= highest ? lowest...highest : nil
    }
}

/// The content of a cell: the number of its points, and the sums of their positions.
struct PointCell: Sendable {
    var code: UInt64
    var count: Int32
    /// The number of the point if it is the only one, otherwise -1.
    var lone: Int32
    var sumX: Int64
    var sumY: Int64
}
