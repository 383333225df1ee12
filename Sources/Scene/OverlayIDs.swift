/// The ids of the overlays on a map, each with the slot of the overlay that has it.
///
/// A journal keeps them once they are asked for: maps of very many overlays rarely have ids.
struct OverlayIDs {
    fileprivate var holders: [String: Int32] = [:]
    /// By id: the overlays whose ids became one that another overlay has, the longest waiting first. They are invalid.
    fileprivate var waiting: [String: [Int32]] = [:]

    fileprivate func free(_ name: String) -> String {
        var number = 2
        while holders["\(name)~\(number)"] != nil { number += 1 }
        return "\(name)~\(number)"
    }
}

extension Journal {
    /// The overlay with an id, given or made up; nil if there is none.
    package func overlay(withID id: String) -> Overlay? {
        indexIDs()
        if let slot = ids?.holders[id] { return slots[Int(slot)] }
        for layer in clusterLayers { if let marker = layer.overlay(withID: id) { return marker } }
        return nil
    }

    /// Whether ids have been asked for.
    package var hasIDIndex: Bool { ids != nil }

    /// Whether the overlay's id is that of another overlay, which has had it longer.
    func isIDTaken(of overlay: Overlay) -> Bool {
        guard ids?.waiting.isEmpty == false, let id = overlay.id else { return false }
        return ids?.holders[id] != overlay.slot
    }

    /// The first given id of an overlay, and of its contents if it is a container, that is in use on this map or appears twice.
    func takenID(of overlay: Overlay) -> String? {
        guard overlay.type == .container || overlay.type == .clusterLayer else {
            guard let id = overlay.givenID else { return nil }
            indexIDs()
            return isGiven(id) ? id : nil
        }
        var own: [String] = []
        func add(_ overlay: Overlay) {
            if let id = overlay.givenID { own.append(id) }
            guard let layer = overlay as? ClusterLayer else { return }
            for case let marker? in layer.members.slots { if let id = marker.givenID { own.append(id) } }
        }
        add(overlay)
        forEachDescendant(of: overlay, add)
        guard !own.isEmpty else { return nil }
        indexIDs()
        var seen = Set<String>()
        return own.first { !seen.insert($0).inserted || isGiven($0) }
    }

    private func isGiven(_ id: String) -> Bool {
        if let slot = ids?.holders[id] { return slots[Int(slot)]?.givenID != nil }
        return clusterLayers.contains { $0.overlay(withID: id)?.givenID != nil }
    }

    /// Changes the id of an overlay on this map.
    func changeID(of overlay: Overlay, _ change: () -> Void) {
        indexIDs()
        releaseID(of: overlay)
        change()
        claimID(of: overlay)
    }

    /// The cluster layers on this map.
    private var clusterLayers: [ClusterLayer] {
        layerSlots.sorted().compactMap { slots[Int($0)] as? ClusterLayer }
    }

    private func indexIDs() {
        guard ids == nil else { return }
        ids = OverlayIDs()
        // Given ids first, so that those made up step aside.
        for case let overlay? in slots where overlay.givenID != nil { claimID(of: overlay) }
        for case let overlay? in slots where overlay.hasMadeUpID { claimID(of: overlay) }
    }

    /// Records the id of an overlay that has entered the map or changed its id.
    func claimID(of overlay: Overlay) {
        guard let id = overlay.id, ids != nil else { return }
        guard let other = ids?.holders[id] else {
            ids?.holders[id] = overlay.slot
            return
        }
        if overlay.hasMadeUpID {
            stepAside(overlay, id)
        } else if let holder = slots[Int(other)], holder.hasMadeUpID {
            stepAside(holder, id)
            ids?.holders[id] = overlay.slot
        } else {
            ids?.waiting[id, default: []].append(overlay.slot)
            note(overlay.slot, .identity)
        }
    }

    private func stepAside(_ overlay: Overlay, _ id: String) {
        guard let name = ids?.free(id) else { return }
        ids?.holders[name] = overlay.slot
        overlay.setMadeUpID(name)
    }

    /// Forgets the id of an overlay that leaves the map or changes its id; the next that waits for it has it then.
    func releaseID(of overlay: Overlay) {
        guard let id = overlay.id, ids != nil else { return }
        guard ids?.holders[id] == overlay.slot else {
            ids?.waiting[id]?.removeAll { $0 == overlay.slot }
            if ids?.waiting[id]?.isEmpty == true { ids?.waiting[id] = nil }
            return
        }
        guard var waiting = ids?.waiting[id] else {
            ids?.holders[id] = nil
            return
        }
        let next = waiting.removeFirst()
        ids?.holders[id] = next
        ids?.waiting[id] = waiting.isEmpty ? nil : waiting
        note(next, .identity)
    }
}
