/// Determines whether two pictures differ at a pixel only because an edge covers it slightly more in one of them; see
/// `PictureComparison.Antialiasing.ignored`.
struct EdgeComparison {
    private let first: [UInt8]
    private let second: [UInt8]
    private let width: Int
    private let height: Int
    private let threshold: Int

    /// Creates a comparison of two bitmaps, which must have equal sizes.
    init(_ first: Bitmap, _ second: Bitmap, threshold: Int) {
        self.first = first.pixels
        self.second = second.pixels
        width = first.width
        height = first.height
        self.threshold = threshold
    }

    /// Whether every channel of a pixel differs by at most the threshold, or only as much as a slightly moved edge explains.
    func isEdge(_ x: Int, _ y: Int) -> Bool {
        (0..<4).allSatisfy { isEdge(x, y, channel: $0) }
    }

    private func isEdge(_ x: Int, _ y: Int, channel: Int) -> Bool {
        let offset = (y * width + x) * 4 + channel
        let (here, there) = (Int(first[offset]), Int(second[offset]))
        guard abs(here - there) > threshold else { return true }
        var (firstRange, secondRange) = (here...here, there...there)
        // The sums of the differences along the row and along the column. Each is the distance by which an edge has moved, multiplied by
        // its contrast.
        var (alongRow, alongColumn) = (0, 0)
        for neighborY in max(0, y - 1)...min(height - 1, y + 1) {
            for neighborX in max(0, x - 1)...min(width - 1, x + 1) {
                let offset = (neighborY * width + neighborX) * 4 + channel
                let (a, b) = (Int(first[offset]), Int(second[offset]))
                firstRange = min(firstRange.lowerBound, a)...max(firstRange.upperBound, a)
                secondRange = min(secondRange.lowerBound, b)...max(secondRange.upperBound, b)
                if neighborY == y { alongRow += a - b }
                if neighborX == x { alongColumn += a - b }
            }
        }
        guard firstRange.lowerBound - threshold <= there, there <= firstRange.upperBound + threshold,
            secondRange.lowerBound - threshold <= here, here <= secondRange.upperBound + threshold
        else { return false }
        let moved = min(abs(alongRow), abs(alongColumn)) - threshold
        return moved * 8 < min(firstRange.count - 1, secondRange.count - 1) * 7
    }
}
