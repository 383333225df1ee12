import WaymarkGeo
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
