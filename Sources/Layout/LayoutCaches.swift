import Dispatch
import Synchronization
import WaymarkImaging

/// The caches of a map's layout. Their renderer may evict from them while another thread has the map, so they are locked: by the layout
/// while it works, and by the renderer, which passes over those that are locked.
package final class LayoutCaches: SharedCache {
    /// Unchecked, since the compiler cannot see that they are used only while the lock is held, which is a semaphore.
    nonisolated(unsafe) private let caches: [any BudgetedCache]
    private let lock = DispatchSemaphore(value: 1)
    private let byteCount = Atomic<Int>(0)
    /// The budget that the caches belong to.
    private let budget = Mutex(CacheBudget.standard)

    init(_ caches: [any BudgetedCache]) {
        self.caches = caches
    }

    /// Locks the caches while `body` runs.
    func locked<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        lock.wait()
        defer { unlock() }
        return try body()
    }

    private func unlock() {
        byteCount.store(caches.reduce(0) { $0 + $1.keptBytes }, ordering: .relaxed)
        lock.signal()
    }

    /// Moves them to another budget.
    package func move(to new: CacheBudget) {
        budget.withLock { budget in
            guard budget !== new else { return }
            budget.remove(self)
            new.add(self)
            budget = new
        }
    }

    /// Moves them to the budget of others.
    func move(toBudgetOf other: LayoutCaches) { move(to: other.budget.withLock { $0 }) }

    /// Evicts what exceeds the budget, except caches of its renderer; for callers that draw nothing.
    package func trim() { budget.withLock { $0 }.trimLayouts() }

    package var keptBytes: Int { byteCount.load(ordering: .relaxed) }

    package var oldestUse: UInt64? {
        guard lock.wait(timeout: .now()) == .success else { return nil }
        defer { lock.signal() }
        return caches.lazy.compactMap(\.oldestUse).min()
    }

    package func evict(through picture: UInt64, bytes: Int) {
        guard lock.wait(timeout: .now()) == .success else { return }
        defer { unlock() }
        CacheBudget.evict(bytes, through: picture, caches)
    }
}
