import Foundation
import Testing
import Waymark

/// Workers that receive their next request while they are busy.
@Suite struct RenderQueueAheadTests {
    private let diary = Diary()

    private func queue(_ lanes: Int = 1) -> RenderQueue<Chore, Int> { FakeQueueWorker.queue(lanes, diary, takesAhead: true) }

    /// Requests chores in order: workers begin the first ones, and the others wait.
    private func ask(
        _ queue: RenderQueue<Chore, Int>, _ chores: [Chore], within time: Duration? = nil
    ) async throws -> [Task<Int, any Error>] {
        var tasks: [Task<Int, any Error>] = []
        for chore in chores {
            let before = queue.statistics.waiting
            tasks.append(Task { try await queue.perform(chore, affinity: 0, within: time) })
            try await until { queue.statistics.waiting == before + 1 }
        }
        return tasks
    }

    /// A queue of one lane whose worker is at a chore, has the number 2 ahead, and 3 waits.
    private func queueWithOneAhead(
        at first: (Gate) -> Chore = { .wait($0, 1) }, within time: Duration? = nil
    ) async throws -> (RenderQueue<Chore, Int>, Gate, [Task<Int, any Error>]) {
        let queue = queue()
        let (start, gate) = (Gate(), Gate())
        let begun = Task { try await queue.perform(.wait(start, 0), affinity: 0) }
        await start.isReached()
        let tasks =
            try await ask(queue, [first(gate)]) + ask(queue, [.give(2)], within: time) + ask(queue, [.give(3)])
        start.open()
        #expect(try await begun.value == 0)
        await gate.isReached()
        #expect(diary.ahead == [2] && queue.statistics.running == 1)
        return (queue, gate, tasks)
    }

    @Test func theNextRequestIsGivenAhead() async throws {
        let (queue, gate, tasks) = try await queueWithOneAhead()
        #expect(queue.statistics.waiting == 2, "requests that no worker has begun are waiting")
        gate.open()
        for (number, task) in tasks.enumerated() { #expect(try await task.value == number + 1) }
        #expect(diary.done == [0, 1, 2, 3] && diary.ahead == [2, 3] && queue.statistics.finished == 4)
        queue.close()
        await queue.end()
        #expect(diary.opened == 1 && diary.closed == 1)
    }

    @Test func onlyOneKindIsGivenAhead() async throws {
        let queue = queue()
        let (start, gate) = (Gate(), Gate())
        let begun = Task { try await queue.perform(.wait(start, 0), affinity: 0) }
        await start.isReached()
        let tasks = try await ask(queue, [.wait(gate, 1)])
        let other = Task { try await queue.perform(.give(100), affinity: 1) }
        let none = Task { try await queue.perform(.give(200)) }
        try await until { queue.statistics.waiting == 3 }
        start.open()
        gate.open()
        let given = (try await begun.value, try await tasks[0].value, try await other.value, try await none.value)
        #expect(given == (0, 1, 100, 200))
        #expect(diary.ahead.isEmpty)
        queue.close()
    }

    @Test func aCrashCostsOnlyWhatTheWorkerWasAt() async throws {
        let (queue, gate, tasks) = try await queueWithOneAhead(at: { .crash($0) })
        gate.open()
        await #expect(throws: RenderPoolError.lostWorker("was ended by signal 11")) { try await tasks[0].value }
        #expect(try await tasks[1].value == 2)
        #expect(try await tasks[2].value == 3)
        #expect(diary.done == [0, 2, 3] && diary.opened == 2)
        #expect(queue.statistics.failed == 1 && queue.statistics.lostWorkers == 1 && queue.statistics.finished == 3)
        queue.close()
    }

    @Test func aCancelledOneIsAnsweredAtOnceAndDoneForNothing() async throws {
        let (queue, gate, tasks) = try await queueWithOneAhead()
        tasks[1].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[1].value }
        #expect(queue.statistics.waiting == 1 && queue.statistics.cancelled == 1)
        gate.open()
        #expect(try await tasks[0].value == 1)
        #expect(try await tasks[2].value == 3)
        #expect(diary.done == [0, 1, 2, 3] && queue.statistics.finished == 3)
        queue.close()
    }

    @Test func aLateOneEndsNoWorker() async throws {
        let (queue, gate, tasks) = try await queueWithOneAhead(within: .seconds(5))
        await #expect(throws: RenderPoolError.deadline) { try await tasks[1].value }
        #expect(queue.statistics.expired == 1 && queue.statistics.waiting == 1)
        gate.open()
        #expect(try await tasks[0].value == 1)
        #expect(try await tasks[2].value == 3)
        #expect(queue.statistics.lostWorkers == 0 && diary.opened == 1)
        // No caller waits for it, and the worker still had its full time for it.
        let times = diary.entries.withLock { $0.times }
        #expect(times.count == 4 && times[2].map { $0 > .zero && $0 <= .seconds(5) } == true, "\(times)")
        queue.close()
    }

    @Test func closingRefusesIt() async throws {
        let (queue, gate, tasks) = try await queueWithOneAhead()
        queue.close()
        await #expect(throws: RenderPoolError.closed) { try await tasks[1].value }
        await #expect(throws: RenderPoolError.closed) { try await tasks[2].value }
        gate.open()
        #expect(try await tasks[0].value == 1)
        await queue.end()
        #expect(diary.done == [0, 1] && diary.closed == 1)
    }

    /// Two lanes: one whose worker is at the number 3 with 4 ahead, until the gate opens, and one that is free for all others.
    private func queueWithOneBehindASlowOne(
        _ count: Int
    ) async throws -> (RenderQueue<Chore, Int>, Gate, slow: Task<Int, any Error>, others: [Task<Int, any Error>]) {
        let queue = queue(2)
        let gates = (0..<3).map { _ in Gate() }
        let first = [1, 2].map { number in Task { try await queue.perform(.wait(gates[number - 1], number), affinity: 0) } }
        for gate in gates.prefix(2) { await gate.isReached() }
        let slow = try await ask(queue, [.wait(gates[2], 3)])[0]
        let others = try await ask(queue, (4..<4 + count).map { .give($0) })
        gates[0].open()
        await gates[2].isReached()
        #expect(diary.ahead == [4])
        gates[1].open()
        #expect(try await first[0].value == 1)
        #expect(try await first[1].value == 2)
        return (queue, gates[2], slow, others)
    }

    @Test func whatAWorkerDoesNotComeToIsGivenToAFreeOne() async throws {
        let (queue, gate, slow, others) = try await queueWithOneBehindASlowOne(3)
        for (number, task) in others.enumerated() { #expect(try await task.value == number + 4) }
        #expect(queue.statistics.running == 1 && queue.statistics.waiting == 0)
        gate.open()
        #expect(try await slow.value == 3)
        queue.close()
        await queue.end()
        let statistics = queue.statistics
        #expect(statistics.finished == 6 && statistics.failed == 0 && statistics.lostWorkers == 0, "\(statistics)")
    }

    @Test func whatAWorkerDoesNotComeToIsNotPassedOverForEver() async throws {
        let (queue, gate, slow, others) = try await queueWithOneBehindASlowOne(100)
        for (number, task) in others.enumerated() { #expect(try await task.value == number + 4) }
        let place = try #require(diary.done.firstIndex(of: 4))
        #expect(place <= 2 + 4 * 2 + 2, "\(diary.done)")
        gate.open()
        #expect(try await slow.value == 3)
        queue.close()
    }
}
