import WaymarkGeo
import WaymarkScene

/// A kind of overlay that is a shape: what a new kind says to be placed and drawn like the others.
protocol ShapeSource: Overlay {
    /// What is filled and what is stroked; read anew only when the kind's properties that change `geometry` do.
    func makeGeometry() -> ShapeGeometry
    func makeStyle() -> ShapeStyle
    /// The place whose altitude lifts the shape, and at whose latitude altitudes are measured; nil when it has no place.
    var altitudePlace: LatLng? { get }
    /// The place that inspection reports as its anchor. Default nil: a line or an area stands at no place of its own.
    var anchorPlace: LatLng? { get }
    /// Whether it draws nothing by its own properties, so that an empty geometry is not beyond the map. Default false.
    var mayBeEmpty: Bool { get }
}

extension ShapeSource {
    var anchorPlace: LatLng? { nil }
    var mayBeEmpty: Bool { false }
}
