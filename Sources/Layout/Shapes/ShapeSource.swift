import WaymarkGeo
import WaymarkImaging
import WaymarkRaster
import WaymarkScene

/// An overlay type that is a shape. Types that conform are placed and drawn by the shape family.
protocol ShapeSource: Overlay {
    /// The rings to fill and the lines to stroke. They are read again only after a change of `geometry` or, for lines through the air, of
    /// the altitude.
    /// - Parameter altitude: The altitude in meters of the overlay and its containers.
    func makeGeometry(altitude: Double) -> ShapeGeometry
    func makeStyle() -> ShapeStyle
    /// The colors along the shape's lines; empty, the default, if they have a single color.
    func makeColors(_ geometry: ShapeGeometry) -> [LineColors.Line]
    /// The image and the text along the shape's lines; nil, the default, if there are none.
    func makeLabels(_ resources: MapResources) -> LineLabelContent?
    /// The place whose altitude raises a level shape, and whose latitude is used to convert meters; nil if the shape has no place.
    var altitudePlace: LatLng? { get }
    /// The place that inspection reports as the shape's anchor. Default nil, because a line or an area has no single position.
    var anchorPlace: LatLng? { get }
    /// Whether the properties, apart from colors, leave nothing to draw, as for a circle of radius 0, or a line of width or length 0.
    /// Default false.
    var isEmpty: Bool { get }
}

extension ShapeSource {
    var anchorPlace: LatLng? { nil }
    func makeColors(_ geometry: ShapeGeometry) -> [LineColors.Line] { [] }
    func makeLabels(_ resources: MapResources) -> LineLabelContent? { nil }
    var isEmpty: Bool { false }
}

/// The appearance of a shape. Lengths are in pt.
struct ShapeStyle: Equatable, Sendable {
    var fill = Color.clear
    /// The width of the line, or of an area's outline. 0 draws none.
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
    /// The name of the group of lines with which the line shares the order of outlines; nil for none.
    var outlineGroup: String?
    var arrows = LineArrows()
    /// The traveled share of a route, and its color.
    var progress = 0.0
    var traveledColor = Color.clear
    /// Whether ends at which a line was cut get caps like its other ends. This is true if the line continues there in another piece.
    var joinsCuts = true

    init() {}

    /// The style of an area.
    init(fill: Color, outlineWidth: Double, outlineColor: Color, isPerspectiveEnabled: Bool) {
        (self.fill, width, color, self.isPerspectiveEnabled) = (fill, outlineWidth, outlineColor, isPerspectiveEnabled)
    }

    /// The maximum distance in pt from the shape's points to the edge of its strokes.
    var overhang: Double { overhang(width: width + 2 * casingWidth) }

    /// The same distance for strokes of the given width.
    func overhang(width: Double) -> Double { max(stroke(width: width, scale: 1).overhang, arrows.overhang(width: width)) }

    func stroke(width: Double, scale: Double) -> StrokeStyle {
        StrokeStyle(
            width: width * scale, cap: cap, join: join, miterLimit: miterLimit,
            // The tolerance is in device pixels. A caller that strokes in pt converts it.
            tolerance: ShapePart.tolerance)
    }
}
