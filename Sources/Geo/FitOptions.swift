/// Options for fitting a camera to a subject.
public struct FitOptions: Hashable, Sendable {
    /// The content that the camera shows. Default: all overlays.
    public var subject: FitSubject
    /// The margin in pt along each side of the rectangle that the content inset leaves free. The subject is fitted between the margins.
    /// Default nil: 32 pt, but at most a quarter of the rectangle's shorter side. Thumbnails therefore need no explicit padding.
    public var padding: Double?
    /// The highest zoom that the fitted camera may have. Valid in 0…24. Default 17.
    public var maxZoom: Double
    /// The center of the camera, used instead of a fitted center. The center's latitude must be within ±85.051129°. Default nil.
    public var center: LatLng?
    /// The zoom of the camera, used instead of a fitted zoom; the center is still fitted. Valid in 0…24. Default nil. If `center` is also
    /// set, nothing is fitted.
    public var zoom: Double?
    /// Whether all of the open info window, if there is one, must also lie between the margins. Default true.
    public var includeInfoWindow = true
    /// The compass direction at the top of the screen, in degrees clockwise from north. Default 0.
    public var bearing: Double
    /// The tilt in degrees, valid in 0…80; at 0, the camera looks straight down. Default 0.
    public var tilt: Double
    /// The margins of the picture, in pt, that are covered by other content. Default: none.
    public var contentInset: EdgeInsets

    /// Creates options without checking them; they are checked when they are used.
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
            throw PropertyError(path: "camera.padding", problem: "the value must be finite and at least 0, not \(plain(padding))")
        }
        try PropertyError.check(maxZoom, in: Camera.zoomRange, "camera.maxZoom")
    }

    /// The camera if the options contain both its center and its zoom, so that nothing needs to be fitted; otherwise nil.
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
