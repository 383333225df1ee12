import WaymarkGeo
import WaymarkImaging
import WaymarkText

/// A label or point of interest of the base map: an icon, text, or both.
///
/// Symbols lie beneath overlays in the `foreground` layer with a `globalZIndex` of 0 or more, and above all other overlays. A symbol that
/// overlaps a marker with `isHideCollidedSymbols` is hidden. Among overlapping symbols, only the one with the lowest rank is shown.
public struct Symbol: Equatable, Sendable {
    /// The symbol's name in inspections and diagnostics. Default nil: the name is `symbol-` followed by the index in the list.
    public var id: String?
    /// The position of the icon's center or, without an icon, of the text's center.
    public var position: LatLng
    /// The text, shown beneath the icon or, without an icon, centered on the position. Default: empty.
    public var captionText = ""
    /// The text color that was set; nil for the default.
    package var ownCaptionColor: Color?
    /// The outline color that was set; nil for the default.
    package var ownCaptionHaloColor: Color?
    /// The width of the text's outline in pt, valid in 0…8. Default 1.
    public var captionHaloWidth = 1.0
    /// The distance in pt over which the outline fades on each side of its outer edge, valid in 0…4. Default 0: a sharp edge. See
    /// ``Marker/captionHaloBlur``.
    public var captionHaloBlur = 0.0
    /// The size of the text in pt, valid in 1…512. Default 12.
    public var captionTextSize = 12.0
    /// The width in pt at which the text wraps, valid in 0…10,000; see ``Marker/captionRequestedWidth``. Default 0: no wrapping.
    public var captionRequestedWidth = 0.0
    /// The space added between the text's letters, in em, valid in -0.25…2; see ``Marker/captionLetterSpacing``. Default 0.
    public var captionLetterSpacing = 0.0
    /// The space in pt that is kept free around the text, valid in 0…100. Default 0: symbols may be close together.
    public var captionPadding = 0.0
    /// The weight of the text. Default regular.
    public var captionFontWeight = FontWeight.regular
    /// The icon. Default nil: no icon.
    public var iconImage: OverlayImage?
    /// The width of the icon in pt, valid in 0…10,000; `Marker.sizeAuto`, the default, uses the image's width.
    public var width = Marker.sizeAuto
    /// The height of the icon in pt, valid in 0…10,000; `Marker.sizeAuto`, the default, uses the image's height.
    public var height = Marker.sizeAuto
    /// The priority among overlapping symbols. Only the symbol with the lowest rank is shown; among equal ranks, only the first symbol in
    /// the list. Default 0.
    public var rank = 0.0
    /// The lowest zoom at which the symbol is shown, inclusive; valid in 0…24. Default 0.
    public var minZoom = Camera.zoomRange.lowerBound
    /// The highest zoom at which the symbol is shown, inclusive; valid in 0…24. Default 24.
    public var maxZoom = Camera.zoomRange.upperBound

    /// The kind of the symbol: `pointOfInterest`, `transitStop`, `trafficEvent` or a name of your own. Default `pointOfInterest`.
    public var kind = pointOfInterest
    /// The category of the symbol, for programs that pick symbols. Default nil.
    public var category: String?
    /// The telephone number of the symbol, for programs that pick symbols. Default nil.
    public var phone: String?
    /// Other data about the symbol, for programs that pick symbols. If the symbol comes from a feature file, this contains the feature's
    /// other properties. Default: empty.
    public var fields: [String: String] = [:]

    /// The color of the text. Default: the theme's text color; black without a theme.
    public var captionColor: Color {
        get { ownCaptionColor ?? .black }
        set { ownCaptionColor = newValue }
    }
    /// The color of the text's outline. Default: the theme's `halo`; white without a theme.
    public var captionHaloColor: Color {
        get { ownCaptionHaloColor ?? .white }
        set { ownCaptionHaloColor = newValue }
    }

    /// The value of `kind` for points of interest.
    public static let pointOfInterest = "pointOfInterest"

    /// Creates a symbol at a position, without an icon and without text.
    public init(position: LatLng) {
        self.position = position
    }

    /// Creates a symbol with text and without an icon.
    public init(position: LatLng, captionText: String, rank: Double = 0) {
        self.position = position
        self.captionText = captionText
        self.rank = rank
    }
}
