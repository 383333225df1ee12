import WaymarkScene

/// What features become, and how its template is read.
protocol TemplateKind {
    associatedtype Product: AnyObject

    static func make() -> Product
    static func copyProperties(of prototype: Product, to product: Product)
    static func readProperties(_ object: inout ObjectReader, of product: Product, _ images: inout ImageTable) throws(SceneFileError)
}

typealias MarkerTemplate = OverlayTemplate<MarkerDecoder>
typealias PolylineTemplate = OverlayTemplate<PolylineDecoder>
typealias PolygonTemplate = OverlayTemplate<PolygonDecoder>

/// The templates of a `geojson` overlay.
struct FeatureTemplates {
    var marker = MarkerTemplate()
    var polyline = PolylineTemplate()
    var polygon = PolygonTemplate()

    /// What the features lacked, a sentence for each property.
    var warnings: [String] { marker.warnings + polyline.warnings + polygon.warnings }
}

extension MarkerDecoder: TemplateKind {
    static func make() -> Marker { Marker() }

    static func copyProperties(of prototype: Marker, to marker: Marker) { marker.copyProperties(of: prototype) }
}

extension PolylineDecoder: TemplateKind {
    static func make() -> Polyline { Polyline() }

    static func copyProperties(of prototype: Polyline, to polyline: Polyline) { polyline.copyProperties(of: prototype) }

    static func readProperties(
        _ object: inout ObjectReader, of polyline: Polyline, _ images: inout ImageTable
    ) throws(SceneFileError) {
        try readProperties(&object, of: polyline)
    }
}

extension PolygonDecoder: TemplateKind {
    static func make() -> Polygon { Polygon() }

    static func copyProperties(of prototype: Polygon, to polygon: Polygon) { polygon.copyProperties(of: prototype) }

    static func readProperties(_ object: inout ObjectReader, of polygon: Polygon, _ images: inout ImageTable) throws(SceneFileError) {
        try readProperties(&object, of: polygon)
    }
}
