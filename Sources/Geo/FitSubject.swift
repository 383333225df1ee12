/// The content that a fitted camera shows.
public enum FitSubject: Hashable, Sendable {
    /// All visible overlays whose `isFitted` is true.
    case overlays
    /// The visible overlays with these ids, regardless of `isFitted`. A container stands for its contents.
    case ids([String])
    /// A box of latitudes and longitudes, clamped to the map's edges at ±85.051129°.
    case bounds(LatLngBounds)
    /// A list of positions. Their altitudes are taken into account.
    case points([LatLng])
}

extension FitSubject {
    /// - Throws: `PropertyError` for the first position that is invalid or lies outside the map.
    package func validate() throws(PropertyError) {
        guard case .points(let points) = self else { return }
        for (index, point) in points.enumerated() {
            let path = "camera.fit.points[\(index)]"
            try PropertyError.check(point.lat, in: Camera.centerLatitudeRange, "\(path).lat")
            guard point.isValid else { throw PropertyError(path: path, problem: "\(point) has a number that is not finite") }
        }
    }
}
