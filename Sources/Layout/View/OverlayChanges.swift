import WaymarkGeo
import WaymarkScene

/// What changed on a map since it was last read, sorted by family. What overlays of all families have in common is read while the
/// journal is gone through: type, name, container, zooms and sort key.
struct OverlayChanges {
    /// By family, in the order in which overlays changed.
    private(set) var byFamily = [[OverlayChange]](repeating: [], count: OverlayFamilyID.allCases.count)
    /// Slots that had an overlay which is gone, with its family.
    private(set) var forgotten: [(slot: Int32, family: OverlayFamilyID)] = []
    /// How many overlays were read.
    private(set) var count = 0
    /// What a change of a container makes of what is in it.
    private var passedOn: [OverlayChange] = []

    /// - Parameter forAll: What every overlay must be read anew for.
    init(
        _ journal: Journal, forAll: Journal.Change, _ table: inout OverlayTable, _ keys: inout SortKeyTable,
        _ containers: inout ContainerStates, _ problems: inout [Int32: PropertyError]
    ) {
        let slots = journal.slots
        journal.drain { slot, change in
            read(Int32(slot), change, slots[slot], &table, &keys, &containers, &problems)
        }
        var next = 0
        while next < passedOn.count {
            let (slot, change) = (passedOn[next].slot, passedOn[next].change)
            read(slot, change, slots[Int(slot)], &table, &keys, &containers, &problems)
            next += 1
        }
        guard !forAll.isEmpty else { return }
        var isRead = [Bool](repeating: false, count: slots.count)
        for change in byFamily.joined() where change.change.isSuperset(of: forAll) { isRead[Int(change.slot)] = true }
        for (slot, overlay) in slots.enumerated() where !isRead[slot] {
            if let overlay { read(Int32(slot), forAll, overlay, &table, &keys, &containers, &problems) }
        }
    }

    private mutating func read(
        _ slot: Int32, _ change: Journal.Change, _ overlay: Overlay?, _ table: inout OverlayTable, _ keys: inout SortKeyTable,
        _ containers: inout ContainerStates, _ problems: inout [Int32: PropertyError]
    ) {
        count += 1
        if change.contains(.membership) {
            if let type = table.types[Int(slot)] {
                if let family = type.family { forgotten.append((slot, family)) } else { containers.remove(slot: slot) }
                problems[slot] = nil
            }
            table.setType(overlay?.type, slot: slot)
        }
        guard let overlay else { return }
        // What changed while an overlay was invalid was not read.
        var change = change.contains(.membership) || problems[slot] != nil ? Journal.Change(rawValue: .max) : change
        let state = containers.state(around: overlay)
        if change.contains(.membership) { table.setParent(overlay.parent?.slot ?? -1, slot: slot) }
        if change.contains(.identity) { table.setID(overlay.id, slot: slot) }
        guard let family = overlay.type.family else { return read(unsafeDowncast(overlay, to: Container.self), slot, &containers, &problems) }
        if change.contains(.visibility) { table.setZooms(ContainerState.zooms(of: overlay, in: state), slot: slot) }
        if change.contains(.order), !keys.set(ContainerState.sortKey(of: overlay, in: state), slot: slot) { change.remove(.order) }
        byFamily[family.rawValue].append(OverlayChange(slot: slot, change: change))
    }

    /// A container is nowhere itself; what it is like holds for what is in it.
    private mutating func read(
        _ container: Container, _ slot: Int32, _ containers: inout ContainerStates, _ problems: inout [Int32: PropertyError]
    ) {
        let problem = container.firstProblem()
        if problem != nil || !problems.isEmpty { problems[slot] = problem }
        let change = containers.read(container, problem: problem)
        guard !change.isEmpty else { return }
        for child in container.children { passedOn.append(OverlayChange(slot: child.slot, change: change)) }
    }
}
