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
    func with(_ slots: [Int32], _ view: ViewProjection, _ columns: PointColumns, _ order: DrawingOrder) -> OrderedColumns {
        guard !slots.isEmpty else { return self }
        let others = PointOrder.sorted(slots, view, columns, order)
        guard count > 0 else { return others }
        let places = others.slots.indices.map { index in
            let key = PointOrder.key(others.slots[index], others.places[index], view, order)
            return firstIndex { PointOrder.key($0, $1, view, order) >= key }
        }
        var merged = self
        merged.insert(others.slots, at: places, columns)
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
            if marks[slot] == 1 { read(slots[kept], columns, at: kept) }
            kept += 1
        }
        let gone = slots.count - kept
        slots.removeLast(gone)
        places.removeLast(gone)
        styleIDs.removeLast(gone)
        if !heights.isEmpty { heights.removeLast(gone) }
    }

    /// Inserts points, each before the element now at its index. Both lists must be in ascending order.
    mutating func insert(_ arrivals: [Int32], at indices: [Int], _ columns: PointColumns) {
        if heights.isEmpty, !columns.heights.isEmpty { heights = [Double](repeating: 0, count: slots.count) }
        var end = slots.count
        for slot in arrivals {
            slots.append(slot)
            places.append(columns.places[Int(slot)])
            styleIDs.append(columns.styleIDs[Int(slot)])
            if !heights.isEmpty { heights.append(columns.height(Int(slot))) }
        }
        // From the end backward, so that each element moves only once.
        for (number, (slot, start)) in zip(arrivals, indices).enumerated().reversed() {
            for index in stride(from: end - 1, through: start, by: -1) { copy(from: index, to: index + number + 1) }
            read(slot, columns, at: start + number)
            end = start
        }
    }

    private mutating func read(_ slot: Int32, _ columns: PointColumns, at index: Int) {
        slots[index] = slot
        places[index] = columns.places[Int(slot)]
        styleIDs[index] = columns.styleIDs[Int(slot)]
        if !heights.isEmpty { heights[index] = columns.height(Int(slot)) }
    }

    private mutating func copy(from source: Int, to target: Int) {
        slots[target] = slots[source]
        places[target] = places[source]
        styleIDs[target] = styleIDs[source]
        if !heights.isEmpty { heights[target] = heights[source] }
    }
}
