import Foundation
import Synchronization
import Testing
import Waymark
import WaymarkTestSupport

/// The queue behind a pool, with workers that draw nothing.
@Suite struct RenderQueueTests {
    private let diary = Diary()

    private func queue(_ lanes: Int = 1, limit: Int = 1000, takesAhead: Bool = false) -> RenderQueue<Chore, Int> {
        FakeQueueWorker.queue(lanes, diary, limit: limit, takesAhead: takesAhead)
    }

    @Test func everyRequestHasItsAnswer() async throws {
        let queue = queue(4)
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<500 { group.addTask { try await queue.perform(.give(number)) } }
            return try await group.reduce(0, +)
        }
        #expect(sum == 499 * 250)
        let statistics = queue.statistics
        #expect(statistics.finished == 500 && statistics.waiting == 0 && statistics.running == 0)
        queue.close()
        await queue.end()
        #expect(diary.opened == diary.closed && (1...4).contains(diary.opened))
    }

    @Test func anErrorIsThatOfItsRequest() async throws {
        let queue = queue()
        await #expect(throws: ChoreError.self) { try await queue.perform(.fail) }
        #expect(try await queue.perform(.give(7)) == 7)
        #expect(diary.opened == 1 && queue.statistics.failed == 1 && queue.statistics.lostWorkers == 0)
        queue.close()
    }

    @Test func aLostWorkerCostsOneRequest() async throws {
        let queue = queue()
        #expect(try await queue.perform(.give(1)) == 1)
        await #expect(throws: RenderPoolError.lostWorker("was ended by signal 11")) { try await queue.perform(.crash(nil)) }
        #expect(try await queue.perform(.give(2)) == 2)
        #expect(diary.opened == 2 && diary.closed == 1 && queue.statistics.lostWorkers == 1)
        queue.close()
    }

    @Test(arguments: [1, 3]) func aWorkerThatWasDeadBeforeItsRequestCostsNothing(_ lanes: Int) async throws {
        let queue = queue(lanes)
        _ = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<30 { group.addTask { try await queue.perform(.give(number)) } }
            return try await group.reduce(0, +)
        }
        let opened = diary.opened
        diary.killAll()
        #expect(try await queue.perform(.give(2)) == 2)
        // Several dead workers may receive the request, one after the other, and each is replaced.
        let lost = queue.statistics.lostWorkers
        #expect((lanes == 1 ? 1...1 : 0...lanes).contains(lost) && queue.statistics.failed == 0)
        #expect((opened...opened + lanes).contains(diary.opened))
        queue.close()
        await queue.end()
        #expect(diary.opened == diary.closed)
    }

    @Test func aFreshWorkerThatIsDeadFailsTheRequest() async throws {
        let queue = queue()
        #expect(try await queue.perform(.give(1)) == 1)
        diary.killAll(withThoseToCome: true)
        await #expect(throws: RenderPoolError.lostWorker("had ended")) { try await queue.perform(.give(2)) }
        #expect(diary.opened == 2 && diary.closed == 2 && queue.statistics.lostWorkers == 2 && queue.statistics.failed == 1)
        queue.close()
    }

    @Test func aWorkerThatDoesNotOpen() async throws {
        let tries = Mutex(0)
        let diary = diary
        let queue = RenderQueue<Chore, Int>()
        queue.startThread {
            let number = tries.withLock {
                $0 += 1
                return $0
            }
            if number < 3 { throw RenderPoolError.unavailable("no device was found") }
            return FakeQueueWorker(diary)
        }
        for _ in 0..<2 {
            await #expect(throws: RenderPoolError.unavailable("no device was found")) { try await queue.perform(.give(1)) }
        }
        #expect(try await queue.perform(.give(2)) == 2)
        queue.close()
    }

    @Test func whoeverIsCancelledHasAnAnswerAtOnce() async throws {
        let queue = queue()
        let gate = Gate()
        let running = Task { try await queue.perform(.wait(gate, 1)) }
        await gate.isReached()
        let waiting = Task { try await queue.perform(.give(2)) }
        try await until { queue.statistics.waiting == 1 }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        // The worker is still busy with it, and then continues with the next request.
        #expect(queue.statistics.running == 1 && queue.statistics.cancelled == 2)
        gate.open()
        #expect(try await queue.perform(.give(3)) == 3)
        #expect(diary.done == [1, 3])
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await queue.perform(.give(4))
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        #expect(diary.done == [1, 3] && queue.statistics.cancelled == 3)
        queue.close()
    }

    @Test func deadlines() async throws {
        let queue = queue()
        let gate = Gate()
        let running = Task { try await queue.perform(.wait(gate, 1), within: .milliseconds(50)) }
        let waiting = Task { try await queue.perform(.give(2), within: .milliseconds(30)) }
        await #expect(throws: RenderPoolError.deadline) { try await running.value }
        await #expect(throws: RenderPoolError.deadline) { try await waiting.value }
        #expect(queue.statistics.expired == 2)
        gate.open()
        #expect(try await queue.perform(.give(3), within: .seconds(60)) == 3)
        queue.close()
    }

    @Test func whatIsTooMuchIsRefused() async throws {
        let queue = queue(1, limit: 2)
        let gate = Gate()
        let running = Task { try await queue.perform(.wait(gate, 0)) }
        await gate.isReached()
        let waiting = (1...2).map { number in Task { try await queue.perform(.give(number)) } }
        try await until { queue.statistics.waiting == 2 }
        await #expect(throws: RenderPoolError.full(limit: 2)) { try await queue.perform(.give(3)) }
        #expect(queue.statistics.refused == 1)
        gate.open()
        for task in waiting { _ = try await task.value }
        #expect(try await running.value == 0)
        #expect(try await queue.perform(.give(4)) == 4)
        #expect(queue.statistics.longestWait > .zero)
        queue.close()
    }

    @Test func closing() async throws {
        let queue = queue()
        let gate = Gate()
        let running = Task { try await queue.perform(.wait(gate, 1)) }
        await gate.isReached()
        let waiting = Task { try await queue.perform(.give(2)) }
        try await until { queue.statistics.waiting == 1 }
        queue.close()
        await #expect(throws: RenderPoolError.closed) { try await waiting.value }
        await #expect(throws: RenderPoolError.closed) { try await queue.perform(.give(3)) }
        gate.open()
        #expect(try await running.value == 1)
        await queue.end()
        #expect(diary.closed == 1)
        await queue.end()
    }

    @Test func aThreadTakesWhatItCanDo() async throws {
        let (small, large) = (Diary(), Diary())
        let queue = RenderQueue<Chore, Int>()
        queue.startThread(accepting: { if case .give(let number) = $0 { number < 10 } else { false } }) { FakeQueueWorker(small) }
        queue.startThread(accepting: { if case .give(let number) = $0 { number >= 10 } else { false } }) { FakeQueueWorker(large) }
        for number in 0..<20 { _ = try await queue.perform(.give(number)) }
        #expect(small.done == Array(0..<10) && large.done == Array(10..<20))
        queue.close()
    }

    /// Two alternating kinds of requests: a worker handles the requests of one kind together, and still gets to the others.
    @Test func aWorkerPrefersWhatItHasJustDone() async throws {
        let queue = queue()
        let gate = Gate()
        let first = Task { try await queue.perform(.wait(gate, 0)) }
        await gate.isReached()
        var tasks: [Task<Int, any Error>] = []
        for number in 0..<40 {
            let kind = number % 2 + 1
            tasks.append(Task { try await queue.perform(.give(kind * 100 + number), affinity: kind) })
            try await until { queue.statistics.waiting == number + 1 }
        }
        gate.open()
        _ = try await first.value
        for task in tasks { _ = try await task.value }
        let kinds = diary.done.dropFirst().map { $0 / 100 }
        let changes = zip(kinds, kinds.dropFirst()).count { $0 != $1 }
        #expect(kinds.count == 40 && changes <= 6, "\(kinds)")
        // In their order within a kind.
        for kind in 1...2 {
            let done = diary.done.filter { $0 / 100 == kind }
            #expect(done == done.sorted())
        }
        queue.close()
    }

    @Test(arguments: [false, true]) func nothingIsStuckWhateverIsCancelled(_ takesAhead: Bool) async throws {
        let queue = queue(3, limit: 5000, takesAhead: takesAhead)
        let rounds = Seeds.isFull ? 10_000 : 2000
        let ends = await withTaskGroup(of: String.self) { group in
            for number in 0..<rounds {
                var random = SplitMix64(seed: UInt64(number))
                let choice = random.next() % 6
                group.addTask {
                    let task = Task {
                        switch choice {
                        case 0: try await queue.perform(.fail, affinity: 0)
                        case 1: try await queue.perform(.crash(nil), affinity: 1)
                        case 2: try await queue.perform(.give(number), within: .microseconds(200))
                        default: try await queue.perform(.give(number), affinity: number % 3)
                        }
                    }
                    if choice >= 4 { task.cancel() }
                    do {
                        _ = try await task.value
                        return "done"
                    } catch {
                        return "\(type(of: error))"
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(ends.values.reduce(0, +) == rounds)
        let statistics = queue.statistics
        #expect(statistics.waiting == 0)
        #expect(
            statistics.finished + statistics.failed + statistics.cancelled + statistics.expired + statistics.refused == rounds,
            "\(statistics)")
        #expect(statistics.finished == ends["done"] && statistics.cancelled == ends["CancellationError"] ?? 0)
        queue.close()
        await queue.end()
        #expect(diary.opened == diary.closed)
    }
}
