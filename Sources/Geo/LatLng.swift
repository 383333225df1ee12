/// A position on the earth: latitude and longitude in degrees (WGS 84, treated as a sphere), and meters above the ground.
///
/// Creating one never fails. An invalid coordinate is kept as written, and `isValid` is false; an overlay at an invalid position is
/// not drawn, and a diagnostic reports it.
public struct LatLng: Hashable, Sendable {
    /// Degrees north. Valid in -90…90. Web Mercator ends at ±85.051129; nothing beyond is drawn.
    public var lat: Double
    /// Degrees east; any finite value, taken modulo 360.
    public var lng: Double
    /// Meters above the ground. Default 0.
    public var altitude: Double

    /// Creates a position from degrees north, degrees east and meters above the ground, without validation.
    public init(lat: Double, lng: Double, altitude: Double = 0) {
        self.lat = lat
        self.lng = lng
        self.altitude = altitude
    }
}

extension LatLng {
    /// Whether the latitude lies in -90…90 and all three numbers are finite.
    public var isValid: Bool {
        lng.isFinite && altitude.isFinite && lat >= -90 && lat <= 90
    }

    /// The longitude in degrees, reduced to [-180, 180).
    public var normalizedLng: Double {
        lng >= -180 && lng < 180 ? lng : WebMercator.longitude(fromX: WebMercator.wrap(WebMercator.unwrappedX(lng)))
    }
}

extension LatLng: CustomStringConvertible {
    public var description: String {
        altitude == 0 ? "(\(lat), \(lng))" : "(\(lat), \(lng), \(altitude) m)"
    }
}

/// A box of latitudes and longitudes in degrees. It crosses ±180° when `west` is greater than `east`.
public struct LatLngBounds: Hashable, Sendable {
    /// The lowest latitude.
    public let south: Double
    /// The western edge: the box extends eastward from here.
    public let west: Double
    /// The highest latitude.
    public let north: Double
    /// The eastern edge.
    public let east: Double

    /// Creates bounds in degrees; nil unless all values are finite, latitudes are in -90…90 and `south` is at most `north`.
    public init?(south: Double, west: Double, north: Double, east: Double) {
        guard [south, west, north, east].allSatisfy(\.isFinite), south >= -90, north <= 90, south <= north else { return nil }
        self.init(uncheckedSouth: south, west: west, north: north, east: east)
    }

    package init(uncheckedSouth south: Double, west: Double, north: Double, east: Double) {
        assert(south <= north)
        self.south = south
        self.west = west
        self.north = north
        self.east = east
    }

    /// Whether a position lies inside the box or on its edge. Longitudes are compared modulo 360.
    public func contains(_ position: LatLng) -> Bool {
        guard position.isValid, position.lat >= south, position.lat <= north else { return false }
        let lng = position.normalizedLng
        return west <= east ? (west...east).contains(lng) : lng >= west || lng <= east
    }
}
