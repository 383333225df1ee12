import WaymarkClustering
import WaymarkGeo

/// The drawing order of points from bottom to top. Points are ordered by sort key, then by position with points farther up the ground
/// first, and then by insertion.
///
/// "Farther up" means the larger u = x sin b - y cos b, where (x, y) is the point in world coordinates and b the bearing, on a grid of
/// 1/1024 px at the deepest zoom. The order depends only on the bearing and the points, so it is kept between pictures until the bearing
/// changes. The columns that a picture reads are stored in this order, because random memory access would cost more than the arithmetic.
struct PointOrder {
    /// The position of a point in this order.
    struct Position: Comparable {
        var rank: Int32
        /// The value of u in grid steps. Points with larger values are drawn first.
        var steps: Int64
        var insertion: UInt32

        static func < (a: Position, b: Position) -> Bool {
            if a.rank != b.rank { return a.rank < b.rank }
            return a.steps != b.steps ? a.steps > b.steps : a.insertion < b.insertion
        }
    }

    /// The number of grid steps across the world. A step is 1/1024 px at zoom 24.
    static let stepsPerWorld = 0x1p43

    /// All points that take part, from bottom to top.
    private(set) var all = OrderedColumns()
    /// The number of full sorts, and of merges of a few moved points, for tests.
    private(set) var sorts = 0
    private(set) var merges = 0

    private var bearing = Double.nan
    /// The slots whose position in the order may have changed, and the slots of which only the style or the height has changed.
    private var moved: [Int32] = []
    private var restyled: [Int32] = []
    private var isStale = true

    /// Records that a point has moved, or has started or stopped taking part in pictures.
    mutating func move(_ slot: Int32) {
        guard !isStale else { return }
        moved.append(slot)
        // A close-up view may not need the order for a long time, so the length of the list is limited.
        if moved.count > all.count / 8 { invalidate() }
    }

    /// Records that the style of a point has changed.
    mutating func restyle(_ slot: Int32) {
        guard !isStale else { return }
        restyled.append(slot)
        if restyled.count > 4 * all.count + 64 { invalidate() }
    }

    /// Discards the order.
    mutating func invalidate() {
        isStale = true
        moved = []
        restyled = []
    }

    /// Updates the order for a bearing.
    mutating func update(_ view: ViewProjection, bearing: Double, _ columns: PointColumns, _ order: DrawingOrder) {
        if isStale || bearing != self.bearing {
            self.bearing = bearing
            sorts += 1
            all = Self.sorted(columns.present, view, columns, order)
        } else if !moved.isEmpty || !restyled.isEmpty {
            merge(view, columns, order)
        }
        isStale = false
        moved = []
        restyled = []
    }

    /// The value of u for a place, in grid steps.
    @inline(__always)
    static func steps(_ place: WorldPoint, _ view: ViewProjection) -> Int64 {
        Int64(wholePixels(view.turned(x: place.x, y: place.y).up * stepsPerWorld))
    }

    static func position(_ slot: Int32, _ place: WorldPoint, _ view: ViewProjection, _ order: DrawingOrder) -> Position {
        Position(rank: order.rank(slot), steps: steps(place, view), insertion: order.insertion(slot))
    }

    /// Sorts a subset of the slots from bottom to top.
    /// - Parameter first: The number that `order` adds to slots: the number of the first point for points of cluster layers. Default 0.
    static func sorted(
        _ slots: [Int32], _ view: ViewProjection, _ columns: PointColumns, _ order: DrawingOrder, first: Int32 = 0
    ) -> OrderedColumns {
        var slots = slots
        let isInserted = zip(slots, slots.dropFirst()).allSatisfy { order.insertion(first + $0) < order.insertion(first + $1) }
        if !isInserted {
            radixSort(&slots, by: slots.map { UInt64(order.insertion(first + $0)) })
        }
        let top = Int64(2 * stepsPerWorld)
        radixSort(&slots, by: slots.map { UInt64(top - steps(columns.places[Int($0)], view)) })
        if order.keys.hasManyRanks {
            radixSort(&slots, by: slots.map { UInt64(order.rank(first + $0)) })
        }
        return OrderedColumns(slots, columns)
    }

    /// Removes the few moved points from the order and inserts them at their new positions.
    private mutating func merge(_ view: ViewProjection, _ columns: PointColumns, _ order: DrawingOrder) {
        merges += moved.isEmpty ? 0 : 1
        let arrivals = Set(moved).filter { columns.isPresent($0) }
            .map { (position: Self.position($0, columns.places[Int($0)], view, order), slot: $0) }.sorted { $0.position < $1.position }
        all.update(moved: moved, restyled: restyled, columns)
        let indices = arrivals.map { arrival in
            all.firstIndex { Self.position($0, $1, view, order) >= arrival.position }
        }
        all.insert(OrderedColumns(arrivals.map(\.slot), columns), at: indices)
    }
}

/// Points from bottom to top, with the columns that a frame reads stored in that order.
struct OrderedColumns {
    private(set) var slots: [Int32] = []
    private(set) var places: [WorldPoint] = []
    private(set) var styleIDs: [Int32] = []
    /// Heights as fractions of the world's size; empty as long as all are 0.
    private(set) var heights: [Double] = []

    init() {}

    init(_ slots: [Int32], _ columns: PointColumns) {
        self.slots = slots
        places = slots.map { columns.places[Int($0)] }
        styleIDs = slots.map { columns.styleIDs[Int($0)] }
        heights = columns.heights.isEmpty ? [] : slots.map { columns.heights[Int($0)] }
    }

    /// The points that cluster layers show, from bottom to top. Their numbers and styles follow the map's own points.
    init(_ points: PicturePoints, _ view: ViewProjection, _ order: DrawingOrder) {
        let first = Int32(points.own.count)
        self = PointOrder.sorted(points.layers.present, view, points.layers, order, first: first)
        for index in slots.indices {
            slots[index] += first
            styleIDs[index] += Int32(points.own.styles.count)
        }
    }

    var count: Int { slots.count }

    /// The first index at which a condition holds, by binary search. The condition must also hold for all later indices.
    func firstIndex(where holds: (Int32, WorldPoint) -> Bool) -> Int {
        slots.indices.partitioningIndex { holds(slots[$0], places[$0]) }
    }

    /// These points merged with others in drawing order.
    func merged(with others: OrderedColumns, _ view: ViewProjection, _ order: DrawingOrder) -> OrderedColumns {
        guard count > 0 else { return others }
        guard others.count > 0 else { return self }
        let indices = others.slots.indices.map { index in
            let position = PointOrder.position(others.slots[index], others.places[index], view, order)
            return firstIndex { PointOrder.position($0, $1, view, order) >= position }
        }
        var merged = self
        merged.insert(others, at: indices)
        return merged
    }

    /// Removes the moved points, and reads the styles and heights of the restyled ones again.
    mutating func update(moved: [Int32], restyled: [Int32], _ columns: PointColumns) {
        if heights.isEmpty, !columns.heights.isEmpty { heights = [Double](repeating: 0, count: slots.count) }
        var marks = [UInt8](repeating: 0, count: columns.count)
        for slot in restyled { marks[Int(slot)] = 1 }
        for slot in moved { marks[Int(slot)] = 2 }
        var kept = 0
        for index in slots.indices {
            let slot = Int(slots[index])
            guard marks[slot] != 2 else { continue }
            if kept != index { copy(from: index, to: kept) }
            if marks[slot] == 1 {
                styleIDs[kept] = columns.styleIDs[slot]
                if !heights.isEmpty { heights[kept] = columns.height(slot) }
            }
            kept += 1
        }
        let gone = slots.count - kept
        slots.removeLast(gone)
        places.removeLast(gone)
        styleIDs.removeLast(gone)
        if !heights.isEmpty { heights.removeLast(gone) }
    }

    /// Inserts points, each before the element that is now at its index. Both lists must be ascending.
    mutating func insert(_ arrivals: OrderedColumns, at indices: [Int]) {
        if heights.isEmpty, !arrivals.heights.isEmpty { heights = [Double](repeating: 0, count: slots.count) }
        var end = slots.count
        slots += arrivals.slots
        places += arrivals.places
        styleIDs += arrivals.styleIDs
        if !heights.isEmpty { heights.append(contentsOf: repeatElement(0, count: arrivals.count)) }
        // Backward from the end, so that each element moves only once.
        for (number, start) in indices.enumerated().reversed() {
            for index in stride(from: end - 1, through: start, by: -1) { copy(from: index, to: index + number + 1) }
            let target = start + number
            slots[target] = arrivals.slots[number]
            places[target] = arrivals.places[number]
            styleIDs[target] = arrivals.styleIDs[number]
            if !heights.isEmpty { heights[target] = arrivals.heights.isEmpty ? 0 : arrivals.heights[number] }
            end = start
        }
    }

    private mutating func copy(from source: Int, to target: Int) {
        slots[target] = slots[source]
        places[target] = places[source]
        styleIDs[target] = styleIDs[source]
        if !heights.isEmpty { heights[target] = heights[source] }
    }
}

/// The drawing order of points on several copies of the world. Every copy has the same internal order, so the copies are merged.
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
            /// The distance by which the copy is farther up the ground, in grid steps.
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
