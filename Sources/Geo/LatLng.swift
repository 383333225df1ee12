/// A place on the earth: degrees on WGS84's sphere, and metres above the ground.
///
/// Making one never fails. A coordinate that cannot be is kept as written and says so by `isValid`; an overlay that
/// stands at one is left out of the picture, with a diagnostic.
public struct LatLng: Hashable, Sendable {
    /// Degrees north, valid in -90…90. Web Mercator ends at ±85.051129; what lies beyond is not drawn.
    public var lat: Double
    /// Degrees east; any finite value, taken modulo 360.
    public var lng: Double
    /// Metres above the ground. Default 0.
    public var altitude: Double

    /// A place, valid or not: degrees north and east, metres above the ground.
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

    /// The longitude reduced to [-180, 180).
    public var normalizedLng: Double {
        lng >= -180 && lng < 180 ? lng : WebMercator.longitude(fromX: WebMercator.wrap(WebMercator.unwrappedX(lng)))
    }
}

extension LatLng: CustomStringConvertible {
    public var description: String {
        altitude == 0 ? "(\(lat), \(lng))" : "(\(lat), \(lng), \(altitude) m)"
    }
}

/// A box of latitudes and longitudes in degrees. `west` greater than `east` means that it crosses ±180°.
public struct LatLngBounds: Hashable, Sendable {
    /// The lowest latitude.
    public let south: Double
    /// The longitude at which the box begins, going east.
    public let west: Double
    /// The highest latitude.
    public let north: Double
    /// The longitude at which the box ends.
    public let east: Double

    /// nil unless all four are finite, latitudes lie in -90…90 and `south` is not above `north`.
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

    /// Whether a coordinate lies inside or on the edge; longitudes are compared modulo 360.
    public func contains(_ position: LatLng) -> Bool {
        guard position.isValid, position.lat >= south, position.lat <= north else { return false }
        let lng = position.normalizedLng
        return west <= east ? (west...east).contains(lng) : lng >= west || lng <= east
    }
}
