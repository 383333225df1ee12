/// Insets in pt from the four edges of the picture.
public struct EdgeInsets: Hashable, Sendable {
    /// pt from the top edge down.
    public var top: Double
    /// pt from the left edge to the right.
    public var left: Double
    /// pt from the bottom edge up.
    public var bottom: Double
    /// pt from the right edge to the left.
    public var right: Double

    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }
}

/// The view of the map: its center, zoom, bearing and tilt.
public struct Camera: Hashable, Sendable {
    /// The coordinate at the optical center. Its altitude is ignored. Default (0, 0).
    public var center: LatLng
    /// The zoom level: the world is 512 · 2^zoom pt wide. Valid in 0…24. Default 0.
    public var zoom: Double
    /// The compass direction at the top of the screen, in degrees clockwise from north. Any finite value. Default 0.
    public var bearing: Double
    /// The tilt in degrees; 0 looks straight down. Valid in 0…80. Default 0.
    public var tilt: Double
    /// The insets in pt that are covered by other content: the optical center is the center of the rest of the picture. Default none.
    public var contentInset: EdgeInsets

    /// Creates a camera without validation; `validate` checks it when it is used.
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
    /// The valid latitudes of the center in degrees: the map's.
    public static let centerLatitudeRange = -WebMercator.maxLatitude...WebMercator.maxLatitude
}

extension Camera {
    /// Checks all values.
    /// - Parameter size: The picture's size in pt.
    /// - Throws: `PropertyError` for the first value out of range.
    public func validate(size: PointSize) throws(PropertyError) {
        try PropertyError.check(center.lat, in: Self.centerLatitudeRange, "camera.center.lat")
        guard center.lng.isFinite else { throw PropertyError(path: "camera.center.lng", problem: "\(center.lng) is not a finite number") }
        try PropertyError.check(zoom, in: Self.zoomRange, "camera.zoom")
        guard bearing.isFinite else { throw PropertyError(path: "camera.bearing", problem: "\(bearing) is not a finite number") }
        try PropertyError.check(tilt, in: Self.tiltRange, "camera.tilt")
        let inset = contentInset
        for (name, value) in [("top", inset.top), ("left", inset.left), ("bottom", inset.bottom), ("right", inset.right)]
        where !(value >= 0 && value.isFinite) {
            throw PropertyError(path: "camera.contentInset.\(name)", problem: "\(plain(value)) is not a length of 0 or more")
        }
        guard inset.left + inset.right < size.width, inset.top + inset.bottom < size.height else {
            throw PropertyError(
                path: "camera.contentInset",
                problem: "the content insets leave no room in the picture of \(plain(size.width)) × \(plain(size.height)) pt")
        }
    }
}
