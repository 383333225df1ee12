import WaymarkGeo
import WaymarkScene

/// The order in which overlays are drawn, low to high: layer band, global z index, z path, shapes before points, points
/// farther up the ground first, insertion.
///
/// "Farther up" is the larger u = x sin b - y cos b of the point on the ground, on a grid of 1/1024 px at the deepest
/// zoom. It depends on the bearing and the set alone, so it is kept from frame to frame while the camera moves.
struct DrawOrder {
    /// What comes before the place on the ground.
    struct Stratum: Hashable, Comparable {
        var layer: MapLayerType
        var globalZIndex: Int
        /// z indexes from the outermost container inward.
        var zPath: [Int]
        var isPoint: Bool

        static func < (a: Stratum, b: Stratum) -> Bool {
            if a.layer != b.layer { return a.layer < b.layer }
            if a.globalZIndex != b.globalZIndex { return a.globalZIndex < b.globalZIndex }
            if a.zPath != b.zPath { return a.zPath.lexicographicallyPrecedes(b.zPath) }
            return !a.isPoint && b.isPoint
        }
    }

    /// Grid steps for the world's size: 1/1024 px at zoom 24.
    static let stepsPerWorld = 0x1p43

    /// Slots from bottom to top.
    private(set) var slots: [Int32] = []
    /// How often the order was made anew: what tests count.
    private(set) var rebuilds = 0
    /// By slot: the index of its stratum in `strata`.
    private var stratumIDs: [Int32] = []
    private var strata: [Stratum] = []
    private var idsOfStrata: [Stratum: Int32] = [:]
    private var ranks: [Int32] = []
    private var bearing = Double.nan
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
        }
        if stratumIDs[slot] != id {
            stratumIDs[slot] = id
            isStale = true
        }
    }

    /// A place, or who takes part, has changed.
    mutating func invalidate() {
        isStale = true
    }

    /// Brings the order up to date for a bearing.
    mutating func update(viewport: Viewport, columns: Columns, insertions: [Int]) {
        let bearing = viewport.camera.bearing
        guard isStale || bearing != self.bearing else { return }
        self.bearing = bearing
        isStale = false
        rebuilds += 1
        rankStrata()
        var present = columns.exclusions.indices.filter { columns.exclusions[$0] == 0 }.map { Int32($0) }
        if !zip(present, present.dropFirst()).allSatisfy({ insertions[Int($0)] < insertions[Int($1)] }) {
            present.sort { insertions[Int($0)] < insertions[Int($1)] }
        }
        let top = Int64(2 * Self.stepsPerWorld)
        var keys = [UInt64](repeating: 0, count: present.count)
        for (index, slot) in present.enumerated() {
            keys[index] = UInt64(top - Self.steps(columns.places[Int(slot)], viewport))
        }
        radixSort(&present, by: keys)
        if strata.count > 1 {
            radixSort(&present, by: present.map { UInt64(ranks[Int(stratumIDs[Int($0)])]) })
        }
        slots = present
    }

    /// u of a place in grid steps.
    static func steps(_ place: Columns.Place, _ viewport: Viewport) -> Int64 {
        Int64(((place.x * viewport.sinBearing - place.y * viewport.cosBearing) * stepsPerWorld + 0.5).rounded(.down))
    }

    /// Whether the first of two copies of places is drawn beneath the second; `steps` is u of each copy.
    func isBelow(
        _ a: (slot: Int32, steps: Int64, copy: Int), _ b: (slot: Int32, steps: Int64, copy: Int), insertions: [Int]
    ) -> Bool {
        let (rankA, rankB) = (ranks[Int(stratumIDs[Int(a.slot)])], ranks[Int(stratumIDs[Int(b.slot)])])
        if rankA != rankB { return rankA < rankB }
        if a.steps != b.steps { return a.steps > b.steps }
        if a.slot != b.slot { return insertions[Int(a.slot)] < insertions[Int(b.slot)] }
        return a.copy < b.copy
    }

    private mutating func rankStrata() {
        if strata.count > 2 * stratumIDs.count + 64 {
            forgetUnusedStrata()
        }
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
func radixSort(_ values: inout [Int32], by keys: [UInt64]) {
    let count = values.count
    guard count > 1 else { return }
    var all: UInt64 = 0
    for key in keys {
        all |= key ^ keys[0]
    }
    var keys = keys
    var otherValues = [Int32](repeating: 0, count: count)
    var otherKeys = [UInt64](repeating: 0, count: count)
    var counts = [Int](repeating: 0, count: 2048)
    for shift in stride(from: 0, to: 64, by: 11) where (all >> UInt64(shift)) & 2047 != 0 {
        for index in counts.indices { counts[index] = 0 }
        for key in keys { counts[Int((key >> UInt64(shift)) & 2047)] += 1 }
        var sum = 0
        for index in counts.indices {
            (counts[index], sum) = (sum, sum + counts[index])
        }
        for index in 0..<count {
            let digit = Int((keys[index] >> UInt64(shift)) & 2047)
            let place = counts[digit]
            counts[digit] = place + 1
            otherKeys[place] = keys[index]
            otherValues[place] = values[index]
        }
        swap(&keys, &otherKeys)
        swap(&values, &otherValues)
    }
}
