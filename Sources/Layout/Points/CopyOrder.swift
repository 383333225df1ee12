import WaymarkGeo

/// The drawing order of points on several copies of the world: every copy has the same internal order, so the copies are merged.
struct CopyOrder {
    /// A point on one copy of the world: its index in the ordered columns, and the copy.
    struct PointCopy {
        var index: Int32
        var copy: Int8
    }

    let entries: [PointCopy]

    init(_ shown: ClosedRange<Int>, _ ordered: OrderedColumns, _ view: ViewProjection, _ order: DrawingOrder) {
        struct Head {
            var copy: Int
            /// How much farther up the ground the copy is, in grid steps.
            var shift: Int64
            var next = 0
            var key: PointOrder.Key?
        }
        func advance(_ head: inout Head) {
            guard head.next < ordered.count else { return head.key = nil }
            var key = PointOrder.key(ordered.slots[head.next], ordered.places[head.next], view, order)
            key.steps += head.shift
            head.key = key
        }
        var heads = shown.map { copy in
            Head(copy: copy, shift: Int64(wholePixels(view.turned(x: Double(copy), y: 0).up * PointOrder.stepsPerWorld)))
        }
        for index in heads.indices { advance(&heads[index]) }
        var entries: [PointCopy] = []
        entries.reserveCapacity(ordered.count * heads.count)
        while true {
            var lowest: Int?
            for (index, head) in heads.enumerated() {
                guard let key = head.key else { continue }
                if let best = lowest.flatMap({ heads[$0].key }), best <= key { continue }
                lowest = index
            }
            guard let lowest else { break }
            entries.append(PointCopy(index: Int32(heads[lowest].next), copy: Int8(heads[lowest].copy)))
            heads[lowest].next += 1
            advance(&heads[lowest])
        }
        self.entries = entries
    }
}
