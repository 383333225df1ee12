/// A cache bounded by the total size of its values in bytes: beyond the limit, the least recently used are evicted first.
///
/// Inlinable and usable from inline as a whole, since the rooms that use a generic type can specialize it only then. Unspecialized,
/// looking up glyphs took a quarter of the layout of a small picture.
@usableFromInline
package struct LRUCache<Key: Hashable, Value> {
    @usableFromInline
    struct Node {
        @usableFromInline var key: Key
        @usableFromInline var value: Value
        @usableFromInline var byteCount: Int
        @usableFromInline var newer: Int
        @usableFromInline var older: Int
        /// Whether it was used since `pinUses`.
        @usableFromInline var isPinned: Bool

        @inlinable
        init(key: Key, value: Value, byteCount: Int, isPinned: Bool) {
            self.key = key
            self.value = value
            self.byteCount = byteCount
            self.isPinned = isPinned
            newer = -1
            older = -1
        }
    }

    /// The maximum total size of the values in bytes.
    @usableFromInline package let byteLimit: Int
    /// The total size of the values in bytes.
    @usableFromInline package internal(set) var byteCount = 0
    @usableFromInline var indices: [Key: Int] = [:]
    /// A linked list in order of use, from `newest` to `oldest`; both are -1 when it is empty.
    @usableFromInline var nodes: [Node?] = []
    @usableFromInline var free: [Int] = []
    @usableFromInline var newest = -1
    @usableFromInline var oldest = -1
    @usableFromInline var isPinning = false

    @inlinable
    package init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    @inlinable package var count: Int { indices.count }
}

extension LRUCache {
    /// The value of a key, which becomes the most recently used.
    @inlinable
    package mutating func value(for key: Key) -> Value? {
        guard let index = indices[key] else { return nil }
        if index != newest {
            detach(index)
            pushFront(index)
        }
        if isPinning { nodes[index]!.isPinned = true }
        return nodes[index]!.value
    }

    /// Stores a value. A value larger than the limit is kept only while uses are pinned.
    @inlinable
    package mutating func insert(_ value: Value, for key: Key, byteCount size: Int) {
        if let index = indices[key] { remove(index) }
        guard size <= byteLimit || isPinning else { return }
        makeRoom(for: size)
        let node = Node(key: key, value: value, byteCount: size, isPinned: isPinning)
        let index = free.popLast() ?? nodes.count
        if index == nodes.count { nodes.append(node) } else { nodes[index] = node }
        indices[key] = index
        byteCount += size
        pushFront(index)
    }

    /// Evicts values until another one of this size fits, or only pinned values are left.
    @inlinable
    package mutating func makeRoom(for size: Int) {
        while byteCount + size > byteLimit, oldest >= 0, !nodes[oldest]!.isPinned { remove(oldest) }
    }

    /// Pins all values used or inserted from now on: they are kept, even beyond the limit, until `unpinUses`.
    @inlinable
    package mutating func pinUses() { isPinning = true }

    /// Unpins all values, and evicts those beyond the limit.
    @inlinable
    package mutating func unpinUses() {
        isPinning = false
        // Values used since `pinUses` are at the front of the list.
        var index = newest
        while index >= 0, nodes[index]!.isPinned {
            nodes[index]!.isPinned = false
            index = nodes[index]!.older
        }
        makeRoom(for: 0)
    }

    @inlinable
    package mutating func removeAll() {
        self = Self(byteLimit: byteLimit)
    }
}

extension LRUCache {
    @inlinable
    mutating func pushFront(_ index: Int) {
        nodes[index]!.newer = -1
        nodes[index]!.older = newest
        if newest >= 0 { nodes[newest]!.newer = index }
        newest = index
        if oldest < 0 { oldest = index }
    }

    @inlinable
    mutating func detach(_ index: Int) {
        let newer = nodes[index]!.newer
        let older = nodes[index]!.older
        if newer >= 0 { nodes[newer]!.older = older } else { newest = older }
        if older >= 0 { nodes[older]!.newer = newer } else { oldest = newer }
    }

    @inlinable
    mutating func remove(_ index: Int) {
        detach(index)
        byteCount -= nodes[index]!.byteCount
        indices[nodes[index]!.key] = nil
        nodes[index] = nil
        free.append(index)
    }
}
