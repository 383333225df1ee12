import Testing
import Waymark
import WaymarkBatch

@Suite struct ShardTests {
    @Test func everyJobIsInOneShard() {
        let shards = (0..<7).compactMap { Shard(index: $0, count: 7) }
        #expect(shards.count == 7)
        var counts = [Int](repeating: 0, count: 7)
        for number in 0..<7000 {
            let holding = shards.indices.filter { shards[$0].contains(id: "card-\(number)") }
            #expect(holding.count == 1)
            counts[holding[0]] += 1
        }
        #expect(counts.allSatisfy { (800...1200).contains($0) }, "\(counts)")
    }

    /// FNV-1a's own test vectors: a shard is the same on every machine, forever.
    @Test func fingerprints() {
        #expect(Fingerprint("".utf8).text == "cbf29ce484222325")
        #expect(Fingerprint("a".utf8).text == "af63dc4c8601ec8c")
        #expect(Fingerprint("foobar".utf8).text == "85944171f73967e8")
        var two = Fingerprint()
        two.add("ab")
        two.add("c")
        var other = Fingerprint()
        other.add("a")
        other.add("bc")
        #expect(two != other)
    }

    @Test func words() {
        #expect(Shard("0/4") == Shard(index: 0, count: 4))
        #expect(Shard("3/4") == Shard(index: 3, count: 4))
        #expect(Shard("0/1") == .whole)
        for wrong in ["4/4", "-1/4", "0/0", "1", "", "/", "1/", "a/b", "1/2/3", "0/-1", "1.5/4"] {
            #expect(Shard(wrong) == nil, "\(wrong)")
        }
    }
}
