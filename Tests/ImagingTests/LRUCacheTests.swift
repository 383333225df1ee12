import Testing
import WaymarkImaging
import WaymarkTestSupport

@Suite struct LRUCacheTests {
    @Test func evictsTheLeastRecentlyUsed() {
        var cache = LRUCache<Int, String>()
        for key in 1...4 { cache.insert("\(key)", for: key, byteCount: 10) }
        #expect(cache.value(for: 1) == "1")
        cache.evict(through: .max, bytes: 1)
        #expect(cache.value(for: 2) == nil)
        #expect([1, 3, 4].map { cache.value(for: $0) } == ["1", "3", "4"])
        #expect(cache.count == 3 && cache.byteCount == 30)
        // Entries used for a later picture stay.
        cache.evict(through: 0, bytes: .max)
        #expect(cache.count == 3)
        cache.evict(through: .max, bytes: .max)
        #expect(cache.count == 0 && cache.byteCount == 0 && cache.oldestUse == nil)
    }

    @Test func replacingAndRemoving() {
        var cache = LRUCache<Int, String>()
        cache.insert("a", for: 1, byteCount: 10)
        cache.insert("b", for: 1, byteCount: 20)
        #expect(cache.value(for: 1) == "b" && cache.byteCount == 20)
        for key in 2...5 { cache.insert("\(key)", for: key, byteCount: 1) }
        cache.remove(1)
        cache.removeAll { $0.isMultiple(of: 2) }
        #expect(cache.count == 2 && cache.byteCount == 2)
        cache.removeAll()
        #expect(cache.count == 0 && cache.byteCount == 0)
    }

    @Test func indicesStayValidWhileValuesAreCached() {
        var cache = LRUCache<Int, String>()
        let first = cache.insert("1", for: 1, byteCount: 10)
        let second = cache.insert("2", for: 2, byteCount: 10)
        cache.touch(first)
        cache.evict(through: .max, bytes: 10)
        #expect(cache[first] == "1" && cache[second] == nil && cache[99] == nil)
        #expect(cache.index(of: 1) == first && cache.index(of: 2) == nil)
    }

    /// Against a list that is searched from end to end.
    @Test(arguments: Seeds.all) func equalsAPlainList(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var cache = LRUCache<Int, Int>()
        // The most recently used first.
        var list: [(key: Int, value: Int, bytes: Int)] = []
        for step in 0..<500 {
            let key = random.integer(0...20)
            switch random.integer(0...4) {
            case 0, 1:
                let expected = list.firstIndex { $0.key == key }
                #expect(cache.value(for: key) == expected.map { list[$0].value })
                if let expected { list.insert(list.remove(at: expected), at: 0) }
            case 2:
                let bytes = random.integer(0...60)
                var evicted: [Int] = []
                cache.evict(through: .max, bytes: bytes) { evicted.append($0) }
                var (freed, expected) = (0, [Int]())
                while freed < bytes, let last = list.popLast() {
                    freed += last.bytes
                    expected.append(last.value)
                }
                #expect(evicted == expected)
            default:
                let bytes = random.integer(0...40)
                cache.insert(step, for: key, byteCount: bytes)
                list.removeAll { $0.key == key }
                list.insert((key, step, bytes), at: 0)
            }
            #expect(cache.count == list.count && cache.byteCount == list.reduce(0) { $0 + $1.bytes })
        }
    }
}
