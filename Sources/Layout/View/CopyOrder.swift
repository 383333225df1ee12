import WaymarkGeo

/// The drawing order of several copies of the world: each has the same order within itself, and together they are merged by
/// it.
struct CopyOrder {
    /// An overlay on one copy of the world: its index in the order, and the copy.
    struct Entry {
        var index: Int32
        var copy: Int8
    }

    let entries: [Entry]

    init(_ shown: ClosedRange<Int>, _ ordered: OrderedColumns, _ order: DrawOrder, _ viewport: Viewport, insertions: [UInt32]) {
        struct Head {
            var copy: Int
            /// How far up the ground the copy stands, in grid steps.
            var shift: Int64
            var next = 0
            var key: DrawOrder.Key?
        }
        func advance(_ head: inout Head) {
            guard head.next < ordered.count else { return head.key = nil }
            var key = order.key(ordered.slots[head.next], ordered.places[head.next], viewport, insertions)
            key.steps += head.shift
            head.key = key
        }
        var heads = shown.map { copy in
            Head(copy: copy, shift: Int64((Double(copy) * viewport.sinBearing * DrawOrder.stepsPerWorld + 0.5).rounded(.down)))
        }
        for index in heads.indices { advance(&heads[index]) }
        var entries: [Entry] = []
        entries.reserveCapacity(ordered.count * heads.count)
        while true {
            var lowest: Int?
            for (index, head) in heads.enumerated() {
                guard let key = head.key else { continue }
                if let best = lowest.flatMap({ heads[$0].key }), best <= key { continue }
                lowest = index
            }
            guard let lowest else { break }
            entries.append(Entry(index: Int32(heads[lowest].next), copy: Int8(heads[lowest].copy)))
            heads[lowest].next += 1
            advance(&heads[lowest])
        }
        self.entries = entries
    }
}
