import Foundation
import WaymarkGeo
import WaymarkImaging

/// An icon with captions at one place on the map.
public final class Marker: Overlay {
    /// Follow the image's own size; each axis on its own.
    public static let sizeAuto = 0.0
    /// The global z index that markers have unless told otherwise.
    public static let defaultGlobalZIndex = 200_000

    private var lat = 0.0
    private var lng = 0.0
    private var positionAltitude = 0.0
    private var customIcon: OverlayImage? { didSet { note(.icon) } }
    /// Width of the icon in pt; `Marker.sizeAuto` (0, the default) follows the image.
    public var width = sizeAuto { didSet { note(.style) } }
    /// Height of the icon in pt; `Marker.sizeAuto` (0, the default) follows the image.
    public var height = sizeAuto { didSet { note(.style) } }
    /// The point of the icon laid on `position`: (0, 0) upper left … (1, 1) lower right. Default (0.5, 1).
    public var anchor = CGPoint(x: 0.5, y: 1) { didSet { note(.style) } }
    /// Clockwise degrees about the anchor: from screen up, or from north when `isFlat`. Default 0.
    public var angle = 0.0 { didSet { note(.style) } }
    /// Opacity, 0…1. At 0 the marker is still there for collisions and picking. Default 1.
    public var alpha = 1.0 { didSet { note(.style) } }

    /// A marker with every property at its default, and without a position.
    public init() {
        super.init(type: .marker, globalZIndex: Self.defaultGlobalZIndex)
    }

    /// A marker at a place.
    public convenience init(position: LatLng) {
        self.init()
        self.position = position
    }

    /// Takes over everything but where another marker stands and what it is called.
    package func copyProperties(of other: Marker) {
        copyOverlayProperties(of: other)
        customIcon = other.customIcon
        width = other.width
        height = other.height
        anchor = other.anchor
        angle = other.angle
        alpha = other.alpha
        isFlat = other.isFlat
        iconPerspectiveEnabled = other.iconPerspectiveEnabled
        if other.iconTintColor != .clear { iconTintColor = other.iconTintColor }
        if other.anchorOffset != .zero { anchorOffset = other.anchorOffset }
        if let theirs = other.title { title = theirs }
        if let theirs = other.snippet { snippet = theirs }
        isHideCollidedSymbols = other.isHideCollidedSymbols
        isHideCollidedMarkers = other.isHideCollidedMarkers
        isHideCollidedCaptions = other.isHideCollidedCaptions
        isForceShowIcon = other.isForceShowIcon
        isForceShowCaption = other.isForceShowCaption
        copyCaption(of: other)
    }

    package override var isPlaceless: Bool { !flags.contains(.placed) }

    package override func firstProblem() -> PropertyError? {
        if let problem = super.firstProblem() {
            return problem
        }
        do throws(PropertyError) {
            if let position {
                try PropertyError.check(position.lat, in: -90...90, "position.lat")
                try Self.finite(position.lng, "position.lng")
                try PropertyError.check(position.altitude, in: Self.altitudeRange, "position.altitude")
            }
            try Self.length(width, "width")
            try Self.length(height, "height")
            try PropertyError.check(anchor.x, in: Self.anchorRange, "anchor.x")
            try PropertyError.check(anchor.y, in: Self.anchorRange, "anchor.y")
            try Self.finite(angle, "angle")
            try PropertyError.check(alpha, in: 0...1, "alpha")
            try PropertyError.check(anchorOffset.x, in: Self.offsetRange, "anchorOffset.x")
            try PropertyError.check(anchorOffset.y, in: Self.offsetRange, "anchorOffset.y")
            guard iconTintColor.isValid else {
                throw PropertyError(path: "iconTintColor", problem: "a channel is outside 0…1")
            }
            try caption?.style.values.validate()
        } catch {
            return error
        }
        return nil
    }
}

extension Marker {
    /// Where the anchor of the icon stands. A marker without a position is not added to a map.
    public var position: LatLng? {
        get { flags.contains(.placed) ? LatLng(lat: lat, lng: lng, altitude: positionAltitude) : nil }
        set {
            let place = newValue ?? LatLng(lat: 0, lng: 0)
            (lat, lng, positionAltitude) = (place.lat, place.lng, place.altitude)
            set(.placed, newValue != nil, .position)
        }
    }

    /// Whether the icon lies on the ground, and turns and tilts with the camera. Default false.
    public var isFlat: Bool {
        get { flags.contains(.flat) }
        set { set(.flat, newValue, .style) }
    }

    /// Whether the icon grows towards the viewer and shrinks with distance. Default false.
    public var iconPerspectiveEnabled: Bool {
        get { flags.contains(.iconPerspective) }
        set { set(.iconPerspective, newValue, .style) }
    }

    /// The image of the icon. It cannot be absent: nil means the default, a green pin.
    public var iconImage: OverlayImage! {
        get { customIcon ?? MarkerImage.default }
        set { customIcon = newValue }
    }

    /// A colour that is added to the icon's: `min(1, icon + tint)` for each channel of the colour as it is without its alpha.
    /// The alpha stays the icon's; that of the tint is ignored, but for `.clear`, the default, which adds nothing.
    public var iconTintColor: Color {
        get { details?.tint ?? .clear }
        set { changeDetails(.style) { $0.tint = newValue } }
    }

    /// Moves the icon after its anchor is laid on the position, in pt: to the right and down on the screen, or east and south
    /// on the ground when `isFlat`; rotation does not turn it. Default (0, 0).
    public var anchorOffset: CGPoint {
        get { details?.anchorOffset ?? .zero }
        set { changeDetails(.style) { $0.anchorOffset = newValue } }
    }

    /// What its info window shows in bold. Default nil.
    public var title: String? {
        get { details?.texts?.title }
        set { changeTexts { $0.title = newValue } }
    }

    /// What its info window shows beneath the title. Default nil.
    public var snippet: String? {
        get { details?.texts?.snippet }
        set { changeTexts { $0.snippet = newValue } }
    }

    private func changeTexts(_ edit: (OverlayDetails.Texts) -> Void) {
        changeDetails([]) { details in
            let texts = details.texts ?? OverlayDetails.Texts()
            details.texts = texts
            edit(texts)
        }
    }

    /// Another name of `iconImage`.
    public var icon: OverlayImage! {
        get { iconImage }
        set { iconImage = newValue }
    }

    /// Another name of `angle`.
    public var rotation: Double {
        get { angle }
        set { angle = newValue }
    }

    /// Another name of `anchor`.
    public var groundAnchor: CGPoint {
        get { anchor }
        set { anchor = newValue }
    }

    /// Another name of `alpha`.
    public var opacity: Double {
        get { alpha }
        set { alpha = newValue }
    }

    /// Another name of `mapView`.
    public var map: MapView? {
        get { mapView }
        set { mapView = newValue }
    }

    /// What each part of an anchor may be: a hundred icons away.
    public static let anchorRange = -100.0...100.0
    /// What each part of an anchor's offset may be, in pt.
    public static let offsetRange = -10_000.0...10_000.0
    /// The largest width and height of an icon in pt.
    public static let sizeRange = 0.0...10_000.0

    private static func finite(_ value: Double, _ path: String) throws(PropertyError) {
        guard value.isFinite else { throw PropertyError(path: path, problem: "\(value) is not a finite number") }
    }

    private static func length(_ value: Double, _ path: String) throws(PropertyError) {
        try PropertyError.check(value, in: sizeRange, path)
    }
}
