/// Options for fitting a camera to a subject.
public struct FitOptions: Hashable, Sendable {
    /// What the camera shows. Default: all overlays.
    public var subject: FitSubject
    /// The margin in pt on every side of the picture, inside the content inset. Default nil: 32, or a quarter of the smaller side of the
    /// free rectangle if that is less, so that thumbnails work without a padding.
    public var padding: Double?
    /// The maximum zoom of the result. Valid in 0…24. Default 17.
    public var maxZoom: Double
    /// The center of the result, instead of the fitted one. Valid within ±85.051129°. Default nil.
    public var center: LatLng?
    /// The zoom of the result, instead of the fitted one; the center is still fitted. Valid in 0…24. Default nil. With a `center`, nothing
    /// is fitted.
    public var zoom: Double?
    /// Whether the open info window must also be inside the padding. Default false.
    public var includeInfoWindow = false
    /// The compass direction at the top of the screen, in degrees clockwise from north. Default 0.
    public var bearing: Double
    /// The tilt in degrees; 0 looks straight down. Valid in 0…80. Default 0.
    public var tilt: Double
    /// The insets in pt that are covered by other content. Default none.
    public var contentInset: EdgeInsets

    /// Creates options without validation; they are checked when they are used.
    public init(
        _ subject: FitSubject = .overlays, padding: Double? = nil, maxZoom: Double = 17, bearing: Double = 0, tilt: Double = 0,
        contentInset: EdgeInsets = EdgeInsets()
    ) {
        self.subject = subject
        self.padding = padding
        self.maxZoom = maxZoom
        self.bearing = bearing
        self.tilt = tilt
        self.contentInset = contentInset
    }

    package func validate() throws(PropertyError) {
        try subject.validate()
        if let padding, !(padding >= 0 && padding.isFinite) {
            throw PropertyError(path: "camera.padding", problem: "\(plain(padding)) is not a length of 0 or more")
        }
        try PropertyError.check(maxZoom, in: Camera.zoomRange, "camera.maxZoom")
    }

    /// The camera that needs no fitting, because its center and its zoom are given; nil if one of them is fitted.
    package var givenCamera: Camera? {
        guard let center, let zoom else { return nil }
        return Camera(center: center, zoom: zoom, bearing: bearing, tilt: tilt, contentInset: contentInset)
    }

    /// The padding in pt for a picture of the given size.
    package func padding(in size: PointSize) -> Double {
        let width = size.width - contentInset.left - contentInset.right
        let height = size.height - contentInset.top - contentInset.bottom
        return padding ?? min(32, width / 4, height / 4)
    }
}
