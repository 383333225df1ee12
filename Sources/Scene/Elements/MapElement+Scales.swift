extension MapView {
    /// All elements that are drawn, in order: the map's own, then the legends that scales ask for.
    package var shownElements: [MapElement] { elements + scales.compactMap { $0.legend.map(MapElement.legend) } }
}
