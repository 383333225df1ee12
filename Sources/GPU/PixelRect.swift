/// A rectangle of whole pixels; x and y from the upper left, y down.
package struct PixelRect: Equatable, Sendable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Whether it lies within a picture of this size. Empty ones do when their corner does.
    package func isWithin(width: Int, height: Int) -> Bool {
        x >= 0 && y >= 0 && self.width >= 0 && self.height >= 0 && x <= width && y <= height
            && self.width <= width - x && self.height <= height - y
    }
}
