import WaymarkScene

/// The names of overlays. A name is the id that the user gave. Without one, it is the id that a reader generated, or the type and the
/// index in the overlay's list, prefixed by the name of its container. A generated name that is already in use gets a suffix:
/// `marker-1~2`.
struct OverlayNames {
    private let overlays: OverlayTable
    private let insertions: [UInt32]
    /// The names, keyed by slot.
    private(set) var names: [Int32: String] = [:]
    /// The index in the list of the map or of the container, keyed by slot.
    private lazy var places: [Int32: Int] = {
        var counts: [Int32: Int] = [:]
        var places: [Int32: Int] = [:]
        for slot in overlays.present(insertions) {
            let list = overlays.parent(slot) ?? -1
            places[slot] = counts[list, default: 0]
            counts[list, default: 0] += 1
        }
        return places
    }()

    /// The names of the overlays in `slots`, and possibly of others.
    /// - Parameter insertions: Indexed by slot.
    init(_ overlays: OverlayTable, _ insertions: [UInt32], of slots: some Collection<Int32>) {
        (self.overlays, self.insertions) = (overlays, insertions)
        var unnamed: [Int32] = []
        for slot in slots {
            if let id = overlays.givenID(slot) { names[slot] = id } else { unnamed.append(slot) }
        }
        guard !unnamed.isEmpty else { return }
        for slot in unnamed { makeName(slot) }
        // Names that consist of the type and the index are unique, and only ids can equal them.
        if overlays.hasIDs, isAnyTaken { makeAll() }
    }
}

extension OverlayNames {
    /// Makes the names of an overlay and of its containers, assuming that none of them is taken.
    private mutating func makeName(_ slot: Int32) {
        // Names are made from the outermost container without a name inward. This is iterative, because the nesting depth of containers
        // is unlimited.
        var unnamed: [Int32] = []
        var next: Int32? = slot
        while let slot = next, names[slot] == nil {
            unnamed.append(slot)
            next = overlays.parent(slot)
        }
        for slot in unnamed.reversed() { names[slot] = overlays.givenID(slot) ?? originalName(slot) }
    }

    /// The generated name of an overlay whose container already has its name.
    private mutating func originalName(_ slot: Int32) -> String {
        let parent = overlays.parent(slot)
        guard let own = overlays.madeUpID(slot) else {
            let prefix = parent.flatMap { names[$0] }.map { $0 + "/" } ?? ""
            return "\(prefix)\(overlays.types[Int(slot)]?.rawValue ?? "")-\(places[slot] ?? 0)"
        }
        // If the container's name got a suffix, the names of its contents change with it.
        guard let parent, let name = names[parent], let old = overlays.madeUpID(parent), old != name, own.hasPrefix(old + "/") else {
            return own
        }
        return name + own.dropFirst(old.count)
    }

    /// Whether one of the names made so far belongs to another overlay.
    private var isAnyTaken: Bool {
        var holders: [String: Int32] = [:]
        holders.reserveCapacity(names.count)
        for (slot, name) in names where holders.updateValue(slot, forKey: name) != nil { return true }
        return overlays.types.indices.contains { index in
            let slot = Int32(index)
            guard let id = overlays.givenID(slot) ?? overlays.madeUpID(slot), let holder = holders[id] else { return false }
            return holder != slot
        }
    }

    /// Makes the names of all overlays in document order, containers before their contents.
    private mutating func makeAll() {
        let slots = OverlayListing(overlays, insertions).slots
        let table = overlays
        var taken = TakenNames(slots.lazy.compactMap { table.givenID($0) })
        names = [:]
        for slot in slots { names[slot] = overlays.givenID(slot) ?? taken.take(originalName(slot)) }
    }
}
