/// Different names and the line of each, in the bytes of the names and 16 bytes more: a million jobs are to fit beside their workers,
/// and a dictionary of strings takes four times that.
struct NameTable {
    private var bytes: [UInt8] = []
    /// Where each name ends in `bytes`.
    private var ends: [Int] = []
    private var lines: [Int32] = []
    /// Open addressing: a name's place + 1, 0 where there is none. A power of two, at most half full.
    private var buckets = [Int32](repeating: 0, count: 64)

    var count: Int { ends.count }

    /// The name that was put in as the `place`th, from 0.
    subscript(place: Int) -> String { String(decoding: bytes[range(place)], as: UTF8.self) }

    /// The place of a name; nil when it is not there.
    func place(of name: String) -> Int? {
        let held = Int(buckets[bucket(name)])
        return held == 0 ? nil : held - 1
    }

    /// Puts a name in, at the end. When it is there already, nothing changes, and the line it came with is told.
    /// - Parameter line: below 2³¹, as the count of names is.
    mutating func insert(_ name: String, line: Int) -> Int? {
        let bucket = bucket(name)
        if buckets[bucket] != 0 { return Int(lines[Int(buckets[bucket]) - 1]) }
        bytes += name.utf8
        ends.append(bytes.count)
        lines.append(Int32(line))
        buckets[bucket] = Int32(ends.count)
        if ends.count * 2 > buckets.count { grow() }
        return nil
    }

    private func range(_ place: Int) -> Range<Int> { (place == 0 ? 0 : ends[place - 1])..<ends[place] }

    /// Where the name is, or the empty bucket where it would be.
    private func bucket(_ name: String) -> Int {
        var bucket = home(name.utf8)
        while buckets[bucket] != 0, !bytes[range(Int(buckets[bucket]) - 1)].elementsEqual(name.utf8) {
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        return bucket
    }

    private func home(_ name: some Sequence<UInt8>) -> Int {
        let hash = Fingerprint(name).value
        return Int(truncatingIfNeeded: hash ^ hash >> 32) & (buckets.count - 1)
    }

    private mutating func grow() {
        buckets = [Int32](repeating: 0, count: buckets.count * 2)
        for place in ends.indices {
            var bucket = home(bytes[range(place)])
            while buckets[bucket] != 0 { bucket = (bucket + 1) & (buckets.count - 1) }
            buckets[bucket] = Int32(place + 1)
        }
    }
}
