/// A cache with a limit in bytes that evicts the least recently used values first.
struct LeastRecentlyUsed<Key: Hashable, Value> {
    private struct Node {
        let key: Key
        var value: Value
        var bytes: Int
        var newer: Int
        var older: Int
    }

    let mostBytes: Int
    private(set) var bytes = 0
    private var places: [Key: Int] = [:]
    /// A list from `newest` to `oldest`, both -1 when it is empty.
    private var nodes: [Node?] = []
    private var free: [Int] = []
    private var newest = -1
    private var oldest = -1

    init(mostBytes: Int) {
        self.mostBytes = mostBytes
    }

    var count: Int { places.count }

    /// The value of a key, which becomes the most recently used.
    mutating func value(for key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        if place != newest {
            unlink(place)
            link(place)
        }
        return nodes[place]!.value
    }

    /// Caches a value, unless it alone exceeds the limit.
    mutating func insert(_ value: Value, for key: Key, bytes size: Int) {
        if let place = places[key] { remove(place) }
        guard size <= mostBytes else { return }
        while bytes + size > mostBytes { remove(oldest) }
        let node = Node(key: key, value: value, bytes: size, newer: -1, older: -1)
        let place = free.popLast() ?? nodes.count
        if place == nodes.count { nodes.append(node) } else { nodes[place] = node }
        places[key] = place
        bytes += size
        link(place)
    }

    mutating func removeAll() {
        self = Self(mostBytes: mostBytes)
    }
}

private extension LeastRecentlyUsed {
    mutating func link(_ place: Int) {
        nodes[place]!.newer = -1
        nodes[place]!.older = newest
        if newest >= 0 { nodes[newest]!.newer = place }
        newest = place
        if oldest < 0 { oldest = place }
    }

    mutating func unlink(_ place: Int) {
        let newer = nodes[place]!.newer
        let older = nodes[place]!.older
        if newer >= 0 { nodes[newer]!.older = older } else { newest = older }
        if older >= 0 { nodes[older]!.newer = newer } else { oldest = newer }
    }

    mutating func remove(_ place: Int) {
        unlink(place)
        bytes -= nodes[place]!.bytes
        places[nodes[place]!.key] = nil
        nodes[place] = nil
        free.append(place)
    }
}
