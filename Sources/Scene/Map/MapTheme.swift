/// The appearance of a map. A theme determines the defaults of everything for which nothing else is stated, such as the color of captions,
/// and the colors and widths of a base map of vector tiles.
public enum MapTheme: String, CaseIterable, Sendable {
    /// Pale land with white roads, for maps by day.
    case light
    /// Dark land, for dark pages and screens at night.
    case dark
    /// Shades of gray, for maps whose overlays have the colors.
    case gray
}

/// How the buildings of a base map of vector tiles are drawn.
public enum BuildingStyle: String, CaseIterable, Sendable {
    /// As areas on the ground.
    case flat
    /// As blocks with their heights. In this version, they are drawn like `flat`.
    case extruded
    /// Not at all.
    case none
}

extension MapTheme: NamedChoice {}
extension BuildingStyle: NamedChoice {}
