/// A set of pixels of a picture.
public struct PixelMask: Equatable, Sendable {
    /// The size of the picture in pixels.
    public let width: Int
    public let height: Int
    /// The number of pixels in the set.
    public private(set) var count = 0
    /// Whether each pixel is in the set, in reading order.
    package private(set) var pixels: [Bool]

    /// An empty set. The width and the height must not be negative.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
        pixels = [Bool](repeating: false, count: width * height)
    }
}

public extension PixelMask {
    /// Adds the pixels of a rectangle. Parts of the rectangle outside the picture are ignored.
    mutating func insert(_ rectangle: PixelRect) {
        guard rectangle.width > 0, rectangle.height > 0 else { return }
        // A sum beyond the largest number lies outside every picture.
        let right = rectangle.x.addingReportingOverflow(rectangle.width)
        let bottom = rectangle.y.addingReportingOverflow(rectangle.height)
        let rows = max(0, rectangle.y)..<max(0, rectangle.y, bottom.overflow ? height : min(height, bottom.partialValue))
        for row in rows { insert(columns: rectangle.x..<(right.overflow ? .max : right.partialValue), row: row) }
    }
}

extension PixelMask {
    /// Adds the pixels of a row that lie inside the picture.
    package mutating func insert(columns: Range<Int>, row: Int) {
        guard row >= 0, row < height else { return }
        let inside = columns.clamped(to: 0..<width)
        for index in row * width + inside.lowerBound..<row * width + inside.upperBound where !pixels[index] {
            pixels[index] = true
            count += 1
        }
    }
}
