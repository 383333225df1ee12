import Waymark
import WaymarkImaging

extension PixelMask {
    /// Adds the pixels inside a part and within its margin.
    mutating func insert(_ part: PlacedItem.Part, pixelRatio: Double) {
        let margin = part.margin * pixelRatio
        /// The x coordinates at which each row's middle line crosses the outlines.
        var crossings = [[Double]](repeating: [], count: part.isFilled ? height : 0)
        for path in part.paths {
            guard let last = path.last else { continue }
            var previous = part.isFilled ? last : path[0]
            for point in path {
                let start = (x: previous.x * pixelRatio, y: previous.y * pixelRatio)
                let end = (x: point.x * pixelRatio, y: point.y * pixelRatio)
                insert(from: start, to: end, margin: margin)
                if part.isFilled {
                    let (top, bottom) = (min(start.y, end.y), max(start.y, end.y))
                    for row in Self.range((top - 0.5).rounded(.up), (bottom - 0.5).rounded(.up), limit: height) {
                        let y = Double(row) + 0.5
                        crossings[row].append((end.x - start.x) * (y - start.y) / (end.y - start.y) + start.x)
                    }
                }
                previous = point
            }
        }
        for row in crossings.indices where crossings[row].count > 1 {
            let xs = crossings[row].sorted()
            for index in stride(from: 1, to: xs.count, by: 2) {
                insert(
                    columns: Self.range((xs[index - 1] - 0.5).rounded(.up), (xs[index] - 0.5).rounded(.up), limit: width), row: row)
            }
        }
    }

    /// Adds the pixels that lie partly within the margin of a segment, measured along the axes.
    private mutating func insert(from start: (x: Double, y: Double), to end: (x: Double, y: Double), margin: Double) {
        let (upper, lower) = start.y <= end.y ? (start, end) : (end, start)
        for row in Self.range((upper.y - margin).rounded(.down), (lower.y + margin).rounded(.up), limit: height) {
            // Only the piece of the segment that is close enough to the row is used.
            func x(atY y: Double) -> Double {
                lower.y > upper.y
                    ? (lower.x - upper.x) * (min(max(y, upper.y), lower.y) - upper.y) / (lower.y - upper.y) + upper.x : upper.x
            }
            var (left, right) = (x(atY: Double(row) - margin), x(atY: Double(row + 1) + margin))
            if lower.y == upper.y { right = lower.x }
            if left > right { swap(&left, &right) }
            insert(columns: Self.range((left - margin).rounded(.down), (right + margin).rounded(.up), limit: width), row: row)
        }
    }

    /// The integers from one number up to, but not including, another, clipped to 0..<limit.
    static func range(_ from: Double, _ to: Double, limit: Int) -> Range<Int> {
        func clamped(_ value: Double) -> Int { Int(min(max(value, 0), Double(limit))) }
        return clamped(from)..<max(clamped(from), clamped(to))
    }
}
