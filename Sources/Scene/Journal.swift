/// What has changed on a map since its composer last looked: the slot of every changed overlay, once, with what of it
/// changed. A frame then costs what changed, not a walk over all that is there.
package final class Journal {
    /// What of an overlay changed.
    package struct Change: OptionSet, Sendable {
        package let rawValue: UInt16

        package init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        /// Added, removed, or another overlay in the same slot.
        package static let membership = Change(rawValue: 1)
        package static let position = Change(rawValue: 2)
        package static let icon = Change(rawValue: 4)
        /// Size, anchor, angle, alpha, flags: what the quad is made of.
        package static let style = Change(rawValue: 8)
        package static let order = Change(rawValue: 16)
        package static let visibility = Change(rawValue: 32)
        package static let identity = Change(rawValue: 64)
        /// Texts and how they look.
        package static let caption = Change(rawValue: 128)
        /// The points of a shape, or what they stand for on the ground, or a mesh: everything that is kept while its look changes.
        package static let geometry = Change(rawValue: 256)
    }

    package internal(set) weak var mapView: MapView?
    // Unchecked, since nothing that is called while they change comes back here: setters run by the million.
    /// The overlays on the map, by slot; slots of removed ones are used again.
    @exclusivity(unchecked) package private(set) var slots: [Overlay?] = []
    /// When each was added: rising numbers, by slot.
    @exclusivity(unchecked) package private(set) var insertions: [UInt32] = []
    @exclusivity(unchecked) private var changes: [Change] = []
    @exclusivity(unchecked) private var changedSlots: [Int32] = []
    @exclusivity(unchecked) private var freeSlots: [Int32] = []
    @exclusivity(unchecked) private var nextInsertion: UInt32 = 0

    /// Problems of calls that cannot fail.
    package private(set) var reports: [Diagnostic] = []
    private var areSymbolsChanged = false

    package var count: Int { slots.count - freeSlots.count }

    /// Notes a problem of a call that cannot fail: the next picture reports it.
    package func report(_ diagnostic: Diagnostic) {
        reports.append(diagnostic)
    }

    /// The problems noted since the last call.
    package func takeReports() -> [Diagnostic] {
        guard !reports.isEmpty else { return [] }
        defer { reports = [] }
        return reports
    }

    func noteSymbols() {
        areSymbolsChanged = true
    }

    /// Whether the base map's symbols have changed since the last call.
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

    /// Takes an overlay in, and everything in it when it is a container.
    func insert(_ overlay: Overlay) {
        insertOne(overlay)
        guard overlay.type == .container else { return }
        // Without recursion, since containers nest as deep as one likes.
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
        note(slot, .membership)
        if overlay.type == .container, let mapView { overlay.didEnter(mapView) }
    }

    /// After four thousand million insertions: the same order in small numbers.
    private func renumber() {
        let present = slots.indices.filter { slots[$0] != nil }.sorted { insertions[$0] < insertions[$1] }
        for (number, slot) in present.enumerated() {
            insertions[slot] = UInt32(number)
            note(Int32(slot), .order)
        }
        nextInsertion = UInt32(present.count)
    }

    /// Lets an overlay go, and everything in it when it is a container.
    func remove(_ overlay: Overlay) {
        removeOne(overlay)
        guard overlay.type == .container else { return }
        forEachDescendant(of: overlay) { removeOne($0) }
    }

    private func forEachDescendant(of overlay: Overlay, _ body: (Overlay) -> Void) {
        guard let container = overlay as? Container else { return }
        var rest: [Overlay] = container.children.reversed()
        while let overlay = rest.popLast() {
            body(overlay)
            if let container = overlay as? Container { rest += container.children.reversed() }
        }
    }

    private func removeOne(_ overlay: Overlay) {
        let slot = overlay.slot
        slots[Int(slot)] = nil
        freeSlots.append(slot)
        overlay.slot = -1
        overlay.journal = nil
        note(slot, .membership)
    }

    /// The insertion numbers of an overlay and of everything in it, from the outermost inward.
    func insertions(of overlay: Overlay) -> [UInt32] {
        var numbers = [insertions[Int(overlay.slot)]]
        forEachDescendant(of: overlay) { numbers.append(insertions[Int($0.slot)]) }
        return numbers
    }

    /// How many overlays it is with everything in it.
    func count(of overlay: Overlay) -> Int {
        var count = 1
        forEachDescendant(of: overlay) { _ in count += 1 }
        return count
    }

    /// Takes an overlay in, and everything in it, at places in the order that were or are made free: one number each at least.
    func insert(_ overlay: Overlay, insertions numbers: [UInt32]) {
        insertOne(overlay, insertion: numbers[0])
        var next = 1
        forEachDescendant(of: overlay) {
            insertOne($0, insertion: numbers[next])
            next += 1
        }
    }

    /// Moves all insertion numbers above one, which keeps the order as it is, so nothing is noted.
    /// - Parameter difference: Added with overflow: it may be negative.
    func shift(above number: UInt32, by difference: UInt32) {
        for slot in insertions.indices where insertions[slot] > number { insertions[slot] &+= difference }
        nextInsertion &+= difference
    }

    /// Lets go of what was inserted last, with its numbers.
    func withdraw(_ overlay: Overlay) {
        nextInsertion = insertions[Int(overlay.slot)]
        remove(overlay)
    }

    package func noteAll(_ change: Change) {
        for slot in slots.indices where slots[slot] != nil { note(Int32(slot), change) }
    }

    /// Lets go of the overlays, which may outlive their map.
    func close() {
        for case let overlay? in slots {
            overlay.slot = -1
            overlay.journal = nil
        }
        slots.removeAll()
    }

    /// Whether anything has changed since the last `drain`.
    package var hasChanges: Bool { !changedSlots.isEmpty }

    /// Hands out every changed slot with its changes, in the order in which they first changed, and forgets them.
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

    /// Reserves room for overlays about to be added.
    func reserve(_ additional: Int) {
        slots.reserveCapacity(slots.count + additional)
        insertions.reserveCapacity(insertions.count + additional)
        changes.reserveCapacity(changes.count + additional)
        changedSlots.reserveCapacity(changedSlots.count + additional)
    }
}
