import Dispatch
import Foundation
import Glibc
import WaymarkSystem

/// Passes requests to workers, and their answers to the callers. It decides the order in which workers get requests, and handles deadlines,
/// cancellation and retries.
///
/// It has no threads or workers of its own, and knows nothing about pictures. Callers are suspended, not blocked.
package final class RenderQueue<Request: Sendable, Output: Sendable>: @unchecked Sendable {
    // Unchecked, because `condition` guards all mutable state. Swift's `Mutex` cannot wait for a change.

    package typealias Answer = @Sendable (Result<Output, any Error>) -> Void

    /// A pending request.
    package final class Ticket: @unchecked Sendable {
        // Unchecked: changed only under the queue's condition.
        package let request: Request
        /// The time that the request may take, measured from the call; nil for no limit.
        fileprivate let time: Duration?
        fileprivate let deadline: ContinuousClock.Instant?
        /// The time by which its worker must have answered; nil for no limit.
        package fileprivate(set) var workerDeadline: ContinuousClock.Instant?
        /// A number that is the same for requests that a worker processes faster one after the other; nil for none.
        fileprivate let affinity: Int?
        fileprivate let begun = ContinuousClock.now
        /// The number of later requests that were preferred to this one.
        fileprivate var passes = 0
        /// The number of workers that were lost after they began this request.
        fileprivate var losses = 0
        /// Delivers the answer. Nil before the request waits, and after the caller has its answer.
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

    /// The place of a worker in the queue. A worker processes one request at a time.
    package final class Lane: @unchecked Sendable {
        // Unchecked: changed only under the queue's condition.
        /// Whether the worker can process a request.
        fileprivate let accepts: @Sendable (Request) -> Bool
        /// The request that was sent to the worker in advance. The worker processes it next, even if its caller already has an answer or
        /// another worker has taken it over; the result is then discarded.
        fileprivate var ahead: Ticket?

        fileprivate init(_ accepts: @escaping @Sendable (Request) -> Bool) {
            self.accepts = accepts
        }

        /// The request in `ahead` while it still waits for the worker.
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
    /// Continuations that wait for the end of all lanes.
    private var closers: [CheckedContinuation<Void, Never>] = []
    private let timer: any DispatchSourceTimer
    /// The time at which the timer fires; nil when it is off.
    private var alarm: ContinuousClock.Instant?

    /// The number of waiting requests that are searched for one that suits a worker. It is also the number of times that a request can be
    /// passed over for another.
    private static var reach: Int { 16 }
    /// The average number of later requests that each lane begins before a request that was sent in advance to a busy worker is given to
    /// another worker.
    private static var patience: Int { 4 }

    /// - Parameters:
    ///   - limit: The maximum number of waiting requests; further ones are refused.
    ///   - retries: The number of times that a request is repeated if its worker is lost.
    ///   - handsOver: Whether a worker takes over a request that was sent in advance to another worker and waits there too long. Both
    ///     workers then process the request.
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
    /// - Throws: `CancellationError` as soon as the task is cancelled; `RenderPoolError` if the queue is full or closed, or the deadline
    ///   has passed; and the worker's errors.
    package func perform(_ request: Request, affinity: Int? = nil, within time: Duration? = nil) async throws -> Output {
        let ticket = Ticket(request, affinity: affinity, within: time)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in enter(ticket) { continuation.resume(with: $0) } }
        } onCancel: {
            cancel(ticket)
        }
    }

    /// Submits a request.
    /// - Parameter answer: Called once, on any thread, perhaps before this method returns.
    @discardableResult
    package func submit(_ request: Request, affinity: Int? = nil, answer: @escaping Answer) -> Ticket {
        let ticket = Ticket(request, affinity: affinity, within: nil)
        enter(ticket, answer)
        return ticket
    }

    /// Withdraws a request that no worker has begun. Its answer is a `CancellationError`.
    package func takeBack(_ ticket: Ticket) {
        let answer = condition.withLock {
            guard let index = waiting.firstIndex(where: { $0 === ticket }) else { return Answer?.none }
            waiting.remove(at: index)
            counts.cancelled += 1
            return take(ticket)
        }
        answer?(.failure(CancellationError()))
    }

    /// Counts of the queue's requests.
    package var statistics: RenderPoolStatistics {
        condition.withLock {
            var counts = counts
            (counts.waiting, counts.running) = (waitingCount, running.count)
            return counts
        }
    }

    /// The number of requests that no worker has begun. Under the lock.
    private var waitingCount: Int { waiting.count + lanes.count { $0.waitingAhead != nil } }

    /// Refuses new and waiting requests, and lets the workers end.
    /// - Parameter finishesAhead: Whether workers still process requests sent to them in advance. Default: these are refused, too.
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

    /// Takes the answer closure of an unanswered request. Under the lock.
    private func take(_ ticket: Ticket) -> Answer? {
        defer { ticket.answer = nil }
        return ticket.answer
    }

    /// Wakes all workers, because they accept different requests. Under the lock.
    private func signal() {
        condition.broadcast()
        wake?()
    }
}

// MARK: - Deadlines

extension RenderQueue {
    /// Sets the timer, unless it fires earlier anyway. Under the lock.
    private func wake(by deadline: ContinuousClock.Instant) {
        if let alarm, alarm <= deadline { return }
        alarm = deadline
        let seconds = max(0, (deadline - .now) / .seconds(1))
        timer.schedule(deadline: .now() + seconds)
    }

    /// Answers requests whose deadline has passed. A thread continues with such a request; a process is ended.
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
    /// Adds a lane for a worker.
    /// - Parameter accepts: Whether the worker can process a request.
    package func addLane(accepting accepts: @escaping @Sendable (Request) -> Bool = { _ in true }) -> Lane {
        let lane = Lane(accepts)
        condition.withLock { lanes.append(lane) }
        return lane
    }

    /// Removes a lane whose worker has ended for good.
    package func removeLane(_ lane: Lane) {
        let closers = condition.withLock {
            lanes.removeAll { $0 === lane }
            guard lanes.isEmpty else { return [CheckedContinuation<Void, Never>]() }
            defer { self.closers = [] }
            return self.closers
        }
        for closer in closers { closer.resume() }
    }

    /// Sets the closure that is called, with the lock held, whenever there may be work.
    package func onWork(_ wake: @escaping @Sendable () -> Void) { condition.withLock { self.wake = wake } }

    package var isOver: Bool { condition.withLock { isClosed } }

    /// The number of waiting requests that a lane's worker accepts.
    package func waitingCount(_ lane: Lane) -> Int { condition.withLock { waiting.count { lane.accepts($0.request) } } }

    /// The next request for a worker that has no request in advance; nil if no request waits for it.
    /// - Parameter affinity: The affinity of the requests that the worker processes fastest, if any.
    package func next(_ lane: Lane, affinity: Int?) -> Ticket? {
        condition.withLock { isClosed ? nil : choose(lane, affinity).map(begin) }
    }

    /// Blocks the thread until there is a request; nil once the queue is closed.
    package func waitForNext(_ lane: Lane, affinity: Int?) -> Ticket? {
        condition.withLock {
            while !isClosed {
                if let ticket = choose(lane, affinity) { return begin(ticket) }
                condition.wait()
            }
            return nil
        }
    }

    /// Begins the request that was sent to a worker in advance. Returns nil if it was refused in the meantime.
    package func nextAhead(_ lane: Lane) -> Ticket? {
        condition.withLock {
            guard let ticket = lane.ahead else { return nil }
            lane.ahead = nil
            // If the caller already has an answer, the worker gets the full time again, because the delay was not its fault.
            if ticket.answer == nil || ticket.isLate { ticket.workerDeadline = ticket.time.map { .now + $0 } }
            return begin(ticket)
        }
    }

    /// Takes a waiting request to be sent to a worker in advance, unless other workers will soon be free for it. The request has the
    /// affinity of the worker's current request, and becomes the worker's next request.
    package func takeAhead(_ lane: Lane, beside ticket: Ticket) -> Request? {
        condition.withLock {
            guard !isClosed, lane.ahead == nil, waiting.count >= lanes.count, let affinity = ticket.affinity,
                let index = choose(accepted: lane, affinity), waiting[index].affinity == affinity, !waiting[index].isLate
            else { return nil }
            let held = held(besides: lane)
            // The worker takes that request next.
            guard !held.contains(where: { isOverdue($0.ticket) }) else { return nil }
            for (_, ticket) in held { ticket.passes += 1 }
            let next = waiting.remove(at: index)
            next.passes = 0
            lane.ahead = next
            return next.request
        }
    }

    /// Answers a request that a worker has finished.
    package func finish(_ ticket: Ticket, _ result: Result<Output, any Error>) {
        let answer = condition.withLock {
            running.removeAll { $0 === ticket }
            let answer = take(ticket)
            if answer != nil {
                switch result {
                case .success: counts.finished += 1
                // A worker may notice the deadline before the timer does.
                case .failure(RenderPoolError.deadline): counts.expired += 1
                case .failure(RenderPoolError.closed): break
                case .failure: counts.failed += 1
                }
            }
            return answer
        }
        answer?(result)
    }

    /// Handles the loss of a worker. A request that was sent to it in advance goes to another worker.
    /// - Parameters:
    ///   - ticket: The request that the worker was processing, if any.
    ///   - isFresh: Whether the worker had not finished any request.
    /// - Returns: Whether the worker's successor repeats the request; otherwise it is answered.
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

    /// Returns a request to the queue for another worker.
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

    /// Answers, with an error, all waiting requests that a lane's worker accepts.
    package func refuse(_ lane: Lane, _ error: any Error) {
        let refused = condition.withLock {
            let refused = waiting.filter { lane.accepts($0.request) }
            waiting.removeAll { lane.accepts($0.request) }
            counts.failed += refused.count
            return refused.compactMap { take($0) }
        }
        for answer in refused { answer(.failure(error)) }
    }

    /// Marks a request as begun by a worker. Under the lock.
    private func begin(_ ticket: Ticket) -> Ticket {
        running.append(ticket)
        if ticket.answer != nil {
            let time = ContinuousClock.now - ticket.begun
            counts.timeWaiting += time
            counts.longestWait = max(counts.longestWait, time)
        }
        return ticket
    }

    /// The next request for a worker: the oldest one, a slightly later one that suits the worker better, or one that was sent in advance
    /// to another worker and waits there too long. Under the lock.
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

    /// The requests that were sent in advance to other workers, and that this worker could take. Under the lock.
    private func held(besides lane: Lane) -> [(lane: Lane, ticket: Ticket)] {
        guard handsOver else { return [] }
        return lanes.compactMap { other in
            guard other !== lane, let ticket = other.waitingAhead, lane.accepts(ticket.request) else { return nil }
            return (other, ticket)
        }
    }

    /// Whether a request that was sent in advance has waited too long for its worker. Under the lock.
    private func isOverdue(_ ticket: Ticket) -> Bool { ticket.passes >= Self.patience * lanes.count }

    /// The index of the oldest waiting request that a worker accepts, or of one soon after it that suits it better. Under the lock.
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

/// The worker is no longer usable. A new one is made for the next request.
package struct LostWorker: Error {
    /// The answer to the worker's request.
    package var error: any Error
    /// Whether the worker may have begun the request. If not, its successor gets it.
    package var hasBegun: Bool

    package init(_ error: any Error, hasBegun: Bool = true) {
        self.error = error
        self.hasBegun = hasBegun
    }
}
