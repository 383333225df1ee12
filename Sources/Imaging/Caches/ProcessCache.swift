import Synchronization

/// A locked cache that all renderers of the process share. While a picture is drawn, it keeps no more than `CacheBudget.processByteLimit`.
package final class ProcessCache<Key: Hashable & Sendable, Value: Sendable>: SharedCache {
    private let values = Mutex(LRUCache<Key, Value>())

    package init() {}

    /// The value of a key, which becomes the most recently used.
    package func value(for key: Key) -> Value? { values.withLock { $0.value(for: key) } }

    /// Stores a value. If this exceeds the limit, the least recently used values are evicted, even values of the picture being drawn.
    /// This is possible because a picture needs its values one after another.
    package func insert(_ value: Value, for key: Key, byteCount: Int) {
        let limit = CacheBudget.processByteLimit
        values.withLock { values in
            let excess = values.byteCount + byteCount - limit
            if excess > 0 { values.evict(through: .max, bytes: excess) }
            values.insert(value, for: key, byteCount: byteCount)
        }
    }

    package var keptBytes: Int { values.withLock { $0.byteCount } }
    package var oldestUse: UInt64? { values.withLock { $0.oldestUse } }
    package func evict(through picture: UInt64, bytes: Int) { values.withLock { $0.evict(through: picture, bytes: bytes) } }
}
