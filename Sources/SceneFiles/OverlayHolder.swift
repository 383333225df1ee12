import WaymarkScene

/// What overlays of a file are added to: the map, a container in it, or a list that is put on the map later.
enum OverlayHolder {
    case map(MapView)
    case container(Container)
    case list(OverlayList)

    func add(_ overlay: Overlay) {
        switch self {
        case .map(let mapView): mapView.add(overlay)
        case .container(let container): container.add(overlay)
        case .list(let list): list.overlays.append(overlay)
        }
    }

    /// Makes room for overlays to come.
    func reserve(_ count: Int) {
        if case .map(let mapView) = self { mapView.reserve(count) }
    }
}

final class OverlayList {
    var overlays: [Overlay] = []
}
