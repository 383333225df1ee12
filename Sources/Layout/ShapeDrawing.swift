import WaymarkFrame

/// The shapes of one picture.
struct ShapeDrawing {
    /// A shape in the picture.
    struct Entry {
        var slot: Int32
        var paths: Range<Int>
        var copies: Int
        /// It is drawn before the point overlay of this number.
        var point = 0
    }

    var points: [PathPoint] = []
    var contours: [Int] = []
    var parts: [Int] = []
    var paths: [Path] = []
    /// From bottom to top.
    var entries: [Entry] = []

    static let empty = ShapeDrawing()
}
