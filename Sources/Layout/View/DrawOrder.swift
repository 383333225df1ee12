import WaymarkGeo
import WaymarkScene

/// The order in which overlays are drawn, low to high: layer band, global z index, z path, shapes before points, points
/// farther up the ground first, insertion.
///
/// "Farther up" is the larger u = x sin b - y cos b of the point on the ground, on a grid of 1/1024 px at the deepest
/// zoom. It depends on the bearing and the set alone, so it is kept from frame to frame while the camera moves; and the
/// columns that a frame reads are kept in this order, since a walk through memory in any other costs more than the sums.
struct DrawOrder {
    /// What comes before the place on the ground.
    struct Stratum: Hashable, Comparable {
        var layer: MapLayerType
        var globalZIndex: Int
        /// z indexes from the outermost container inward, zeros at the end left out: what is in a container lies among the
        /// container's peers of equal z.
        var zPath: [Int]
        var isPoint: Bool

        static func < (a: Stratum, b: Stratum) -> Bool {
            if a.layer != b.layer { return a.layer < b.layer }
            if a.globalZIndex != b.globalZIndex { return a.globalZIndex < b.globalZIndex }
            if a.zPath != b.zPath { return precedes(a.zPath, b.zPath) }
            return !a.isPoint && b.isPoint
        }

        /// Whether models of both share a depth buffer.
        func sharesGroup(with other: Stratum) -> Bool { layer == other.layer && globalZIndex == other.globalZIndex }

        /// The shorter path goes on with zeros.
        private static func precedes(_ a: [Int], _ b: [Int]) -> Bool {
            for (a, b) in zip(a, b) where a != b { return a < b }
            return a.count < b.count ? b[a.count...].first { $0 != 0 } ?? 0 > 0 : a[b.count...].first { $0 != 0 } ?? 0 < 0
        }
    }

    /// Where an overlay comes in the order.
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

    /// By slot: the index of its stratum in `strata`.
    private var stratumIDs: [Int32] = []
    private var strata: [Stratum] = []
    private var idsOfStrata: [Stratum: Int32] = [:]
    private var ranks: [Int32] = []
    private var areRanksStale = false
    private var bearing = Double.nan
    /// Slots whose place in the order may have changed, and those of which only the look or the height has.
    private var moved: [Int32] = []
    private var restyled: [Int32] = []
    private var isStale = true

    mutating func setStratum(_ stratum: Stratum, slot: Int) {
        if slot >= stratumIDs.count {
            stratumIDs.append(contentsOf: repeatElement(-1, count: slot + 1 - stratumIDs.count))
        }
        let id: Int32
        if let last = strata.last, last == stratum {
            id = Int32(strata.count - 1)
        } else if let known = idsOfStrata[stratum] {
            id = known
        } else {
            id = Int32(strata.count)
            strata.append(stratum)
            idsOfStrata[stratum] = id
            areRanksStale = true
        }
        if stratumIDs[slot] != id {
            stratumIDs[slot] = id
            move(slot)
        }
    }

    /// The place of an overlay, or whether it takes part, has changed.
    mutating func move(_ slot: Int) {
        guard !isStale else { return }
        moved.append(Int32(slot))
        // A map seen from near may go on for long without the order.
        if moved.count > all.count / 8 { invalidate() }
    }

    /// The look of an overlay has changed.
    mutating func restyle(_ slot: Int) {
        guard !isStale else { return }
        restyled.append(Int32(slot))
        if restyled.count > 4 * all.count + 64 { invalidate() }
    }

    /// Everything has changed.
    mutating func invalidate() {
        isStale = true
        moved = []
        restyled = []
    }

    /// Brings the order up to date for a bearing.
    mutating func update(viewport: Viewport, columns: Columns, insertions: [UInt32]) {
        let bearing = viewport.camera.bearing
        if isStale || bearing != self.bearing {
            self.bearing = bearing
            sort(viewport, columns, insertions)
        } else if !moved.isEmpty || !restyled.isEmpty {
            merge(viewport, columns, insertions)
        }
        isStale = false
        moved = []
        restyled = []
    }

    /// u of a place in grid steps.
    @inline(__always)
    static func steps(_ place: Columns.Place, _ viewport: Viewport) -> Int64 {
        Int64(((place.x * viewport.sinBearing - place.y * viewport.cosBearing) * stepsPerWorld + 0.5).rounded(.down))
    }

    func key(_ slot: Int32, _ place: Columns.Place, _ viewport: Viewport, _ insertions: [UInt32]) -> Key {
        Key(rank: ranks[Int(stratumIDs[Int(slot)])], steps: Self.steps(place, viewport), insertion: insertions[Int(slot)])
    }

    /// The place of an overlay's stratum among all; good until strata change.
    @inline(__always)
    func rank(_ slot: Int32) -> Int32 { ranks[Int(stratumIDs[Int(slot)])] }

    /// What comes before an overlay's place on the ground.
    func stratum(_ slot: Int32) -> Stratum { strata[Int(stratumIDs[Int(slot)])] }

    /// The first rank that lies above the base map's symbols.
    var rankAboveSymbols: Int32 {
        Int32(strata.count { $0.layer < .foreground || $0.layer == .foreground && $0.globalZIndex < 0 })
    }

    /// Some slots from bottom to top, without sorting everything there is.
    mutating func sorted(_ slots: [Int32], viewport: Viewport, columns: Columns, insertions: [UInt32]) -> OrderedColumns {
        if areRanksStale { rankStrata() }
        var slots = slots
        let isInserted = zip(slots, slots.dropFirst()).allSatisfy { insertions[Int($0)] < insertions[Int($1)] }
        if !isInserted {
            radixSort(&slots, by: slots.map { UInt64(insertions[Int($0)]) })
        }
        let top = Int64(2 * Self.stepsPerWorld)
        radixSort(&slots, by: slots.map { UInt64(top - Self.steps(columns.places[Int($0)], viewport)) })
        if strata.count > 1 {
            radixSort(&slots, by: slots.map { UInt64(ranks[Int(stratumIDs[Int($0)])]) })
        }
        return OrderedColumns(slots, columns)
    }

    private mutating func sort(_ viewport: Viewport, _ columns: Columns, _ insertions: [UInt32]) {
        sorts += 1
        if strata.count > 2 * stratumIDs.count + 64 { forgetUnusedStrata() }
        areRanksStale = true
        var present: [Int32] = []
        present.reserveCapacity(columns.count)
        for slot in columns.exclusions.indices where columns.exclusions[slot] == 0 { present.append(Int32(slot)) }
        all = sorted(present, viewport: viewport, columns: columns, insertions: insertions)
    }

    /// Takes the few that have moved out of the order, and puts them in where they belong now.
    private mutating func merge(_ viewport: Viewport, _ columns: Columns, _ insertions: [UInt32]) {
        merges += moved.isEmpty ? 0 : 1
        if areRanksStale { rankStrata() }
        let arrivals = Set(moved).filter { columns.exclusions[Int($0)] == 0 }
            .map { (key: key($0, columns.places[Int($0)], viewport, insertions), slot: $0) }.sorted { $0.key < $1.key }
        all.update(moved: moved, restyled: restyled, columns)
        let places = arrivals.map { arrival in
            all.firstIndex { key($0, $1, viewport, insertions) >= arrival.key }
        }
        all.insert(arrivals.map(\.slot), at: places, columns)
    }

    private mutating func rankStrata() {
        areRanksStale = false
        ranks = [Int32](repeating: 0, count: strata.count)
        for (rank, id) in strata.indices.sorted(by: { strata[$0] < strata[$1] }).enumerated() {
            ranks[id] = Int32(rank)
        }
    }

    /// z indexes that nothing has any more would pile up in a map that lives long.
    private mutating func forgetUnusedStrata() {
        let old = strata
        strata = []
        idsOfStrata = [:]
        for slot in stratumIDs.indices where stratumIDs[slot] >= 0 {
            let stratum = old[Int(stratumIDs[slot])]
            stratumIDs[slot] = -1
            setStratum(stratum, slot: slot)
        }
    }
}

/// Sorts values by keys, stably: eleven bits at a time from the low end, leaving out those in which all keys agree.
package func radixSort(_ values: inout [Int32], by keys: [UInt64]) {
    let count = values.count
    guard count > 1 else { return }
    var differing: UInt64 = 0
    for key in keys {
        differing |= key ^ keys[0]
    }
    guard differing != 0 else { return }
    var keys = keys
    var otherValues = [Int32](repeating: 0, count: count)
    var otherKeys = [UInt64](repeating: 0, count: count)
    var counts = [Int](repeating: 0, count: 2048)
    for shift in stride(from: UInt64(0), to: 64, by: 11) where (differing >> shift) & 2047 != 0 {
        for index in counts.indices { counts[index] = 0 }
        for key in keys { counts[Int((key >> shift) & 2047)] += 1 }
        var sum = 0
        for index in counts.indices {
            (counts[index], sum) = (sum, sum + counts[index])
        }
        for index in 0..<count {
            let digit = Int((keys[index] >> shift) & 2047)
            let place = counts[digit]
            counts[digit] = place + 1
            otherKeys[place] = keys[index]
            otherValues[place] = values[index]
        }
        swap(&keys, &otherKeys)
        swap(&values, &otherValues)
    }
}
