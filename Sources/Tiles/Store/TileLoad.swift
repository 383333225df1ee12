import Dispatch
import Glibc
import Synchronization
import WaymarkSystem

/// The loading of tiles of one set on a few threads, each of which loads one tile after another. A thread whose source does not answer is
/// abandoned; it ends when the source finally answers, or with the process.
final class TileLoad: Sendable {
    private let wanted: [TileStore.Wanted]
    private let store: TileStore
    private let state: Mutex<State>
    private let done = DispatchSemaphore(value: 0)

    private struct State {
        var next = 0
        var running = 0
        var finished = 0
        var isGivenUp = false
        var tiles: [TileStore.Tile?]
    }

    /// Sources may wait for a disk or a network, so there are more threads than processors.
    private static let threadLimit = 2 * max(2, min(8, ProcessorCount.current.usable))

    /// - Parameter wanted: Tiles of one set, at least one.
    init(_ wanted: [TileStore.Wanted], _ store: TileStore) {
        self.wanted = wanted
        self.store = store
        state = Mutex(State(tiles: Array(repeating: nil, count: wanted.count)))
    }

    /// Starts the threads. If the system cannot create any, everything is loaded immediately, however long that takes.
    func start() {
        let count = min(wanted.count, Self.threadLimit)
        for number in 0..<count {
            var thread = pthread_t()
            let argument = Unmanaged.passRetained(self)
            let status = pthread_create(
                &thread, nil,
                { argument in
                    if let argument { Unmanaged<TileLoad>.fromOpaque(argument).takeRetainedValue().run() }
                    return nil
                }, argument.toOpaque())
            if status == 0 {
                // Nothing joins the thread itself, which may never end.
                pthread_detach(thread)
                continue
            }
            argument.release()
            if number == 0 { run() }
            return
        }
    }

    private func run() {
        while let index = takeNext() {
            let tile = store.loadNow(wanted[index])
            let isLate = state.withLock { state in
                state.running -= 1
                state.finished += 1
                state.tiles[index] = tile
                if state.finished == wanted.count { done.signal() }
                return state.isGivenUp
            }
            if isLate { store.noteStuck(-1, of: wanted[index].set) }
        }
    }

    private func takeNext() -> Int? {
        state.withLock { state in
            guard !state.isGivenUp, state.next < wanted.count else { return nil }
            defer { state.next += 1 }
            state.running += 1
            return state.next
        }
    }

    /// The tiles, once all are loaded or the deadline has passed; nil for tiles that are not loaded.
    func wait(until deadline: ContinuousClock.Instant) -> [TileStore.Tile?] {
        // A deadline of a day works like no deadline.
        let left = min(max(.zero, deadline - ContinuousClock.now), .seconds(86_400))
        let (seconds, attoseconds) = left.components
        let isDone = done.wait(timeout: .now() + .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))) == .success
        return state.withLock { state in
            if !isDone, state.finished < wanted.count {
                state.isGivenUp = true
                store.noteStuck(state.running, of: wanted[0].set)
            }
            return state.tiles
        }
    }
}
