import WaymarkGeo

/// A group of overlays, including other containers, that are shown, hidden and ordered together.
///
/// The children of a container are on the same map as the container. They are not drawn while the container is hidden, or at zooms excluded
/// by its `minZoom`, `maxZoom` or `hiddenZooms`. The container's `zIndex` is compared before the children's `zIndex`. The container's
/// `altitude` is added to the altitudes of its children. No child is drawn in a higher layer than the container's `mapLayerType`. The
/// container's `globalZIndex` has no effect: the children keep their own values. ``isOrderedAsOne`` changes these rules.
public final class Container: Overlay {
    /// The children in order, with gaps where children were removed. Each child stores its index, so removing a child does not move the
    /// others.
    private var places: [Overlay?] = []
    /// The number of children.
    public private(set) var count = 0
    /// Whether the container, together with its contents, takes a single place in the drawing order.
    ///
    /// That place is determined by the container's `mapLayerType`, `globalZIndex` (by default 0: above shapes, below models and markers)
    /// and `zIndex`. Among overlays for which these three are equal, the container lies above shapes and models, and below markers. The
    /// contents are ordered among themselves by their own layers and z indexes, and nothing else is drawn between them. For example, with
    /// two containers of this kind, a mixed group of shapes, models and markers can lie above another such group. Containers of this kind
    /// may be nested. Default false: the children are ordered among all other overlays.
    public var isOrderedAsOne = false { didSet { note(.order) } }
    /// Refusals that no map has reported yet.
    private var refusals: [Diagnostic] = []

    /// Creates an empty, visible container with a z index of 0.
    public init() {
        super.init(type: .container, globalZIndex: 0)
    }

    /// Creates a container with the given overlays, in order.
    public convenience init(_ children: some Sequence<Overlay>) {
        self.init()
        add(children)
    }

    deinit {
        // Releases nested containers iteratively, because they may nest too deeply for recursive deinitializers.
        var doomed = Self.containers(in: places)
        places = []
        while var container = doomed.popLast() {
            guard isKnownUniquelyReferenced(&container) else { continue }
            doomed += Self.containers(in: container.places)
            container.places = []
        }
    }

    private static func containers(in places: [Overlay?]) -> [Container] {
        places.compactMap { $0?.type == .container ? $0 as? Container : nil }
    }

    override func didEnter(_ mapView: MapView) {
        for refusal in refusals { mapView.report(refusal) }
        refusals = []
    }
}

extension Overlay {
    /// The overlays in a container and in its containers, in depth-first order; empty for any other overlay. Iterative, because the nesting
    /// depth of containers is unlimited.
    package final var descendants: [Overlay] {
        guard type == .container, let container = self as? Container else { return [] }
        var found: [Overlay] = []
        var rest: [Overlay] = container.children.reversed()
        while let overlay = rest.popLast() {
            found.append(overlay)
            if overlay.type == .container, let container = overlay as? Container { rest += container.children.reversed() }
        }
        return found
    }
}

extension Container {
    /// The overlays in the container, in the order in which they were added.
    public var children: [Overlay] { places.compactMap(\.self) }

    /// Adds an overlay to the children. Among children whose drawing order is otherwise equal, the child added last is on top. An overlay
    /// that is directly on a map moves from the map into the container. If the overlay is already in this container, nothing changes.
    ///
    /// An overlay that is in a different container or in a cluster layer is refused; remove it from there first. An overlay is also refused
    /// if it is this container or contains this container, or if it has no position or geometry. Finally, it is refused if its id, or the
    /// id of an overlay inside it, is already in use on this container's map. A diagnostic of the next frame gives the reason.
    /// - Returns: Whether the overlay is now in this container.
    @discardableResult
    public func add(_ overlay: Overlay) -> Bool {
        if let other = overlay.parent {
            if other === self { return true }
            return refuse(overlay, "not added to \(label), because the overlay is in \(other.label); remove it from there first")
        }
        if overlay.type == .container, let container = overlay as? Container, isInside(container) {
            let reason = container === self ? "a container cannot contain itself" : "that container is inside it"
            return refuse(overlay, "not added to \(label), because \(reason)")
        }
        if let layer = overlay.store?.clusterLayer {
            return refuse(overlay, "not added to \(label), because the overlay is in \(layer.label); remove it from there first")
        }
        guard !overlay.isPlaceless else {
            let property = overlay.placeProperty
            return refuse(overlay, path: property, "not added to \(label), because the overlay has no \(property)")
        }
        // The ids of an overlay on this map do not conflict with themselves.
        if let store, overlay.store !== store, let id = store.takenID(of: overlay) {
            return refuse(overlay, path: "id", overlay.refusal(adding: label, takenID: id))
        }
        overlay.mapView?.remove(overlay)
        let membership = OverlayDetails.Membership(self, place: places.count)
        places.append(overlay)
        count += 1
        overlay.changeDetails([]) { $0.membership = membership }
        store?.insert(overlay)
        return true
    }

    /// Adds overlays in order.
    /// - Returns: Whether all overlays are now in this container.
    @discardableResult
    public func add(_ overlays: some Sequence<Overlay>) -> Bool {
        overlays.reduce(true) { add($1) && $0 }
    }

    /// Removes an overlay from the container and from the map. Does nothing if the overlay is not a child of this container.
    public func remove(_ overlay: Overlay) {
        guard let membership = overlay.details?.membership, membership.container === self else { return }
        places[membership.place] = nil
        count -= 1
        if places.count > 2 * count + 8 { closeGaps() }
        release([overlay])
    }

    /// Removes all children from the container and from the map. If this closes an info window, the map's delegate and observers are
    /// notified after all children have been removed.
    public func removeAll() {
        let children = children
        places = []
        count = 0
        release(children)
    }

    /// Removes a child, leaves a gap in its place among the children, and returns the index of the gap.
    func takeOut(_ child: Overlay) -> Int? {
        guard let membership = child.details?.membership, membership.container === self else { return nil }
        places[membership.place] = nil
        count -= 1
        release([child])
        return membership.place
    }

    /// Puts an overlay that is in no container into a gap, without adding it to the map.
    func fill(_ place: Int, with child: Overlay) {
        places[place] = child
        count += 1
        let membership = OverlayDetails.Membership(self, place: place)
        child.changeDetails([]) { $0.membership = membership }
    }

    /// Releases overlays that are no longer children. This comes last, because a notified delegate may change the container.
    private func release(_ overlays: [Overlay]) {
        for overlay in overlays { overlay.changeDetails([]) { $0.membership = nil } }
        store?.remove(overlays.filter { $0.store != nil })
    }

    private func closeGaps() {
        places = children
        for (place, child) in children.enumerated() { child.details?.membership?.place = place }
    }

    /// Whether this is the given container, or a descendant of it.
    private func isInside(_ container: Container) -> Bool {
        var ancestor: Container? = self
        while let current = ancestor {
            if current === container { return true }
            ancestor = current.parent
        }
        return false
    }

    private func refuse(_ overlay: Overlay, path: String? = nil, _ message: String) -> Bool {
        let refusal = Diagnostic(path: path, id: overlay.id ?? overlay.type.rawValue, message: message)
        if let mapView = mapView ?? overlay.mapView {
            mapView.report(refusal)
        } else {
            refusals.append(refusal)
        }
        return false
    }
}
