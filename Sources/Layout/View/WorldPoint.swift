import WaymarkGeo

/// A point in the Web Mercator world (EPSG:3857), as fractions of the world's size from the upper left: x east, y south.
struct WorldPoint: Equatable, Sendable {
    var x: Double
    /// NaN beyond the projection's latitude limits.
    var y: Double
}

/// A part of the Web Mercator world, as fractions of its size from the upper left.
struct WorldBox: Sendable {
    var west: Double
    var north: Double
    var east: Double
    var south: Double

    func contains(_ place: WorldPoint) -> Bool {
        place.x >= west && place.x <= east && place.y >= north && place.y <= south
    }
}

extension WorldPoint {
    /// Where a position is, and its height as a fraction of the world's size; nil beyond the projection.
    static func placing(_ position: LatLng) -> (place: WorldPoint, height: Double)? {
        guard let y = WebMercator.y(lat: position.lat) else { return nil }
        let height = position.altitude == 0 ? 0 : position.altitude * WebMercator.pointsPerMetre(lat: position.lat, worldSize: 1)
        return (WorldPoint(x: WebMercator.x(lng: position.lng), y: y), height)
    }
}
