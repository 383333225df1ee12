/// Points in Morton order of their cells, with running sums. The points of a cell, at any zoom, are therefore a contiguous range, and
/// their sum is a difference of two running sums.
struct SortedPoints: Sendable {
    /// The numbers of the points, in ascending order among equal codes.
    private(set) var numbers: [Int32] = []
    /// The codes of the points' cells at the deepest zoom, ascending.
    private(set) var codes: [UInt64] = []
    /// The running sums of positions in steps. The element at index i is the sum over the first i points.
    private var sumsX: [Int64] = [0]
    private var sumsY: [Int64] = [0]
    /// For each value of a code's high bits, the index of the first point whose high bits have at least this value. This directory saves
    /// most of the steps of a binary search.
    private var directory: [Int32] = [0, 0]
    private var directoryShift: UInt64 = 63

    var count: Int { numbers.count }

    init() {}

    /// - Parameter numbers: The numbers of the points, in ascending order.
    init(_ numbers: [Int32], _ grid: CellGrid, place: (Int32) -> WorldSteps) {
        var sorted = numbers
        codes = [UInt64](unsafeUninitializedCapacity: numbers.count) { codes, count in
            for number in numbers {
                codes.initializeElement(at: count, to: grid.code(place(number)))
                count += 1
            }
        }
        radixSort(&sorted, with: &codes)
        self.numbers = sorted
        setSums { place(sorted[$0]) }
        makeDirectory()
    }

    /// A list of these points, without the removed points and with the added points.
    func merged(without removed: [EditedPoint], with added: [EditedPoint]) -> SortedPoints {
        var merged = SortedPoints()
        let total = count - removed.count + added.count
        merged.numbers.reserveCapacity(total)
        merged.codes.reserveCapacity(total)
        var places: [WorldSteps] = []
        places.reserveCapacity(total)
        var (nextRemoved, nextAdded) = (0, 0)
        func add(before code: UInt64, _ number: Int32) {
            while nextAdded < added.count, added[nextAdded].precedes(code, number) {
                let point = added[nextAdded]
                merged.numbers.append(point.number)
                merged.codes.append(point.code)
                places.append(point.place)
                nextAdded += 1
            }
        }
        for index in 0..<count {
            if nextRemoved < removed.count, removed[nextRemoved].code == codes[index], removed[nextRemoved].number == numbers[index] {
                nextRemoved += 1
                continue
            }
            add(before: codes[index], numbers[index])
            merged.numbers.append(numbers[index])
            merged.codes.append(codes[index])
            places.append(place(at: index))
        }
        add(before: .max, .max)
        merged.setSums { places[$0] }
        merged.makeDirectory()
        return merged
    }

    private mutating func setSums(_ place: (Int) -> WorldSteps) {
        let count = count
        sumsX = []
        sumsY = []
        sumsX.reserveCapacity(count + 1)
        sumsY.reserveCapacity(count + 1)
        var (x, y): (Int64, Int64) = (0, 0)
        sumsX.append(0)
        sumsY.append(0)
        for index in 0..<count {
            let place = place(index)
            x += place.x
            y += place.y
            sumsX.append(x)
            sumsY.append(y)
        }
    }

    private mutating func makeDirectory() {
        let codeBits = 64 - (codes.last ?? 0).leadingZeroBitCount
        // The directory has about one entry for every four points.
        let bits = min(max(1, codeBits), max(1, Int.bitWidth - 1 - count.leadingZeroBitCount - 2))
        directoryShift = UInt64(max(0, codeBits - bits))
        directory = [Int32](repeating: 0, count: Int((codes.last ?? 0) >> directoryShift) + 2)
        for code in codes { directory[Int(code >> directoryShift) + 1] += 1 }
        for index in 1..<directory.count { directory[index] += directory[index - 1] }
    }
}

extension SortedPoints {
    /// The position of the point at an index.
    func place(at index: Int) -> WorldSteps {
        WorldSteps(x: sumsX[index + 1] - sumsX[index], y: sumsY[index + 1] - sumsY[index])
    }

    @inline(__always)
    func sums(_ range: Range<Int>) -> (x: Int64, y: Int64) {
        (sumsX[range.upperBound] - sumsX[range.lowerBound], sumsY[range.upperBound] - sumsY[range.lowerBound])
    }

    /// The index of the first point whose code is at least `code`.
    @inline(__always)
    func firstIndex(notBelow code: UInt64, from start: Int = 0) -> Int {
        let entry = code >> directoryShift
        guard entry < UInt64(directory.count - 1) else { return count }
        var low = max(start, Int(directory[Int(entry)]))
        var high = max(low, Int(directory[Int(entry) + 1]))
        codes.withUnsafeBufferPointer { codes in
            while low < high {
                let middle = (low + high) / 2
                if codes[middle] < code { low = middle + 1 } else { high = middle }
            }
        }
        return low
    }

    /// The end of the run of points that lie in the same cell as the point at `start`.
    @inline(__always)
    func endOfCell(from start: Int, shift: UInt64) -> Int {
        let cell = codes[start] >> shift
        // Most cells of sparse maps have one point.
        if start + 1 == count || codes[start + 1] >> shift != cell { return start + 1 }
        let next = cell &+ 1
        guard next <= UInt64.max >> shift, next != 0 else { return count }
        return firstIndex(notBelow: next << shift, from: start + 1)
    }

    /// Calls `body` with the code and the points of each non-empty cell of a rectangle, in Morton order.
    @inline(__always)
    func forEachCell(in rect: CellRect, _ body: (UInt64, Range<Int>) -> Void) {
        let (shift, low, high, box) = (rect.shift, rect.low, rect.high, CodeBox(rect))
        var index = firstIndex(notBelow: low << shift)
        while index < count {
            let cell = codes[index] >> shift
            if box.contains(cell) {
                let end = endOfCell(from: index, shift: shift)
                body(cell, index..<end)
                index = end
            } else {
                guard cell < high, let next = Morton.next(after: cell, low: low, high: high) else { return }
                index = firstIndex(notBelow: next << shift, from: index)
            }
        }
    }

    /// The indices of the points in a cell.
    /// - Parameter shift: The number of bits by which points' codes are longer than the cell's code; 64 for the whole world (code 0).
    func range(ofCell code: UInt64, shift: UInt64) -> Range<Int> {
        guard shift < 64 else { return 0..<count }
        let start = firstIndex(notBelow: code << shift)
        guard start < count, codes[start] >> shift == code else { return start..<start }
        return start..<endOfCell(from: start, shift: shift)
    }
}

/// A point that was added or removed since the points were sorted.
struct EditedPoint: Sendable {
    var code: UInt64
    var number: Int32
    var place: WorldSteps

    @inline(__always)
    func precedes(_ code: UInt64, _ number: Int32) -> Bool { self.code != code ? self.code < code : self.number < number }
}

extension [EditedPoint] {
    /// The index of a point or, if the point is missing, the index at which to insert it.
    func place(of code: UInt64, _ number: Int32) -> (index: Int, isThere: Bool) {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].precedes(code, number) { low = middle + 1 } else { high = middle }
        }
        return (low, low < count && self[low].code == code && self[low].number == number)
    }
}
