import Waymark

/// Distinct names and the line of each. An entry takes 16 bytes in addition to the name itself. A million jobs must fit in memory
/// together with the workers, and a dictionary of strings takes four times as much.
struct NameTable: Sendable {
    private var bytes: [UInt8] = []
    /// The end of each name in `bytes`.
    private var ends: [Int] = []
    private var lines: [Int32] = []
    /// A hash table with open addressing: the index of a name + 1, or 0. Its size is a power of two, and at most half of it is full.
    private var buckets = [Int32](repeating: 0, count: 64)

    var count: Int { ends.count }

    /// The name at an index, in the order of insertion.
    subscript(place: Int) -> String { String(decoding: bytes[range(place)], as: UTF8.self) }

    /// The index of a name; nil when the table lacks it.
    func place(of name: String) -> Int? {
        let held = Int(buckets[bucket(name)])
        return held == 0 ? nil : held - 1
    }

    /// Appends a name. If the table already has it, returns its line and changes nothing.
    /// - Parameter line: The line of the name, less than 2³¹, like the number of names.
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

    /// The bucket of a name, or the empty bucket for it.
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
