import Foundation
import WaymarkGeo
import WaymarkImaging

/// An icon with captions at a position on the map.
public final class Marker: Overlay {
    /// The value of `width` and `height` that stands for the image's own width and height.
    public static let sizeAuto = 0.0
    /// The default global z index of markers.
    public static let defaultGlobalZIndex = 200_000

    // Declared first, because it fits into the padding after the properties of `Overlay`.
    var flags = Flags()
    private var lat = 0.0
    private var lng = 0.0
    /// The icon that was set; nil for the default.
    package var ownIcon: OverlayImage? { didSet { note(.icon) } }
    /// The width of the icon in pt; `Marker.sizeAuto` (0, the default) uses the image's width.
    public var width = sizeAuto { didSet { note(.style) } }
    /// The height of the icon in pt; `Marker.sizeAuto` (0, the default) uses the image's height.
    public var height = sizeAuto { didSet { note(.style) } }
    /// The point of the icon that is placed at `position`, from (0, 0) upper left to (1, 1) lower right. Default (0.5, 1).
    public var anchor = CGPoint(x: 0.5, y: 1) { didSet { note(.style) } }
    /// The clockwise rotation about the anchor in degrees, relative to the top of the screen or, if `isFlat`, to north. Default 0.
    public var angle = 0.0 { didSet { note(.style) } }
    /// The opacity, 0…1. At 0 the marker still collides with others and can be picked. Default 1.
    public var alpha = 1.0 { didSet { note(.style) } }

    /// Creates a marker without a position; all properties have their defaults.
    public init() {
        super.init(type: .marker, globalZIndex: Self.defaultGlobalZIndex)
    }

    /// Creates a marker at the given position.
    public convenience init(position: LatLng) {
        self.init()
        self.position = position
    }

    /// Creates a marker with an icon at the given position.
    public convenience init(position: LatLng, image: OverlayImage) {
        self.init(position: position)
        iconImage = image
    }

    package override var isPlaceless: Bool { !flags.contains(.placed) }

    override func makeDetails() -> OverlayDetails { MarkerDetails() }

    // This check makes two comparisons per number instead of a call per property of the table, because a map may have a million markers
    // whose details contain only an id. A test sets every property of the table to invalid values and compares the results.
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
    /// The coordinate at which the icon's anchor is placed. A marker without a position is not added to a map.
    public var position: LatLng? {
        get { flags.contains(.placed) ? LatLng(lat: lat, lng: lng, altitude: adjustments?.altitude ?? 0) : nil }
        set {
            let place = newValue ?? LatLng(lat: 0, lng: 0)
            (lat, lng) = (place.lat, place.lng)
            if place.altitude != adjustments?.altitude ?? 0 { changeAdjustments(.position) { $0.altitude = place.altitude } }
            set(.placed, newValue != nil, .position)
        }
    }

    /// Whether the icon lies flat on the ground, rotating and tilting with the map. Default false.
    public var isFlat: Bool {
        get { flags.contains(.flat) }
        set { set(.flat, newValue, .style) }
    }

    /// Whether the icon is larger near the viewer and smaller far away. Default false.
    public var iconPerspectiveEnabled: Bool {
        get { flags.contains(.iconPerspective) }
        set { set(.iconPerspective, newValue, .style) }
    }

    /// The image of the icon. Default: the pin of the theme or, without a theme, `MarkerImage.default`, which is a green pin. If the image
    /// cannot be loaded, the default is drawn instead, and a diagnostic of the frame reports it.
    public var iconImage: OverlayImage {
        get {
            guard let ownIcon, ownIcon !== OverlayImage.dot, ownIcon !== OverlayImage.denseDot else { return icon(themeDefaults) }
            return ownIcon
        }
        set { ownIcon = newValue }
    }

    /// The icon on a map with a theme.
    package func icon(_ theme: ThemeDefaults?) -> OverlayImage {
        guard let ownIcon else { return theme?.pinIcon ?? MarkerImage.default }
        if ownIcon === OverlayImage.dot { return (theme ?? MapTheme.light.defaults).dotIcon }
        return ownIcon === OverlayImage.denseDot ? (theme ?? MapTheme.light.defaults).denseDotIcon : ownIcon
    }

    /// A color added to the icon's straight (unpremultiplied) color: `min(1, icon + tint)` for each channel. The icon keeps its alpha, and
    /// the tint's alpha is ignored. Default `.clear`, which adds nothing.
    public var iconTintColor: Color {
        get { adjustments?.tint ?? .clear }
        set { changeAdjustments(.style) { $0.tint = newValue } }
    }

    /// The offset in pt of the anchor from the position: right and down on the screen or, if `isFlat`, east and south on the ground.
    /// `angle` does not rotate the offset. Default (0, 0).
    public var anchorOffset: CGPoint {
        get { adjustments?.anchorOffset ?? .zero }
        set { changeAdjustments(.style) { $0.anchorOffset = newValue } }
    }

    /// The factor by which `alpha` is multiplied while a model or an extruded building hides the marker's position, valid in 0…1. It
    /// applies to the icon and the captions. As in picking, all drawn triangles of a model hide the position, even transparent ones. Models
    /// outside the picture hide nothing. At 0 the marker still collides with others and can be picked. Default 1: models and buildings have
    /// no effect.
    public var occludedAlpha: Double {
        get { adjustments?.occludedAlpha ?? 1 }
        set { changeAdjustments(.style) { $0.occludedAlpha = newValue } }
    }

    /// A synonym for `iconImage`.
    public var icon: OverlayImage {
        get { iconImage }
        set { iconImage = newValue }
    }

    /// A synonym for `angle`.
    public var rotation: Double {
        get { angle }
        set { angle = newValue }
    }

    /// A synonym for `anchor`.
    public var groundAnchor: CGPoint {
        get { anchor }
        set { anchor = newValue }
    }

    /// A synonym for `alpha`.
    public var opacity: Double {
        get { alpha }
        set { alpha = newValue }
    }

    /// A synonym for `mapView`.
    public var map: MapView? {
        get { mapView }
        set { mapView = newValue }
    }

    /// The valid range of each coordinate of an anchor. An anchor may lie up to a hundred icon widths or heights away from the icon.
    public static let anchorRange = -100.0...100.0
    /// The valid range of each component of an anchor offset, in pt.
    public static let offsetRange = -10_000.0...10_000.0
    /// The valid widths and heights of an icon in pt.
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

    func set(_ flag: Flags, _ isOn: Bool, _ change: ChangedProperties) {
        if isOn { flags.insert(flag) } else { flags.remove(flag) }
        note(change)
    }

    // The details of a marker always have this class, because `makeDetails` creates them.
    var markerDetails: MarkerDetails? { details.map { unsafeDowncast($0, to: MarkerDetails.self) } }

    func changeMarkerDetails(_ change: ChangedProperties, _ edit: (MarkerDetails) -> Void) {
        changeDetails(change) { edit(unsafeDowncast($0, to: MarkerDetails.self)) }
    }

    private var adjustments: MarkerDetails.Adjustments? { markerDetails?.adjustments }

    private func changeAdjustments(_ change: ChangedProperties, _ edit: (MarkerDetails.Adjustments) -> Void) {
        changeMarkerDetails(change) { details in
            let adjustments = details.adjustments ?? MarkerDetails.Adjustments()
            details.adjustments = adjustments
            edit(adjustments)
        }
    }
}

/// Properties that few markers set.
final class MarkerDetails: OverlayDetails {
    var caption: Caption?
    var views: Views?
    var adjustments: Adjustments?

    /// Stored separately, because most markers with a caption use none of these properties.
    final class Adjustments {
        /// The altitude of the marker's position, in meters.
        var altitude = 0.0
        var tint: Color?
        var anchorOffset = CGPoint.zero
        var occludedAlpha = 1.0
    }
}

/// The effects of overlapping markers. Hiding is one-sided: the hide flags make a marker hide others that are lower in the drawing order;
/// the force flags keep the marker itself from being hidden.
extension Marker {
    /// Whether symbols of the base map that overlap this marker's icon or caption are hidden. Default false.
    public var isHideCollidedSymbols: Bool {
        get { flags.contains(.hideCollidedSymbols) }
        set { set(.hideCollidedSymbols, newValue, .style) }
    }

    /// Whether icons and captions of other markers are hidden if they come later in the collision order and overlap this marker's icon or
    /// caption. The order goes from the highest `mapLayerType`, `globalZIndex` and `zIndex` (including those of containers) to the lowest.
    /// Among markers for which all of these are equal, all icons come first, and then all captions, and each group goes from the top of the
    /// drawing order to the bottom. The icon of a marker with `isCaptionRequired` comes together with its caption. If an icon is hidden,
    /// its caption is hidden too. A caption can be hidden without its icon. Default false.
    public var isHideCollidedMarkers: Bool {
        get { flags.contains(.hideCollidedMarkers) }
        set { set(.hideCollidedMarkers, newValue, .style) }
    }

    /// Whether captions of other markers are hidden if they come later in the collision order of `isHideCollidedMarkers` and overlap this
    /// marker's icon or caption. This property has no additional effect if `isHideCollidedMarkers` is true. Default false.
    public var isHideCollidedCaptions: Bool {
        get { flags.contains(.hideCollidedCaptions) }
        set { set(.hideCollidedCaptions, newValue, .style) }
    }

    /// Whether this marker's icon is shown even where other markers would hide it. Default false.
    public var isForceShowIcon: Bool {
        get { flags.contains(.forceShowIcon) }
        set { set(.forceShowIcon, newValue, .style) }
    }

    /// Whether this marker's caption is shown, at the first of `captionAligns`, even where other markers would hide it. If the icon is
    /// hidden, the caption is hidden too. Default false.
    public var isForceShowCaption: Bool {
        get { flags.contains(.forceShowCaption) }
        set { set(.forceShowCaption, newValue, .style) }
    }
}

/// Points of an image, for `anchor` and `infoWindowAnchor`: (0, 0) is the upper left corner, and (1, 1) the lower right corner.
extension CGPoint {
    /// The upper left corner, (0, 0).
    public static var topLeft: CGPoint { CGPoint(x: 0, y: 0) }
    /// The center of the upper edge, (0.5, 0).
    public static var top: CGPoint { CGPoint(x: 0.5, y: 0) }
    /// The upper right corner, (1, 0).
    public static var topRight: CGPoint { CGPoint(x: 1, y: 0) }
    /// The center of the left edge, (0, 0.5).
    public static var left: CGPoint { CGPoint(x: 0, y: 0.5) }
    /// The center, (0.5, 0.5).
    public static var center: CGPoint { CGPoint(x: 0.5, y: 0.5) }
    /// The center of the right edge, (1, 0.5).
    public static var right: CGPoint { CGPoint(x: 1, y: 0.5) }
    /// The lower left corner, (0, 1).
    public static var bottomLeft: CGPoint { CGPoint(x: 0, y: 1) }
    /// The center of the lower edge, (0.5, 1). This is the default anchor, where a pin has its tip.
    public static var bottom: CGPoint { CGPoint(x: 0.5, y: 1) }
    /// The lower right corner, (1, 1).
    public static var bottomRight: CGPoint { CGPoint(x: 1, y: 1) }
}
