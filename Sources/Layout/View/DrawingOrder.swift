/// The drawing order of overlays: their sort keys, and the order in which they were added.
struct DrawingOrder: Sendable {
    let keys: SortKeyTable
    /// By slot: a number that rises with every overlay added.
    let insertions: [UInt32]
    /// Of the points of cluster layers, whose numbers follow the slots: the ranks of their sort keys, and the insertions of their layers.
    let layerRanks: [Int32]
    let layerInsertions: [UInt32]

    @inline(__always)
    func rank(_ slot: Int32) -> Int32 {
        Int(slot) < insertions.count ? keys.rank(slot) : layerRanks[Int(slot) - insertions.count]
    }

    @inline(__always)
    func insertion(_ slot: Int32) -> UInt32 {
        Int(slot) < insertions.count ? insertions[Int(slot)] : layerInsertions[Int(slot) - insertions.count]
    }

    /// The position among items of equal rank: by insertion, above items that have no insertion number (sequence 0).
    func sequence(_ slot: Int32) -> Int64 { Int64(insertion(slot)) + 1 }

    /// Whether `a` is drawn before `b` in a family ordered by sort key and insertion alone.
    func isBefore(_ a: Int32, _ b: Int32) -> Bool {
        let (first, second) = (rank(a), rank(b))
        return first != second ? first < second : insertion(a) < insertion(b)
    }
}
