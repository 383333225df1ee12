/// Distances in pt from the four edges of the picture.
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

/// Where the map is seen from: what stands at the middle of the picture, how large, turned and tilted how far.
public struct Camera: Hashable, Sendable {
    /// The coordinate at the optical centre. Its altitude plays no part. Default (0, 0).
    public var center: LatLng
    /// The world is 512 · 2^zoom pt wide. Valid in 0…24. Default 0.
    public var zoom: Double
    /// Degrees clockwise from north: what is up on the screen. Any finite value. Default 0.
    public var bearing: Double
    /// Degrees from straight down. Valid in 0…80. Default 0.
    public var tilt: Double
    /// What other things cover of the picture, in pt: the optical centre is the middle of the rest. Default none.
    public var contentInset: EdgeInsets

    /// A camera; nothing is checked before it is used.
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

    /// Zooms that a camera may have.
    public static let zoomRange = 0.0...24.0
    /// Tilts that a camera may have, in degrees.
    public static let tiltRange = 0.0...80.0
    /// Latitudes that the centre may have: those of the map.
    public static let centerLatitudeRange = -WebMercator.maxLatitude...WebMercator.maxLatitude
}

extension Camera {
    /// Throws for the first number that is out of its range; `size` is the picture's, in pt.
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
                problem: "nothing of the picture's \(plain(size.width)) × \(plain(size.height)) pt is left free")
        }
    }
}
