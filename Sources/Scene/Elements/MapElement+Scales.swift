extension MapView {
    /// All elements that are drawn, in order.
    package var shownElements: [MapElement] { elements }
}
