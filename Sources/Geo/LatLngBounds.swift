/// A box of latitudes and longitudes in degrees. If `west` is greater than `east`, the box crosses ±180°.
public struct LatLngBounds: Hashable, Sendable {
    /// The southern edge: the lowest latitude of the box.
    public let south: Double
    /// The western edge. The box extends from here to the east.
    public let west: Double
    /// The northern edge: the highest latitude of the box.
    public let north: Double
    /// The eastern edge, where the box ends.
    public let east: Double

    /// Creates bounds from degrees; returns nil unless all values are finite, latitudes are in -90…90, and `south` is at most `north`.
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

    /// Whether a position lies inside the box or on its edge. Longitudes are taken modulo 360.
    public func contains(_ position: LatLng) -> Bool {
        guard position.isValid, position.lat >= south, position.lat <= north else { return false }
        return width == 360 || Self.eastward(from: west, to: position.normalizedLng) <= width
    }

    /// Creates the smallest bounds that contain all positions, along the shortest arc of longitudes; returns nil if there are no
    /// positions, or if one of them is invalid. Altitudes are ignored.
    public init?(points: some Sequence<LatLng>) {
        var (south, north) = (Double.infinity, -Double.infinity)
        var lngs: [Double] = []
        for point in points {
            guard point.isValid else { return nil }
            (south, north) = (min(south, point.lat), max(north, point.lat))
            lngs.append(point.normalizedLng)
        }
        lngs.sort()
        guard let first = lngs.first, let last = lngs.last else { return nil }
        // The shortest arc is the complement of the widest gap between neighbors.
        var (west, east, gap) = (first, last, first + 360 - last)
        for (lower, higher) in zip(lngs, lngs.dropFirst()) where higher - lower > gap {
            (west, east, gap) = (higher, lower, higher - lower)
        }
        self.init(uncheckedSouth: south, west: west, north: north, east: east)
    }

    /// The smallest bounds that contain both boxes. If the result would be equally wide in both directions around the world, it extends
    /// eastward from `self`.
    public func union(_ other: LatLngBounds) -> LatLngBounds {
        let (south, north) = (min(south, other.south), max(north, other.north))
        let candidates = [(self, other), (other, self)].map { start, end in
            // From one western edge to the farther eastern edge.
            (west: start.west, width: max(start.width, Self.eastward(from: start.west, to: end.west) + end.width))
        }
        let best = candidates[1].width < candidates[0].width ? candidates[1] : candidates[0]
        guard best.width < 360 else { return LatLngBounds(uncheckedSouth: south, west: -180, north: north, east: 180) }
        let east = best.west + best.width
        return LatLngBounds(uncheckedSouth: south, west: best.west, north: north, east: east > 180 ? east - 360 : east)
    }

    /// The width of the box in degrees of longitude, 0…360.
    public var width: Double { west <= east ? min(east - west, 360) : Self.eastward(from: west, to: east) }

    /// The eastward distance from one longitude to another in degrees, at least 0 and less than 360.
    private static func eastward(from west: Double, to east: Double) -> Double {
        let difference = (east - west).truncatingRemainder(dividingBy: 360)
        return difference < 0 ? difference + 360 : difference
    }
}
