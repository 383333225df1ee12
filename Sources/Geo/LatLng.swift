/// A position on the earth: latitude and longitude in degrees (WGS 84, treated as a sphere), and the altitude in meters above the ground.
///
/// Creating a position never fails. An invalid position is kept as given, and its `isValid` is false; an overlay at an invalid position
/// is not drawn, and a diagnostic reports it.
public struct LatLng: Hashable, Sendable {
    /// The latitude in degrees north, valid in -90…90. Web Mercator ends at ±85.051129; nothing beyond that latitude is drawn.
    public var lat: Double
    /// The longitude in degrees east. Any finite value is valid; values are taken modulo 360.
    public var lng: Double
    /// The altitude in meters above the ground. Default 0.
    public var altitude: Double

    /// Creates a position without checking it, from degrees north, degrees east and meters above the ground.
    public init(lat: Double, lng: Double, altitude: Double = 0) {
        self.lat = lat
        self.lng = lng
        self.altitude = altitude
    }

    /// Creates a position on the ground without checking it, from degrees north and degrees east, in this order.
    public init(_ lat: Double, _ lng: Double) {
        self.init(lat: lat, lng: lng)
    }
}

extension LatLng {
    /// The great-circle distance in meters along the ground, on a sphere with a radius of 6,378,137 m. Altitudes are ignored. The result
    /// is NaN if one of the positions is invalid.
    public func distance(to other: LatLng) -> Double {
        guard isValid, other.isValid else { return .nan }
        return SpherePoint(lat: lat, lng: lng).angle(to: SpherePoint(lat: other.lat, lng: other.lng)) * WebMercator.earthRadius
    }

    /// Whether the latitude lies in -90…90 and all three numbers are finite.
    public var isValid: Bool {
        lng.isFinite && altitude.isFinite && lat >= -90 && lat <= 90
    }

    /// The longitude in degrees, reduced to the range [-180, 180).
    public var normalizedLng: Double {
        lng >= -180 && lng < 180 ? lng : WebMercator.longitude(fromX: WebMercator.wrap(WebMercator.unwrappedX(lng)))
    }
}

extension LatLng: CustomStringConvertible {
    public var description: String {
        altitude == 0 ? "(\(lat), \(lng))" : "(\(lat), \(lng), \(altitude) m)"
    }
}
