import WaymarkScene

typealias MarkerTemplate = OverlayTemplate<Marker>
typealias PolylineTemplate = OverlayTemplate<Polyline>
typealias PolygonTemplate = OverlayTemplate<Polygon>
typealias SymbolTemplate = OverlayTemplate<Box<Symbol>>

/// The templates of a `geojson` overlay.
struct FeatureTemplates {
    var marker = MarkerTemplate(MarkerProperties.table)
    var polyline = PolylineTemplate(PolylineProperties.table)
    var polygon = PolygonTemplate(PolygonProperties.table)

    /// The properties that are missing in features, one sentence each.
    var warnings: [String] { marker.warnings + polyline.warnings + polygon.warnings }
}
