import WaymarkGeo
import WaymarkScene

/// An overlay that has changed.
struct ChangedOverlay {
    var slot: Int32
    var properties: ChangedProperties
}

/// The changes of one family.
struct FamilyChanges {
    /// The slots of overlays that were removed; others may have them now.
    fileprivate(set) var removed: [Int32] = []
    /// In the order in which they were made.
    fileprivate(set) var changed: [ChangedOverlay] = []

    /// - Parameter expected: The number of changes that may come.
    @inline(__always)
    fileprivate mutating func add(_ change: ChangedOverlay, expected: Int) {
        if changed.isEmpty { changed.reserveCapacity(expected) }
        changed.append(change)
    }
}

/// The changes on a map, or in a cluster layer, since it was last read, by family. The properties that are common to all families (type, id,
/// container, zooms and sort key) are read into the table of overlays on the way.
struct OverlayChanges {
    private(set) var points = FamilyChanges()
    private(set) var shapes = FamilyChanges()
    private(set) var models = FamilyChanges()
    private(set) var clusters = FamilyChanges()
    private(set) var ground = FamilyChanges()
    /// The number of overlays read.
    private(set) var count = 0
    /// The number of changes in the log: reserved memory costs nothing until it is written to.
    private let expected: Int
    /// By child slot: the changes that its container passes on. If the log still holds changes of the child, they are merged with these, so
    /// that the child is read once.
    private var passedOn: [Int32: ChangedProperties] = [:]
    /// Those children, in the order in which they were found.
    private var receivers: [Int32] = []

    /// - Parameter forAll: What must be read again of every overlay.
    init(_ store: OverlayStore, forAll: ChangedProperties, _ table: inout OverlayTable) {
        let slots = store.slots
        table.grow(to: slots.count)
        expected = store.changes.count
        store.changes.drain { slot, change in
            let more = passedOn.isEmpty ? [] : passedOn.removeValue(forKey: slot) ?? []
            read(slot, change.union(more), slots[Int(slot)], &table)
        }
        while !passedOn.isEmpty {
            let receivers = receivers
            self.receivers = []
            for slot in receivers {
                guard let change = passedOn.removeValue(forKey: slot) else { continue }
                read(slot, change, slots[Int(slot)], &table)
            }
        }
        guard !forAll.isEmpty else { return }
        var isRead = [Bool](repeating: false, count: slots.count)
        for family in [points, shapes, models, clusters, ground] {
            for change in family.changed where change.properties.isSuperset(of: forAll) { isRead[Int(change.slot)] = true }
        }
        for (slot, overlay) in slots.enumerated() where !isRead[slot] {
            if let overlay, overlay.type != .container { read(Int32(slot), forAll, overlay, &table) }
        }
    }

    private mutating func read(_ slot: Int32, _ change: ChangedProperties, _ overlay: Overlay?, _ table: inout OverlayTable) {
        count += 1
        if change.contains(.membership) {
            if let type = table.types[Int(slot)] {
                table.setProblem(nil, slot: slot)
                switch type.kind.family {
                case .point: points.removed.append(slot)
                case .shape: shapes.removed.append(slot)
                case .model: models.removed.append(slot)
                case .clusters: clusters.removed.append(slot)
                case .ground: ground.removed.append(slot)
                case .container: table.containers.remove(slot: slot, &table.keys)
                }
            }
            table.setType(overlay?.type, slot: slot)
        }
        guard let overlay else { return }
        // Changes made while an overlay was invalid were not read.
        var change = change.contains(.membership) || table.problems[slot] != nil ? ChangedProperties(rawValue: .max) : change
        let state = table.containers.state(around: overlay)
        if change.contains(.membership) { table.setParent(overlay.parent?.slot ?? -1, slot: slot) }
        if change.contains(.identity) {
            table.setID(overlay.keptID, slot: slot)
            table.setFitted(overlay.isFitted, slot: slot)
        }
        let family = overlay.type.kind.family
        if family != .container {
            if change.contains(.visibility) { table.setZooms(ContainerState.zooms(of: overlay, in: state), slot: slot) }
            if change.contains(.order), !table.keys.set(ContainerState.sortKey(of: overlay, in: state), slot: slot) { change.remove(.order) }
        }
        let changed = ChangedOverlay(slot: slot, properties: change)
        switch family {
        case .point: points.add(changed, expected: expected)
        case .shape: shapes.add(changed, expected: expected)
        case .model: models.add(changed, expected: expected)
        case .clusters: clusters.add(changed, expected: expected)
        case .ground: ground.add(changed, expected: expected)
        // Containers are the only kind of their family.
        case .container: read(unsafeDowncast(overlay, to: Container.self), slot, &table)
        }
    }

    /// Reads a container. It is not drawn itself: its properties apply to the overlays inside it.
    private mutating func read(_ container: Container, _ slot: Int32, _ table: inout OverlayTable) {
        let problem = container.firstProblem()
        table.setProblem(problem, slot: slot)
        let change = table.containers.read(container, problem: problem, &table.keys)
        guard !change.isEmpty else { return }
        for child in container.children {
            passedOn[child.slot, default: []].formUnion(change)
            receivers.append(child.slot)
        }
    }
}
