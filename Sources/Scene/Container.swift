import WaymarkGeo

/// A group of overlays: markers, shapes, models and other containers, whose order and visibility it governs.
///
/// What is in a container is on the map that the container is on. Nothing in it is drawn where the container is hidden, out of
/// its zoom range or at a level that it hides at. Its `zIndex` is compared before that of its children, its `altitude` is
/// added to theirs, and they are drawn in no higher band than its `mapLayerType`. It has no global z index: whatever its value,
/// its children keep theirs.
public final class Container: Overlay {
    /// The children in order, with gaps where some were removed: each knows its place, so that removing one moves nothing.
    private var places: [Overlay?] = []
    /// How many children there are.
    public private(set) var count = 0
    /// Refusals that no map has reported yet.
    private var refusals: [Diagnostic] = []

    /// An empty container, visible, with a z index of 0.
    public init() {
        super.init(type: .container, globalZIndex: 0)
    }

    /// A container with overlays in it, in their order.
    public convenience init(_ children: some Sequence<Overlay>) {
        self.init()
        add(children)
    }

    deinit {
        // One by one: the containers in it may nest deeper than the stack.
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
        for refusal in refusals { mapView.journal.report(refusal) }
        refusals = []
    }
}

extension Container {
    /// What is in it, in the order in which it was added.
    public var children: [Overlay] { places.compactMap(\.self) }

    /// Adds an overlay above its equals. One that is on a map by itself moves in here; one that is here already stays as it is.
    ///
    /// Refused are an overlay that is in another container (take it out of there first), the container itself and what it
    /// is in, and an overlay without the place that it needs on a map. The next frame reports why, in a diagnostic.
    /// - Returns: Whether the overlay is in this container now.
    @discardableResult
    public func add(_ overlay: Overlay) -> Bool {
        if let other = overlay.parent {
            if other === self { return true }
            return refuse(overlay, "not added to \(label), because it is in \(other.label); remove it from there first")
        }
        if overlay.type == .container, let container = overlay as? Container, isInside(container) {
            let reason = container === self ? "it is that container itself" : "that container is inside it"
            return refuse(overlay, "not added to \(label), because \(reason)")
        }
        guard !overlay.isPlaceless else {
            let property = overlay.placeProperty
            return refuse(overlay, path: property, "not added to \(label), because it has no \(property)")
        }
        overlay.mapView?.remove(overlay)
        let membership = OverlayDetails.Membership(self, place: places.count)
        places.append(overlay)
        count += 1
        overlay.changeDetails([]) { $0.membership = membership }
        journal?.insert(overlay)
        return true
    }

    /// Adds overlays in their order.
    /// - Returns: Whether all of them are in this container now.
    @discardableResult
    public func add(_ overlays: some Sequence<Overlay>) -> Bool {
        overlays.reduce(true) { add($1) && $0 }
    }

    /// Takes an overlay out, and off the map; one that is not a child of this container is left as it is.
    public func remove(_ overlay: Overlay) {
        guard let membership = overlay.details?.membership, membership.container === self else { return }
        places[membership.place] = nil
        count -= 1
        release(overlay)
        if places.count > 2 * count + 8 { closeGaps() }
    }

    /// Takes everything out, and off the map.
    public func removeAll() {
        let children = children
        places = []
        count = 0
        for child in children { release(child) }
    }

    /// Takes a child out, and leaves its place among the children empty; gives the place.
    func takeOut(_ child: Overlay) -> Int? {
        guard let membership = child.details?.membership, membership.container === self else { return nil }
        places[membership.place] = nil
        count -= 1
        release(child)
        return membership.place
    }

    /// Puts an overlay that is in no container into an empty place. It is not yet on the map.
    func fill(_ place: Int, with child: Overlay) {
        places[place] = child
        count += 1
        let membership = OverlayDetails.Membership(self, place: place)
        child.changeDetails([]) { $0.membership = membership }
    }

    /// Its name in messages.
    var label: String { id.map { "the container \"\($0)\"" } ?? "a container" }

    private func release(_ overlay: Overlay) {
        if overlay.journal != nil { journal?.remove(overlay) }
        overlay.changeDetails([]) { $0.membership = nil }
    }

    private func closeGaps() {
        places = children
        for (place, child) in children.enumerated() { child.details?.membership?.place = place }
    }

    /// Whether it is a container, or in it at any depth.
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
            mapView.journal.report(refusal)
        } else {
            refusals.append(refusal)
        }
        return false
    }
}
