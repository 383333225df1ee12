import WaymarkScene

/// The number of overlays that may still be added to a scene while it is read. When no more may be added, reading a file of features
/// stops.
///
/// Overlays that a scene lists are only counted, because its text is already in memory. A scene that lists too many is refused after it was
/// read, and the error states their number.
struct OverlayRoom {
    private let limit: Int
    /// Whether the points of cluster layers count as overlays.
    private let hasPoints: Bool
    private var rest: Int
    /// Whether a feature was refused.
    private(set) var isFull = false

    init(_ options: SceneFileOptions) {
        (limit, hasPoints, rest) = (options.overlayLimit, options.limitsPoints, options.overlayLimit)
    }

    /// Counts the overlay or the symbol of a feature, and throws if there is no room for it.
    mutating func take() throws(SceneFileError) {
        guard rest > 0 else {
            isFull = true
            throw SceneFileError(
                path: "", problem: "the scene exceeds the limit of \(limit) overlays and symbols\(hint)")
        }
        rest -= 1
    }

    /// Whether there is room for more overlays and symbols.
    func fits(_ count: Int) -> Bool { count <= rest }

    /// Counts a point of a cluster layer, and throws if there is no room for it.
    mutating func takePoint() throws(SceneFileError) {
        if hasPoints { try take() }
    }

    /// The room for points of cluster layers.
    var ofPoints: OverlayRoom {
        var room = self
        if !hasPoints { room.rest = .max }
        return room
    }

    /// Counts overlays that the scene lists, or, with a negative `count`, no longer has.
    mutating func note(_ count: Int = 1) { rest -= count }

    /// Counts points of cluster layers that the scene lists.
    mutating func notePoints(_ count: Int) { if hasPoints { note(count) } }

    /// Counts everything on a map.
    mutating func note(_ mapView: MapView) { note(mapView.overlayCount(withPoints: hasPoints)) }

    /// Throws for a map that exceeds the limit.
    func check(_ mapView: MapView) throws(SceneFileError) {
        let count = mapView.overlayCount(withPoints: hasPoints)
        guard count > limit else { return }
        throw SceneFileError(
            path: "overlays", problem: "\(count) overlays and symbols exceed the limit of \(limit)\(hint)")
    }

    /// The end of the message, with advice.
    private var hint: String { hasPoints ? "" : "; a clusterLayer can have any number of points" }
}

extension MapView {
    /// The number of everything that may be drawn.
    /// - Parameter hasPoints: Whether the points of cluster layers also count.
    fileprivate func overlayCount(withPoints hasPoints: Bool) -> Int {
        let layers = hasPoints ? store.layerSlots : []
        let points = layers.reduce(0) { $0 + ((store.slots[Int($1)] as? ClusterLayer)?.count ?? 0) }
        return store.count + points + symbols.count + viewOverlays.count
    }
}
