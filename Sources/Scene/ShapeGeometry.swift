import WaymarkGeo
import WaymarkImaging

/// What shapes have in common: the ranges of their numbers, and the checks of their points.
enum ShapeGeometry {
    /// Widths of lines and outlines in pt.
    static let widthRange = 0.0...1000.0

    /// Throws for the first point that cannot be.
    /// - Parameter path: What the list is called; a point of it is `path[3]`.
    static func check(_ points: [LatLng], _ path: @autoclosure () -> String) throws(PropertyError) {
        for index in points.indices where !isValid(points[index]) {
            try check(points[index], "\(path())[\(index)]")
        }
    }

    static func check(_ point: LatLng, _ path: String) throws(PropertyError) {
        try PropertyError.check(point.lat, in: -90...90, "\(path).lat")
        guard point.lng.isFinite else { throw PropertyError(path: "\(path).lng", problem: "\(point.lng) is not a finite number") }
        try PropertyError.check(point.altitude, in: Overlay.altitudeRange, "\(path).altitude")
    }

    static func check(_ color: Color, _ path: String) throws(PropertyError) {
        guard color.isValid else { throw PropertyError(path: path, problem: "a channel is outside 0…1") }
    }

    private static func isValid(_ point: LatLng) -> Bool {
        point.lat >= -90 && point.lat <= 90 && point.lng.isFinite && Overlay.altitudeRange.contains(point.altitude)
    }
}
