import Dispatch
import Foundation
import Glibc
import WaymarkSystem

/// Work that waits for threads: each thread takes the next request that it can do, and does it with a worker of its own.
///
/// It knows nothing of pictures. Callers are suspended, not blocked; workers block threads of the queue, and never those of Swift's tasks.
package final class RenderQueue<Request: Sendable, Output: Sendable>: @unchecked Sendable {
    // Unchecked: everything that changes is under `condition`, which Swift's own mutex cannot wait for.

    /// A thread of the queue.
    package struct Lane: Sendable {
        /// Whether it can do a request.
        package var accepts: @Sendable (Request) -> Bool
        /// Makes what does the work; called on the thread, again after a worker was lost, and used there alone.
        package var open: @Sendable () throws -> any QueueWorker<Request, Output>

        package init(
            accepts: @escaping @Sendable (Request) -> Bool = { _ in true },
            open: @escaping @Sendable () throws -> any QueueWorker<Request, Output>
        ) {
            self.accepts = accepts
            self.open = open
        }
    }

    /// A request on its way.
    private final class Ticket {
        let request: Request
        /// How long it may take from the call on; nil for as long as it takes.
        let time: Duration?
        let deadline: ContinuousClock.Instant?
        /// What requests of one kind have in common: a worker does well to do them one after the other. nil for nothing.
        let affinity: Int?
        let begun = ContinuousClock.now
        /// How often later requests were preferred.
        var passes = 0
        /// nil before it waits, and once the caller has its answer.
        var continuation: CheckedContinuation<Output, any Error>?
        var isCancelled = false

        init(_ request: Request, affinity: Int?, within time: Duration?) {
            self.request = request
            self.affinity = affinity
            self.time = time
            deadline = time.map { .now + $0 }
        }

        var isLate: Bool { deadline.map { $0 <= .now } ?? false }
    }

    /// A thread of the queue, as the others see it.
    private final class Track {
        let lane: Lane
        /// The request that its worker has beside the one that it is at. If its caller has an answer already, or another worker is at it, it
        /// is done for nothing, since the worker knows of it.
        var ahead: Ticket?

        init(_ lane: Lane) {
            self.lane = lane
        }

        /// The request that still waits for the worker to come to it.
        var waitingAhead: Ticket? { ahead?.continuation == nil ? nil : ahead }
    }

    /// A track in the hands of its thread.
    private struct TrackHandle: @unchecked Sendable {
        // Unchecked: a track changes under the queue's condition alone.
        let track: Track
    }

    /// A ticket in the hands of a task and its cancellation.
    private struct Handle: @unchecked Sendable {
        // Unchecked: a ticket changes under the queue's condition alone.
        let ticket: Ticket
    }

    private let condition = NSCondition()
    /// The most requests that wait.
    private let limit: Int
    private let tracks: [Track]
    private var waiting: [Ticket] = []
    private var running: [Ticket] = []
    private var counts = RenderPoolStatistics()
    private var isClosed = false
    private var openLanes = 0
    /// Those who wait for the end of all threads.
    private var closers: [CheckedContinuation<Void, Never>] = []
    private let timer: any DispatchSourceTimer
    /// When the timer fires; nil when it does not.
    private var alarm: ContinuousClock.Instant?

    /// How many of the waiting requests are looked through for one that suits a worker, and how often one is passed over for it.
    private static var reach: Int { 16 }
    /// How many later requests each thread begins, on average, before one that a worker has ahead and does not come to is given to another.
    private static var patience: Int { 4 }

    /// - Parameters:
    ///   - lanes: The threads.
    ///   - limit: The most requests that wait; those beyond it are refused.
    package init(_ lanes: [Lane], limit: Int) {
        self.limit = limit
        timer = DispatchSource.makeTimerSource(queue: .global())
        tracks = lanes.map(Track.init)
        openLanes = lanes.count
        timer.setEventHandler { [weak self] in self?.expire() }
        timer.activate()
        for (number, handle) in tracks.map(TrackHandle.init).enumerated() {
            let thread = Thread { [self] in run(handle.track) }
            thread.name = "waymark-\(number)"
            thread.start()
        }
    }
}

/// Does one request after the other, on one thread.
package protocol QueueWorker<Request, Output> {
    associatedtype Request
    associatedtype Output

    /// What requests it does best: those of the affinity of its last one; nil for any.
    var affinity: Int? { get }

    /// - Parameters:
    ///   - deadline: When nobody waits any more; nil for never.
    ///   - ahead: For workers that can begin by themselves what comes next: gives that, once; nil where there is none. It has the affinity of
    ///     this request, and is the next one that is performed.
    /// - Throws: `LostWorker` when the worker is of no more use; any other error is that of the request alone.
    mutating func perform(_ request: Request, until deadline: ContinuousClock.Instant?, ahead: () -> Request?) throws -> Output
}

/// The worker is of no more use, and is made anew for the next request.
package struct LostWorker: Error {
    /// What the request is told.
    package var error: any Error
    /// Whether the worker may have begun the request. If not, a fresh worker gets it.
    package var hasBegun: Bool

    package init(_ error: any Error, hasBegun: Bool = true) {
        self.error = error
        self.hasBegun = hasBegun
    }
}

// MARK: - Callers

extension RenderQueue {
    /// Waits for a thread, and then for the output.
    /// - Throws: `CancellationError` as soon as the task is cancelled; `RenderPoolError` for a queue that is full or closed and for a deadline
    ///   that has passed; and what the worker throws.
    package func perform(_ request: Request, affinity: Int? = nil, within time: Duration? = nil) async throws -> Output {
        let handle = Handle(ticket: Ticket(request, affinity: affinity, within: time))
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { enter(handle, $0) }
        } onCancel: {
            cancel(handle)
        }
    }

    /// What it has done so far.
    package var statistics: RenderPoolStatistics {
        condition.withLock {
            var counts = counts
            (counts.waiting, counts.running) = (waitingCount, running.count)
            return counts
        }
    }

    /// The requests at which no worker is yet. Under the lock.
    private var waitingCount: Int { waiting.count + tracks.count { $0.waitingAhead != nil } }

    /// Takes no more requests, refuses those that wait, and lets the threads end.
    package func close() {
        let refused = condition.withLock {
            isClosed = true
            defer { waiting = [] }
            timer.cancel()
            condition.broadcast()
            return (waiting + tracks.compactMap(\.ahead)).compactMap { take($0) }
        }
        for continuation in refused { continuation.resume(throwing: RenderPoolError.closed) }
    }

    /// Waits until the threads of a closed queue have ended.
    package func end() async {
        await withCheckedContinuation { continuation in
            let isOver = condition.withLock {
                if openLanes > 0 { closers.append(continuation) }
                return openLanes == 0
            }
            if isOver { continuation.resume() }
        }
    }

    private func enter(_ handle: Handle, _ continuation: CheckedContinuation<Output, any Error>) {
        let ticket = handle.ticket
        let refusal: (any Error)? = condition.withLock {
            if ticket.isCancelled {
                counts.cancelled += 1
                return CancellationError()
            }
            if isClosed { return RenderPoolError.closed }
            guard waitingCount < limit else {
                counts.refused += 1
                return RenderPoolError.full(limit: limit)
            }
            ticket.continuation = continuation
            waiting.append(ticket)
            if let deadline = ticket.deadline { wake(by: deadline) }
            // Threads differ in what they can do.
            condition.broadcast()
            return nil
        }
        if let refusal { continuation.resume(throwing: refusal) }
    }

    private func cancel(_ handle: Handle) {
        let continuation = condition.withLock {
            handle.ticket.isCancelled = true
            waiting.removeAll { $0 === handle.ticket }
            let continuation = take(handle.ticket)
            if continuation != nil { counts.cancelled += 1 }
            return continuation
        }
        continuation?.resume(throwing: CancellationError())
    }

    /// The continuation of a caller who has no answer yet, who gets one now. Under the lock.
    private func take(_ ticket: Ticket) -> CheckedContinuation<Output, any Error>? {
        defer { ticket.continuation = nil }
        return ticket.continuation
    }
}

// MARK: - Deadlines

extension RenderQueue {
    /// Sets the timer, unless it fires before. Under the lock.
    private func wake(by deadline: ContinuousClock.Instant) {
        if let alarm, alarm <= deadline { return }
        alarm = deadline
        let seconds = max(0, (deadline - .now) / .seconds(1))
        timer.schedule(deadline: .now() + seconds)
    }

    /// Answers those whose deadline has passed. A worker that is at work for one of them goes on, or ends itself.
    private func expire() {
        let late = condition.withLock {
            alarm = nil
            let all = waiting + running + tracks.compactMap(\.ahead)
            let late = all.filter(\.isLate).compactMap { take($0) }
            waiting.removeAll { $0.continuation == nil }
            counts.expired += late.count
            let next = all.lazy.filter { $0.continuation != nil }.compactMap(\.deadline).min()
            if let next, !isClosed { wake(by: next) }
            return late
        }
        for continuation in late { continuation.resume(throwing: RenderPoolError.deadline) }
    }
}

// MARK: - Threads

extension RenderQueue {
    private func run(_ track: Track) {
        var worker: (any QueueWorker<Request, Output>)?
        while let (ticket, limit) = next(track, affinity: worker?.affinity) {
            do {
                finish(ticket, .success(try perform(ticket, until: limit, &worker, track)))
            } catch let loss as LostWorker {
                worker = nil
                note(loss, of: track)
                finish(ticket, .failure(loss.error))
            } catch {
                finish(ticket, .failure(error))
            }
        }
        worker = nil
        let closers = condition.withLock {
            openLanes -= 1
            guard openLanes == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { self.closers = [] }
            return self.closers
        }
        for closer in closers { closer.resume() }
    }

    /// Has a request done, by a fresh worker if the one at hand turns out to be dead already.
    private func perform(
        _ ticket: Ticket, until limit: ContinuousClock.Instant?, _ worker: inout (any QueueWorker<Request, Output>)?, _ track: Track
    ) throws -> Output {
        func perform(_ worker: inout any QueueWorker<Request, Output>) throws -> Output {
            try worker.perform(ticket.request, until: limit) { takeAhead(track, beside: ticket) }
        }
        if var old = worker {
            do {
                defer { worker = old }
                return try perform(&old)
            } catch let loss as LostWorker where !loss.hasBegun {
                worker = nil
                note(loss, of: track)
            }
        }
        var fresh = try track.lane.open()
        defer { worker = fresh }
        return try perform(&fresh)
    }

    /// Waits for a request that the thread can do, and says how long the worker has for it; nil when the queue is closed.
    private func next(_ track: Track, affinity: Int?) -> (Ticket, until: ContinuousClock.Instant?)? {
        condition.withLock {
            while !isClosed {
                if let ticket = track.ahead {
                    track.ahead = nil
                    begin(ticket)
                    // If nobody waits any more, the worker has as long as if it had been asked for now: it has done nothing wrong.
                    return (ticket, ticket.continuation == nil || ticket.isLate ? ticket.time.map { .now + $0 } : ticket.deadline)
                }
                if let ticket = choose(track, affinity) {
                    begin(ticket)
                    return (ticket, ticket.deadline)
                }
                condition.wait()
            }
            return nil
        }
    }

    /// Notes that a worker comes to a request. Under the lock.
    private func begin(_ ticket: Ticket) {
        running.append(ticket)
        guard ticket.continuation != nil else { return }
        let time = ContinuousClock.now - ticket.begun
        counts.timeWaiting += time
        counts.longestWait = max(counts.longestWait, time)
    }

    /// The next request for a thread: the oldest, or one soon after it that suits its worker better, or one that another worker has ahead and
    /// does not come to. Under the lock.
    private func choose(_ track: Track, _ affinity: Int?) -> Ticket? {
        let index = choose(track.lane, affinity)
        let held = held(besides: track)
        if let (other, ticket) = held.max(by: { $0.ticket.passes < $1.ticket.passes }), index == nil || isOverdue(ticket) {
            other.ahead = Ticket(ticket.request, affinity: ticket.affinity, within: ticket.time)
            return ticket
        }
        for (_, ticket) in held { ticket.passes += 1 }
        return index.map { waiting.remove(at: $0) }
    }

    /// What others have ahead, wait for and could have from this thread. Under the lock.
    private func held(besides track: Track) -> [(track: Track, ticket: Ticket)] {
        tracks.compactMap { other in
            guard other !== track, let ticket = other.waitingAhead, track.lane.accepts(ticket.request) else { return nil }
            return (other, ticket)
        }
    }

    /// Whether a worker that has a request ahead takes too long to come to it. Under the lock.
    private func isOverdue(_ ticket: Ticket) -> Bool { ticket.passes >= Self.patience * tracks.count }

    /// The place of the oldest waiting request that a lane can do, or of one soon after it that suits its worker better. Under the lock.
    private func choose(_ lane: Lane, _ affinity: Int?) -> Int? {
        guard let oldest = waiting.firstIndex(where: { lane.accepts($0.request) }) else { return nil }
        guard let affinity, waiting[oldest].affinity != affinity, waiting[oldest].passes < Self.reach else { return oldest }
        let end = min(waiting.count, oldest + Self.reach)
        guard let better = waiting[oldest..<end].firstIndex(where: { $0.affinity == affinity && lane.accepts($0.request) }) else {
            return oldest
        }
        for index in oldest..<better { waiting[index].passes += 1 }
        return better
    }

    /// Gives a worker the request that comes after the one it is at, unless other threads will soon be free for it.
    private func takeAhead(_ track: Track, beside ticket: Ticket) -> Request? {
        condition.withLock {
            guard !isClosed, track.ahead == nil, waiting.count >= tracks.count, let affinity = ticket.affinity,
                let index = choose(track.lane, affinity), waiting[index].affinity == affinity, !waiting[index].isLate
            else { return nil }
            let held = held(besides: track)
            // The thread takes that one next.
            guard !held.contains(where: { isOverdue($0.ticket) }) else { return nil }
            for (_, ticket) in held { ticket.passes += 1 }
            let next = waiting.remove(at: index)
            next.passes = 0
            track.ahead = next
            return next.request
        }
    }

    /// Counts a lost worker, and lets others do what it had ahead.
    private func note(_ loss: LostWorker, of track: Track) {
        condition.withLock {
            counts.lostWorkers += 1
            if let ticket = track.waitingAhead {
                waiting.insert(ticket, at: 0)
                condition.broadcast()
            }
            track.ahead = nil
        }
    }

    private func finish(_ ticket: Ticket, _ result: Result<Output, any Error>) {
        let continuation = condition.withLock {
            running.removeAll { $0 === ticket }
            let continuation = take(ticket)
            if continuation != nil {
                switch result {
                case .success: counts.finished += 1
                // A worker may notice it before the timer.
                case .failure(RenderPoolError.deadline): counts.expired += 1
                case .failure: counts.failed += 1
                }
            }
            return continuation
        }
        continuation?.resume(with: result)
    }
}
