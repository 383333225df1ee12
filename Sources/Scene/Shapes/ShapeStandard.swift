import WaymarkImaging

/// The defaults of a shape's colors and widths. They come from the map's theme or, without a theme, depend on the origin of the shape.
package enum ShapeStandard: UInt8, Sendable {
    /// The defaults given in the documentation of the properties.
    case overlay
    /// The defaults of simplestyle, for a feature of a file.
    case feature
    /// The defaults of simplestyle, for a feature of a file without styles. If the map has a theme and no base map, areas are drawn as
    /// land.
    case plainFeature

    /// The color of lines and outlines in simplestyle.
    package static let stroke = Color(hex: 0x555555)
    /// The width of lines and outlines in simplestyle, in pt.
    package static let strokeWidth = 2.0
    /// The color of areas in simplestyle.
    package static let fill = Color(hex: 0x555555, alpha: 0.6)
}

// The colors of lines.
extension Polyline {
    /// The color of the line. A translucent line does not get darker where it crosses itself. Default: the theme's `accent`; without a
    /// theme, black, or white for routes.
    public final var color: Color {
        get { ownColor ?? themeDefaults?.accent ?? (standard == .overlay ? type == .route ? .white : .black : ShapeStandard.stroke) }
        set { ownColor = newValue }
    }

    /// The color of the outline. Default: the theme's `casing`; black without a theme.
    public final var outlineColor: Color {
        get { ownOutlineColor ?? themeDefaults?.casing ?? .black }
        set { ownOutlineColor = newValue }
    }
}

extension Route {
    /// The color of the traveled part. Default: the theme's `mutedAccent`; without a theme, white, like the rest of the route.
    public var passedColor: Color {
        get { ownPassedColor ?? themeDefaults?.mutedAccent ?? .white }
        set { ownPassedColor = newValue }
    }
}

// The colors and outlines of areas.
extension Polygon {
    /// The color of the area. Default: the theme's `accentFill`; white without a theme.
    public var fillColor: Color {
        get {
            if let ownFillColor { return ownFillColor }
            guard let theme = themeDefaults else { return standard == .overlay ? .white : ShapeStandard.fill }
            return isLand ? theme.area : theme.accentFill
        }
        set { ownFillColor = newValue }
    }

    /// The width in pt of the outline, valid in 0…1,000; 0 draws no outline. The outline is centered on every ring. Default: the theme's
    /// `outlineWidth`; 0 without a theme.
    public var outlineWidth: Double {
        get {
            if let ownOutlineWidth { return ownOutlineWidth }
            guard let theme = themeDefaults else { return standard == .overlay ? 0 : ShapeStandard.strokeWidth }
            return isLand ? theme.hairlineWidth : theme.outlineWidth
        }
        set { ownOutlineWidth = newValue }
    }

    /// The color of the outline. Default: the theme's `accent`; black without a theme.
    public var outlineColor: Color {
        get {
            if let ownOutlineColor { return ownOutlineColor }
            guard let theme = themeDefaults else { return standard == .overlay ? .black : ShapeStandard.stroke }
            return isLand ? theme.hairline : theme.accent
        }
        set { ownOutlineColor = newValue }
    }

    private var isLand: Bool { standard == .plainFeature && mapView?.showsLand == true }
}

extension Circle {
    /// The color of the disc. Default: the theme's `accentFill`; white without a theme.
    public var fillColor: Color {
        get { ownFillColor ?? themeDefaults?.accentFill ?? .white }
        set { ownFillColor = newValue }
    }

    /// The width in pt of the outline, valid in 0…1,000; 0 draws no outline. The outline is centered on the disc's edge. Default: the
    /// theme's `outlineWidth`; 0 without a theme.
    public var outlineWidth: Double {
        get { ownOutlineWidth ?? themeDefaults?.outlineWidth ?? 0 }
        set { ownOutlineWidth = newValue }
    }

    /// The color of the outline. Default: the theme's `accent`; black without a theme.
    public var outlineColor: Color {
        get { ownOutlineColor ?? themeDefaults?.accent ?? .black }
        set { ownOutlineColor = newValue }
    }
}
