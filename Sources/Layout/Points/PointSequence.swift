import WaymarkGeo

/// The points that may be in a picture, from bottom to top, each on the copies of the world that the picture shows.
struct PointSequence {
    /// A point on one copy of the world.
    struct Element {
        var slot: Int32
        var place: WorldPoint
        /// The height as a fraction of the world's size.
        var height: Double
        var copy: Int8
    }

    private let ordered: OrderedColumns
    /// The order of points on several copies; nil when only copy 0 is shown.
    private let copies: CopyOrder?
    private let order: DrawingOrder

    /// - Parameter shown: The copies of the world in the picture.
    init(_ ordered: OrderedColumns, _ shown: ClosedRange<Int>, _ view: ViewProjection, _ order: DrawingOrder) {
        self.ordered = ordered
        self.order = order
        copies = shown == 0...0 ? nil : CopyOrder(shown, ordered, view, order)
    }

    var count: Int { copies?.entries.count ?? ordered.count }
    /// The number of elements to reserve memory for. Few points are in the picture on two copies of the world, and growing an array by
    /// doubling would briefly need twice the memory.
    var capacity: Int { min(count, ordered.count + ordered.count / 2) }
    /// Whether some points may not be on copy 0.
    var hasCopies: Bool { copies != nil }

    /// Calls `body` with the rank and the range of each run of points with equal sort keys. The end of a run is found by exponential
    /// search, which reads few keys.
    func forEachRun(_ body: (Int32, Range<Int>) -> Void) {
        func rank(_ index: Int) -> Int32 { order.rank(ordered.slots[copies.map { Int($0.entries[index].index) } ?? index]) }
        var start = 0
        while start < count {
            let rankOfRun = rank(start)
            var end = count
            if order.keys.hasManyRanks {
                var (low, step) = (start + 1, 1)
                while start + step < count, rank(start + step) == rankOfRun {
                    low = start + step + 1
                    step *= 2
                }
                end = (low..<min(start + step, count)).partitioningIndex { rank($0) != rankOfRun }
            }
            body(rankOfRun, start..<end)
            start = end
        }
    }

    /// Calls `body` for each point of a range. The columns are read without bounds checks, because a picture may have a million points.
    @inline(__always)
    func forEach(in range: Range<Int>, _ styles: [IconStyle], _ body: (Element, IconStyle) -> Void) {
        let hasHeights = !ordered.heights.isEmpty
        styles.withUnsafeBufferPointer { styles in
            ordered.places.withUnsafeBufferPointer { places in
                ordered.styleIDs.withUnsafeBufferPointer { styleIDs in
                    ordered.slots.withUnsafeBufferPointer { slots in
                        for number in range {
                            let (index, copy) = copies.map { (Int($0.entries[number].index), $0.entries[number].copy) } ?? (number, 0)
                            let element = Element(
                                slot: slots[index], place: places[index], height: hasHeights ? ordered.heights[index] : 0, copy: copy)
                            body(element, styles[Int(styleIDs[index])])
                        }
                    }
                }
            }
        }
    }
}
