import WaymarkGeo

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

    /// The points that cluster layers show, from bottom to top. Their numbers and styles follow those of the map's own points.
    init(_ points: PicturePoints, _ view: ViewProjection, _ order: DrawingOrder) {
        let first = Int32(points.own.count)
        self = PointOrder.sorted(points.layers.present, view, points.layers, order, first: first)
        for index in slots.indices {
            slots[index] += first
            styleIDs[index] += Int32(points.own.styles.count)
        }
    }

    var count: Int { slots.count }

    /// The first index at which a condition holds, by binary search: the condition must hold for all later indices as well.
    func firstIndex(where holds: (Int32, WorldPoint) -> Bool) -> Int {
        var (low, high) = (0, slots.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(slots[middle], places[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// These points and others, each in its place in the order.
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

    /// Inserts points, each before the element now at its index. Both lists must be in ascending order.
    mutating func insert(_ arrivals: OrderedColumns, at indices: [Int]) {
        if heights.isEmpty, !arrivals.heights.isEmpty { heights = [Double](repeating: 0, count: slots.count) }
        var end = slots.count
        slots += arrivals.slots
        places += arrivals.places
        styleIDs += arrivals.styleIDs
        if !heights.isEmpty { heights.append(contentsOf: repeatElement(0, count: arrivals.count)) }
        // From the end backward, so that each element moves only once.
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
