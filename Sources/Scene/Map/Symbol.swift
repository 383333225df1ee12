import WaymarkGeo
import WaymarkImaging
import WaymarkText

/// A label or point of interest of the base map: an icon, a text or both.
///
/// Symbols lie over the overlays whose global z index is below 0 and under all others. A symbol that overlaps a marker with
/// `isHideCollidedSymbols` is hidden. Among symbols that overlap one another, the one with the lowest rank is shown.
public struct Symbol: Equatable, Sendable {
    /// Its name in `inspect`; nil uses its index in the list. Default nil.
    public var id: String?
    /// The position of the center of its icon, or, without an icon, of its text.
    public var position: LatLng
    /// Its text, beneath the icon or instead of it. Default none.
    public var captionText = ""
    /// The text's color. Default black.
    public var captionColor = Color.black
    /// The color of the text's outline. Default white.
    public var captionHaloColor = Color.white
    /// The width of the text's outline in pt, valid in 0…8. Default 1.
    public var captionHaloWidth = 1.0
    /// The size of the text in pt, valid in 1…512. Default 12.
    public var captionTextSize = 12.0
    /// The width in pt at which the text wraps, valid in 0…10,000. Default 0: no wrapping.
    public var captionRequestedWidth = 0.0
    /// The space added between the text's letters, in em, valid in -0.25…2; see ``Marker/captionLetterSpacing``. Default 0.
    public var captionLetterSpacing = 0.0
    /// The space in pt that is kept free around the text, valid in 0…100. Default 0: symbols may be close together.
    public var captionPadding = 0.0
    /// The text's weight. Default regular.
    public var captionFontWeight = FontWeight.regular
    /// Its icon. Default none.
    public var iconImage: OverlayImage?
    /// Width of the icon in pt, valid in 0…10,000; `Marker.sizeAuto`, the default, follows the image.
    public var width = Marker.sizeAuto
    /// Height of the icon in pt, valid in 0…10,000; `Marker.sizeAuto`, the default, follows the image.
    public var height = Marker.sizeAuto
    /// Among symbols that overlap, the one with the lowest rank is shown; among equal ranks, the first. Default 0.
    public var rank = 0.0
    /// The lowest zoom at which it shows, inclusive; valid in 0…24. Default 0.
    public var minZoom = Camera.zoomRange.lowerBound
    /// The highest zoom at which it shows, inclusive; valid in 0…24. Default 24.
    public var maxZoom = Camera.zoomRange.upperBound

    /// Its kind: `pointOfInterest`, `transitStop`, `trafficEvent` or a name of your own. Default `pointOfInterest`.
    public var kind = pointOfInterest
    /// Its category, reported when picked. Default nil.
    public var category: String?
    /// Its telephone number, reported when picked. Default nil.
    public var phone: String?
    /// Other data about it, reported when picked. For a file of features, the other properties of the feature. Default empty.
    public var fields: [String: String] = [:]

    /// The kind of points of interest.
    public static let pointOfInterest = "pointOfInterest"

    /// A symbol at a position, without icon and text.
    public init(position: LatLng) {
        self.position = position
    }

    /// A symbol with a text and no icon.
    public init(position: LatLng, captionText: String, rank: Double = 0) {
        self.position = position
        self.captionText = captionText
        self.rank = rank
    }
}
