import WaymarkClustering
import WaymarkGeo

/// The drawing order of points from bottom to top: by sort key, then farther up the ground first, then by insertion.
///
/// "Farther up" means the larger u = x sin b - y cos b, where (x, y) is the point in world coordinates and b the bearing, on a grid of
/// 1/1024 px at the deepest zoom. The order depends only on the bearing and the points, so it is kept between pictures while the camera
/// moves otherwise. The columns that a picture reads are stored in this order, because random memory access would cost more than
/// the arithmetic.
struct PointOrder {
    /// What decides where a point is in this order.
    struct Position: Comparable {
        var rank: Int32
        /// u in grid steps; points with larger values are drawn first.
        var steps: Int64
        var insertion: UInt32

        static func < (a: Position, b: Position) -> Bool {
            if a.rank != b.rank { return a.rank < b.rank }
            return a.steps != b.steps ? a.steps > b.steps : a.insertion < b.insertion
        }
    }

    /// Grid steps across the world: one step is 1/1024 px at zoom 24.
    static let stepsPerWorld = 0x1p43

    /// All points that take part, from bottom to top.
    private(set) var all = OrderedColumns()
    /// The number of full sorts, and of merges of a few moved points; tests count them.
    private(set) var sorts = 0
    private(set) var merges = 0

    private var bearing = Double.nan
    /// The slots whose position in the order may have changed, and those of which only the style or the height has changed.
    private var moved: [Int32] = []
    private var restyled: [Int32] = []
    private var isStale = true

    /// Records that a point has moved, or has started or stopped taking part in pictures.
    mutating func move(_ slot: Int32) {
        guard !isStale else { return }
        moved.append(slot)
        // A close-up view may not need the order for a long time, so the list must not grow without bound.
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

    /// u of a place, in grid steps.
    @inline(__always)
    static func steps(_ place: WorldPoint, _ view: ViewProjection) -> Int64 {
        Int64(wholePixels(view.turned(x: place.x, y: place.y).up * stepsPerWorld))
    }

    static func position(_ slot: Int32, _ place: WorldPoint, _ view: ViewProjection, _ order: DrawingOrder) -> Position {
        Position(rank: order.rank(slot), steps: steps(place, view), insertion: order.insertion(slot))
    }

    /// Sorts a subset of the slots from bottom to top.
    /// - Parameter first: What `order` adds to the slots: 0, or for the points of cluster layers the number of the first. Default 0.
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
