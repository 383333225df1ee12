import Foundation
import Synchronization
import Testing
import Waymark

/// Instructions for a fake worker.
enum Chore: Sendable {
    /// Gives the number back.
    case give(Int)
    /// Waits until the gate is open, then gives the number back.
    case wait(Gate, Int)
    case fail
    /// Ends the worker, once the gate is open.
    case crash(Gate?)

    var number: Int? {
        switch self {
        case .give(let number), .wait(_, let number): number
        case .fail, .crash: nil
        }
    }
}

struct ChoreError: Error, Equatable {}

/// Lets callers pass once it is open, and reports waiting callers.
final class Gate: Sendable {
    private let opened = DispatchSemaphore(value: 0)
    private let reached = DispatchSemaphore(value: 0)

    func pass() {
        reached.signal()
        opened.wait()
        opened.signal()
    }

    func open() { opened.signal() }

    /// Waits for a worker, on a separate thread.
    func isReached() async {
        await withCheckedContinuation { continuation in
            Thread { [reached] in
                reached.wait()
                continuation.resume()
            }.start()
        }
    }
}

/// The record of all fake workers of a test.
final class Diary: Sendable {
    struct Entries {
        var opened = 0
        var closed = 0
        var done: [Int] = []
        /// The requests handed to workers ahead.
        var ahead: [Int] = []
        /// How long after they began their deadlines were.
        var times: [Duration?] = []
        /// The workers up to this one are dead.
        var lastDead = 0
    }

    let entries = Mutex(Entries())
    var opened: Int { entries.withLock { $0.opened } }
    var closed: Int { entries.withLock { $0.closed } }
    var done: [Int] { entries.withLock { $0.done } }
    var ahead: [Int] { entries.withLock { $0.ahead } }

    /// All workers are dead from now on, and notice it when they get a request.
    func killAll(withThoseToCome: Bool = false) { entries.withLock { $0.lastDead = withThoseToCome ? .max : $0.opened } }
}

final class FakeQueueWorker: QueueWorker {
    let diary: Diary
    let number: Int
    var affinity: Int?
    /// The request handed to the worker ahead.
    private(set) var next: Chore?

    init(_ diary: Diary) {
        self.diary = diary
        number = diary.entries.withLock {
            $0.opened += 1
            return $0.opened
        }
    }

    deinit { diary.entries.withLock { $0.closed += 1 } }

    /// - Parameter takesAhead: Whether a worker receives its next request while it works on another one, like a process.
    static func queue(_ lanes: Int, _ diary: Diary, limit: Int = 1000, takesAhead: Bool = false) -> RenderQueue<Chore, Int> {
        let queue = RenderQueue<Chore, Int>(limit: limit, handsOver: true)
        for _ in 0..<lanes {
            if takesAhead {
                let lane = queue.addLane()
                Thread { run(queue, lane, diary) }.start()
            } else {
                queue.startThread { FakeQueueWorker(diary) }
            }
        }
        return queue
    }

    private static func run(_ queue: RenderQueue<Chore, Int>, _ lane: RenderQueue<Chore, Int>.Lane, _ diary: Diary) {
        var worker: FakeQueueWorker?
        while let ticket = worker?.next == nil ? queue.waitForNext(lane, affinity: worker?.affinity) : queue.nextAhead(lane) {
            var isDue = true
            while isDue {
                isDue = false
                let isFresh = worker == nil
                let current = worker ?? FakeQueueWorker(diary)
                worker = current
                do {
                    let output = try current.perform(ticket.request, until: ticket.workerDeadline) {
                        queue.takeAhead(lane, beside: ticket)
                    }
                    queue.finish(ticket, .success(output))
                } catch let loss as LostWorker {
                    worker = nil
                    isDue = queue.lose(lane, ticket, loss, isFresh: isFresh)
                } catch {
                    queue.finish(ticket, .failure(error))
                }
            }
        }
        worker = nil
        queue.removeLane(lane)
    }

    func perform(_ request: Chore) throws -> Int { try perform(request, until: nil) { nil } }

    private func perform(_ request: Chore, until deadline: ContinuousClock.Instant?, ahead: () -> Chore?) throws -> Int {
        if let next {
            #expect(next.number == request.number, "the request handed over ahead comes next")
        } else if number <= diary.entries.withLock({ $0.lastDead }) {
            throw LostWorker(RenderPoolError.lostWorker("had ended"), hasBegun: false)
        }
        next = ahead()
        diary.entries.withLock {
            if let number = next?.number { $0.ahead.append(number) }
            $0.times.append(deadline.map { $0 - .now })
        }
        switch request {
        case .give(let number):
            affinity = number / 100
            return done(number)
        case .wait(let gate, let number):
            gate.pass()
            return done(number)
        case .fail: throw ChoreError()
        case .crash(let gate):
            gate?.pass()
            throw LostWorker(RenderPoolError.lostWorker("was ended by signal 11"))
        }
    }

    private func done(_ number: Int) -> Int {
        diary.entries.withLock { $0.done.append(number) }
        return number
    }
}

/// Waits for a condition, for at most a minute.
func until(_ condition: () -> Bool) async throws {
    let patience = ContinuousClock.now + .seconds(60)
    while !condition() {
        try #require(.now < patience, "it does not happen")
        try await Task.sleep(for: .milliseconds(1))
    }
}
