import WaymarkScene

/// What overlays are called: their id, or their type and their place in their own list, after the name of the container that they
/// are in.
struct OverlayNames {
    private let mapView: MapView
    /// By slot: places in the map's list and in those of the containers met so far.
    private lazy var places = Dictionary(
        uniqueKeysWithValues: mapView.overlays.enumerated().map { place, overlay in (overlay.slot, place) })
    private var names: [Int32: String] = [:]

    init(_ mapView: MapView) {
        self.mapView = mapView
    }

    mutating func name(of overlay: Overlay) -> String {
        if let id = overlay.id { return id }
        // From the outermost container that has no name yet inward; without recursion, since containers nest as deep as one likes.
        var unnamed: [Overlay] = []
        var next: Overlay? = overlay
        var name = ""
        while let overlay = next {
            if let known = overlay.id ?? names[overlay.slot] {
                name = known + "/"
                break
            }
            unnamed.append(overlay)
            next = overlay.parent
        }
        for overlay in unnamed.reversed() {
            let own = "\(overlay.type.rawValue)-\(place(of: overlay))"
            name += own
            if overlay.type == .container {
                names[overlay.slot] = name
                name += "/"
            }
        }
        return overlay.type == .container ? String(name.dropLast()) : name
    }

    private mutating func place(of overlay: Overlay) -> Int {
        if let known = places[overlay.slot] { return known }
        for (place, child) in (overlay.parent?.children ?? []).enumerated() { places[child.slot] = place }
        return places[overlay.slot] ?? 0
    }
}
