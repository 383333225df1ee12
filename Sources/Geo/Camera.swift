/// Insets in pt, measured inward from the four edges of the picture.
public struct EdgeInsets: Hashable, Sendable {
    /// The inset from the top edge.
    public var top: Double
    /// The inset from the left edge.
    public var left: Double
    /// The inset from the bottom edge.
    public var bottom: Double
    /// The inset from the right edge.
    public var right: Double

    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }
}

/// A view of the map: the center, the zoom, the bearing and the tilt.
public struct Camera: Hashable, Sendable {
    /// The coordinate at the optical center (see `contentInset`). Its altitude is ignored. Default (0, 0).
    public var center: LatLng
    /// The zoom level, valid in 0…24; the world is 512 · 2^zoom pt wide. Default 0.
    public var zoom: Double
    /// The compass direction at the top of the screen, in degrees clockwise from north. Any finite value is valid. Default 0.
    public var bearing: Double
    /// The tilt in degrees, valid in 0…80; at 0, the camera looks straight down. Default 0.
    public var tilt: Double
    /// The margins of the picture, in pt, that are covered by other content. The optical center is the center of the remaining rectangle.
    /// Default: none.
    public var contentInset: EdgeInsets

    /// Creates a camera without checking its values; they are checked when the camera is used.
    public init(
        center: LatLng = LatLng(lat: 0, lng: 0), zoom: Double = 0, bearing: Double = 0, tilt: Double = 0,
        contentInset: EdgeInsets = EdgeInsets()
    ) {
        self.center = center
        self.zoom = zoom
        self.bearing = bearing
        self.tilt = tilt
        self.contentInset = contentInset
    }

    /// The valid zoom levels.
    public static let zoomRange = 0.0...24.0
    /// The valid tilts in degrees.
    public static let tiltRange = 0.0...80.0
    /// The valid latitudes of the center in degrees, from the map's southern edge to its northern edge.
    public static let centerLatitudeRange = -WebMercator.maxLatitude...WebMercator.maxLatitude
}

extension Camera {
    /// Checks that all values are valid.
    /// - Parameter size: The picture's size in pt.
    /// - Throws: `PropertyError` for the first value that is out of range.
    public func validate(size: PointSize) throws(PropertyError) {
        try PropertyError.check(center.lat, in: Self.centerLatitudeRange, "camera.center.lat")
        try PropertyError.check(center.lng, in: .finite, "camera.center.lng")
        try PropertyError.check(zoom, in: Self.zoomRange, "camera.zoom")
        try PropertyError.check(bearing, in: .finite, "camera.bearing")
        try PropertyError.check(tilt, in: Self.tiltRange, "camera.tilt")
        let inset = contentInset
        for (name, value) in [("top", inset.top), ("left", inset.left), ("bottom", inset.bottom), ("right", inset.right)]
        where !(value >= 0 && value.isFinite) {
            throw PropertyError(
                path: "camera.contentInset.\(name)", problem: "the value must be finite and at least 0, not \(plain(value))")
        }
        guard inset.left + inset.right < size.width, inset.top + inset.bottom < size.height else {
            throw PropertyError(
                path: "camera.contentInset",
                problem: "the content insets leave no room in the picture of \(plain(size.width)) × \(plain(size.height)) pt")
        }
    }
}
