import Glibc

/// Exact-area coverage of pixels by contours: the cell accumulation of FreeType's smooth rasterizer (ftgrays.c, after Raph Levien's LibArt)
/// and of Anti-Grain Geometry (agg_rasterizer_cells_aa.h), for the rows of one picture.
///
/// Every edge adds to the pixels that it crosses the signed area between it and the pixel's right side, and to the next pixel the rest of
/// its height; the running sum along a row is the coverage. A bit per pixel marks touched pixels, so that the cost of a row depends only on
/// the edges crossing it, and the spans between them are filled in one step. All sums are integers: the order of edges and the division
/// into bands do not change a bit.
///
/// FreeType's rasterizer is not used because its outlines are limited to 32,767 points and its cells to 1/256 px: a polyline of 100,000
/// points in pieces would double the coverage where pieces meet, and neighbors in a layout of 1/1024 px would show seams. It would not be
/// faster either: for 1,000 discs of 64 corners on one thread it took 5.3 ms for the spans alone; this code took 5.1 ms including
/// compositing.
struct CoverageCells: ~Copyable {
    /// The width in pixels.
    private(set) var width: Int
    private var stride: Int
    private var wordsPerRow: Int
    private let cellCount: Int
    private let wordCount: Int
    private let cells: UnsafeMutablePointer<Int64>
    private let words: UnsafeMutablePointer<UInt64>
    /// The leftmost and rightmost horizontal positions of the edges added since the last `takeColumns`, from the left side of the cells.
    private var (leftmost, rightmost) = (Int.max, Int.min)

    /// The number of fractional bits of points, which are on a grid of 1/1024 px.
    static let pointShift = 10
    /// The number of fractional bits in which areas are counted, across and down.
    private static let acrossShift = 16
    private static let downShift = 20
    private static let across = 1 << acrossShift
    /// The sum for a pixel covered once: twice its area.
    static let full = Int64(1) << Int64(acrossShift + downShift + 1)

    /// The minimum number of cells that are allocated, so that runs of paths of many sizes use the same memory. Untouched pages take no
    /// memory.
    private static let fewestCells = 80 << 10
    private static let fewestWords = 16 << 10

    /// - Parameter capacity: The number of rows.
    init(width: Int, capacity: Int) {
        self.width = width
        stride = width + 2
        wordsPerRow = (stride + 63) / 64
        cellCount = max(stride * capacity, Self.fewestCells)
        wordCount = max(wordsPerRow * capacity, Self.fewestWords)
        cells = Self.zeros(cellCount)
        words = Self.zeros(wordCount)
    }

    /// Allocates memory filled with zeros, at most 16 MiB. The system sets it to zero only when it is first touched. If there is not enough
    /// memory, the process ends, as it does when Swift allocates.
    private static func zeros<Number: FixedWidthInteger>(_ count: Int) -> UnsafeMutablePointer<Number> {
        guard let bytes = calloc(count, MemoryLayout<Number>.stride) else { fatalError("out of memory") }
        return bytes.bindMemory(to: Number.self, capacity: count)
    }

    /// Changes the width, keeping the memory. Every row must have been swept.
    /// - Returns: Whether the memory holds that many rows; if not, nothing changes.
    mutating func reshape(width: Int, rows: Int) -> Bool {
        let newStride = width + 2
        let newWords = (newStride + 63) / 64
        guard newStride * rows <= cellCount, newWords * rows <= wordCount else { return false }
        (self.width, stride, wordsPerRow) = (width, newStride, newWords)
        return true
    }

    deinit {
        free(cells)
        free(words)
    }
}

extension CoverageCells {
    /// Adds an edge. Points are in device pixels of the picture; only `rows` are drawn, starting at the column `left`.
    @inline(__always)
    mutating func add(_ a: SIMD2<Float>, _ b: SIMD2<Float>, rows: Range<Int>, left: Int) {
        let (ya, yb) = (Self.whole(Double(a.y) * 1024), Self.whole(Double(b.y) * 1024))
        guard ya != yb else { return }
        // Every edge is added from top to bottom, so that an edge and its reverse cancel to the last bit.
        if ya < yb {
            add(Double(a.x), ya, Double(b.x), yb, direction: 1, rows, left)
        } else {
            add(Double(b.x), yb, Double(a.x), ya, direction: -1, rows, left)
        }
    }

    /// Rounds a number below 2^50 to the nearest integer: after adding 1.5 · 2^52, its lowest bits are the integer. This takes a third of
    /// the instructions of `Int`'s initializer, which checks its range.
    @inline(__always)
    private static func whole(_ number: Double) -> Int {
        let shift = 0x1.8p52
        return Int(truncatingIfNeeded: (number + shift).bitPattern &- shift.bitPattern)
    }

    @inline(__always)
    private mutating func add(
        _ x0: Double, _ y0: Int, _ x1: Double, _ y1: Int, direction: Int, _ rows: Range<Int>, _ left: Int
    ) {
        let shift = Self.pointShift
        let top = max(y0, rows.lowerBound << shift)
        let bottom = min(y1, rows.upperBound << shift)
        guard top < bottom else { return }
        // Horizontal steps, which represent points on the grid exactly.
        let unit = Double(Self.across)
        let (start, end) = (Self.whole(x0 * unit), Self.whole(x1 * unit))
        let slope = Double(end &- start) / Double(y1 &- y0)
        let fine = Self.downShift - shift
        // Height per horizontal step. Points on the grid are at least 64 steps apart.
        let steepness = Double(1 << fine) / slope
        // Each row's ends are computed from the ends of the edge, independently of the rows drawn and of the picture's origin.
        var y = top
        var x = start &+ Int(Double(top &- y0) * slope)
        let origin = left << Self.acrossShift
        let first = x &- origin
        while y < bottom {
            let row = y >> shift
            let next = min(bottom, (row &+ 1) << shift)
            let nextX = next == y1 ? end : start &+ Int(Double(next &- y0) * slope)
            let (xa, xb, height) = (x &- origin, nextX &- origin, (next &- y) << fine)
            let cell = xa >> Self.acrossShift
            if cell == xb >> Self.acrossShift {
                if cell < 0 {
                    put(row &- rows.lowerBound, 0, height &* direction, 0)
                } else if cell < width {
                    put(row &- rows.lowerBound, cell, height &* direction, (xa & (Self.across - 1)) &+ (xb & (Self.across - 1)))
                }
            } else {
                addSlanted(row &- rows.lowerBound, min(xa, xb), max(xa, xb), height, direction, abs(steepness))
            }
            x = nextX
            y = next
        }
        leftmost = min(leftmost, first, x &- origin)
        rightmost = max(rightmost, first, x &- origin)
    }

    /// The columns of the edges added since the last call, without those left of the cells.
    mutating func takeColumns() -> Range<Int> {
        defer { (leftmost, rightmost) = (.max, .min) }
        guard leftmost <= rightmost else { return 0..<0 }
        let (first, last) = (max(0, leftmost >> Self.acrossShift), max(0, rightmost >> Self.acrossShift))
        return first..<last &+ 1
    }

    /// Adds a piece of an edge within one row that crosses several pixels, from left to right.
    @inline(__always)
    private mutating func addSlanted(_ row: Int, _ xa: Int, _ xb: Int, _ height: Int, _ direction: Int, _ steepness: Double) {
        let shift = Self.acrossShift
        let end = width << shift
        guard xa < end else { return }
        if xb <= 0 {
            put(row, 0, height &* direction, 0)
            return
        }
        var (x, y) = (xa, 0)
        if xa < 0 {
            y = min(height, Int(Double(0 &- xa) * steepness))
            put(row, 0, y &* direction, 0)
            x = 0
        }
        var cell = x >> shift
        let last = min(xb, end - 1) >> shift
        while cell < last {
            let next = (cell &+ 1) << shift
            let nextY = min(height, Int(Double(next &- xa) * steepness))
            put(row, cell, (nextY &- y) &* direction, (x & (Self.across - 1)) &+ Self.across)
            (x, y) = (next, nextY)
            cell &+= 1
        }
        if xb < end {
            put(row, cell, (height &- y) &* direction, (x & (Self.across - 1)) &+ (xb & (Self.across - 1)))
        } else {
            let nextY = min(height, Int(Double(end &- xa) * steepness))
            put(row, cell, (nextY &- y) &* direction, (x & (Self.across - 1)) &+ Self.across)
        }
    }

    /// Adds a piece of an edge with the given height to its pixel and to all pixels to the right; `sum` is the sum of the distances of its
    /// two ends from the pixel's left side.
    @inline(__always)
    private mutating func put(_ row: Int, _ cell: Int, _ height: Int, _ sum: Int) {
        // Copies: with ThreadSanitizer the compiler aborts on writing through pointers held by a noncopyable value.
        let (cells, words) = (cells, words)
        let place = row &* stride &+ cell
        let behind = height &* sum
        cells[place] &+= Int64(truncatingIfNeeded: height &* (2 * Self.across) &- behind)
        cells[place &+ 1] &+= Int64(truncatingIfNeeded: behind)
        let word = row &* wordsPerRow &+ cell >> 6
        let bit = cell & 63
        words[word] |= 3 << UInt64(truncatingIfNeeded: bit)
        if bit == 63 { words[word &+ 1] |= 1 }
    }

    /// Calls `body` with the covered spans of rows, from the top and from left to right, with their coverage of 1…255, and clears the rows.
    ///
    /// It handles all rows in one call, because the runtime checks each access to cells held by a class. With a call per row, these checks
    /// took 6 % of the time of 1,000 small discs.
    /// - Parameter columns: A range that includes all columns that were touched.
    @inline(__always)
    mutating func sweep(
        _ rows: Range<Int>, columns: Range<Int>, rule: FillRule,
        _ body: (_ row: Int, _ start: Int, _ end: Int, _ coverage: UInt32) -> Void
    ) {
        for row in rows {
            sweep(row, columns: columns, { Self.coverage(Self.area($0, rule)) }) { start, end, coverage in body(row, start, end, coverage) }
        }
    }

    /// Like `sweep`, but with the exact area of the pixels, 1…`full`. Includes pixels whose coverage rounds to 0.
    @inline(__always)
    mutating func sweepAreas(
        _ rows: Range<Int>, columns: Range<Int>, rule: FillRule, _ body: (_ row: Int, _ start: Int, _ end: Int, _ area: Int64) -> Void
    ) {
        for row in rows {
            sweep(row, columns: columns, { Self.area($0, rule) }) { start, end, area in body(row, start, end, area) }
        }
    }

    @inline(__always)
    private mutating func sweep<Value: FixedWidthInteger>(
        _ row: Int, columns: Range<Int>, _ value: (Int64) -> Value, _ body: (_ start: Int, _ end: Int, _ value: Value) -> Void
    ) {
        var sum: Int64 = 0
        var (start, current) = (0, Value.zero)
        let rowWords = words + row * wordsPerRow
        let rowCells = cells + row * stride
        let first = max(0, columns.lowerBound) >> 6
        let last = min(width + 1, columns.upperBound + 1) >> 6
        guard first <= last else { return }
        for index in first...last {
            var bits = rowWords[index]
            guard bits != 0 else { continue }
            rowWords[index] = 0
            while bits != 0 {
                let cell = index << 6 + bits.trailingZeroBitCount
                bits &= bits &- 1
                sum &+= rowCells[cell]
                rowCells[cell] = 0
                let next = value(sum)
                guard next != current else { continue }
                // Cells outside the picture end spans, but begin none.
                if current != 0, start < width { body(start, min(cell, width), current) }
                (start, current) = (cell, next)
            }
        }
        if current != 0, start < width { body(start, width, current) }
    }

    /// The area that a sum represents, 0…`full`.
    @inline(__always)
    private static func area(_ sum: Int64, _ rule: FillRule) -> Int64 {
        guard rule == .evenOdd else { return min(sum < 0 ? 0 &- sum : sum, full) }
        let rest = abs(sum) & (2 * full - 1)
        return rest > full ? 2 * full - rest : rest
    }

    /// An area as 0…255, rounded to nearest.
    @inline(__always)
    static func coverage(_ area: Int64) -> UInt32 {
        UInt32(truncatingIfNeeded: (area &* 255 &+ full / 2) >> Int64(acrossShift + downShift + 1))
    }

    /// An area as a binary fraction, rounded down; the whole pixel is 1 followed by `bits` zeros.
    @inline(__always)
    static func share(_ area: Int64, bits: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: area >> Int64(acrossShift + downShift + 1 - bits))
    }
}
