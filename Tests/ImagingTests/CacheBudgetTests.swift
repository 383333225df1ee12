import Testing
import WaymarkImaging
import WaymarkTestSupport

@Suite struct CacheBudgetTests {
    /// A cache whose entries record when they were used.
    private final class Listed: BudgetedCache, @unchecked Sendable {
        /// The least recently used first.
        var entries: [(name: String, use: UInt64, bytes: Int)] = []
        /// Whether another thread is using it.
        var isBusy = false

        var keptBytes: Int { entries.reduce(0) { $0 + $1.bytes } }
        var oldestUse: UInt64? { isBusy ? nil : entries.first?.use }

        func evict(through picture: UInt64, bytes: Int) {
            guard !isBusy else { return }
            var left = bytes
            while left > 0, let first = entries.first, first.use <= picture {
                left -= first.bytes
                entries.removeFirst()
            }
        }
    }

    /// Against one list of all entries, sorted by use.
    @Test(arguments: Seeds.all) func evictsFromSeveralCachesAsFromOne(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            var all: [(use: UInt64, cache: Int, name: String, bytes: Int)] = []
            let caches = (0..<random.integer(1...5)).map { number in
                let cache = Listed()
                cache.isBusy = random.once(in: 6)
                var use: UInt64 = 0
                for index in 0..<random.integer(0...12) {
                    use += UInt64(random.integer(0...3))
                    let entry = (name: "\(number)/\(index)", use: use, bytes: random.integer(1...40))
                    cache.entries.append(entry)
                    if !cache.isBusy { all.append((use, number, entry.name, entry.bytes)) }
                }
                return cache
            }
            let (bytes, picture) = (random.integer(0...400), random.once(in: 3) ? UInt64.max : UInt64(random.integer(0...30)))
            // Stable, so that entries of one cache and picture stay in their order.
            let order = all.enumerated().sorted { ($0.1.use, $0.1.cache, $0.0) < ($1.1.use, $1.1.cache, $1.0) }.map(\.1)
            var (left, gone) = (bytes, Set<String>())
            for entry in order where left > 0 && entry.use <= picture {
                left -= entry.bytes
                gone.insert(entry.name)
            }
            let before = Set(caches.flatMap { $0.entries.map(\.name) })
            CacheBudget.evict(bytes, through: picture, caches)
            #expect(before.subtracting(caches.flatMap { $0.entries.map(\.name) }) == gone)
        }
    }

    @Test func whatThePictureNeedsStaysUntilItsEnd() {
        let budget = CacheBudget(byteLimit: 100, isAlone: true)
        let (textures, texts, layout) = (Listed(), Listed(), Listed())
        textures.entries = [("old", 1, 40), ("new", 5, 40)]
        texts.entries = [("older", 2, 30), ("newer", 6, 30)]
        layout.entries = [("oldest", 0, 30), ("newest", 6, 30)]
        budget.add(layout)
        #expect(budget.keptBytes([textures, texts]) == 200)
        budget.makeRoom(for: 50, since: 5, [textures, texts])
        #expect(textures.entries.map(\.name) == ["new"])
        #expect(texts.entries.map(\.name) == ["newer"] && layout.entries.map(\.name) == ["newest"])
        // All of it is needed, so it is more than the limit.
        budget.makeRoom(for: 1000, since: 5, [textures, texts])
        #expect(budget.keptBytes([textures, texts]) == 100)
        textures.entries.append(("now", 7, 15))
        budget.trim([textures, texts])
        #expect(textures.entries.map(\.name) == ["now"] && budget.keptBytes([textures, texts]) == 75)
        budget.purge([textures, texts])
        #expect(budget.keptBytes([textures, texts]) == 0)
    }

    @Test func layoutsCountOnceAndOnlyWhileTheyLive() {
        let budget = CacheBudget(byteLimit: 100, isAlone: true)
        var layout: Listed? = Listed()
        layout?.entries = [("a", 1, 10)]
        for _ in 0..<3 { if let layout { budget.add(layout) } }
        #expect(budget.keptBytes([]) == 10)
        if let layout { budget.remove(layout) }
        #expect(budget.keptBytes([]) == 0)
        if let layout { budget.add(layout) }
        layout = nil
        #expect(budget.keptBytes([]) == 0)
    }

    @Test func fromAnotherThreadOnlyLayoutsAreTrimmed() {
        let budget = CacheBudget(byteLimit: 100, isAlone: true)
        let (own, layout) = (Listed(), Listed())
        own.entries = [("old", 1, 80)]
        budget.trim([own])
        layout.entries = [("a", 2, 15), ("b", 3, 15)]
        budget.add(layout)
        budget.trimLayouts()
        #expect(own.entries.count == 1 && layout.entries.map(\.name) == ["b"])
    }

    @Test func aBudgetOfNothingKeepsNothing() {
        let budget = CacheBudget(byteLimit: 0, isAlone: true)
        let own = Listed()
        own.entries = [("a", .max - 1, 1)]
        budget.trim([own])
        #expect(own.entries.isEmpty)
    }

    private struct Counting: PixelSource {
        let count: @Sendable () -> Void

        func makePixels() -> Bitmap {
            count()
            return Bitmap(width: 16, height: 16, fill: .red)
        }
    }

    @Test func pixelsAreMadeAgainAfterTheyWereEvicted() async {
        let store = PixelStore()
        await confirmation(expectedCount: 2) { made in
            let source = Counting { made() }
            let first = store.bitmap(of: 1, source)
            #expect(store.bitmap(of: 1, source) == first && store.cache.keptBytes == 1024)
            store.cache.evict(through: .max, bytes: .max)
            #expect(store.cache.keptBytes == 0 && store.bitmap(of: 1, source) == first)
        }
    }
}
