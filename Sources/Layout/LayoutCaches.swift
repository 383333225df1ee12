import Dispatch
import Synchronization
import WaymarkImaging

/// The caches of a map's layout. Their renderer may evict from them while another thread uses the map. The layout therefore locks them
/// while it works, and the renderer skips caches that are locked.
package final class LayoutCaches: SharedCache {
    /// Unchecked, because the lock is a semaphore, so the compiler cannot see that the caches are used only while it is held.
    nonisolated(unsafe) private let caches: [any BudgetedCache]
    private let lock = DispatchSemaphore(value: 1)
    private let byteCount = Atomic<Int>(0)
    /// The budget to which the caches belong.
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

    /// Evicts entries that exceed the budget, except from the caches of the budget's renderer. This is for callers that draw nothing.
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
