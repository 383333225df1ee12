/// What orders overlays among one another: their sort keys, and when they were added.
struct DrawingOrder: Sendable {
    let keys: SortKeyTable
    /// Rising numbers by slot.
    let insertions: [UInt32]

    @inline(__always)
    func rank(_ slot: Int32) -> Int32 { keys.rank(slot) }

    @inline(__always)
    func insertion(_ slot: Int32) -> UInt32 { insertions[Int(slot)] }

    /// The place among items of one rank: by insertion, and above what has no insertion of its own.
    func sequence(_ slot: Int32) -> Int64 { Int64(insertion(slot)) + 1 }

    /// Whether one overlay comes before another of its family, where only keys and insertion count.
    func isBefore(_ a: Int32, _ b: Int32) -> Bool {
        let (first, second) = (rank(a), rank(b))
        return first != second ? first < second : insertion(a) < insertion(b)
    }
}
