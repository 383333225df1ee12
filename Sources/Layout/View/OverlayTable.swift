import WaymarkScene

/// What overlays of every family have, by slot: kept from picture to picture, and a value that a placement takes with it.
struct OverlayTable: Sendable {
    /// nil where there is no overlay.
    private(set) var types: [OverlayType?] = []
    /// The users' names; empty as long as there are none.
    private var ids: [String?] = []
    /// The slots of the containers that overlays are in, or -1; empty as long as there are no containers.
    private var parents: [Int32] = []
    /// At which zooms the few that are not drawn at all of them are.
    private(set) var zooms: [Int32: ZoomVisibility] = [:]
    /// When each was added: rising numbers.
    var insertions: [UInt32] = []

    var count: Int { types.count }

    mutating func grow(to count: Int) {
        guard count > types.count else { return }
        let more = count - types.count
        types.append(contentsOf: repeatElement(nil, count: more))
        if !ids.isEmpty { ids.append(contentsOf: repeatElement(nil, count: more)) }
        if !parents.isEmpty { parents.append(contentsOf: repeatElement(-1, count: more)) }
    }

    /// Another overlay has the slot, or none.
    mutating func setType(_ type: OverlayType?, slot: Int32) {
        types[Int(slot)] = type
        setZooms(nil, slot: slot)
        guard type == nil else { return }
        setID(nil, slot: slot)
        setParent(-1, slot: slot)
    }

    mutating func setID(_ id: String?, slot: Int32) {
        if ids.isEmpty {
            guard id != nil else { return }
            ids = [String?](repeating: nil, count: types.count)
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

    func id(_ slot: Int32) -> String? { ids.isEmpty ? nil : ids[Int(slot)] }

    /// The container that an overlay is in; nil when it is in none.
    func parent(_ slot: Int32) -> Int32? {
        guard !parents.isEmpty, parents[Int(slot)] >= 0 else { return nil }
        return parents[Int(slot)]
    }

    /// Whether an overlay is drawn at a zoom.
    @inline(__always)
    func isShown(_ slot: Int32, atZoom zoom: Double) -> Bool { zooms[slot]?.contains(zoom) ?? true }

    /// Everything there is, in the order in which it was added.
    var present: [Int32] {
        types.indices.filter { types[$0] != nil }.map { Int32($0) }.sorted { insertions[Int($0)] < insertions[Int($1)] }
    }
}

/// The overlays of a map as lists: its own, and the children of each container.
struct OverlayListing {
    /// Everything; after a container what is in it.
    private(set) var slots: [Int32] = []
    /// By the container, in the order in which they were added.
    private(set) var children: [Int32: [Int32]] = [:]

    init(_ overlays: OverlayTable) {
        var top: [Int32] = []
        for slot in overlays.present {
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
