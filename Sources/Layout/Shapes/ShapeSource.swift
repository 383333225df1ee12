import WaymarkGeo
import WaymarkScene

/// An overlay type that is a shape. A new type conforms to it to be placed and drawn like the others.
protocol ShapeSource: Overlay {
    /// The rings to fill and the lines to stroke; read again only when a property that changes `geometry` does.
    func makeGeometry() -> ShapeGeometry
    func makeStyle() -> ShapeStyle
    /// The place whose altitude raises the shape, and at whose latitude meters are converted; nil when it has no place.
    var altitudePlace: LatLng? { get }
    /// The place that inspection reports as its anchor. Default nil: a line or an area has no single position.
    var anchorPlace: LatLng? { get }
    /// Whether its properties may make it empty (a circle of radius 0), so that an empty geometry does not mean that it lies beyond the
    /// map. Default false.
    var mayBeEmpty: Bool { get }
}

extension ShapeSource {
    var anchorPlace: LatLng? { nil }
    var mayBeEmpty: Bool { false }
}
