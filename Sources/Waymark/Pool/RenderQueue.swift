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
        let deadline: ContinuousClock.Instant?
        /// What requests of one kind have in common: a worker does well to do them one after the other. nil for nothing.
        let affinity: Int?
        let begun = ContinuousClock.now
        /// How often later requests were preferred.
        var passes = 0
        /// nil before it waits, and once the caller has its answer.
        var continuation: CheckedContinuation<Output, any Error>?
        var isCancelled = false

        init(_ request: Request, affinity: Int?, deadline: ContinuousClock.Instant?) {
            self.request = request
            self.affinity = affinity
            self.deadline = deadline
        }
    }

    /// A ticket in the hands of a task and its cancellation.
    private struct Handle: @unchecked Sendable {
        // Unchecked: a ticket changes under the queue's condition alone.
        let ticket: Ticket
    }

    private let condition = NSCondition()
    /// The most requests that wait.
    private let limit: Int
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

    /// - Parameters:
    ///   - lanes: The threads.
    ///   - limit: The most requests that wait; those beyond it are refused.
    package init(_ lanes: [Lane], limit: Int) {
        self.limit = limit
        timer = DispatchSource.makeTimerSource(queue: .global())
        openLanes = lanes.count
        timer.setEventHandler { [weak self] in self?.expire() }
        timer.activate()
        for (number, lane) in lanes.enumerated() {
            let thread = Thread { [self] in run(lane) }
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

    /// - Parameter deadline: When nobody waits any more; nil for never.
    /// - Throws: `LostWorker` when the worker is of no more use; any other error is that of the request alone.
    mutating func perform(_ request: Request, until deadline: ContinuousClock.Instant?) throws -> Output
}

/// The worker is of no more use, and is made anew for the next request.
package struct LostWorker: Error {
    /// What the request is told.
    package var error: any Error

    package init(_ error: any Error) { self.error = error }
}

// MARK: - Callers

extension RenderQueue {
    /// Waits for a thread, and then for the output.
    /// - Throws: `CancellationError` as soon as the task is cancelled; `RenderPoolError` for a queue that is full or closed and for a deadline
    ///   that has passed; and what the worker throws.
    package func perform(_ request: Request, affinity: Int? = nil, within time: Duration? = nil) async throws -> Output {
        let handle = Handle(ticket: Ticket(request, affinity: affinity, deadline: time.map { .now + $0 }))
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
            (counts.waiting, counts.running) = (waiting.count, running.count)
            return counts
        }
    }

    /// Takes no more requests, refuses those that wait, and lets the threads end.
    package func close() {
        let refused = condition.withLock {
            isClosed = true
            defer { waiting = [] }
            timer.cancel()
            condition.broadcast()
            return waiting.compactMap { take($0) }
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
            guard waiting.count < limit else {
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
            let now = ContinuousClock.now
            alarm = nil
            func isLate(_ ticket: Ticket) -> Bool { ticket.deadline.map { $0 <= now } ?? false }
            let late = (waiting + running).filter(isLate).compactMap { take($0) }
            waiting.removeAll(where: isLate)
            counts.expired += late.count
            let next = (waiting + running).lazy.filter { $0.continuation != nil }.compactMap(\.deadline).min()
            if let next, !isClosed { wake(by: next) }
            return late
        }
        for continuation in late { continuation.resume(throwing: RenderPoolError.deadline) }
    }
}

// MARK: - Threads

extension RenderQueue {
    private func run(_ lane: Lane) {
        var worker: (any QueueWorker<Request, Output>)?
        while let ticket = next(lane, affinity: worker?.affinity) {
            let result: Result<Output, any Error>
            var isLost = false
            do {
                if worker == nil { worker = try lane.open() }
                result = try perform(ticket, &worker)
            } catch let loss as LostWorker {
                (result, isLost) = (.failure(loss.error), true)
            } catch {
                result = .failure(error)
            }
            if isLost { worker = nil }
            finish(ticket, result, isLost: isLost)
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

    private func perform(_ ticket: Ticket, _ worker: inout (any QueueWorker<Request, Output>)?) throws -> Result<Output, any Error> {
        guard var opened = worker else { return .failure(RenderPoolError.closed) }
        defer { worker = opened }
        return .success(try opened.perform(ticket.request, until: ticket.deadline))
    }

    /// Waits for a request that the thread can do; nil when the queue is closed.
    private func next(_ lane: Lane, affinity: Int?) -> Ticket? {
        condition.withLock {
            while true {
                if let index = choose(lane, affinity) {
                    let ticket = waiting.remove(at: index)
                    running.append(ticket)
                    let time = ContinuousClock.now - ticket.begun
                    counts.timeWaiting += time
                    counts.longestWait = max(counts.longestWait, time)
                    return ticket
                }
                if isClosed { return nil }
                condition.wait()
            }
        }
    }

    /// The oldest request that the thread can do, or one soon after it that suits its worker better. Under the lock.
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

    private func finish(_ ticket: Ticket, _ result: Result<Output, any Error>, isLost: Bool) {
        let continuation = condition.withLock {
            running.removeAll { $0 === ticket }
            if isLost { counts.lostWorkers += 1 }
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
