import WaymarkScene

/// What the drawing order compares before positions on the ground: layer band, global z index, z path, then shapes before points.
struct SortKey: Hashable, Comparable, Sendable {
    var layer: MapLayerType
    var globalZIndex: Int
    /// z indexes from the outermost container inward, without trailing zeros: the contents of a container are ordered among the
    /// container's siblings of equal z index.
    var zPath: [Int]
    var isPoint: Bool

    static func < (a: SortKey, b: SortKey) -> Bool {
        if a.layer != b.layer { return a.layer < b.layer }
        if a.globalZIndex != b.globalZIndex { return a.globalZIndex < b.globalZIndex }
        if a.zPath != b.zPath { return precedes(a.zPath, b.zPath) }
        return !a.isPoint && b.isPoint
    }

    /// Whether models with these keys share a depth buffer.
    func sharesGroup(with other: SortKey) -> Bool { layer == other.layer && globalZIndex == other.globalZIndex }

    /// Compares lexicographically; the shorter path is padded with zeros.
    private static func precedes(_ a: [Int], _ b: [Int]) -> Bool {
        for (a, b) in zip(a, b) where a != b { return a < b }
        return a.count < b.count ? b[a.count...].first { $0 != 0 } ?? 0 > 0 : a[b.count...].first { $0 != 0 } ?? 0 < 0
    }
}

/// The sort keys of a map's overlays. Each distinct key is stored once, and overlays are compared by the rank of their key.
struct SortKeyTable: Sendable {
    /// By slot: the index of its key in `keys`, or -1; empty as long as all overlays have the first key.
    private var ids: [Int32] = []
    /// The number of slots that have had a key.
    private var count = 0
    private var keys: [SortKey] = []
    private var idsOfKeys: [SortKey: Int32] = [:]
    /// By the index of a key: its rank.
    private var ranks: [Int32] = []
    private var areRanksStale = false

    /// Sets an overlay's key; returns whether it changed.
    mutating func set(_ key: SortKey, slot: Int32) -> Bool {
        let slot = Int(slot)
        let id: Int32
        if let last = keys.last, last == key {
            id = Int32(keys.count - 1)
        } else if let known = idsOfKeys[key] {
            id = known
        } else {
            id = Int32(keys.count)
            keys.append(key)
            idsOfKeys[key] = id
            areRanksStale = true
        }
        let isNew = slot >= count
        if ids.isEmpty {
            if id == 0 {
                count = max(count, slot + 1)
                return isNew
            }
            ids = [Int32](repeating: 0, count: count)
        }
        if isNew {
            ids.append(contentsOf: repeatElement(-1, count: slot + 1 - count))
            count = slot + 1
        }
        guard ids[slot] != id else { return false }
        ids[slot] = id
        return true
    }

    /// Ranks the keys again if new ones were added.
    mutating func rank() {
        if keys.count > 2 * count + 64 { forgetUnused() }
        guard areRanksStale else { return }
        areRanksStale = false
        ranks = [Int32](repeating: 0, count: keys.count)
        for (rank, id) in keys.indices.sorted(by: { keys[$0] < keys[$1] }).enumerated() { ranks[id] = Int32(rank) }
    }

    /// Drops keys that no overlay has any more, which would accumulate in a long-lived map.
    private mutating func forgetUnused() {
        let old = keys
        keys = []
        idsOfKeys = [:]
        areRanksStale = true
        for slot in ids.indices where ids[slot] >= 0 {
            let key = old[Int(ids[slot])]
            ids[slot] = -1
            _ = set(key, slot: Int32(slot))
        }
    }

    var hasManyRanks: Bool { keys.count > 1 }

    /// The rank of an overlay's key among all keys; valid until a key is added.
    @inline(__always)
    func rank(_ slot: Int32) -> Int32 { ids.isEmpty ? ranks[0] : ranks[Int(ids[Int(slot)])] }

    subscript(slot: Int32) -> SortKey { ids.isEmpty ? keys[0] : keys[Int(ids[Int(slot)])] }

    /// The lowest rank above the base map's symbols.
    var rankAboveSymbols: Int32 {
        Int32(keys.count { $0.layer < .foreground || $0.layer == .foreground && $0.globalZIndex < 0 })
    }
}
