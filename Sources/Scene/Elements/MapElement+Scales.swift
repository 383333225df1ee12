extension MapView {
    /// All elements that are drawn, in order: the map's elements, then the legends that scales request.
    package var shownElements: [MapElement] { elements + scales.compactMap { $0.legend.map(MapElement.legend) } }
}
