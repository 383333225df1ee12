/// The blocks of a band in which every pixel has the opaque color of the current series of paths. More paths of that color change nothing
/// there, to the last bit, so their edges are left out: of many lines over each other, only the first ones are drawn.
struct FinishedBlocks {
    private var color: UInt32 = 0
    /// The number of paths in the series; 0 outside of a series.
    private var count = 0
    /// For each block of columns, the number of pixels, from the top and from left to right, that are known to have the color.
    private var known: [Int] = []
    private var finished: [Bool] = []
    /// Whether a block is finished.
    private(set) var isAny = false

    private static let blockWidth = 32
    /// The number of paths after which the pixels are examined again.
    private static let interval = 16
}

extension FinishedBlocks {
    /// Ends the series.
    @inline(__always)
    mutating func end() { (count, isAny) = (0, false) }

    /// Continues the series with a path that is about to be drawn. If it has another color, a new series begins.
    /// - Parameter color: The opaque color of the path as a pixel.
    @inline(__always)
    mutating func begin(_ color: UInt32) {
        if color != self.color { (self.color, count, isAny) = (color, 0, false) }
        count &+= 1
    }

    /// Called after each path has been drawn. Examines the pixels of the band once per `interval` paths.
    /// - Parameter pixels: The first pixel of the band.
    @inline(__always)
    mutating func note(_ pixels: UnsafePointer<UInt32>, stride: Int, width: Int, rows: Int) {
        if count.isMultiple(of: Self.interval) { examine(pixels, stride: stride, width: width, rows: rows) }
    }

    @inline(never)
    private mutating func examine(_ pixels: UnsafePointer<UInt32>, stride: Int, width: Int, rows: Int) {
        let blocks = (width + Self.blockWidth - 1) / Self.blockWidth
        if count == Self.interval {
            known = [Int](repeating: 0, count: blocks)
            finished = [Bool](repeating: false, count: blocks)
        }
        for block in 0..<blocks where !finished[block] {
            let left = block * Self.blockWidth
            let columns = min(Self.blockWidth, width - left)
            var next = known[block]
            while next < columns * rows, pixels[next / columns * stride + left + next % columns] == color { next += 1 }
            known[block] = next
            if next == columns * rows { (finished[block], isAny) = (true, true) }
        }
    }

    /// Whether the part of a contour in the band lies entirely in finished blocks.
    /// - Parameters:
    ///   - top: The upper edge of the band; `bottom` is the lower one.
    ///   - left: The left edge of the band.
    func hold(_ contour: Slice<UnsafeBufferPointer<PathPoint>>, top: Float, bottom: Float, left: Int) -> Bool {
        guard let last = contour.last else { return true }
        var (low, high) = (Float.infinity, -Float.infinity)
        var from = last
        for to in contour {
            defer { from = to }
            let (upper, lower) = from.y < to.y ? (from, to) : (to, from)
            guard upper.y < bottom, lower.y > top else { continue }
            let slope = (lower.x - upper.x) / (lower.y - upper.y)
            let a = upper.y >= top ? upper.x : upper.x + (top - upper.y) * slope
            let b = lower.y <= bottom ? lower.x : upper.x + (bottom - upper.y) * slope
            low = min(low, a, b)
            high = max(high, a, b)
        }
        guard low <= high else { return true }
        // Includes one more pixel on each side than the contour can touch.
        let end = finished.count * Self.blockWidth - 1
        let first = min(max(Int(low.rounded(.down)) - 1 - left, 0), end) / Self.blockWidth
        let final = min(max(Int(high.rounded(.up)) + 1 - left, 0), end) / Self.blockWidth
        return (first...final).allSatisfy { finished[$0] }
    }
}
