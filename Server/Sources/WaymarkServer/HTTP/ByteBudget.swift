import Synchronization

/// The memory that all requests share, in bytes.
final class ByteBudget: Sendable {
    private let limit: Int
    private let taken = Mutex(0)

    init(limit: Int) { self.limit = limit }

    /// Takes bytes until they are given back. Returns false, and takes nothing, if fewer are left.
    func take(_ count: Int) -> Bool {
        taken.withLock { taken in
            guard count <= limit - taken else { return false }
            taken += count
            return true
        }
    }

    func giveBack(_ count: Int) { taken.withLock { $0 -= count } }
}
