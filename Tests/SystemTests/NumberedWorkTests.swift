import Synchronization
import Testing
import WaymarkSystem

/// Every piece is done once, whatever the number of threads.
struct NumberedWorkTests {
    @Test(arguments: [0, 1, 2, 7, 1000], [-1, 0, 1, 2, 8])
    func eachNumberIsTakenOnce(count: Int, threads: Int) {
        let calls = Mutex([Int](repeating: 0, count: count))
        NumberedWork.perform(count, threads: threads) { number, thread in
            #expect(thread >= 0 && thread < max(1, threads))
            calls.withLock { $0[number] += 1 }
        }
        #expect(calls.withLock { $0 } == [Int](repeating: 1, count: count))
    }

    @Test(arguments: [0, 1, 2, 7, 1000], [0, 1, 2, 8])
    func resultsAreInOrder(count: Int, threads: Int) {
        #expect(NumberedWork.results(count, threads: threads) { "\($0)" } == (0..<count).map { "\($0)" })
    }
}
