/// The subject that a fitted camera shows.
public enum FitSubject: Hashable, Sendable {
    /// All visible overlays with `isFitted`.
    case overlays
    /// The visible overlays with these ids, regardless of `isFitted`, and the contents of any containers among them.
    case ids([String])
    /// A box of latitudes and longitudes; it is clamped to the map's edge at ±85.051129°.
    case bounds(LatLngBounds)
    /// Positions. Altitudes count.
    case points([LatLng])
}

extension FitSubject {
    /// - Throws: `PropertyError` for the first position outside the map.
    package func validate() throws(PropertyError) {
        guard case .points(let points) = self else { return }
        for (index, point) in points.enumerated() {
            let path = "camera.fit.points[\(index)]"
            try PropertyError.check(point.lat, in: Camera.centerLatitudeRange, "\(path).lat")
            guard point.isValid else { throw PropertyError(path: path, problem: "\(point) has a number that is not finite") }
        }
    }
}
