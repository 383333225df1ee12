import WaymarkGeo
import WaymarkScene

/// The properties of overlays that all families share, by slot, for a map or for the markers of a cluster layer. The table persists between
/// pictures; each placement contains a copy.
struct OverlayTable: Sendable {
    /// The type of each overlay, indexed by slot; nil in a free slot.
    private(set) var types: [OverlayType?] = []
    /// The ids; empty until an overlay has one.
    private var ids: [OverlayID?] = []
    /// The slot of each overlay's container, or -1; empty until an overlay is in a container.
    private var parents: [Int32] = []
    /// The zoom ranges of the few overlays that are not drawn at all zooms.
    private(set) var zooms: [Int32: ZoomVisibility] = [:]
    /// The few overlays that `fit` leaves out.
    private(set) var unfitted: Set<Int32> = []
    var keys = SortKeyTable()
    var containers = ContainerStates()
    /// The invalid property that excludes an overlay from every picture, keyed by slot. These are reported as diagnostics.
    private(set) var problems: [Int32: PropertyError] = [:]

    var count: Int { types.count }

    /// Records the problem of an overlay; nil clears it.
    @inline(__always)
    mutating func setProblem(_ problem: PropertyError?, slot: Int32) {
        if problem != nil || !problems.isEmpty { problems[slot] = problem }
    }

    /// Records the result of reading an overlay.
    /// - Parameters:
    ///   - problem: The problem of the overlay.
    ///   - exclusion: The reason why its properties exclude it from every picture.
    /// - Returns: The reason why the overlay is in no picture, regardless of the camera; nil if it may be in one.
    @inline(__always)
    mutating func settle(_ overlay: Overlay, slot: Int32, _ problem: PropertyError?, _ exclusion: Reason?) -> Reason? {
        setProblem(problem, slot: slot)
        return containers.state(around: overlay)?.exclusion ?? (overlay.isHidden ? .hidden : exclusion)
    }

    mutating func grow(to count: Int) {
        guard count > types.count else { return }
        let more = count - types.count
        types.append(contentsOf: repeatElement(nil, count: more))
        if !ids.isEmpty { ids.append(contentsOf: repeatElement(nil, count: more)) }
        if !parents.isEmpty { parents.append(contentsOf: repeatElement(-1, count: more)) }
    }

    /// Sets the type of the overlay in a slot; nil frees the slot.
    mutating func setType(_ type: OverlayType?, slot: Int32) {
        types[Int(slot)] = type
        setZooms(nil, slot: slot)
        guard type == nil else { return }
        setID(nil, slot: slot)
        setFitted(true, slot: slot)
        setParent(-1, slot: slot)
    }

    mutating func setFitted(_ isFitted: Bool, slot: Int32) {
        if !isFitted {
            unfitted.insert(slot)
        } else if !unfitted.isEmpty {
            unfitted.remove(slot)
        }
    }

    mutating func setID(_ id: OverlayID?, slot: Int32) {
        if ids.isEmpty {
            guard id != nil else { return }
            ids = [OverlayID?](repeating: nil, count: types.count)
        }
        ids[Int(slot)] = id
    }

    mutating func setParent(_ parent: Int32, slot: Int32) {
        if parents.isEmpty {
            guard parent >= 0 else { return }
            parents = [Int32](repeating: -1, count: types.count)
        }
        parents[Int(slot)] = parent
    }

    mutating func setZooms(_ visibility: ZoomVisibility?, slot: Int32) {
        guard visibility != nil || !zooms.isEmpty else { return }
        zooms[slot] = visibility
    }

    /// The id that the user gave to an overlay.
    func givenID(_ slot: Int32) -> String? { id(slot, isMadeUp: false) }

    /// The id that a reader generated for an overlay.
    func madeUpID(_ slot: Int32) -> String? { id(slot, isMadeUp: true) }

    private func id(_ slot: Int32, isMadeUp: Bool) -> String? {
        guard !ids.isEmpty, let id = ids[Int(slot)], id.isMadeUp == isMadeUp else { return nil }
        return id.text
    }

    /// Whether there may be overlays with ids.
    var hasIDs: Bool { !ids.isEmpty }

    /// The slot of an overlay's container; nil without a container.
    func parent(_ slot: Int32) -> Int32? {
        guard !parents.isEmpty, parents[Int(slot)] >= 0 else { return nil }
        return parents[Int(slot)]
    }

    /// The type of the overlay in a slot; nil for a free slot, and beyond the slots of overlays.
    func type(_ slot: Int32) -> OverlayType? { Int(slot) < types.count ? types[Int(slot)] : nil }

    /// Whether an overlay is drawn at a zoom.
    @inline(__always)
    func isShown(_ slot: Int32, atZoom zoom: Double) -> Bool { zooms[slot]?.contains(zoom) ?? true }

    /// An overlay's altitude in meters, plus the altitudes of its containers.
    func altitude(of overlay: Overlay) -> Double { (containers.state(around: overlay)?.altitude ?? 0) + overlay.altitude }

    /// The slots of all overlays, in the order in which they were added.
    /// - Parameter insertions: Indexed by slot.
    func present(_ insertions: [UInt32]) -> [Int32] {
        types.indices.filter { types[$0] != nil }.map { Int32($0) }.sorted { insertions[Int($0)] < insertions[Int($1)] }
    }
}

/// The overlay tree of a map, flattened: all overlays, and the children of each container.
struct OverlayListing {
    /// All overlays in depth-first order: each container is followed by its contents.
    private(set) var slots: [Int32] = []
    /// The children of each container, in the order in which they were added.
    private(set) var children: [Int32: [Int32]] = [:]

    /// - Parameter insertions: Indexed by slot.
    init(_ overlays: OverlayTable, _ insertions: [UInt32]) {
        var top: [Int32] = []
        for slot in overlays.present(insertions) {
            if let parent = overlays.parent(slot) { children[parent, default: []].append(slot) } else { top.append(slot) }
        }
        guard !children.isEmpty else {
            slots = top
            return
        }
        var rest: [Int32] = top.reversed()
        while let slot = rest.popLast() {
            slots.append(slot)
            if let own = children[slot] { rest += own.reversed() }
        }
    }
}

/// An overlay that has changed.
struct ChangedOverlay {
    var slot: Int32
    var properties: ChangedProperties
}

/// The changes of one family.
struct FamilyChanges {
    /// All overlays, by slot. This is a copy, because drawings by the user may change the map's overlays while they are read.
    let overlays: [Overlay?]
    /// The slots of removed overlays, which new overlays may use now.
    fileprivate(set) var removed: [Int32] = []
    /// The changed overlays, in the order of their changes.
    fileprivate(set) var changed: [ChangedOverlay] = []

    /// - Parameter expected: The maximum number of changes.
    @inline(__always)
    fileprivate mutating func add(_ change: ChangedOverlay, expected: Int) {
        if changed.isEmpty { changed.reserveCapacity(expected) }
        changed.append(change)
    }
}

/// The changes on a map, or in a cluster layer, since it was last read, by family. Reading also updates the table of overlays with the
/// properties that all families share (type, id, container, zooms and sort key).
struct OverlayChanges {
    private(set) var points: FamilyChanges
    private(set) var shapes: FamilyChanges
    private(set) var models: FamilyChanges
    private(set) var clusters: FamilyChanges
    private(set) var ground: FamilyChanges
    /// A number that rises with every added overlay, indexed by slot.
    let insertions: [UInt32]
    /// The number of overlays read.
    private(set) var count = 0
    /// The number of changes in the log, for reserving memory, which costs nothing until it is written.
    private let expected: Int
    /// The changes that containers pass on, keyed by child slot. If the log also holds changes of the child, they are merged, so that the
    /// child is read once.
    private var passedOn: [Int32: ChangedProperties] = [:]
    /// The children to which changes were passed on, in the order in which they were found.
    private var receivers: [Int32] = []

    /// - Parameter forAll: The properties to read again for every overlay.
    init(_ store: OverlayStore, forAll: ChangedProperties, _ table: inout OverlayTable) {
        let slots = store.slots
        let none = FamilyChanges(overlays: slots)
        (points, shapes, models, clusters, ground) = (none, none, none, none, none)
        insertions = store.insertions
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
                switch type.family {
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
        // The earlier changes of an invalid overlay were not read.
        var change = change.contains(.membership) || table.problems[slot] != nil ? ChangedProperties(rawValue: .max) : change
        let state = table.containers.state(around: overlay)
        if change.contains(.membership) { table.setParent(overlay.parent?.slot ?? -1, slot: slot) }
        if change.contains(.identity) {
            table.setID(overlay.keptID, slot: slot)
            table.setFitted(overlay.isFitted, slot: slot)
        }
        let family = overlay.type.family
        if family != .container {
            if change.contains(.visibility) { table.setZooms(ContainerState.zooms(of: overlay, in: state), slot: slot) }
            if change.contains(.order), !table.keys.set(ContainerState.sortKey(of: overlay, in: state), slot: slot) {
                change.remove(.order)
            }
        }
        let changed = ChangedOverlay(slot: slot, properties: change)
        switch family {
        case .point: points.add(changed, expected: expected)
        case .shape: shapes.add(changed, expected: expected)
        case .model: models.add(changed, expected: expected)
        case .clusters: clusters.add(changed, expected: expected)
        case .ground: ground.add(changed, expected: expected)
        // Containers are the only type of their family.
        case .container: read(unsafeDowncast(overlay, to: Container.self), slot, &table)
        }
    }

    /// Reads a container. A container is not drawn; its properties apply to the overlays in it.
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
