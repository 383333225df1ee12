/// A cache that evicts the least recently used values when a `CacheBudget` requests it. The cache itself has no limit.
///
/// The whole type is inlinable and usable from inline, because only then can other modules specialize it. Unspecialized, looking up glyphs
/// took a quarter of the layout of a small picture.
@usableFromInline
package struct LRUCache<Key: Hashable, Value> {
    @usableFromInline
    struct Node {
        @usableFromInline var key: Key
        @usableFromInline var value: Value
        @usableFromInline var byteCount: Int
        @usableFromInline var newer: Int
        @usableFromInline var older: Int
        /// The number of the last picture that used the value.
        @usableFromInline var lastUse: UInt64

        @inlinable
        init(key: Key, value: Value, byteCount: Int) {
            self.key = key
            self.value = value
            self.byteCount = byteCount
            newer = -1
            older = -1
            lastUse = PictureClock.now
        }
    }

    /// The total size of the values in bytes.
    @usableFromInline package internal(set) var byteCount = 0
    @usableFromInline var indices: [Key: Int] = [:]
    /// A linked list in order of use, from `newest` to `oldest`; both are -1 if it is empty.
    @usableFromInline var nodes: [Node?] = []
    @usableFromInline var free: [Int] = []
    @usableFromInline var newest = -1
    @usableFromInline var oldest = -1

    @inlinable
    package init() {}

    @inlinable package var count: Int { indices.count }
    /// The number of the last picture that used the least recently used value; nil if the cache is empty.
    @inlinable package var oldestUse: UInt64? { oldest < 0 ? nil : nodes[oldest]!.lastUse }
}

extension LRUCache {
    /// The value of a key, which becomes the most recently used.
    @inlinable
    package mutating func value(for key: Key) -> Value? {
        guard let index = indices[key] else { return nil }
        touch(index)
        return nodes[index]!.value
    }

    /// The index of a key's value, which becomes the most recently used; valid while it is cached.
    @inlinable
    package mutating func index(of key: Key) -> Int? {
        guard let index = indices[key] else { return nil }
        touch(index)
        return index
    }

    /// The value at an index, which may belong to another key by now; nil if the index is free.
    @inlinable
    package subscript(index: Int) -> Value? { nodes.indices.contains(index) ? nodes[index]?.value : nil }

    /// Makes the value at an index the most recently used.
    @inlinable
    package mutating func touch(_ index: Int) {
        if index != newest {
            detach(index)
            pushFront(index)
        }
        nodes[index]!.lastUse = PictureClock.now
    }

    /// Stores a value; returns its index.
    @inlinable
    @discardableResult
    package mutating func insert(_ value: Value, for key: Key, byteCount size: Int) -> Int {
        if let index = indices[key] { remove(at: index) }
        let node = Node(key: key, value: value, byteCount: size)
        let index = free.popLast() ?? nodes.count
        if index == nodes.count { nodes.append(node) } else { nodes[index] = node }
        indices[key] = index
        byteCount += size
        pushFront(index)
        return index
    }

    /// Evicts the least recently used values until this many bytes are freed. Values used for a picture later than `picture` are kept.
    /// - Parameter forget: Called with each evicted value.
    @inlinable
    package mutating func evict(through picture: UInt64, bytes: Int, _ forget: (Value) -> Void = { _ in }) {
        let most = byteCount - bytes
        while byteCount > most, oldest >= 0, nodes[oldest]!.lastUse <= picture {
            forget(nodes[oldest]!.value)
            remove(at: oldest)
        }
        // Also frees the memory of the lists.
        if indices.isEmpty { self = Self() }
    }

    @inlinable
    package mutating func removeAll() {
        self = Self()
    }

    /// Removes the value of a key, if any.
    @inlinable
    package mutating func remove(_ key: Key) {
        if let index = indices[key] { remove(at: index) }
    }

    /// Removes the values of some keys.
    @inlinable
    package mutating func removeAll(where isRemoved: (Key) -> Bool) {
        guard !indices.isEmpty else { return }
        for (key, index) in indices where isRemoved(key) { remove(at: index) }
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
    mutating func remove(at index: Int) {
        detach(index)
        byteCount -= nodes[index]!.byteCount
        indices[nodes[index]!.key] = nil
        nodes[index] = nil
        free.append(index)
    }
}
