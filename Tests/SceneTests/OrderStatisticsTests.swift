import Testing
import WaymarkScene
import WaymarkTestSupport

@Suite struct OrderStatisticsTests {
    private func check(_ values: [Double], _ ranks: [Int]) {
        let moved = OrderStatistics.moved(in: values, ranks: ranks)
        let sorted = values.sorted()
        #expect(ranks.allSatisfy { $0 >= values.count || moved[$0] == sorted[$0] })
        #expect(moved.sorted() == sorted)
    }

    @Test(arguments: Seeds.all) func elementsAreThoseOfTheSortedOrder(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let count = random.integer(1...3000)
        // From few different values to many.
        let range = [3, 50, 1_000_000][random.integer(0...2)]
        let values = (0..<count).map { _ in Double(random.integer(-range...range)) }
        check(values, (0..<random.integer(1...12)).map { _ in random.integer(0...count) }.sorted())
    }

    @Test func anyOrderIsPossible() {
        let rising = (0..<1000).map(Double.init)
        let lists: [[Double]] = [rising, rising.reversed(), rising.map { $0 < 500 ? $0 : 1000 - $0 }, rising.map { _ in 7 }, [5], [2, 1]]
        for values in lists {
            check(values, [0, 1, 333, 334, 999, 1000])
        }
    }
}
