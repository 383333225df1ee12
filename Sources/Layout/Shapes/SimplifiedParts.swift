import Synchronization
import WaymarkImaging

/// The process's cache of the simplified points of lines and rings. The parts hold the points; this counts them, and lets them go.
final class SimplifiedParts: SharedCache {
    static let shared = {
        let parts = SimplifiedParts()
        CacheBudget.addProcessCache(parts)
        return parts
    }()

    private struct WeakPart: Sendable {
        weak var part: ShapePart?
    }

    private let parts = Mutex(LRUCache<ObjectIdentifier, WeakPart>())

    /// Notes what a part has simplified, and so used.
    func note(_ part: ShapePart, byteCount: Int) {
        parts.withLock { _ = $0.insert(WeakPart(part: part), for: ObjectIdentifier(part), byteCount: byteCount) }
    }

    /// Forgets a part that is gone.
    func remove(_ part: ObjectIdentifier) { parts.withLock { $0.remove(part) } }

    var keptBytes: Int { parts.withLock { $0.byteCount } }
    var oldestUse: UInt64? { parts.withLock { $0.oldestUse } }

    func evict(through picture: UInt64, bytes: Int) {
        var evicted: [ShapePart] = []
        parts.withLock { parts in parts.evict(through: picture, bytes: bytes) { if let part = $0.part { evicted.append(part) } } }
        // Not while locked: a part that is in use notes what it has simplified.
        for part in evicted { part.forgetSimplified() }
    }
}
