import WaymarkScene

/// The criteria by which the drawing order compares overlays before their positions: the layer, the global z index, the z path, and then
/// the content.
struct SortKey: Hashable, Sendable {
    /// The content of overlays whose keys are otherwise equal, from bottom to top.
    enum Content: UInt8, Sendable {
        case shape
        case model
        /// A container ordered as one. Two blocks of equal keys are ordered by insertion.
        case block
        case point
    }

    /// The number of the innermost block around the overlay; 0 outside any. The overlay is compared only with other contents of this block.
    var block: Int
    var layer: MapLayerType
    var globalZIndex: Int
    /// The z indexes from the outermost container in the block inward, without trailing zeros. The contents of a container are therefore
    /// ordered among the container's siblings of equal z index.
    var zPath: [Int]
    var content: Content

    /// Whether an overlay with this key is drawn below one with another key of the same block.
    fileprivate func isBelow(_ other: SortKey) -> Bool {
        if layer != other.layer { return layer < other.layer }
        if globalZIndex != other.globalZIndex { return globalZIndex < other.globalZIndex }
        if zPath != other.zPath { return Self.precedes(zPath, other.zPath) }
        return content.rawValue < other.content.rawValue
    }

    /// Whether an overlay with this key is drawn above the base map's symbols.
    fileprivate var isAboveSymbols: Bool { layer == .foreground && globalZIndex >= 0 }

    /// Compares the paths lexicographically, with the shorter path padded with zeros.
    private static func precedes(_ a: [Int], _ b: [Int]) -> Bool {
        for (a, b) in zip(a, b) where a != b { return a < b }
        return a.count < b.count ? b[a.count...].first { $0 != 0 } ?? 0 > 0 : a[b.count...].first { $0 != 0 } ?? 0 < 0
    }
}

/// The sort keys of a map's overlays. Each distinct key is stored once, and overlays are compared by the rank of their key.
///
/// A rank counts the keys that are drawn below it in the whole picture. The keys in a block are ranked among themselves, at the block's
/// position in the outer order. Ranks therefore compare like the list of the keys of all enclosing blocks from the outermost inward,
/// followed by the overlay's key.
struct SortKeyTable: Sendable {
    /// The index of each overlay's key in `keys`, or -1, indexed by slot; empty as long as all overlays have the first key.
    private var ids: [Int32] = []
    /// The number of slots that have had a key.
    private var count = 0
    private var keys: [SortKey] = []
    private var idsOfKeys: [SortKey: Int32] = [:]
    /// The rank of each key.
    private var ranks: [Int32] = []
    private var areRanksStale = false
    /// The lowest rank above the base map's symbols; valid until a key is added.
    private(set) var rankAboveSymbols: Int32 = 0

    /// The members of the outermost order from bottom to top, each with its first rank; valid until a key is added.
    private var outermost: [(key: SortKey, rank: Int32)] = []
    private var rankCount: Int32 = 0

    /// The position of a block in the outer order.
    private struct Block {
        /// The container's slot, whose insertion orders blocks of equal keys.
        var slot: Int32
        var key: SortKey
    }

    /// The blocks, keyed by number. A block that moves gets a new number, so that the keys of its contents change.
    private var blocks: [Int: Block] = [:]
    /// The number of each block, keyed by the slot of its container.
    private var blocksOfSlots: [Int32: Int] = [:]
    private var lastBlock = 0

    /// Sets an overlay's key; returns whether it changed.
    mutating func set(_ key: SortKey, slot: Int32) -> Bool {
        let slot = Int(slot)
        let id = id(of: key)
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

    @inline(__always)
    private mutating func id(of key: SortKey) -> Int32 {
        if let last = keys.last, last == key { return Int32(keys.count - 1) }
        if let known = idsOfKeys[key] { return known }
        let id = Int32(keys.count)
        keys.append(key)
        idsOfKeys[key] = id
        areRanksStale = true
        return id
    }

    /// The key that was set for a slot.
    func key(slot: Int32) -> SortKey { ids.isEmpty ? keys[0] : keys[Int(ids[Int(slot)])] }

    /// The number of the block of a container that is ordered as one.
    /// - Parameter key: The container's key in the outer order.
    mutating func block(slot: Int32, key: SortKey) -> Int {
        if let number = blocksOfSlots[slot] {
            if blocks[number]?.key == key { return number }
            blocks[number] = nil
        }
        lastBlock += 1
        blocks[lastBlock] = Block(slot: slot, key: key)
        blocksOfSlots[slot] = lastBlock
        areRanksStale = true
        return lastBlock
    }

    /// Removes the block of a container that is no longer ordered as one, if it has one.
    mutating func removeBlock(slot: Int32) {
        guard !blocksOfSlots.isEmpty, let number = blocksOfSlots.removeValue(forKey: slot) else { return }
        blocks[number] = nil
        areRanksStale = true
    }

    /// Ranks the keys again if new ones were added.
    /// - Parameters:
    ///   - insertions: Indexed by slot.
    ///   - others: Keys of items without slots.
    /// - Returns: The ranks of `others`.
    mutating func rank(_ insertions: [UInt32], _ others: [SortKey]) -> [Int32] {
        if keys.count > 2 * (count + others.count) + 64 { forgetUnused() }
        let ids = others.map { id(of: $0) }
        rank(insertions)
        return ids.map { ranks[Int($0)] }
    }

    private mutating func rank(_ insertions: [UInt32]) {
        guard areRanksStale else { return }
        areRanksStale = false
        ranks = [Int32](repeating: 0, count: keys.count)
        var contents: [Int: [Member]] = [:]
        for id in keys.indices { contents[keys[id].block, default: []].append(Member(number: id, isBlock: false)) }
        // The order here makes no difference, because the contents are sorted, and no two are equal.
        for (number, block) in blocks { contents[block.key.block, default: []].append(Member(number: number, isBlock: true)) }
        func sortedContents(of block: Int) -> ArraySlice<Member> {
            (contents[block] ?? []).sorted { isBelow($0, $1, insertions) }[...]
        }
        var next: Int32 = 0
        var firstAboveSymbols: Int32?
        outermost = []
        // The rest of each block that is being ranked, from the outermost inward. This is iterative, because the nesting depth is
        // unlimited.
        var rest = [sortedContents(of: 0)]
        while !rest.isEmpty {
            guard let member = rest[rest.count - 1].popFirst() else {
                rest.removeLast()
                continue
            }
            if rest.count == 1 {
                let key = key(of: member)
                outermost.append((key, next))
                if firstAboveSymbols == nil, key.isAboveSymbols { firstAboveSymbols = next }
            }
            if member.isBlock {
                rest.append(sortedContents(of: member.number))
            } else {
                ranks[member.number] = next
                next += 1
            }
        }
        rankAboveSymbols = firstAboveSymbols ?? next
        rankCount = next
    }

    /// The lowest rank above a key. An item drawn beneath this rank is above all items with the key.
    func rank(above key: SortKey) -> Int32 { outermost.first { key.isBelow($0.key) }?.rank ?? rankCount }

    /// The highest rank in the key's block that is not above the key, and whether that rank is the rank of the key; -1 if all are above.
    func rank(upTo key: SortKey) -> (rank: Int32, isOwn: Bool) {
        if let id = idsOfKeys[key] { return (ranks[Int(id)], true) }
        let below = keys.indices.filter { keys[$0].block == key.block && !key.isBelow(keys[$0]) }
        return (below.map { ranks[$0] }.max() ?? -1, false)
    }

    /// A member of a block: a key, by index, or an inner block, by number.
    private struct Member {
        var number: Int
        var isBlock: Bool
    }

    private func key(of member: Member) -> SortKey { member.isBlock ? blocks[member.number]?.key ?? keys[0] : keys[member.number] }

    private func isBelow(_ a: Member, _ b: Member, _ insertions: [UInt32]) -> Bool {
        let (first, second) = (key(of: a), key(of: b))
        if first.isBelow(second) { return true }
        guard a.isBlock, b.isBlock, !second.isBelow(first), let slotA = blocks[a.number]?.slot, let slotB = blocks[b.number]?.slot else {
            return false
        }
        return insertions[Int(slotA)] < insertions[Int(slotB)]
    }

    /// Drops unused keys, so that they do not accumulate in a long-lived map.
    private mutating func forgetUnused() {
        let old = keys
        // All slots have the first key as long as `ids` is empty.
        keys = ids.isEmpty ? [old[0]] : []
        idsOfKeys = ids.isEmpty ? [old[0]: 0] : [:]
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
}

/// The drawing order of overlays: their sort keys, and the order in which they were added.
struct DrawingOrder: Sendable {
    let keys: SortKeyTable
    /// Numbers that rise with every overlay added, indexed by slot.
    let insertions: [UInt32]
    /// The ranks of the sort keys of cluster layers' points, whose numbers follow the slots, and the insertion numbers of their layers.
    let layerRanks: [Int32]
    let layerInsertions: [UInt32]

    @inline(__always)
    func rank(_ slot: Int32) -> Int32 {
        Int(slot) < insertions.count ? keys.rank(slot) : layerRanks[Int(slot) - insertions.count]
    }

    @inline(__always)
    func insertion(_ slot: Int32) -> UInt32 {
        Int(slot) < insertions.count ? insertions[Int(slot)] : layerInsertions[Int(slot) - insertions.count]
    }

    /// The overlay's position among items of equal rank: ordered by insertion, above items without an insertion number (sequence 0).
    func sequence(_ slot: Int32) -> Int64 { Int64(insertion(slot)) + 1 }

    /// Whether `a` is drawn before `b` in a family ordered only by sort key and insertion.
    func isBefore(_ a: Int32, _ b: Int32) -> Bool {
        let (first, second) = (rank(a), rank(b))
        return first != second ? first < second : insertion(a) < insertion(b)
    }
}
