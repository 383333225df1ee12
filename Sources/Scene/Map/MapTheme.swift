/// The appearance of a map. A theme determines the defaults of everything that is not set, such as the color of captions, and the colors
/// and widths of a base map of vector tiles.
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
    /// As blocks with their heights, from zoom 15 on; at lower zooms, as areas on the ground.
    ///
    /// The roofs have the color of the role `building`, and the walls are darker, depending on their direction. If that color or the layer
    /// is translucent, the buildings are translucent as one. A building whose height the tiles do not state is 5 m high. Buildings hide
    /// models behind them; everything else on the map lies above them. They are not found by picking.
    case extruded
    /// Buildings are not drawn.
    case none
}

extension MapTheme: NamedChoice {}
extension BuildingStyle: NamedChoice {}
