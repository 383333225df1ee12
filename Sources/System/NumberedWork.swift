import Dispatch
import Synchronization

/// Work in numbered pieces, which several threads share. Each thread takes the next number when it has finished a piece, so that no thread
/// waits while there are pieces left.
package enum NumberedWork {
    /// Calls `body` with each number below `count`, and returns after all calls.
    /// - Parameters:
    ///   - threads: The maximum number of calls at a time. With 1 or less, the calling thread makes all calls, in order.
    ///   - body: Its second argument is the number of the thread: 0, or less than `threads`.
    package static func perform(_ count: Int, threads: Int, _ body: @Sendable (_ number: Int, _ thread: Int) -> Void) {
        let threads = min(threads, count)
        guard threads > 1 else {
            for number in 0..<count { body(number, 0) }
            return
        }
        let next = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            while true {
                let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard number < count else { return }
                body(number, thread)
            }
        }
    }

    /// The results of `body` for each number below `count`, in order.
    /// - Parameter threads: The maximum number of calls at a time.
    package static func results<Result: Sendable>(_ count: Int, threads: Int, _ body: @Sendable (_ number: Int) -> Result) -> [Result] {
        [Result](unsafeUninitializedCapacity: count) { results, initialized in
            // Unchecked: each element is written only by the call with its number, and read only after all calls.
            nonisolated(unsafe) let elements = results
            perform(count, threads: threads) { number, _ in elements.initializeElement(at: number, to: body(number)) }
            initialized = count
        }
    }
}
