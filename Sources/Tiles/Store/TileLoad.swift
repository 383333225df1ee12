import Dispatch
import Synchronization

/// The loading of tiles of one set on a few threads, each of which loads one tile after another. A thread whose source does not answer is
/// abandoned; it ends when the source finally answers, or with the process.
package final class TileLoad<Tile: Sendable>: Sendable {
    private let set: TileSet
    private let count: Int
    private let load: @Sendable (Int) -> Tile?
    private let state: Mutex<State>
    private let done = DispatchSemaphore(value: 0)

    private struct State {
        var next = 0
        var running = 0
        var finished = 0
        var isGivenUp = false
        var lastFinish = ContinuousClock.now
        var tiles: [Tile?]
    }

    /// Starts the threads. If the system cannot create any, everything is loaded immediately, however long that takes.
    ///
    /// Nil if calls of the set have been abandoned and have not returned yet: each such call occupies a thread.
    /// - Parameters:
    ///   - count: The number of tiles, at least 1.
    ///   - threads: The maximum number of threads.
    ///   - load: Loads the tile with a number, or returns nil if it is no longer needed. Called on several threads.
    package init?(_ count: Int, of set: TileSet, threads: Int, _ load: @escaping @Sendable (Int) -> Tile?) {
        guard !StuckCalls.has(set) else { return nil }
        self.set = set
        self.count = count
        self.load = load
        state = Mutex(State(tiles: Array(repeating: nil, count: count)))
        for number in 0..<max(1, min(count, threads)) {
            guard !DetachedThread.start({ self.run() }) else { continue }
            if number == 0 { run() }
            return
        }
    }

    private func run() {
        while let index = takeNext() {
            let tile = load(index)
            let isLate = state.withLock { state in
                state.running -= 1
                state.finished += 1
                state.lastFinish = .now
                state.tiles[index] = tile
                if state.finished == count { done.signal() }
                return state.isGivenUp
            }
            if isLate { StuckCalls.note(-1, of: set) }
        }
    }

    private func takeNext() -> Int? {
        state.withLock { state in
            guard !state.isGivenUp, state.next < count else { return nil }
            defer { state.next += 1 }
            state.running += 1
            return state.next
        }
    }

    /// The tiles, once all are loaded or the deadline has passed; nil for tiles that are not loaded.
    package func wait(until deadline: TileDeadline) -> [Tile?] {
        tiles(isDone: isDone(by: deadline.time))
    }

    /// The tiles, once all are loaded or no tile has been loaded for a whole deadline; nil for tiles that are not loaded. For tiles whose
    /// preparation takes longer than their reading: a busy processor loses none.
    package func waitWhileLoading(_ deadline: TileDeadline) -> [Tile?] {
        var limit = ContinuousClock.now + deadline.duration
        var isDone = isDone(by: limit)
        while !isDone {
            let next = state.withLock { $0.lastFinish + deadline.duration }
            guard next > limit else { break }
            limit = next
            isDone = self.isDone(by: limit)
        }
        return tiles(isDone: isDone)
    }

    private func isDone(by time: ContinuousClock.Instant) -> Bool {
        let (seconds, attoseconds) = max(.zero, time - ContinuousClock.now).components
        return done.wait(timeout: .now() + .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))) == .success
    }

    private func tiles(isDone: Bool) -> [Tile?] {
        state.withLock { state in
            if !isDone, state.finished < count {
                state.isGivenUp = true
                StuckCalls.note(state.running, of: set)
            }
            return state.tiles
        }
    }
}

/// The number of abandoned calls of the process's tile sources that have not returned yet.
private enum StuckCalls {
    /// By the number of the set.
    private static let counts = Mutex<[UInt64: Int]>([:])

    static func has(_ set: TileSet) -> Bool { counts.withLock { $0[set.number] != nil } }

    /// Records abandoned calls or, with a negative number, calls that have returned after all.
    static func note(_ count: Int, of set: TileSet) {
        counts.withLock { counts in
            let left = (counts[set.number] ?? 0) + count
            counts[set.number] = left == 0 ? nil : left
        }
    }
}
