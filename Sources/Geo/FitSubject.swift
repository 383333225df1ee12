/// What a fitted camera shows.
public enum FitSubject: Hashable, Sendable {
    /// All visible overlays with `isFitted`.
    case overlays
    /// The visible overlays with these ids, whether they are `isFitted` or not, and what is in those of them that are containers.
    case ids([String])
    /// A box of latitudes and longitudes; what of it lies beyond the map's ±85.051129° counts as its edge.
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
