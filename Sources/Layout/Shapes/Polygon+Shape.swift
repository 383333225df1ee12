import WaymarkGeo
import WaymarkScene

extension Polygon: ShapeSource {
    var altitudePlace: LatLng? { polygons.first { !$0.isEmpty }?.first?.first }

    func makeGeometry(altitude: Double) -> ShapeGeometry { .areas(polygons, path: polygons.count == 1 ? "rings" : "polygons") }

    func makeStyle() -> ShapeStyle {
        ShapeStyle(fill: fillColor, outlineWidth: outlineWidth, outlineColor: outlineColor, isPerspectiveEnabled: isPerspectiveEnabled)
    }
}
