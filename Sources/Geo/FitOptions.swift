/// What a camera that shows all overlays is asked for.
public struct FitOptions: Hashable, Sendable {
    /// pt left free inside the picture (inside the content inset) on every side. Default 32.
    public var padding: Double
    /// The highest zoom that may come out; valid in 0…24. Default 17.
    public var maxZoom: Double
    /// Degrees clockwise from north. Default 0.
    public var bearing: Double
    /// Degrees from straight down; valid in 0…80. Default 0.
    public var tilt: Double
    /// Default none.
    public var contentInset: EdgeInsets

    public init(
        padding: Double = 32, maxZoom: Double = 17, bearing: Double = 0, tilt: Double = 0, contentInset: EdgeInsets = EdgeInsets()
    ) {
        self.padding = padding
        self.maxZoom = maxZoom
        self.bearing = bearing
        self.tilt = tilt
        self.contentInset = contentInset
    }

    package func validate() throws(RangeError) {
        guard padding >= 0, padding.isFinite else {
            throw RangeError(path: "camera.padding", problem: "\(plain(padding)) is not a length of 0 or more")
        }
        try RangeError.check(maxZoom, in: Camera.zoomRange, "camera.maxZoom")
    }
}
