import WaymarkGeo
import WaymarkScene

/// The changes on a map since it was last read, grouped by family. Properties common to all families (type, id, container, zooms and
/// sort key) are read here, while the journal is drained.
struct OverlayChanges {
    /// By family: changes in the order in which they were made.
    private(set) var byFamily = [[OverlayChange]](repeating: [], count: OverlayFamilyID.allCases.count)
    /// The slots of removed overlays, with their families.
    private(set) var forgotten: [(slot: Int32, family: OverlayFamilyID)] = []
    /// The number of overlays read.
    private(set) var count = 0
    /// The number of changes in the journal: reserved memory costs nothing until it is written to.
    private var expected = 0
    /// By child slot: the changes that its container passes on. If the journal still holds changes of the child, they are merged with
    /// these, so that the child is read once.
    private var passedOn: [Int32: Journal.Change] = [:]
    /// Those children, in the order in which they were found.
    private var receivers: [Int32] = []

    /// - Parameter forAll: What must be read again of every overlay.
    init(
        _ journal: Journal, forAll: Journal.Change, _ table: inout OverlayTable, _ keys: inout SortKeyTable,
        _ containers: inout ContainerStates, _ problems: inout [Int32: PropertyError]
    ) {
        let slots = journal.slots
        expected = journal.changeCount
        journal.drain { slot, change in
            let slot = Int32(slot)
            let more = passedOn.isEmpty ? [] : passedOn.removeValue(forKey: slot) ?? []
            read(slot, change.union(more), slots[Int(slot)], &table, &keys, &containers, &problems)
        }
        while !passedOn.isEmpty {
            let receivers = receivers
            self.receivers = []
            for slot in receivers {
                guard let change = passedOn.removeValue(forKey: slot) else { continue }
                read(slot, change, slots[Int(slot)], &table, &keys, &containers, &problems)
            }
        }
        guard !forAll.isEmpty else { return }
        var isRead = [Bool](repeating: false, count: slots.count)
        for change in byFamily.joined() where change.change.isSuperset(of: forAll) { isRead[Int(change.slot)] = true }
        for (slot, overlay) in slots.enumerated() where !isRead[slot] {
            if let overlay, overlay.type.family != nil { read(Int32(slot), forAll, overlay, &table, &keys, &containers, &problems) }
        }
    }

    private mutating func read(
        _ slot: Int32, _ change: Journal.Change, _ overlay: Overlay?, _ table: inout OverlayTable, _ keys: inout SortKeyTable,
        _ containers: inout ContainerStates, _ problems: inout [Int32: PropertyError]
    ) {
        count += 1
        if change.contains(.membership) {
            if let type = table.types[Int(slot)] {
                if let family = type.family { forgotten.append((slot, family)) } else { containers.remove(slot: slot, &keys) }
                problems[slot] = nil
            }
            table.setType(overlay?.type, slot: slot)
        }
        guard let overlay else { return }
        // Changes made while an overlay was invalid were not read.
        var change = change.contains(.membership) || problems[slot] != nil ? Journal.Change(rawValue: .max) : change
        let state = containers.state(around: overlay)
        if change.contains(.membership) { table.setParent(overlay.parent?.slot ?? -1, slot: slot) }
        if change.contains(.identity) {
            table.setID(overlay.keptID, slot: slot)
            table.setFitted(overlay.isFitted, slot: slot)
        }
        // What belongs to no family is a container.
        guard let family = overlay.type.family else {
            return read(unsafeDowncast(overlay, to: Container.self), slot, &keys, &containers, &problems)
        }
        if change.contains(.visibility) { table.setZooms(ContainerState.zooms(of: overlay, in: state), slot: slot) }
        if change.contains(.order), !keys.set(ContainerState.sortKey(of: overlay, in: state), slot: slot) { change.remove(.order) }
        if byFamily[family.rawValue].isEmpty { byFamily[family.rawValue].reserveCapacity(expected) }
        byFamily[family.rawValue].append(OverlayChange(slot: slot, change: change))
    }

    /// Reads a container. It is not drawn itself: its properties apply to the overlays inside it.
    private mutating func read(
        _ container: Container, _ slot: Int32, _ keys: inout SortKeyTable, _ containers: inout ContainerStates,
        _ problems: inout [Int32: PropertyError]
    ) {
        let problem = container.firstProblem()
        if problem != nil || !problems.isEmpty { problems[slot] = problem }
        let change = containers.read(container, problem: problem, &keys)
        guard !change.isEmpty else { return }
        for child in container.children {
            passedOn[child.slot, default: []].formUnion(change)
            receivers.append(child.slot)
        }
    }
}
