/// A rectangle of whole device pixels in a picture or texture, with the origin at the upper left and y pointing down.
public struct PixelRect: Hashable, Sendable {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int

    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Whether the rectangle lies within a picture of this size. An empty rectangle lies within the picture if its origin does.
    package func isWithin(width: Int, height: Int) -> Bool {
        x >= 0 && y >= 0 && self.width >= 0 && self.height >= 0 && x <= width && y <= height
            && self.width <= width - x && self.height <= height - y
    }
}
