import Testing
import WaymarkImaging
import WaymarkTestSupport

@Suite struct LRUCacheTests {
    @Test func evictsTheLeastRecentlyUsed() {
        var cache = LRUCache<Int, String>(byteLimit: 30)
        for key in 1...3 { cache.insert("\(key)", for: key, byteCount: 10) }
        #expect(cache.value(for: 1) == "1")
        cache.insert("4", for: 4, byteCount: 10)
        #expect(cache.value(for: 2) == nil)
        #expect([1, 3, 4].map { cache.value(for: $0) } == ["1", "3", "4"])
        #expect(cache.count == 3 && cache.byteCount == 30)
    }

    @Test func replacingAndTooLargeValues() {
        var cache = LRUCache<Int, String>(byteLimit: 30)
        cache.insert("a", for: 1, byteCount: 10)
        cache.insert("b", for: 1, byteCount: 20)
        #expect(cache.value(for: 1) == "b" && cache.byteCount == 20)
        cache.insert("c", for: 2, byteCount: 31)
        #expect(cache.value(for: 2) == nil && cache.count == 1)
        cache.removeAll()
        #expect(cache.count == 0 && cache.byteCount == 0)
    }

    @Test func pinnedValuesStayUntilUnpinned() {
        var cache = LRUCache<Int, String>(byteLimit: 30)
        for key in 1...3 { cache.insert("\(key)", for: key, byteCount: 10) }
        cache.pinUses()
        #expect(cache.value(for: 1) == "1")
        for key in 4...7 { cache.insert("\(key)", for: key, byteCount: 10) }
        #expect(cache.value(for: 2) == nil && cache.value(for: 3) == nil)
        #expect(cache.count == 5 && cache.byteCount == 50)
        cache.unpinUses()
        #expect(cache.count == 3 && cache.byteCount == 30)
        #expect([5, 6, 7].allSatisfy { cache.value(for: $0) != nil })
    }

    /// Against a list that is searched from end to end.
    @Test(arguments: Seeds.all) func equalsAPlainList(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var cache = LRUCache<Int, Int>(byteLimit: 100)
        // The most recently used first.
        var list: [(key: Int, value: Int, bytes: Int)] = []
        for step in 0..<500 {
            let key = random.integer(0...20)
            if random.once(in: 2) {
                let expected = list.firstIndex { $0.key == key }
                #expect(cache.value(for: key) == expected.map { list[$0].value })
                if let expected { list.insert(list.remove(at: expected), at: 0) }
            } else {
                let bytes = random.integer(0...40)
                cache.insert(step, for: key, byteCount: bytes)
                list.removeAll { $0.key == key }
                while list.reduce(bytes, { $0 + $1.bytes }) > 100 { list.removeLast() }
                list.insert((key, step, bytes), at: 0)
            }
            #expect(cache.count == list.count && cache.byteCount == list.reduce(0) { $0 + $1.bytes })
        }
    }
}
