import WaymarkGeo

/// The order in which points are drawn, low to high: sort key, farther up the ground first, insertion.
///
/// "Farther up" is the larger u = x sin b - y cos b of the point on the ground, on a grid of 1/1024 px at the deepest
/// zoom. It depends on the bearing and the set alone, so it is kept from picture to picture while the camera moves; and the
/// columns that a picture reads are kept in this order, since a walk through memory in any other costs more than the sums.
struct PointOrder {
    /// Where a point comes in the order.
    struct Key: Comparable {
        var rank: Int32
        /// u in grid steps; the larger is drawn first.
        var steps: Int64
        var insertion: UInt32

        static func < (a: Key, b: Key) -> Bool {
            if a.rank != b.rank { return a.rank < b.rank }
            return a.steps != b.steps ? a.steps > b.steps : a.insertion < b.insertion
        }
    }

    /// Grid steps for the world's size: 1/1024 px at zoom 24.
    static let stepsPerWorld = 0x1p43

    /// Everything that takes part, from bottom to top.
    private(set) var all = OrderedColumns()
    /// How often everything was sorted, and how often a few were put in their new places: what tests count.
    private(set) var sorts = 0
    private(set) var merges = 0

    private var bearing = Double.nan
    /// Slots whose place in the order may have changed, and those of which only the style or the height has.
    private var moved: [Int32] = []
    private var restyled: [Int32] = []
    private var isStale = true

    /// The place of a point, or whether it takes part, has changed.
    mutating func move(_ slot: Int32) {
        guard !isStale else { return }
        moved.append(slot)
        // A map seen from near may go on for long without the order.
        if moved.count > all.count / 8 { invalidate() }
    }

    /// The style of a point has changed.
    mutating func restyle(_ slot: Int32) {
        guard !isStale else { return }
        restyled.append(slot)
        if restyled.count > 4 * all.count + 64 { invalidate() }
    }

    /// Everything has changed.
    mutating func invalidate() {
        isStale = true
        moved = []
        restyled = []
    }

    /// Brings the order up to date for a bearing.
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

    /// u of a place in grid steps.
    @inline(__always)
    static func steps(_ place: WorldPoint, _ view: ViewProjection) -> Int64 {
        Int64(((place.x * view.sinBearing - place.y * view.cosBearing) * stepsPerWorld + 0.5).rounded(.down))
    }

    static func key(_ slot: Int32, _ place: WorldPoint, _ view: ViewProjection, _ order: DrawingOrder) -> Key {
        Key(rank: order.rank(slot), steps: steps(place, view), insertion: order.insertion(slot))
    }

    /// Some slots from bottom to top, without sorting everything there is.
    static func sorted(_ slots: [Int32], _ view: ViewProjection, _ columns: PointColumns, _ order: DrawingOrder) -> OrderedColumns {
        var slots = slots
        let isInserted = zip(slots, slots.dropFirst()).allSatisfy { order.insertion($0) < order.insertion($1) }
        if !isInserted {
            radixSort(&slots, by: slots.map { UInt64(order.insertion($0)) })
        }
        let top = Int64(2 * stepsPerWorld)
        radixSort(&slots, by: slots.map { UInt64(top - steps(columns.places[Int($0)], view)) })
        if order.keys.hasManyRanks {
            radixSort(&slots, by: slots.map { UInt64(order.rank($0)) })
        }
        return OrderedColumns(slots, columns)
    }

    /// Takes the few that have moved out of the order, and puts them in where they belong now.
    private mutating func merge(_ view: ViewProjection, _ columns: PointColumns, _ order: DrawingOrder) {
        merges += moved.isEmpty ? 0 : 1
        let arrivals = Set(moved).filter { columns.isPresent($0) }
            .map { (key: Self.key($0, columns.places[Int($0)], view, order), slot: $0) }.sorted { $0.key < $1.key }
        all.update(moved: moved, restyled: restyled, columns)
        let places = arrivals.map { arrival in
            all.firstIndex { Self.key($0, $1, view, order) >= arrival.key }
        }
        all.insert(arrivals.map(\.slot), at: places, columns)
    }
}
