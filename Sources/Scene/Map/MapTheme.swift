/// The appearance of a map. A theme determines the defaults of everything that is not set, such as the color of captions. It also
/// determines the colors and line widths of a base map of vector tiles.
public enum MapTheme: String, CaseIterable, Sendable {
    /// Pale land with white roads, for maps by day.
    case light
    /// Dark land, for dark pages and screens at night.
    case dark
    /// Shades of gray, for maps in which only the overlays have colors.
    case gray
}

/// How the buildings of a base map of vector tiles are drawn.
public enum BuildingStyle: String, CaseIterable, Sendable {
    /// As areas on the ground.
    case flat
    /// As blocks with the buildings' heights at zoom 15 and above, and as areas on the ground at lower zooms.
    ///
    /// The roofs have the color of the role `building`, and the walls are darker, depending on their direction. If that color or the layer
    /// is translucent, no building shows through another. A building without a height in the tiles is drawn 5 m high. Buildings hide the
    /// models, the names of roads, the peaks and the points of interest behind them; everything else on the map lies above them. Picking
    /// does not find buildings.
    case extruded
    /// Buildings are not drawn.
    case none
}

extension MapTheme: NamedChoice {}
extension BuildingStyle: NamedChoice {}
