extension MapView {
    /// All elements that are drawn, in order: those of the map, and the legends that scales ask for.
    package var shownElements: [MapElement] { elements + scales.compactMap { $0.legend.map(MapElement.legend) } }
}
