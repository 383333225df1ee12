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
            var position: PointOrder.Position?
        }
        func advance(_ head: inout Head) {
            guard head.next < ordered.count else { return head.position = nil }
            var position = PointOrder.position(ordered.slots[head.next], ordered.places[head.next], view, order)
            position.steps += head.shift
            head.position = position
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
                guard let position = head.position else { continue }
                if let best = lowest.flatMap({ heads[$0].position }), best <= position { continue }
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
