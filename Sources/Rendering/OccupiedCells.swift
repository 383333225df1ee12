import WaymarkImaging

/// Finds the non-empty parts of a picture, so that the empty ones are not blended. A thin line crosses little of its bounding rectangle,
/// and on the software rasterizer, an empty pixel of a sprite costs as much as a visible pixel.
package enum OccupiedCells {
    /// The side of a cell in pixels. Smaller cells follow a line more closely, but need more sprites.
    private static let side = 32
    /// A single sprite is drawn if rectangles would save less than this share of the pixels.
    private static let leastSpared = 0.25

    /// Disjoint rectangles that contain every nonzero pixel, from the top down, with adjacent cells of a row joined. Returns a single
    /// rectangle if most cells are occupied.
    /// - Parameter pixels: Rows of `width` pixels without gaps.
    package static func rectangles(_ pixels: UnsafePointer<UInt32>, width: Int, height: Int) -> [PixelRect] {
        var found: [PixelRect] = []
        var area = 0
        for top in stride(from: 0, to: height, by: side) {
            let rows = min(side, height - top)
            for left in stride(from: 0, to: width, by: side) {
                let columns = min(side, width - left)
                guard holdsSomething(pixels + top * width + left, columns: columns, rows: rows, stride: width) else { continue }
                area += columns * rows
                if let last = found.last, last.y == top, last.x + last.width == left {
                    found[found.count - 1].width += columns
                } else {
                    found.append(PixelRect(x: left, y: top, width: columns, height: rows))
                }
            }
        }
        guard Double(area) <= (1 - leastSpared) * Double(width * height) else {
            return [PixelRect(x: 0, y: 0, width: width, height: height)]
        }
        return found
    }

    @inline(__always)
    private static func holdsSomething(_ pixels: UnsafePointer<UInt32>, columns: Int, rows: Int, stride: Int) -> Bool {
        for row in 0..<rows {
            let row = pixels + row &* stride
            var all: UInt32 = 0
            for column in 0..<columns { all |= row[column] }
            if all != 0 { return true }
        }
        return false
    }
}
