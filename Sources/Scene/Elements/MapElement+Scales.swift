extension MapView {
    /// All elements that are drawn, in order: the map's elements, then the legends that scales request.
    package var shownElements: [MapElement] { elements + scales.compactMap { $0.legend.map(MapElement.legend) } }

    /// The key path of each of these elements.
    package var shownElementPaths: [String] {
        elements.indices.map { "elements[\($0)]" } + scales.lazy.filter { $0.legend != nil }.map(\.legendPath)
    }
}
