/// The cells of a picture that collision boxes touch, and the cells that they cover completely. With two bits per cell, it takes tens of
/// nanoseconds to decide for most boxes whether they overlap another one, no matter how crowded the picture is.
struct CollisionMask: Sendable {
    enum Answer {
        case free
        case taken
        /// The shapes must be compared.
        case unknown
    }

    /// The side of a cell in device pixels: 1, or a larger power of two in very large pictures.
    private let side: Double
    private let columns: Int
    private let rows: Int
    private let wordsPerRow: Int
    /// One bit per cell; empty until the first box is added.
    private var touched: [UInt64] = []
    private var covered: [UInt64] = []

    private static let mostSquares = 4.0 * 1024 * 1024

    init(width: Double, height: Double) {
        var side = 1.0
        while width * height / (side * side) > Self.mostSquares { side *= 2 }
        self.side = side
        columns = Int((width / side).rounded(.up))
        rows = Int((height / side).rounded(.up))
        wordsPerRow = (columns + 63) / 64
    }

    /// - Parameter isFilled: Whether the shape is its box.
    mutating func add(_ box: PixelBox, isFilled: Bool) {
        if touched.isEmpty {
            touched = [UInt64](repeating: 0, count: wordsPerRow * rows)
            covered = touched
        }
        let (left, right) = (box.left / side, box.right / side)
        let (top, bottom) = (box.top / side, box.bottom / side)
        Self.set(
            &touched, wordsPerRow, squares(left.rounded(.down), right.rounded(.up), columns),
            squares(top.rounded(.down), bottom.rounded(.up), rows))
        guard isFilled else { return }
        Self.set(
            &covered, wordsPerRow, squares(left.rounded(.up), right.rounded(.down), columns),
            squares(top.rounded(.up), bottom.rounded(.down), rows))
    }

    /// - Parameters:
    ///   - box: The box. Its place is taken if a cell inside it is covered.
    ///   - around: The same box or a larger one. The place is free if none of the cells that this box touches is touched.
    func answer(_ box: PixelBox, around: PixelBox) -> Answer {
        guard !touched.isEmpty else { return .free }
        let inner = (
            squares((box.left / side).rounded(.up), (box.right / side).rounded(.down), columns),
            squares((box.top / side).rounded(.up), (box.bottom / side).rounded(.down), rows)
        )
        if isAny(covered, inner.0, inner.1) { return .taken }
        let (left, right) = (around.left / side, around.right / side)
        let (top, bottom) = (around.top / side, around.bottom / side)
        // The cells contain nothing outside the picture.
        guard left >= 0, top >= 0, right <= Double(columns), bottom <= Double(rows) else { return .unknown }
        let outer = (squares(left.rounded(.down), right.rounded(.up), columns), squares(top.rounded(.down), bottom.rounded(.up), rows))
        return isAny(touched, outer.0, outer.1) ? .unknown : .free
    }

    /// The cells `first..<end` of a row or column of `count` cells, clamped to it.
    @inline(__always)
    private func squares(_ first: Double, _ end: Double, _ count: Int) -> Range<Int> {
        let low = Int(max(0, min(first, Double(count))))
        return low..<max(low, Int(max(0, min(end, Double(count)))))
    }

    @inline(__always)
    private static func set(_ bits: inout [UInt64], _ wordsPerRow: Int, _ columns: Range<Int>, _ rows: Range<Int>) {
        guard !columns.isEmpty else { return }
        let words = columns.lowerBound >> 6...(columns.upperBound - 1) >> 6
        bits.withUnsafeMutableBufferPointer { bits in
            for row in rows {
                for word in words { bits[row * wordsPerRow + word] |= mask(columns, word) }
            }
        }
    }

    @inline(__always)
    private func isAny(_ bits: [UInt64], _ columns: Range<Int>, _ rows: Range<Int>) -> Bool {
        guard !columns.isEmpty else { return false }
        let words = columns.lowerBound >> 6...(columns.upperBound - 1) >> 6
        return bits.withUnsafeBufferPointer { bits in
            for row in rows {
                for word in words where bits[row * wordsPerRow + word] & Self.mask(columns, word) != 0 { return true }
            }
            return false
        }
    }

    /// The bits of `columns` that fall into one word of a row.
    @inline(__always)
    private static func mask(_ columns: Range<Int>, _ word: Int) -> UInt64 {
        let first = max(0, columns.lowerBound - word << 6)
        let end = min(64, columns.upperBound - word << 6)
        return (.max >> UInt64(64 - (end - first))) << UInt64(first)
    }
}
