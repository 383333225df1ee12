import WaymarkImaging
import WaymarkRaster
import WaymarkScene

/// The appearance of a shape. Lengths in pt.
struct ShapeStyle: Equatable, Sendable {
    var fill = Color.clear
    /// The width of the line, or of an area's outline; 0 draws none.
    var width = 0.0
    var color = Color.clear
    var cap = StrokeStyle.Cap.round
    var join = StrokeStyle.Join.miter
    var miterLimit = 4.0
    var pattern: [Double] = []
    var isPerspectiveEnabled = false
    /// The width of the casing on each side of a line, drawn beneath it.
    var casingWidth = 0.0
    var casingColor = Color.clear
    /// The traveled share of a route, and its color.
    var progress = 0.0
    var traveledColor = Color.clear
    /// Whether ends at which a line was cut get caps like its other ends: the line continues there in another piece.
    var joinsCuts = true

    init() {}

    /// The style of an area.
    init(fill: Color, outlineWidth: Double, outlineColor: Color, isPerspectiveEnabled: Bool) {
        (self.fill, width, color, self.isPerspectiveEnabled) = (fill, outlineWidth, outlineColor, isPerspectiveEnabled)
    }

    /// How far its strokes may reach from the shape's points, in pt.
    var reach: Double { stroke(width: width + 2 * casingWidth, scale: 1).reach }

    func stroke(width: Double, scale: Double) -> StrokeStyle {
        StrokeStyle(
            width: width * scale, cap: cap, join: join, miterLimit: miterLimit,
            // In device pixels; the caller converts it if it strokes in pt.
            tolerance: ShapePart.tolerance)
    }
}
