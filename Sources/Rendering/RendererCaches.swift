import WaymarkImaging

/// The caches that a renderer keeps between pictures, within its budget.
final class RendererCaches {
    let budget: CacheBudget
    /// The number of the current picture. Entries used since it began are needed for it.
    var picture: UInt64 = 0
    private var caches: [any BudgetedCache] = []

    init(_ budget: CacheBudget) {
        self.budget = budget
    }

    func add(_ cache: any BudgetedCache) { caches.append(cache) }
    func remove(_ cache: any BudgetedCache) { caches.removeAll { $0 === cache } }

    var keptBytes: Int { budget.keptBytes(caches) }
    /// The number of cached bytes, excluding the layouts and the process's caches.
    var ownKeptBytes: Int { caches.reduce(0) { $0 + $1.keptBytes } }

    /// Evicts entries that the picture does not need, until this many more bytes fit into the budget.
    func makeRoom(for bytes: Int) { budget.makeRoom(for: bytes, since: picture, caches) }

    /// Evicts entries until the caches are within the limit.
    func trim() { budget.trim(caches) }

    /// Evicts everything.
    func purge() { budget.purge(caches) }
}

/// A cache that is evicted as a whole.
class SingleCache: BudgetedCache {
    /// The last picture that used the cache.
    private(set) var lastUse: UInt64 = 0

    final func use() { lastUse = PictureClock.now }

    /// The number of cached bytes.
    var keptBytes: Int { 0 }
    /// Frees the cached memory.
    func clear() {}

    final var oldestUse: UInt64? { keptBytes > 0 ? lastUse : nil }

    final func evict(through picture: UInt64, bytes: Int) {
        if lastUse <= picture, bytes > 0 { clear() }
    }
}
