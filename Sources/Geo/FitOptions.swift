/// What a camera that shows all overlays is asked for.
public struct FitOptions: Hashable, Sendable {
    /// pt left free inside the picture (inside the content inset) on every side. nil, the default, is 32, or a quarter of
    /// the free rectangle's smaller side where that is less, so that thumbnails need not name one.
    public var padding: Double?
    /// The highest zoom that may come out; valid in 0…24. Default 17.
    public var maxZoom: Double
    /// Degrees clockwise from north. Default 0.
    public var bearing: Double
    /// Degrees from straight down; valid in 0…80. Default 0.
    public var tilt: Double
    /// Default none.
    public var contentInset: EdgeInsets

    /// What is asked for; nothing is checked before it is used.
    public init(
        padding: Double? = nil, maxZoom: Double = 17, bearing: Double = 0, tilt: Double = 0, contentInset: EdgeInsets = EdgeInsets()
    ) {
        self.padding = padding
        self.maxZoom = maxZoom
        self.bearing = bearing
        self.tilt = tilt
        self.contentInset = contentInset
    }

    package func validate() throws(PropertyError) {
        if let padding, !(padding >= 0 && padding.isFinite) {
            throw PropertyError(path: "camera.padding", problem: "\(plain(padding)) is not a length of 0 or more")
        }
        try PropertyError.check(maxZoom, in: Camera.zoomRange, "camera.maxZoom")
    }

    /// The padding in a picture of a size, in pt.
    package func padding(in size: PointSize) -> Double {
        let width = size.width - contentInset.left - contentInset.right
        let height = size.height - contentInset.top - contentInset.bottom
        return padding ?? min(32, width / 4, height / 4)
    }
}
