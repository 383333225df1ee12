import WaymarkGeo

/// An object with an id on a map.
package protocol Identified: AnyObject {
    /// The stored id, either given or generated.
    var keptID: OverlayID? { get }
    /// The slot of an overlay; for a view overlay, a number below 0.
    var idNumber: Int32 { get }
    /// Sets a generated id for an object to which the user gave none. If the user gives the same id to another object, the generated id
    /// changes.
    func setMadeUpID(_ id: OverlayID)
}

extension Identified {
    /// Whether a reader generated the object's id.
    package var hasMadeUpID: Bool { keptID?.isMadeUp ?? false }

    /// The id that the user gave.
    var givenID: String? { keptID.flatMap { $0.isMadeUp ? nil : $0.text } }

    /// Replaces the generated id.
    package func setMadeUpID(_ text: String) { setMadeUpID(OverlayID(madeUp: text, replacing: keptID)) }
}

extension Overlay: Identified {
    package var idNumber: Int32 { slot }
}

/// The ids of the overlays and view overlays on a map, each with the number of its owner.
///
/// A store builds this index only when an id is first looked up, because ids are rarely used on maps with very many overlays.
struct OverlayIDs {
    fileprivate var holders: [String: Int32] = [:]
    /// The overlays that are invalid because their ids were changed to an id in use, keyed by that id. The overlay that has waited longest
    /// is first.
    fileprivate var waiting: [String: [Int32]] = [:]
}

extension OverlayStore {
    /// The overlay with an id, given or generated; nil if no overlay has it.
    package func overlay(withID id: String) -> Overlay? {
        indexIDs()
        if let slot = ids?.holders[id], slot >= 0 { return slots[Int(slot)] }
        for layer in clusterLayers { if let marker = layer.overlay(withID: id) { return marker } }
        return nil
    }

    /// The object with an id, given or generated: an overlay, a view overlay, or a marker of a cluster layer.
    func holder(ofID id: String) -> (any Identified)? {
        indexIDs()
        return ids?.holders[id].flatMap { holder($0) } ?? overlay(withID: id)
    }

    private func holder(_ number: Int32) -> (any Identified)? {
        number >= 0 ? slots[Int(number)] : mapView?.windows.viewOverlays.first { $0.idNumber == number }
    }

    /// Whether an id has been looked up.
    package var hasIDIndex: Bool { ids != nil }

    /// The error for an overlay whose id belongs to another overlay; nil if there is none.
    func idProblem(of overlay: some Identified) -> PropertyError? {
        guard ids?.waiting.isEmpty == false, let id = overlay.keptID?.text, ids?.holders[id] != overlay.idNumber else { return nil }
        return PropertyError(path: "id", problem: "\"\(id)\" is the id of another overlay")
    }

    /// The first of the given ids of an overlay and its contents that is in use on this map or appears twice; nil if there is none.
    func takenID(of overlay: Overlay) -> String? {
        guard overlay.type == .container || overlay.type == .clusterLayer else {
            guard let id = overlay.givenID else { return nil }
            return isGiven(id) ? id : nil
        }
        var own: [String] = []
        func add(_ overlay: Overlay) {
            if let id = overlay.givenID { own.append(id) }
            guard let layer = overlay as? ClusterLayer else { return }
            for case let marker? in layer.members.slots { if let id = marker.givenID { own.append(id) } }
        }
        for overlay in [overlay] + overlay.descendants { add(overlay) }
        guard !own.isEmpty else { return nil }
        var seen = Set<String>()
        return own.first { !seen.insert($0).inserted || isGiven($0) }
    }

    /// Whether the user gave this id to an object on this map.
    func isGiven(_ id: String) -> Bool {
        indexIDs()
        if let number = ids?.holders[id] { return holder(number)?.givenID != nil }
        return clusterLayers.contains { $0.overlay(withID: id)?.givenID != nil }
    }

    /// Changes the id of an overlay on this map.
    func changeID(of overlay: some Identified, _ change: () -> Void) {
        indexIDs()
        releaseID(of: overlay)
        change()
        claimID(of: overlay)
    }

    /// The cluster layers on this map.
    private var clusterLayers: [ClusterLayer] {
        layerSlots.sorted().compactMap { slots[Int($0)] as? ClusterLayer }
    }

    /// Discards the index of ids after generated ids have changed. The index is rebuilt on demand.
    package func forgetIDs() { ids = nil }

    private func indexIDs() {
        guard ids == nil else { return }
        ids = OverlayIDs()
        // Given ids first, so that generated ones get a suffix if they conflict.
        let views = mapView?.windows.viewOverlays ?? []
        for case let overlay? in slots where overlay.givenID != nil { claimID(of: overlay) }
        for view in views where view.givenID != nil { claimID(of: view) }
        for case let overlay? in slots where overlay.hasMadeUpID { claimID(of: overlay) }
        for view in views where view.hasMadeUpID { claimID(of: view) }
    }

    /// Records the id of an overlay that has entered the map or changed its id.
    func claimID(of overlay: some Identified) {
        guard ids != nil, let id = overlay.keptID?.text else { return }
        guard let other = ids?.holders[id] else {
            ids?.holders[id] = overlay.idNumber
            return
        }
        if overlay.hasMadeUpID {
            stepAside(overlay, id)
        } else if let holder = holder(other), holder.hasMadeUpID {
            stepAside(holder, id)
            ids?.holders[id] = overlay.idNumber
        } else {
            ids?.waiting[id, default: []].append(overlay.idNumber)
            noteIdentity(overlay.idNumber)
        }
    }

    private func noteIdentity(_ number: Int32) {
        if number >= 0 { changes.note(number, .identity) } else { mapView?.windows.note() }
    }

    private func stepAside(_ overlay: some Identified, _ id: String) {
        guard let name = ids.map({ ids in TakenNames { ids.holders[$0] != nil }.free(id) }) else { return }
        ids?.holders[name] = overlay.idNumber
        overlay.setMadeUpID(name)
    }

    /// Releases the id of an overlay that leaves the map or changes its id. The overlay that has waited longest for this id then gets it.
    func releaseID(of overlay: some Identified) {
        guard ids != nil, let id = overlay.keptID?.text else { return }
        guard ids?.holders[id] == overlay.idNumber else {
            ids?.waiting[id]?.removeAll { $0 == overlay.idNumber }
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
        noteIdentity(next)
    }
}
