import Dispatch
import Foundation
import Glibc
import WaymarkSystem

/// Requests that wait for workers, and the answers to those who ask: the order in which workers get them, deadlines, cancellation, retries.
///
/// It has no threads and no workers, and is not about pictures. Callers are suspended, not blocked.
package final class RenderQueue<Request: Sendable, Output: Sendable>: @unchecked Sendable {
    // Unchecked: everything that changes is under `condition`, which Swift's own mutex cannot wait for.

    package typealias Answer = @Sendable (Result<Output, any Error>) -> Void

    /// A request on its way.
    package final class Ticket: @unchecked Sendable {
        // Unchecked: it changes under the queue's condition alone.
        package let request: Request
        /// How long it may take from the call on; nil for as long as it takes.
        fileprivate let time: Duration?
        fileprivate let deadline: ContinuousClock.Instant?
        /// When its worker must have answered; nil for never.
        package fileprivate(set) var workerDeadline: ContinuousClock.Instant?
        /// What requests of one kind have in common: a worker does well to do them one after the other. nil for nothing.
        fileprivate let affinity: Int?
        fileprivate let begun = ContinuousClock.now
        /// How often later requests were preferred.
        fileprivate var passes = 0
        /// How many workers were lost that had begun it.
        fileprivate var losses = 0
        /// nil before it waits, and once the caller has its answer.
        fileprivate var answer: Answer?
        fileprivate var isCancelled = false

        fileprivate init(_ request: Request, affinity: Int?, within time: Duration?) {
            self.request = request
            self.affinity = affinity
            self.time = time
            deadline = time.map { .now + $0 }
            workerDeadline = deadline
        }

        fileprivate var isLate: Bool { deadline.map { $0 <= .now } ?? false }
    }

    /// The place of a worker, which takes one request after the other.
    package final class Lane: @unchecked Sendable {
        // Unchecked: it changes under the queue's condition alone.
        /// Whether its worker can do a request.
        fileprivate let accepts: @Sendable (Request) -> Bool
        /// The request that its worker has been sent and does next. If its caller has an answer already, or another worker does it, the worker
        /// does it all the same, and the result is discarded.
        fileprivate var ahead: Ticket?

        fileprivate init(_ accepts: @escaping @Sendable (Request) -> Bool) {
            self.accepts = accepts
        }

        /// The request that still waits for the worker to come to it.
        fileprivate var waitingAhead: Ticket? { ahead?.answer == nil ? nil : ahead }
    }

    private let condition = NSCondition()
    private let limit: Int
    private let retries: Int
    private let handsOver: Bool
    private var lanes: [Lane] = []
    private var waiting: [Ticket] = []
    private var running: [Ticket] = []
    private var counts = RenderPoolStatistics()
    private var isClosed = false
    /// Wakes workers that do not wait in this queue.
    private var wake: (@Sendable () -> Void)?
    /// Those who wait for the end of all lanes.
    private var closers: [CheckedContinuation<Void, Never>] = []
    private let timer: any DispatchSourceTimer
    /// When the timer fires; nil when it does not.
    private var alarm: ContinuousClock.Instant?

    /// How many of the waiting requests are looked through for one that suits a worker, and how often one is passed over for it.
    private static var reach: Int { 16 }
    /// How many later requests each lane begins, on average, before one that a worker has ahead and does not come to is given to another.
    private static var patience: Int { 4 }

    /// - Parameters:
    ///   - limit: The most requests that wait; those beyond it are refused.
    ///   - retries: How often a request is begun again whose worker was lost.
    ///   - handsOver: Whether another worker takes over what one has ahead and does not come to, so that it is done twice.
    package init(limit: Int = .max, retries: Int = 0, handsOver: Bool = false) {
        (self.limit, self.retries, self.handsOver) = (limit, retries, handsOver)
        timer = DispatchSource.makeTimerSource(queue: .global())
        timer.setEventHandler { [weak self] in self?.expire() }
        timer.activate()
    }
}

// MARK: - Callers

extension RenderQueue {
    /// Waits for a worker, and then for the output.
    /// - Throws: `CancellationError` as soon as the task is cancelled; `RenderPoolError` for a queue that is full or closed and for a deadline
    ///   that has passed; and what the worker throws.
    package func perform(_ request: Request, affinity: Int? = nil, within time: Duration? = nil) async throws -> Output {
        let ticket = Ticket(request, affinity: affinity, within: time)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in enter(ticket) { continuation.resume(with: $0) } }
        } onCancel: {
            cancel(ticket)
        }
    }

    /// Asks for an output.
    /// - Parameter answer: Called once, on any thread, perhaps before this returns.
    @discardableResult
    package func submit(_ request: Request, affinity: Int? = nil, answer: @escaping Answer) -> Ticket {
        let ticket = Ticket(request, affinity: affinity, within: nil)
        enter(ticket, answer)
        return ticket
    }

    /// Takes a request back that no worker has yet: its answer is a `CancellationError`.
    package func takeBack(_ ticket: Ticket) {
        let answer = condition.withLock {
            guard let index = waiting.firstIndex(where: { $0 === ticket }) else { return Answer?.none }
            waiting.remove(at: index)
            counts.cancelled += 1
            return take(ticket)
        }
        answer?(.failure(CancellationError()))
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
    private var waitingCount: Int { waiting.count + lanes.count { $0.waitingAhead != nil } }

    /// Refuses new and waiting requests, and lets the workers end.
    /// - Parameter finishesAhead: Whether workers still do the requests that they have ahead. Default: those are refused, too.
    package func close(finishingAhead finishesAhead: Bool = false) {
        let refused = condition.withLock {
            isClosed = true
            var refused = waiting
            waiting = []
            if !finishesAhead {
                refused += lanes.compactMap(\.ahead)
                for lane in lanes { lane.ahead = nil }
                timer.cancel()
            }
            signal()
            return refused.compactMap { take($0) }
        }
        for answer in refused { answer(.failure(RenderPoolError.closed)) }
    }

    /// Waits until the lanes of a closed queue have ended.
    package func end() async {
        await withCheckedContinuation { continuation in
            let isOver = condition.withLock {
                if !lanes.isEmpty { closers.append(continuation) }
                return lanes.isEmpty
            }
            if isOver { continuation.resume() }
        }
    }

    private func enter(_ ticket: Ticket, _ answer: @escaping Answer) {
        let refusal: (any Error)? = condition.withLock {
            if ticket.isCancelled {
                counts.cancelled += 1
                return CancellationError()
            }
            guard !isClosed else { return RenderPoolError.closed }
            guard waitingCount < limit else {
                counts.refused += 1
                return RenderPoolError.full(limit: limit)
            }
            ticket.answer = answer
            waiting.append(ticket)
            if let deadline = ticket.deadline { wake(by: deadline) }
            signal()
            return nil
        }
        if let refusal { answer(.failure(refusal)) }
    }

    private func cancel(_ ticket: Ticket) {
        let answer = condition.withLock {
            ticket.isCancelled = true
            waiting.removeAll { $0 === ticket }
            let answer = take(ticket)
            if answer != nil { counts.cancelled += 1 }
            return answer
        }
        answer?(.failure(CancellationError()))
    }

    /// Takes the answer of a request that has not been answered. Under the lock.
    private func take(_ ticket: Ticket) -> Answer? {
        defer { ticket.answer = nil }
        return ticket.answer
    }

    /// Wakes all workers, since they accept different requests. Under the lock.
    private func signal() {
        condition.broadcast()
        wake?()
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

    /// Answers requests whose deadline has passed. A thread that does one of them continues; a process is ended.
    private func expire() {
        let late = condition.withLock {
            alarm = nil
            let all = waiting + running + lanes.compactMap(\.ahead)
            let late = all.filter(\.isLate).compactMap { take($0) }
            waiting.removeAll { $0.answer == nil }
            counts.expired += late.count
            let next = all.lazy.filter { $0.answer != nil }.compactMap(\.deadline).min()
            if let next, !isClosed { wake(by: next) }
            return late
        }
        for answer in late { answer(.failure(RenderPoolError.deadline)) }
    }
}

// MARK: - Workers

extension RenderQueue {
    /// Makes the place of a worker.
    /// - Parameter accepts: Whether the worker can do a request.
    package func addLane(accepting accepts: @escaping @Sendable (Request) -> Bool = { _ in true }) -> Lane {
        let lane = Lane(accepts)
        condition.withLock { lanes.append(lane) }
        return lane
    }

    /// The worker of a lane has ended for good.
    package func removeLane(_ lane: Lane) {
        let closers = condition.withLock {
            lanes.removeAll { $0 === lane }
            guard lanes.isEmpty else { return [CheckedContinuation<Void, Never>]() }
            defer { self.closers = [] }
            return self.closers
        }
        for closer in closers { closer.resume() }
    }

    /// Calls this, with the lock held, whenever there may be something to do.
    package func onWork(_ wake: @escaping @Sendable () -> Void) { condition.withLock { self.wake = wake } }

    package var isOver: Bool { condition.withLock { isClosed } }

    /// The number of requests that wait for a worker of a lane.
    package func waitingCount(_ lane: Lane) -> Int { condition.withLock { waiting.count { lane.accepts($0.request) } } }

    /// The next request for a worker that has nothing ahead; nil when no request waits for it.
    /// - Parameter affinity: The requests that the worker does best, if any.
    package func next(_ lane: Lane, affinity: Int?) -> Ticket? {
        condition.withLock { isClosed ? nil : choose(lane, affinity).map(begin) }
    }

    /// The same, when there is one; nil once the queue is closed. It blocks the thread.
    package func waitForNext(_ lane: Lane, affinity: Int?) -> Ticket? {
        condition.withLock {
            while !isClosed {
                if let ticket = choose(lane, affinity) { return begin(ticket) }
                condition.wait()
            }
            return nil
        }
    }

    /// Begins the request that a worker has ahead; nil when it was refused meanwhile.
    package func nextAhead(_ lane: Lane) -> Ticket? {
        condition.withLock {
            guard let ticket = lane.ahead else { return nil }
            lane.ahead = nil
            // If nobody waits any more, the worker has as long as if it had been asked for now: it has done nothing wrong.
            if ticket.answer == nil || ticket.isLate { ticket.workerDeadline = ticket.time.map { .now + $0 } }
            return begin(ticket)
        }
    }

    /// Gives a worker the request that comes after the one it is at, unless other workers will soon be free for it. It has the same affinity,
    /// and is the next one that the worker does.
    package func takeAhead(_ lane: Lane, beside ticket: Ticket) -> Request? {
        condition.withLock {
            guard !isClosed, lane.ahead == nil, waiting.count >= lanes.count, let affinity = ticket.affinity,
                let index = choose(accepted: lane, affinity), waiting[index].affinity == affinity, !waiting[index].isLate
            else { return nil }
            let held = held(besides: lane)
            // The worker takes that one next.
            guard !held.contains(where: { isOverdue($0.ticket) }) else { return nil }
            for (_, ticket) in held { ticket.passes += 1 }
            let next = waiting.remove(at: index)
            next.passes = 0
            lane.ahead = next
            return next.request
        }
    }

    /// Answers a request that a worker has done.
    package func finish(_ ticket: Ticket, _ result: Result<Output, any Error>) {
        let answer = condition.withLock {
            running.removeAll { $0 === ticket }
            let answer = take(ticket)
            if answer != nil {
                switch result {
                case .success: counts.finished += 1
                // A worker may notice it before the timer.
                case .failure(RenderPoolError.deadline): counts.expired += 1
                case .failure(RenderPoolError.closed): break
                case .failure: counts.failed += 1
                }
            }
            return answer
        }
        answer?(result)
    }

    /// Handles the loss of a worker. Another one does the request that it had ahead.
    /// - Parameters:
    ///   - ticket: The request that it was doing, if any.
    ///   - isFresh: Whether the worker had not done any request.
    /// - Returns: Whether the worker's successor does the request; otherwise it is answered.
    package func lose(_ lane: Lane, _ ticket: Ticket?, _ loss: LostWorker, isFresh: Bool) -> Bool {
        let (isRetried, isClosed, refused) = condition.withLock {
            counts.lostWorkers += 1
            let ahead = lane.waitingAhead
            lane.ahead = nil
            if let ahead, !self.isClosed {
                waiting.insert(ahead, at: 0)
                signal()
            }
            if let ticket, loss.hasBegun || isFresh { ticket.losses += 1 }
            let isRetried = ticket.map { $0.losses <= retries && $0.answer != nil } ?? false
            return (isRetried, self.isClosed, self.isClosed ? ahead.flatMap { take($0) } : nil)
        }
        refused?(.failure(RenderPoolError.closed))
        if let ticket, isClosed || !isRetried { finish(ticket, .failure(isRetried ? RenderPoolError.closed : loss.error)) }
        return isRetried && !isClosed
    }

    /// Lets another worker do a request.
    package func putBack(_ ticket: Ticket) {
        let isTaken = condition.withLock {
            guard !isClosed else { return false }
            running.removeAll { $0 === ticket }
            waiting.insert(ticket, at: 0)
            signal()
            return true
        }
        if !isTaken { finish(ticket, .failure(RenderPoolError.closed)) }
    }

    /// Answers all requests that wait for a worker of a lane.
    package func refuse(_ lane: Lane, _ error: any Error) {
        let refused = condition.withLock {
            let refused = waiting.filter { lane.accepts($0.request) }
            waiting.removeAll { lane.accepts($0.request) }
            counts.failed += refused.count
            return refused.compactMap { take($0) }
        }
        for answer in refused { answer(.failure(error)) }
    }

    /// Notes that a worker begins a request. Under the lock.
    private func begin(_ ticket: Ticket) -> Ticket {
        running.append(ticket)
        if ticket.answer != nil {
            let time = ContinuousClock.now - ticket.begun
            counts.timeWaiting += time
            counts.longestWait = max(counts.longestWait, time)
        }
        return ticket
    }

    /// The next request for a worker: the oldest, or one soon after it that suits the worker better, or one that another worker has ahead and
    /// does not come to. Under the lock.
    private func choose(_ lane: Lane, _ affinity: Int?) -> Ticket? {
        let index = choose(accepted: lane, affinity)
        let held = held(besides: lane)
        if let (other, ticket) = held.max(by: { $0.ticket.passes < $1.ticket.passes }), index == nil || isOverdue(ticket) {
            other.ahead = Ticket(ticket.request, affinity: ticket.affinity, within: ticket.time)
            return ticket
        }
        for (_, ticket) in held { ticket.passes += 1 }
        return index.map { waiting.remove(at: $0) }
    }

    /// What others have ahead, wait for and could have from this worker. Under the lock.
    private func held(besides lane: Lane) -> [(lane: Lane, ticket: Ticket)] {
        guard handsOver else { return [] }
        return lanes.compactMap { other in
            guard other !== lane, let ticket = other.waitingAhead, lane.accepts(ticket.request) else { return nil }
            return (other, ticket)
        }
    }

    /// Whether a worker that has a request ahead takes too long to come to it. Under the lock.
    private func isOverdue(_ ticket: Ticket) -> Bool { ticket.passes >= Self.patience * lanes.count }

    /// The place of the oldest waiting request that a worker can do, or of one soon after it that suits it better. Under the lock.
    private func choose(accepted lane: Lane, _ affinity: Int?) -> Int? {
        guard let oldest = waiting.firstIndex(where: { lane.accepts($0.request) }) else { return nil }
        guard let affinity, waiting[oldest].affinity != affinity, waiting[oldest].passes < Self.reach else { return oldest }
        let end = min(waiting.count, oldest + Self.reach)
        guard let better = waiting[oldest..<end].firstIndex(where: { $0.affinity == affinity && lane.accepts($0.request) }) else {
            return oldest
        }
        for index in oldest..<better { waiting[index].passes += 1 }
        return better
    }
}

/// The worker cannot be used any more, and a new one is made for the next request.
package struct LostWorker: Error {
    /// The answer to its request.
    package var error: any Error
    /// Whether the worker may have begun the request. If not, its successor gets it.
    package var hasBegun: Bool

    package init(_ error: any Error, hasBegun: Bool = true) {
        self.error = error
        self.hasBegun = hasBegun
    }
}
