import WaymarkImaging

/// The defaults of a theme: the colors and sizes of everything that is not set. They suit both the theme's base map and pictures without a
/// base map.
///
///     mapView.theme = .dark
///     label.textColor = MapTheme.dark.defaults.text
public struct ThemeDefaults: Hashable, Sendable {
    /// The color of captions, of texts along lines, and of texts on panels.
    public let text: Color
    /// The color of less important text, such as sub-captions. Its contrast with `background` and `panel` is at least 4.5.
    public let secondaryText: Color
    /// The color of the outline of texts on the map.
    public let halo: Color
    /// The color behind everything else, which is the color of the base map's land.
    public let background: Color
    /// The sky.
    public let sky: Sky
    /// The color of lines, outlines and clusters.
    public let accent: Color
    /// The color of text and dots on `accent`. Its contrast with `accent` is at least 4.5.
    public let onAccent: Color
    /// The color of areas that are drawn over the map: a translucent `accent`.
    public let accentFill: Color
    /// The color of secondary features, such as the traveled part of a route.
    public let mutedAccent: Color
    /// The color of the outlines of lines, which separate lines from the map.
    public let casing: Color
    /// The color of thin separating lines: the outlines of `area`, and the borders of panels.
    public let hairline: Color
    /// The color of the background if the areas of a file without styles are drawn as land.
    public let ground: Color
    /// The color of the areas of a file without styles if they are drawn as land.
    public let area: Color
    /// The color of pins, which are the default icons of markers.
    public let pin: Color
    /// The color of panels, such as legends and titles. It may be slightly translucent.
    public let panel: Color
    /// The color of info windows.
    public let infoWindow: Color
    /// The color of the hairline around info windows, which may be transparent.
    public let infoWindowBorder: Color
    /// The opacity of the shadow of info windows.
    public let shadowOpacity: Double

    /// The width in pt of lines.
    public let lineWidth = 2.5
    /// The width in pt of the outlines of areas.
    public let outlineWidth = 1.5
    /// The width in pt of hairlines.
    public let hairlineWidth = 0.75
    /// The width in pt of pins. They are 36 pt high.
    public let pinWidth = Self.widthOfPins
    /// The width in pt of the ring around the discs of clusters.
    public let clusterRingWidth = 2.0
    /// The width in pt of the translucent halo around that ring.
    public let clusterHaloWidth = 4.0
    /// The opacity of the halo, relative to the opacity of the disc.
    public let clusterHaloOpacity = 0.28

    /// The default icon of markers.
    package let pinIcon: OverlayImage
    /// The icon of points in a file that has too many points for pins.
    package let dotIcon: OverlayImage
    /// The icon of points in a file with so many points that dots would cover each other. It is translucent and has no ring, so that
    /// crowded places look darker.
    package let denseDotIcon: OverlayImage
}

extension MapTheme {
    /// The theme's defaults.
    public var defaults: ThemeDefaults {
        switch self {
        case .light: .light
        case .dark: .dark
        case .gray: .gray
        }
    }
}

extension ThemeDefaults {
    private static let widthOfPins = 26.0

    private static func pinIcon(_ hex: UInt32) -> OverlayImage {
        MarkerImage.pin(color: Color(hex: hex), width: widthOfPins) ?? MarkerImage.default
    }

    private static func dotIcon(_ hex: UInt32, ring: UInt32) -> OverlayImage {
        DiscImage(fill: Color(hex: hex), stroke: Color(hex: ring), strokeWidth: 1.25, diameter: 9).map { OverlayImage(vector: .disc($0)) }
            ?? .empty
    }

    private static func denseDotIcon(_ hex: UInt32) -> OverlayImage {
        let disc = DiscImage(fill: Color(hex: hex, alpha: 0.6), stroke: .clear, strokeWidth: 0, diameter: 5)
        return disc.map { OverlayImage(vector: .disc($0)) } ?? .empty
    }

    fileprivate static let light = ThemeDefaults(
        text: Color(hex: 0x24292F), secondaryText: Color(hex: 0x5A626C), halo: Color(hex: 0xFFFFFF),
        background: Color(hex: 0xF5F3EE), sky: Sky(horizon: Color(hex: 0xEDF2F4), zenith: Color(hex: 0xC4DBE9)),
        accent: Color(hex: 0x1F6FD6), onAccent: Color(hex: 0xFFFFFF), accentFill: Color(hex: 0x1F6FD6, alpha: 0.18),
        mutedAccent: Color(hex: 0x9DB7D6), casing: Color(hex: 0xFFFFFF), hairline: Color(hex: 0xCBCDCF),
        ground: Color(hex: 0xE1E8EB), area: Color(hex: 0xFBFAF8), pin: Color(hex: 0xE2463C),
        panel: Color(hex: 0xFFFFFF, alpha: 0.94), infoWindow: Color(hex: 0xFFFFFF), infoWindowBorder: .clear, shadowOpacity: 0.3,
        pinIcon: pinIcon(0xE2463C), dotIcon: dotIcon(0xE2463C, ring: 0xFFFFFF),
        denseDotIcon: denseDotIcon(0xE2463C))

    fileprivate static let dark = ThemeDefaults(
        text: Color(hex: 0xE8EBEF), secondaryText: Color(hex: 0xA9B2BD), halo: Color(hex: 0x15181C),
        background: Color(hex: 0x22262C), sky: Sky(horizon: Color(hex: 0x2A313A), zenith: Color(hex: 0x141920)),
        accent: Color(hex: 0x6AA9F7), onAccent: Color(hex: 0x0F1B2A), accentFill: Color(hex: 0x6AA9F7, alpha: 0.2),
        mutedAccent: Color(hex: 0x4A6484), casing: Color(hex: 0x15181C), hairline: Color(hex: 0x48505A),
        ground: Color(hex: 0x191D22), area: Color(hex: 0x2B3037), pin: Color(hex: 0xFF6A5E),
        panel: Color(hex: 0x2B3037, alpha: 0.94), infoWindow: Color(hex: 0x323840), infoWindowBorder: Color(hex: 0x4A525D),
        shadowOpacity: 0.5, pinIcon: pinIcon(0xFF6A5E), dotIcon: dotIcon(0xFF6A5E, ring: 0x15181C),
        denseDotIcon: denseDotIcon(0xFF6A5E))

    fileprivate static let gray = ThemeDefaults(
        text: Color(hex: 0x2A2A2A), secondaryText: Color(hex: 0x5F5F5F), halo: Color(hex: 0xFFFFFF),
        background: Color(hex: 0xF4F4F4), sky: Sky(horizon: Color(hex: 0xEFEFEF), zenith: Color(hex: 0xD6D6D6)),
        accent: Color(hex: 0x2F5FD0), onAccent: Color(hex: 0xFFFFFF), accentFill: Color(hex: 0x2F5FD0, alpha: 0.18),
        mutedAccent: Color(hex: 0xA6AFC4), casing: Color(hex: 0xFFFFFF), hairline: Color(hex: 0xC9C9C9),
        ground: Color(hex: 0xE4E4E4), area: Color(hex: 0xFBFBFB), pin: Color(hex: 0xD93F36),
        panel: Color(hex: 0xFFFFFF, alpha: 0.94), infoWindow: Color(hex: 0xFFFFFF), infoWindowBorder: .clear, shadowOpacity: 0.3,
        pinIcon: pinIcon(0xD93F36), dotIcon: dotIcon(0xD93F36, ring: 0xFFFFFF),
        denseDotIcon: denseDotIcon(0xD93F36))
}

extension OverlayImage {
    /// Stands for the `dotIcon` of the theme with which a point is drawn.
    package static let dot = OverlayImage(source: .empty, scale: 1, reuseIdentifier: "dot")
    /// Stands for the `denseDotIcon` of the theme with which a point is drawn.
    package static let denseDot = OverlayImage(source: .empty, scale: 1, reuseIdentifier: "dense-dot")
}

extension Overlay {
    /// The defaults of the theme of the overlay's map; nil without a map or a theme.
    final var themeDefaults: ThemeDefaults? { mapView?.themeDefaults }
}
