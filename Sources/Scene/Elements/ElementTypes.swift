import WaymarkGeo
import WaymarkImaging
import WaymarkText

/// A title with an optional subtitle.
public struct TitleElement: Hashable, Sendable, PlacedElement {
    /// The title, which wraps if the picture is too narrow. `\n` begins a new line.
    public var text: String
    /// Smaller text beneath the title. Default: empty, for no subtitle.
    public var subtitle = ""
    /// The size of the title in pt, valid in 1…512. Default 18.
    public var textSize = 18.0
    /// The size of the subtitle in pt, valid in 1…512. Default 12.
    public var subtitleSize = 12.0
    /// The color of the title and the subtitle. Default nil: the theme's `text` for the title, and its `secondaryText` for the subtitle.
    public var textColor: Color?
    /// The weight of the title. Default bold.
    public var fontWeight = FontWeight.bold
    /// The font family to try before Noto. Default nil: only Noto is used.
    public var font: String?
    public var frame = ElementFrame(place: .top, insets: EdgeInsets(top: 6, left: 12, bottom: 6, right: 12))

    public init(_ text: String = "", subtitle: String = "") {
        (self.text, self.subtitle) = (text, subtitle)
    }
}

/// A bar that shows the scale of the map by a round length, which is correct at the view's center.
///
/// A tilted map has no uniform scale. If the tilt makes the bar wrong by more than 10%, the bar is not drawn, and a diagnostic reports it.
/// The error is computed for vertical distances at the view's center, and for horizontal distances at the bar's height on the screen.
public struct ScaleBarElement: Hashable, Sendable, PlacedElement {
    /// A system of units.
    public enum Units: String, CaseIterable, Sendable {
        /// Kilometers, meters and centimeters.
        case metric
        /// Miles, feet and inches.
        case imperial
    }

    /// The units of the length. Default metric.
    public var units = Units.metric
    /// The maximum length of the bar in pt, valid in 20…900. The bar shows the longest round length that fits. Default 120.
    public var maxWidth = 120.0
    /// The color of the bar and its text. Default nil: the theme's text color or, without a theme, the light theme's text color. If you set
    /// a `backgroundColor` on which that color is hard to read, the text color of the light or the dark theme is used instead.
    public var color: Color?
    public var frame = ElementFrame(place: .bottomLeft, insets: EdgeInsets(top: 2, left: 6, bottom: 5, right: 6))

    public init(units: Units = .metric) {
        self.units = units
    }

    /// The valid maximum lengths in pt.
    package static let widthRange = 20.0...900.0
    /// The largest error that a tilt may cause.
    package static let allowedError = 0.1
}

/// An arrow that points north. It turns and tilts with the camera, as if it lay on the ground.
public struct NorthArrowElement: Hashable, Sendable, PlacedElement {
    /// The width and height in pt, valid in 16…400. Default 40.
    public var size = 40.0
    /// The color of the arrow. Default nil: the same as for ``ScaleBarElement/color``.
    public var color: Color?
    public var frame = ElementFrame(place: .topRight)

    public init() {}

    /// The valid sizes in pt.
    package static let sizeRange = 16.0...400.0
}

/// An image, such as a logo.
public struct ImageElement: Hashable, Sendable, PlacedElement {
    /// The image.
    public var image: OverlayImage
    /// The width in pt, valid in 0…10,000; `Marker.sizeAuto` (0, the default) uses the image's width.
    public var width = Marker.sizeAuto
    /// The height in pt, valid in 0…10,000; `Marker.sizeAuto` (0, the default) uses the image's height.
    public var height = Marker.sizeAuto
    /// The opacity of the image and its panel, valid in 0…1. Default 1.
    public var opacity = 1.0
    public var frame = ElementFrame(place: .bottomRight)

    public init(_ image: OverlayImage) {
        self.image = image
    }

    /// The valid opacities.
    package static let opacityRange = 0.0...1.0
}

/// Any content, such as labels and images in a column.
public struct TextElement: Hashable, Sendable, PlacedElement {
    /// The content to show.
    public var content: OverlayContent
    public var frame = ElementFrame(place: .bottomLeft)

    public init(_ content: OverlayContent) {
        self.content = content
    }
}

/// A legend of a scale.
public struct LegendElement: Hashable, Sendable, PlacedElement {
    /// The scale, and how it is shown.
    public var legend: Legend
    public var frame = ElementFrame(place: .bottomRight, insets: EdgeInsets(top: 8, left: 10, bottom: 8, right: 10))

    public init(_ legend: Legend = Legend()) {
        self.legend = legend
    }
}
