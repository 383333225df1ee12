import WaymarkGeo
import WaymarkImaging
import WaymarkRaster
import WaymarkScene

/// An overlay type that is a shape. A new type conforms to it to be placed and drawn like the others.
protocol ShapeSource: Overlay {
    /// The rings to fill and the lines to stroke; read again only when a property that changes `geometry` does, and for lines through the
    /// air when the altitude does.
    /// - Parameter altitude: The altitude in meters of the overlay and its containers.
    func makeGeometry(altitude: Double) -> ShapeGeometry
    func makeStyle() -> ShapeStyle
    /// The place whose altitude raises a shape that lies level, and at whose latitude meters are converted; nil when it has no place.
    var altitudePlace: LatLng? { get }
    /// The place that inspection reports as its anchor. Default nil: a line or an area has no single position.
    var anchorPlace: LatLng? { get }
    /// Whether its properties leave nothing to draw, whatever its colors: a circle of radius 0, a line of width or length 0. Default false.
    var isEmpty: Bool { get }
}

extension ShapeSource {
    var anchorPlace: LatLng? { nil }
    var isEmpty: Bool { false }
}

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

    /// How far its strokes may extend from the shape's points, in pt.
    var overhang: Double { stroke(width: width + 2 * casingWidth, scale: 1).overhang }

    func stroke(width: Double, scale: Double) -> StrokeStyle {
        StrokeStyle(
            width: width * scale, cap: cap, join: join, miterLimit: miterLimit,
            // In device pixels; the caller converts it if it strokes in pt.
            tolerance: ShapePart.tolerance)
    }
}
