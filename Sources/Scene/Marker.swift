import Foundation
import WaymarkGeo
import WaymarkImaging

/// An icon with captions at one place on the map.
public final class Marker: Overlay {
    /// Follow the image's own size; each axis on its own.
    public static let sizeAuto = 0.0
    /// The global z index that markers have by default.
    public static let defaultGlobalZIndex = 200_000

    // First, since it fits in what the properties of overlays leave free of a word.
    var flags = Flags()
    private var lat = 0.0
    private var lng = 0.0
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

    package override var isPlaceless: Bool { !flags.contains(.placed) }

    override func makeDetails() -> OverlayDetails { MarkerDetails() }

    // Two compares a number, in place of a call for each line of the table, for the million markers whose details hold no more than
    // an id. A test sets each property of the table to invalid values and compares.
    override var isPlainlyValid: Bool {
        let sizes = Self.sizeRange
        let anchors = Self.anchorRange
        return (details?.changes ?? []).isSubset(of: .identity) && lat >= -90 && lat <= 90 && lng.isFinite
            && sizes.contains(width) && sizes.contains(height)
            && anchors.contains(anchor.x) && anchors.contains(anchor.y) && angle.isFinite && alpha >= 0 && alpha <= 1
    }

    override var hasValidShare: Bool {
        caption?.style.isValid { MarkerProperties.table.list.firstProblem(self, .shared) == nil } ?? true
    }
}

extension Marker {
    /// Where the anchor of the icon is placed. A marker without a position is not added to a map.
    public var position: LatLng? {
        get { flags.contains(.placed) ? LatLng(lat: lat, lng: lng, altitude: markerDetails?.positionAltitude ?? 0) : nil }
        set {
            let place = newValue ?? LatLng(lat: 0, lng: 0)
            (lat, lng) = (place.lat, place.lng)
            if place.altitude != markerDetails?.positionAltitude ?? 0 {
                changeMarkerDetails(.position) { $0.positionAltitude = place.altitude }
            }
            set(.placed, newValue != nil, .position)
        }
    }

    /// Whether the icon lies on the ground, and turns and tilts with the camera. Default false.
    public var isFlat: Bool {
        get { flags.contains(.flat) }
        set { set(.flat, newValue, .style) }
    }

    /// Whether the icon grows toward the viewer and shrinks with distance. Default false.
    public var iconPerspectiveEnabled: Bool {
        get { flags.contains(.iconPerspective) }
        set { set(.iconPerspective, newValue, .style) }
    }

    /// The image of the icon. It cannot be absent: nil means the default, a green pin.
    public var iconImage: OverlayImage! {
        get { customIcon ?? MarkerImage.default }
        set { customIcon = newValue }
    }

    /// A color that is added to the icon's: `min(1, icon + tint)` for each channel of the color as it is without its alpha.
    /// The alpha stays the icon's; that of the tint is ignored, but for `.clear`, the default, which adds nothing.
    public var iconTintColor: Color {
        get { markerDetails?.tint ?? .clear }
        set { changeMarkerDetails(.style) { $0.tint = newValue } }
    }

    /// Moves the icon after its anchor is laid on the position, in pt: to the right and down on the screen, or east and south
    /// on the ground when `isFlat`; rotation does not turn it. Default (0, 0).
    public var anchorOffset: CGPoint {
        get { markerDetails?.anchorOffset ?? .zero }
        set { changeMarkerDetails(.style) { $0.anchorOffset = newValue } }
    }

    /// What its info window shows in bold. Default nil.
    public var title: String? {
        get { markerDetails?.texts?.title }
        set { changeTexts { $0.title = newValue } }
    }

    /// What its info window shows beneath the title. Default nil.
    public var snippet: String? {
        get { markerDetails?.texts?.snippet }
        set { changeTexts { $0.snippet = newValue } }
    }

    private func changeTexts(_ edit: (MarkerDetails.Texts) -> Void) {
        changeMarkerDetails([]) { details in
            let texts = details.texts ?? MarkerDetails.Texts()
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
}

extension Marker {
    struct Flags: OptionSet {
        let rawValue: UInt8

        static let placed = Flags(rawValue: 1)
        static let flat = Flags(rawValue: 2)
        static let iconPerspective = Flags(rawValue: 4)
        static let hideCollidedSymbols = Flags(rawValue: 8)
        static let hideCollidedMarkers = Flags(rawValue: 16)
        static let hideCollidedCaptions = Flags(rawValue: 32)
        static let forceShowIcon = Flags(rawValue: 64)
        static let forceShowCaption = Flags(rawValue: 128)
    }

    func set(_ flag: Flags, _ isOn: Bool, _ change: Journal.Change) {
        if isOn { flags.insert(flag) } else { flags.remove(flag) }
        note(change)
    }

    // The details of a marker are always of this class, since `makeDetails` makes them.
    var markerDetails: MarkerDetails? { details.map { unsafeDowncast($0, to: MarkerDetails.self) } }

    func changeMarkerDetails(_ change: Journal.Change, _ edit: (MarkerDetails) -> Void) {
        changeDetails(change) { edit(unsafeDowncast($0, to: MarkerDetails.self)) }
    }
}

/// What few markers have.
final class MarkerDetails: OverlayDetails {
    /// The altitude of the position, in meters.
    var positionAltitude = 0.0
    var tint: Color?
    var anchorOffset = CGPoint.zero
    var texts: Texts?
    var caption: Caption?

    /// Separate, since most markers have neither.
    final class Texts {
        var title: String?
        var snippet: String?
    }
}
