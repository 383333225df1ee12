import WaymarkGeo

/// The valid line widths and the validation of points, common to all shapes.
package enum CoordinateCheck {
    /// The valid widths of lines and outlines in pt.
    static let widthRange = 0.0...1000.0

    /// The problem with the first invalid point of a list; nil if all points are valid.
    /// - Parameter path: The name of the list. The path of its fourth point, for example, is this name followed by `[3]`.
    static func problem(_ points: [LatLng], _ path: @autoclosure () -> String) -> PropertyError? {
        guard let index = points.firstIndex(where: { !isValid($0) }) else { return nil }
        return problem(points[index], "\(path())[\(index)]")
    }

    /// The error in a point, or nil if it is valid.
    package static func problem(_ point: LatLng, _ path: @autoclosure () -> String) -> PropertyError? {
        guard !isValid(point) else { return nil }
        return (-90.0...90).error(of: point.lat, "\(path()).lat") ?? ClosedRange<Double>.finite.error(of: point.lng, "\(path()).lng")
            ?? Overlay.altitudeRange.error(of: point.altitude, "\(path()).altitude")
    }

    private static func isValid(_ point: LatLng) -> Bool {
        point.lat >= -90 && point.lat <= 90 && point.lng.isFinite && Overlay.altitudeRange.contains(point.altitude)
    }
}
