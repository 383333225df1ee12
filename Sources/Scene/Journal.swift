/// The changes on a map since its composer last read it: the slot of every changed overlay, once, and what changed. The cost of a frame
/// then depends on the number of changes, not on the number of overlays.
@usableFromInline
package final class Journal {
    /// The kinds of change of an overlay.
    // Inlinable, because other modules test changes for every marker that they read: unspecialized, each test is a call through the
    // protocol, and each literal an array.
    @frozen
    @usableFromInline
    package struct Change: OptionSet, Sendable {
        @usableFromInline package let rawValue: UInt16

        @inlinable
        package init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        /// The overlay was added or removed, or the slot was reused.
        @inlinable package static var membership: Change { Change(rawValue: 1) }
        @inlinable package static var position: Change { Change(rawValue: 2) }
        @inlinable package static var icon: Change { Change(rawValue: 4) }
        /// Size, anchor, angle, alpha or flags: what determines the quad.
        @inlinable package static var style: Change { Change(rawValue: 8) }
        @inlinable package static var order: Change { Change(rawValue: 16) }
        @inlinable package static var visibility: Change { Change(rawValue: 32) }
        /// The id, or whether it is fitted: what its family need not know.
        @inlinable package static var identity: Change { Change(rawValue: 64) }
        /// Texts and their style.
        @inlinable package static var caption: Change { Change(rawValue: 128) }
        /// The points of a shape, their interpretation on the ground, or a mesh: what is cached while only the appearance changes.
        @inlinable package static var geometry: Change { Change(rawValue: 256) }
        /// The user's own data, whose values cluster layers add up.
        @inlinable package static var data: Change { Change(rawValue: 512) }
    }

    package internal(set) weak var mapView: MapView?
    /// The layer whose markers these are; nil for the overlays of a map.
    package internal(set) weak var clusterLayer: ClusterLayer?
    // Unchecked: no code that runs while these are being modified calls back into the journal, and setters run by the million.
    /// The overlays on the map, by slot; nil in a free slot. Slots of removed overlays are reused.
    @exclusivity(unchecked) package private(set) var slots: [Overlay?] = []
    /// By slot: a number that rises with every overlay added.
    @exclusivity(unchecked) package private(set) var insertions: [UInt32] = []
    @exclusivity(unchecked) private var changes: [Change] = []
    @exclusivity(unchecked) private var changedSlots: [Int32] = []
    @exclusivity(unchecked) private var freeSlots: [Int32] = []
    @exclusivity(unchecked) private var nextInsertion: UInt32 = 0

    /// The problems of calls that cannot throw.
    package private(set) var reports: [Diagnostic] = []
    private var areSymbolsChanged = false
    /// The ids of the overlays; nil until they are asked for.
    @exclusivity(unchecked) var ids: OverlayIDs?

    package var count: Int { slots.count - freeSlots.count }

    /// The slots of cluster layers, whose markers are not in `slots`.
    package private(set) var layerSlots: Set<Int32> = []

    /// Records the problem of a call that cannot throw; the next picture reports it.
    package func report(_ diagnostic: Diagnostic) {
        reports.append(diagnostic)
    }

    /// Returns the problems recorded since the last call, and clears them.
    package func takeReports() -> [Diagnostic] {
        guard !reports.isEmpty else { return [] }
        defer { reports = [] }
        return reports
    }

    func noteSymbols() {
        areSymbolsChanged = true
    }

    /// Returns whether the base map's symbols have changed since the last call.
    package func takeSymbolChange() -> Bool {
        defer { areSymbolsChanged = false }
        return areSymbolsChanged
    }

    package func note(_ slot: Int32, _ change: Change) {
        guard !change.isEmpty else { return }
        let index = Int(slot)
        if changes[index].isEmpty {
            changedSlots.append(slot)
        }
        changes[index].formUnion(change)
    }

    /// Adds an overlay, with its contents if it is a container.
    func insert(_ overlay: Overlay) {
        insertOne(overlay)
        guard overlay.type == .container else { return }
        // Iterative, because the nesting depth of containers is unlimited.
        forEachDescendant(of: overlay) { insertOne($0) }
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
            changes.append([])
        }
        overlay.slot = slot
        overlay.journal = self
        if overlay.type == .clusterLayer { layerSlots.insert(slot) }
        note(slot, .membership)
        if ids != nil { claimID(of: overlay) }
        if overlay.type == .container || overlay.type == .clusterLayer, let mapView { overlay.didEnter(mapView) }
    }

    /// Renumbers the insertions from 0 in the same order; needed after about four billion insertions.
    private func renumber() {
        let present = slots.indices.filter { slots[$0] != nil }.sorted { insertions[$0] < insertions[$1] }
        for (number, slot) in present.enumerated() {
            insertions[slot] = UInt32(number)
            note(Int32(slot), .order)
        }
        nextInsertion = UInt32(present.count)
    }

    /// Removes an overlay, with its contents if it is a container.
    func remove(_ overlay: Overlay) { remove(CollectionOfOne(overlay)) }

    /// Removes overlays, with their contents if they are containers. Delegates hear of a window that closes when all are removed.
    func remove(_ overlays: some Sequence<Overlay>) {
        for overlay in overlays {
            removeOne(overlay)
            if overlay.type == .container { forEachDescendant(of: overlay) { removeOne($0) } }
        }
        // The markers of a cluster layer are removed from its map, too.
        guard let mapView = clusterLayer?.mapView ?? mapView, let selected = mapView.windows.selectedMarker, selected.mapView !== mapView
        else { return }
        mapView.windows.selectionWasRemoved(from: mapView)
    }

    func forEachDescendant(of overlay: Overlay, _ body: (Overlay) -> Void) {
        guard let container = overlay as? Container else { return }
        var rest: [Overlay] = container.children.reversed()
        while let overlay = rest.popLast() {
            body(overlay)
            if let container = overlay as? Container { rest += container.children.reversed() }
        }
    }

    private func removeOne(_ overlay: Overlay) {
        let slot = overlay.slot
        if ids != nil { releaseID(of: overlay) }
        slots[Int(slot)] = nil
        if overlay.type == .clusterLayer { layerSlots.remove(slot) }
        freeSlots.append(slot)
        overlay.slot = -1
        overlay.journal = nil
        note(slot, .membership)
    }

    /// The insertion numbers of an overlay and its contents, in depth-first order.
    func insertions(of overlay: Overlay) -> [UInt32] {
        var numbers = [insertions[Int(overlay.slot)]]
        forEachDescendant(of: overlay) { numbers.append(insertions[Int($0.slot)]) }
        return numbers
    }

    /// The number of overlays that it is, including its contents.
    func count(of overlay: Overlay) -> Int {
        var count = 1
        forEachDescendant(of: overlay) { _ in count += 1 }
        return count
    }

    /// Adds an overlay and its contents with given insertion numbers, which must be free.
    /// - Parameter numbers: At least one number per overlay.
    func insert(_ overlay: Overlay, insertions numbers: [UInt32]) {
        insertOne(overlay, insertion: numbers[0])
        var next = 1
        forEachDescendant(of: overlay) {
            insertOne($0, insertion: numbers[next])
            next += 1
        }
    }

    /// Shifts all insertion numbers above `number`. The order stays the same, so no change is recorded.
    /// - Parameter difference: Added with wraparound, so it may represent a negative number.
    func shift(above number: UInt32, by difference: UInt32) {
        for slot in insertions.indices where insertions[slot] > number { insertions[slot] &+= difference }
        nextInsertion &+= difference
    }

    /// Removes the overlay that was inserted last, and frees its insertion numbers.
    func withdraw(_ overlay: Overlay) {
        nextInsertion = insertions[Int(overlay.slot)]
        remove(overlay)
    }

    package func noteAll(_ change: Change) {
        for slot in slots.indices where slots[slot] != nil { note(Int32(slot), change) }
    }

    /// Detaches the overlays, which may outlive their map.
    func close() {
        for case let overlay? in slots {
            overlay.slot = -1
            overlay.journal = nil
        }
        slots.removeAll()
        layerSlots = []
        ids = nil
    }

    /// Whether anything has changed since the last `drain`, or the symbols, or the markers of a cluster layer.
    package var hasChanges: Bool {
        !changedSlots.isEmpty || areSymbolsChanged
            || layerSlots.contains { (slots[Int($0)] as? ClusterLayer)?.members.hasChanges ?? false }
    }

    /// The number of overlays that have changed since the last `drain`.
    package var changeCount: Int { changedSlots.count }

    /// Calls `body` for every changed slot with its changes, in the order of the slots' first changes, and clears them.
    package func drain(_ body: (Int, Change) -> Void) {
        guard !changedSlots.isEmpty else { return }
        let drained = changedSlots
        changedSlots.removeAll(keepingCapacity: drained.count < 4096)
        for slot in drained {
            let change = changes[Int(slot)]
            changes[Int(slot)] = []
            body(Int(slot), change)
        }
    }

    /// Reserves capacity for overlays about to be added.
    func reserve(_ additional: Int) {
        slots.reserveCapacity(slots.count + additional)
        insertions.reserveCapacity(insertions.count + additional)
        changes.reserveCapacity(changes.count + additional)
        changedSlots.reserveCapacity(changedSlots.count + additional)
    }
}
