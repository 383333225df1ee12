/// The overlays of a map, or the markers of a cluster layer. Each overlay has a slot, which is its number while it is in the store, and an
/// insertion number, which orders overlays that are otherwise equal.
package final class OverlayStore {
    package internal(set) weak var mapView: MapView?
    /// The layer that contains these markers; nil for the overlays of a map.
    package internal(set) weak var clusterLayer: ClusterLayer?
    package let changes = ChangeLog()
    // Unchecked: no code that runs while these are being modified calls back into the store.
    /// The overlays, indexed by slot; nil in a free slot. Slots of removed overlays are reused.
    @exclusivity(unchecked) package private(set) var slots: [Overlay?] = []
    /// The insertion numbers, indexed by slot. They rise with every added overlay.
    @exclusivity(unchecked) package private(set) var insertions: [UInt32] = []
    @exclusivity(unchecked) private var freeSlots: [Int32] = []
    @exclusivity(unchecked) private var nextInsertion: UInt32 = 0
    /// The ids of the overlays; nil until one is looked up.
    @exclusivity(unchecked) var ids: OverlayIDs?
    /// The slots of cluster layers, whose markers are in separate stores.
    package private(set) var layerSlots: Set<Int32> = []
    /// Whether a ground overlay or a model has ever been added.
    package private(set) var hasHadImagesOrModels = false

    package var count: Int { slots.count - freeSlots.count }

    /// Whether an overlay, a symbol or a marker of a cluster layer has changed since the changes were last read.
    package var hasChanges: Bool {
        !changes.isEmpty || layerSlots.contains { (slots[Int($0)] as? ClusterLayer)?.members.hasChanges ?? false }
    }

    package func noteAll(_ change: ChangedProperties) {
        for slot in slots.indices where slots[slot] != nil { changes.note(Int32(slot), change) }
    }

    /// Reserves capacity for overlays about to be added.
    func reserve(_ additional: Int) {
        slots.reserveCapacity(slots.count + additional)
        insertions.reserveCapacity(insertions.count + additional)
        changes.reserve(additional)
    }

    /// Detaches the overlays, which may outlive their map.
    func close() {
        for case let overlay? in slots {
            overlay.slot = -1
            overlay.store = nil
        }
        slots.removeAll()
        layerSlots = []
        ids = nil
    }
}

extension OverlayStore {
    /// Adds an overlay, with its contents if it is a container.
    func insert(_ overlay: Overlay) {
        insertOne(overlay)
        guard overlay.type == .container else { return }
        for inner in overlay.descendants { insertOne(inner) }
    }

    private func insertOne(_ overlay: Overlay) {
        insertOne(overlay, insertion: nextInsertion)
        nextInsertion += 1
        if nextInsertion == .max { renumber() }
    }

    private func insertOne(_ overlay: Overlay, insertion: UInt32) {
        let slot: Int32
        if let free = freeSlots.popLast() {
            slot = free
            slots[Int(slot)] = overlay
            insertions[Int(slot)] = insertion
        } else {
            slot = Int32(slots.count)
            slots.append(overlay)
            insertions.append(insertion)
            changes.addSlot()
        }
        overlay.slot = slot
        overlay.store = self
        switch overlay.type {
        case .clusterLayer: layerSlots.insert(slot)
        case .groundOverlay, .localModel, .geoModel: hasHadImagesOrModels = true
        case .marker, .polyline, .polygon, .circle, .route, .container: break
        }
        changes.note(slot, .membership)
        if ids != nil { claimID(of: overlay) }
        if overlay.type == .container || overlay.type == .clusterLayer, let mapView { overlay.didEnter(mapView) }
    }

    /// Renumbers the insertions from 0 in the same order; needed after about four billion insertions.
    private func renumber() {
        let present = slots.indices.filter { slots[$0] != nil }.sorted { insertions[$0] < insertions[$1] }
        for (number, slot) in present.enumerated() {
            insertions[slot] = UInt32(number)
            changes.note(Int32(slot), .order)
        }
        nextInsertion = UInt32(present.count)
    }

    /// Removes an overlay, with its contents if it is a container.
    func remove(_ overlay: Overlay) { remove(CollectionOfOne(overlay)) }

    /// Removes overlays, with their contents if they are containers. If this closes an info window, delegates are notified after all
    /// overlays have been removed.
    func remove(_ overlays: some Sequence<Overlay>) {
        for overlay in overlays {
            removeOne(overlay)
            if overlay.type == .container { for inner in overlay.descendants { removeOne(inner) } }
        }
        // The markers of a cluster layer are removed from its map, too.
        guard let mapView = clusterLayer?.mapView ?? mapView, let selected = mapView.windows.selectedMarker, selected.mapView !== mapView
        else { return }
        mapView.windows.selectionWasRemoved(from: mapView)
    }

    private func removeOne(_ overlay: Overlay) {
        let slot = overlay.slot
        if ids != nil { releaseID(of: overlay) }
        slots[Int(slot)] = nil
        if overlay.type == .clusterLayer { layerSlots.remove(slot) }
        freeSlots.append(slot)
        overlay.slot = -1
        overlay.store = nil
        changes.note(slot, .membership)
    }
}

// For substitutions, which put one overlay in the place of another and later restore the original.
extension OverlayStore {
    /// The insertion numbers of an overlay and its contents, in depth-first order.
    func insertions(of overlay: Overlay) -> [UInt32] {
        ([overlay] + overlay.descendants).map { insertions[Int($0.slot)] }
    }

    /// Adds an overlay and its contents with given insertion numbers, which must be free.
    /// - Parameter numbers: At least one number per overlay.
    func insert(_ overlay: Overlay, insertions numbers: [UInt32]) {
        for (overlay, number) in zip([overlay] + overlay.descendants, numbers) { insertOne(overlay, insertion: number) }
    }

    /// Shifts all insertion numbers above `number`. The order stays the same, so no change is recorded.
    /// - Parameter difference: The number to add. It is added with wraparound, so it may represent a negative number.
    func shift(above number: UInt32, by difference: UInt32) {
        for slot in insertions.indices where insertions[slot] > number { insertions[slot] &+= difference }
        nextInsertion &+= difference
    }

    /// Removes the overlay that was inserted last, and frees its insertion numbers.
    func withdraw(_ overlay: Overlay) {
        nextInsertion = insertions[Int(overlay.slot)]
        remove(overlay)
    }
}
