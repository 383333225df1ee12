import Dispatch
import Synchronization

/// The loading of one set's tiles on a few threads, each of which loads one tile after another. If a source does not answer, its thread
/// is abandoned. The thread ends when the source finally answers, or with the process. Until then, the source is not called again.
package final class TileLoad<Tile: Sendable>: Sendable {
    private let set: TileSet
    private let count: Int
    private let threads: Int
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

    /// Starts the threads, unless earlier calls of the set have been abandoned and have not returned, because each such call still
    /// occupies a thread. If the system cannot create a thread, everything is loaded immediately, however long that takes.
    /// - Parameters:
    ///   - count: The number of tiles, at least 1.
    ///   - threads: The maximum number of threads.
    ///   - load: Loads the tile with a number, or returns nil if it is no longer needed. Called on several threads.
    package init(_ count: Int, of set: TileSet, threads: Int, _ load: @escaping @Sendable (Int) -> Tile?) {
        self.set = set
        self.count = count
        self.threads = threads
        self.load = load
        state = Mutex(State(tiles: Array(repeating: nil, count: count)))
        if StuckCalls.has(set) { state.withLock { $0.isGivenUp = true } } else { start() }
    }

    private func start() {
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
        let begun = ContinuousClock.now
        let limit = begun + deadline.left
        let isDone = mayStart(deadline) && done.wait(until: limit)
        if !isDone { deadline.note(waited: .now - begun) }
        return tiles(isDone: isDone, since: begun)
    }

    /// The tiles, once all are loaded or no tile has been loaded for a whole deadline; nil for tiles that are not loaded. This is meant
    /// for tiles that take longer to prepare than to read, so that no tile is lost on a busy processor.
    package func waitWhileLoading(_ deadline: TileDeadline) -> [Tile?] {
        var begun = ContinuousClock.now
        let patience = deadline.left
        var isDone = mayStart(deadline) && done.wait(until: begun + patience)
        while !isDone {
            let lastFinish = state.withLock { $0.lastFinish }
            guard lastFinish > begun else { break }
            begun = lastFinish
            isDone = done.wait(until: begun + patience)
        }
        if !isDone { deadline.note(waited: .now - begun) }
        return tiles(isDone: isDone, since: begun)
    }

    /// Waits until abandoned calls of the set have returned, and then starts the threads. A call that was abandoned after the time for a
    /// picture is not waited for again, unless the next picture has more time. That picture then waits for the rest of its time.
    /// - Returns: Whether the threads have been started, now or before.
    private func mayStart(_ deadline: TileDeadline) -> Bool {
        guard state.withLock({ $0.isGivenUp }) else { return true }
        guard StuckCalls.wait(for: set, atMost: deadline) else { return false }
        state.withLock { ($0.isGivenUp, $0.lastFinish) = (false, .now) }
        start()
        return true
    }

    /// - Parameter begun: The time since which the source has not answered.
    private func tiles(isDone: Bool, since begun: ContinuousClock.Instant) -> [Tile?] {
        state.withLock { state in
            if !isDone, state.finished < count, !state.isGivenUp {
                state.isGivenUp = true
                StuckCalls.note(state.running, of: set, since: begun)
            }
            return state.tiles
        }
    }
}

extension DispatchSemaphore {
    /// Whether the semaphore is signaled by a time.
    fileprivate func wait(until time: ContinuousClock.Instant) -> Bool {
        let (seconds, attoseconds) = max(.zero, time - ContinuousClock.now).components
        return wait(timeout: .now() + .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))) == .success
    }
}

/// The abandoned calls of the process's tile sources that have not returned yet.
private enum StuckCalls {
    private struct StuckSource {
        var count = 0
        /// The time since which the source has not answered.
        let since: ContinuousClock.Instant
        /// Signaled when all calls have returned.
        var waiting: [DispatchSemaphore] = []
    }

    /// The sources with abandoned calls, by the number of the set.
    private static let sources = Mutex<[UInt64: StuckSource]>([:])

    static func has(_ set: TileSet) -> Bool { sources.withLock { $0[set.number] != nil } }

    /// Waits until the calls of a set have returned, or the source has not answered for the time of a picture.
    /// - Returns: Whether they have returned.
    static func wait(for set: TileSet, atMost deadline: TileDeadline) -> Bool {
        let returned = DispatchSemaphore(value: 0)
        let limit: ContinuousClock.Instant? = sources.withLock { sources in
            guard let since = sources[set.number]?.since else { return nil }
            sources[set.number]?.waiting.append(returned)
            return min(since + deadline.duration, .now + deadline.left)
        }
        guard let limit else { return true }
        return returned.wait(until: limit)
    }

    /// Records abandoned calls or, with a negative number, calls that have returned after all.
    /// - Parameter begun: The time since which the source has not answered.
    static func note(_ count: Int, of set: TileSet, since begun: ContinuousClock.Instant = .now) {
        let waiting = sources.withLock { sources -> [DispatchSemaphore] in
            var source = sources[set.number] ?? StuckSource(since: begun)
            source.count += count
            sources[set.number] = source.count == 0 ? nil : source
            return source.count == 0 ? source.waiting : []
        }
        for semaphore in waiting { semaphore.signal() }
    }
}
