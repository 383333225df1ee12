import WaymarkFrame
import WaymarkRaster

/// The shapes of one picture, and among them the places of models.
struct ShapeDrawing {
    /// A shape or a model in the picture.
    struct Entry {
        var slot: Int32
        /// Of a shape.
        var paths: Range<Int>
        /// Of a model: which of the groups it is in.
        var meshGroup: Int?
        var copies: Int
        /// Of the shape, or of the group of models.
        var rank: Int32 = 0
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
