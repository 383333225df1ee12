import WaymarkImaging
import WaymarkRaster
import WaymarkScene

/// What a shape looks like. Lengths in pt.
struct ShapeStyle: Equatable, Sendable {
    var fill = Color.clear
    /// The line, or the outline of an area: 0 is none.
    var width = 0.0
    var color = Color.clear
    var cap = StrokeStyle.Cap.round
    var join = StrokeStyle.Join.miter
    var miterLimit = 4.0
    var pattern: [Double] = []
    var isPerspectiveEnabled = false
    /// On each side of a line, beneath it.
    var casingWidth = 0.0
    var casingColor = Color.clear
    /// How much of a route is passed, and in which color.
    var progress = 0.0
    var passedColor = Color.clear
    /// Whether ends at which a line was cut look like its others: the line goes on there, in another piece.
    var joinsCuts = true

    /// How far anything may reach from the shape's points.
    var reach: Double { stroke(width: width + 2 * casingWidth, scale: 1).reach }

    func stroke(width: Double, scale: Double) -> StrokeStyle {
        StrokeStyle(
            width: width * scale, cap: cap, join: join, miterLimit: miterLimit,
            // In device pixels, for whoever strokes.
            tolerance: ShapePart.tolerance)
    }
}
