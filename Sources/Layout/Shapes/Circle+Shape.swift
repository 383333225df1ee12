import WaymarkGeo
import WaymarkScene

extension Circle: ShapeSource {
    var altitudePlace: LatLng? { center }
    var anchorPlace: LatLng? { center }
    var isEmpty: Bool { radius == 0 }

    func makeGeometry(altitude: Double) -> ShapeGeometry { center.map { .disc($0, radius: radius) } ?? ShapeGeometry() }

    func makeStyle() -> ShapeStyle {
        ShapeStyle(fill: fillColor, outlineWidth: outlineWidth, outlineColor: outlineColor, isPerspectiveEnabled: isPerspectiveEnabled)
    }
}
