import WaymarkGeo
import WaymarkImaging

/// The style of the clusters whose counts are in a range of a theme: a ``BasicClusterStyle`` or an ``ImageClusterStyle``.
public class ClusterStyle {
    /// The text in the middle. `{count}`, `{sum:NAME}`, `{min:NAME}` and `{max:NAME}` are replaced by numbers; NAME is a property of the
    /// markers. `{{` and `}}` stand for literal braces. Numbers of 10,000 or more are abbreviated, and truncated instead of rounded: 10k …
    /// 999k, 1M, 1.1M … 9.9M, 10M … 999M, 1B. Text that does not fit into the disc, or into the circle of the image, is drawn smaller. Text
    /// that would be smaller than 1 pt is not drawn.
    public var text: String
    /// The color of the text. Default: the theme's `onAccent` if the disc has the theme's color; otherwise white.
    public var textColor: Color {
        get { ownTextColor ?? .white }
        set { ownTextColor = newValue }
    }
    /// The text color that was set; nil for the default.
    var ownTextColor: Color?
    /// The size of the text in pt, valid in 1…512. Default 13.
    public var textSize = 13.0
    /// Whether the disc or image and its text are larger near the viewer and smaller far away, like an icon with
    /// `Marker.iconPerspectiveEnabled`. Default false.
    public var iconPerspectiveEnabled = false
    /// Whether symbols of the base map that overlap the cluster are hidden. Default false.
    public var isHideCollidedSymbols = false
    /// Whether other clusters and the icons and captions of markers are hidden if they overlap this cluster and come later in the collision
    /// order; see `Marker.isHideCollidedMarkers`. Default false.
    public var isHideCollidedMarkers = false
    /// Whether captions of markers are hidden if they overlap the cluster and come later in the collision order; see
    /// `Marker.isHideCollidedCaptions`. Default false.
    public var isHideCollidedCaptions = false

    package init(text: String) {
        self.text = text
    }

    /// The current values of the style, on a map without a theme.
    package final var values: Values { values(nil) }

    /// The current values of the style.
    /// - Parameter theme: The defaults of the map's theme; nil without a theme.
    package func values(_ theme: ThemeDefaults?) -> Values { values(.disc(Values.Disc()), textColor: textColor) }

    fileprivate func values(_ form: Values.Form, textColor: Color) -> Values {
        var flags: Values.Flags = []
        if iconPerspectiveEnabled { flags.insert(.perspective) }
        if isHideCollidedSymbols { flags.insert(.hideSymbols) }
        if isHideCollidedMarkers { flags.insert(.hideMarkers) }
        if isHideCollidedCaptions { flags.insert(.hideCaptions) }
        return Values(text: text, textColor: textColor, textSize: textSize, flags: flags, form: form)
    }
}

/// A style that draws a disc with a ring and a number.
public final class BasicClusterStyle: ClusterStyle {
    /// The color of the disc. Default: the theme's `accent`; #1f6fd6 without a theme.
    public var fillColor: Color {
        get { ownFillColor ?? BasicClusterStyle.defaultFill }
        set { ownFillColor = newValue }
    }
    /// The color of the ring around the disc. Default: the theme's `casing`; white without a theme.
    public var strokeColor: Color {
        get { ownStrokeColor ?? .white }
        set { ownStrokeColor = newValue }
    }
    /// The width of the ring in pt, valid in 0…100. The ring lies inside the diameter. Default 3. On a map with a theme, the default is 2,
    /// and a translucent second ring, 4 pt wide, surrounds the first. If the color or the width of the ring is set, there is no second
    /// ring.
    public var strokeWidth: Double {
        get { ownStrokeWidth ?? 3 }
        set { ownStrokeWidth = newValue }
    }
    // The values that were set; nil for the defaults.
    var ownFillColor: Color?
    var ownStrokeColor: Color?
    var ownStrokeWidth: Double?
    /// The diameter in pt, including the ring, valid in 1…1,000. With `Marker.sizeAuto` (0, the default), the diameter depends on the
    /// count: 32 pt for fewer than 10 markers, 40 pt from 10, 48 pt from 100, and 56 pt from 1,000.
    public var size = Marker.sizeAuto

    /// Creates the default style.
    public init() {
        super.init(text: Self.defaultText)
    }

    /// The valid widths of a ring in pt.
    public static let strokeWidthRange = 0.0...100.0
    /// The valid diameters of a disc in pt. `Marker.sizeAuto` is also valid.
    public static let sizeRange = 1.0...1000.0
    /// A range that contains all valid values of `size`, and also the invalid numbers between `Marker.sizeAuto` and the smallest diameter.
    static let sizeOrAutoRange = 0.0...sizeRange.upperBound
    static let defaultFill = Color(hex: 0x1f6fd6)
    static let defaultText = "{count}"

    package override func values(_ theme: ThemeDefaults?) -> Values {
        let disc = Values.Disc(fill: fillColor, stroke: strokeColor, strokeWidth: strokeWidth, size: size)
        guard let theme else { return values(.disc(disc), textColor: textColor) }
        var themed = disc
        themed.fill = ownFillColor ?? theme.accent
        themed.stroke = ownStrokeColor ?? theme.casing
        themed.strokeWidth = ownStrokeWidth ?? theme.clusterRingWidth
        if ownStrokeColor == nil, ownStrokeWidth == nil {
            themed.haloWidth = theme.clusterHaloWidth
            themed.halo = themed.fill.withAlpha(themed.fill.alpha * theme.clusterHaloOpacity)
        }
        return values(.disc(themed), textColor: ownTextColor ?? (ownFillColor == nil ? theme.onAccent : .white))
    }
}

/// A style that draws an image in place of the disc, centered on the cluster's position. By default it has no text.
public final class ImageClusterStyle: ClusterStyle {
    /// The image. If the image cannot be loaded, the default disc is drawn in its place, and a diagnostic of the frame reports it.
    public var image: OverlayImage
    /// The radius in pt of the circle into which the text is fitted, valid in 0…500. The circle lies around the center of the image.
    /// `Marker.sizeAuto` (0, the default) uses half of the image's shorter side.
    public var textRadius = Marker.sizeAuto

    public init(image: OverlayImage) {
        self.image = image
        super.init(text: "")
    }

    /// The valid radii in pt of the circle for the text.
    public static let textRadiusRange = 0.0...BasicClusterStyle.sizeRange.upperBound / 2

    package override func values(_ theme: ThemeDefaults?) -> Values { values(.image(image, textRadius: textRadius), textColor: textColor) }
}

extension ClusterStyle {
    /// The values of a style.
    package struct Values: Hashable, Sendable {
        package enum Form: Hashable, Sendable {
            case disc(Disc)
            case image(OverlayImage, textRadius: Double)
        }

        /// A disc with a ring. On a map with a theme, a second ring surrounds the first. Lengths are in pt.
        package struct Disc: Hashable, Sendable {
            package var fill = Color.black
            package var stroke = Color.white
            package var strokeWidth = 0.0
            package var halo = Color.clear
            package var haloWidth = 0.0
            package var size = 0.0
        }

        /// The properties that markers also have.
        package struct Flags: OptionSet, Hashable, Sendable {
            package let rawValue: UInt8

            package init(rawValue: UInt8) { self.rawValue = rawValue }

            package static let perspective = Flags(rawValue: 1)
            package static let hideSymbols = Flags(rawValue: 2)
            package static let hideMarkers = Flags(rawValue: 4)
            package static let hideCaptions = Flags(rawValue: 8)
        }

        package var text: String
        package var textColor: Color
        package var textSize: Double
        package var flags: Flags
        package var form: Form

        /// The style for counts that are not in any range of a layer's theme.
        /// - Parameter theme: The defaults of the map's theme; nil without a theme.
        package static func standard(_ theme: ThemeDefaults?) -> Values { BasicClusterStyle().values(theme) }

        /// The diameter in pt of a disc that adapts to its count.
        package static func diameter(ofCount count: Int) -> Double {
            count < 10 ? 32 : count < 100 ? 40 : count < 1000 ? 48 : 56
        }

        /// The counts at which `diameter` changes.
        package static let diameterCounts = [2, 10, 100, 1000]

        /// The problem with an invalid value, and the path of the style's property; nil if all values are valid.
        package var problem: PropertyError? {
            if let found = textColor.error("textColor") ?? Marker.textSizeRange.error(of: textSize, "textSize") { return found }
            do throws(BracedText.Problem) {
                _ = try ClusterText(text)
            } catch {
                return PropertyError(path: "text", problem: error.text)
            }
            switch form {
            case .disc(let disc):
                return disc.fill.error("fillColor") ?? disc.stroke.error("strokeColor")
                    ?? BasicClusterStyle.strokeWidthRange.error(of: disc.strokeWidth, "strokeWidth")
                    ?? BasicClusterStyle.sizeOrAutoRange.error(of: disc.size, "size") ?? sizeProblem(disc.size)
            case .image(_, let textRadius): return ImageClusterStyle.textRadiusRange.error(of: textRadius, "textRadius")
            }
        }

        /// The problem with a size that is outside the range and not 0 (which adapts to the count); nil if the size is valid.
        private func sizeProblem(_ size: Double) -> PropertyError? {
            let least = BasicClusterStyle.sizeRange.lowerBound
            guard size != Marker.sizeAuto, size < least else { return nil }
            return PropertyError(path: "size", problem: "\(plain(size)) is neither 0 nor at least \(plain(least))")
        }
    }
}
