import WaymarkScene

/// The destination of a file's overlays: the map, a container, or a list that is added to the map later.
enum OverlayHolder {
    case map(MapView)
    case container(Container)
    case list(OverlayList)

    func add(_ overlay: Overlay) {
        switch self {
        case .map(let mapView): mapView.adopt(overlay)
        case .container(let container): container.add(overlay)
        case .list(let list): list.overlays.append(overlay)
        }
    }

    /// Whether the destination accepts view overlays.
    var takesViewOverlays: Bool { if case .container = self { false } else { true } }

    func add(_ overlay: ViewOverlay) {
        switch self {
        case .map(let mapView): mapView.adopt(overlay)
        case .container: break
        case .list(let list): list.viewOverlays.append(overlay)
        }
    }
}

final class OverlayList {
    var overlays: [Overlay] = []
    var viewOverlays: [ViewOverlay] = []
}
