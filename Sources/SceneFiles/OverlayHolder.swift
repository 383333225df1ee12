import WaymarkScene

/// What overlays of a file are added to: the map, or a container in it.
enum OverlayHolder {
    case map(MapView)
    case container(Container)

    func add(_ overlay: Overlay) {
        switch self {
        case .map(let mapView): mapView.add(overlay)
        case .container(let container): container.add(overlay)
        }
    }

    /// Makes room for overlays to come.
    func reserve(_ count: Int) {
        if case .map(let mapView) = self { mapView.reserve(count) }
    }
}
