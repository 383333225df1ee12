import WaymarkGeo
import WaymarkScene

/// What all families share of overlays, by slot: those of a map, or the markers of a cluster layer. It persists between pictures; being a
/// value, it is also copied into each placement.
struct OverlayTable: Sendable {
    /// By slot; nil in a free slot.
    private(set) var types: [OverlayType?] = []
    /// Empty until an overlay has one.
    private var ids: [OverlayID?] = []
    /// The slot of each overlay's container, or -1; empty until an overlay is in a container.
    private var parents: [Int32] = []
    /// The zoom ranges of the few overlays that are not drawn at all zooms.
    private(set) var zooms: [Int32: ZoomVisibility] = [:]
    /// The few overlays that `fit` leaves out.
    private(set) var unfitted: Set<Int32> = []
    var keys = SortKeyTable()
    var containers = ContainerStates()
    /// By slot: the invalid property that excludes an overlay from every picture. Reported as diagnostics.
    private(set) var problems: [Int32: PropertyError] = [:]

    var count: Int { types.count }

    /// Records the problem of an overlay; nil clears it.
    @inline(__always)
    mutating func setProblem(_ problem: PropertyError?, slot: Int32) {
        if problem != nil || !problems.isEmpty { problems[slot] = problem }
    }

    mutating func grow(to count: Int) {
        guard count > types.count else { return }
        let more = count - types.count
        types.append(contentsOf: repeatElement(nil, count: more))
        if !ids.isEmpty { ids.append(contentsOf: repeatElement(nil, count: more)) }
        if !parents.isEmpty { parents.append(contentsOf: repeatElement(-1, count: more)) }
    }

    /// Sets the type of the overlay that now has the slot; nil frees the slot.
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

    /// The id that the user gave an overlay.
    func givenID(_ slot: Int32) -> String? { id(slot, isMadeUp: false) }

    /// The id that a reader made up for an overlay.
    func madeUpID(_ slot: Int32) -> String? { id(slot, isMadeUp: true) }

    private func id(_ slot: Int32, isMadeUp: Bool) -> String? {
        guard !ids.isEmpty, let id = ids[Int(slot)], id.isMadeUp == isMadeUp else { return nil }
        return id.text
    }

    /// Whether there may be overlays with ids.
    var hasIDs: Bool { !ids.isEmpty }

    /// The slot of an overlay's container; nil when it is in none.
    func parent(_ slot: Int32) -> Int32? {
        guard !parents.isEmpty, parents[Int(slot)] >= 0 else { return nil }
        return parents[Int(slot)]
    }

    /// The type of the overlay in a slot; nil for a free slot, and beyond the slots of overlays.
    func type(_ slot: Int32) -> OverlayType? { Int(slot) < types.count ? types[Int(slot)] : nil }

    /// Whether an overlay is drawn at a zoom.
    @inline(__always)
    func isShown(_ slot: Int32, atZoom zoom: Double) -> Bool { zooms[slot]?.contains(zoom) ?? true }

    /// An overlay's altitude in meters: its own plus that of the containers around it.
    func altitude(of overlay: Overlay) -> Double { (containers.state(around: overlay)?.altitude ?? 0) + overlay.altitude }

    /// The slots of all overlays, in the order in which they were added.
    /// - Parameter insertions: By slot.
    func present(_ insertions: [UInt32]) -> [Int32] {
        types.indices.filter { types[$0] != nil }.map { Int32($0) }.sorted { insertions[Int($0)] < insertions[Int($1)] }
    }
}

/// The overlay tree of a map, flattened: all overlays, and the children of each container.
struct OverlayListing {
    /// All overlays in depth-first order: each container is followed by its contents.
    private(set) var slots: [Int32] = []
    /// By container: its children, in the order in which they were added.
    private(set) var children: [Int32: [Int32]] = [:]

    /// - Parameter insertions: By slot.
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
