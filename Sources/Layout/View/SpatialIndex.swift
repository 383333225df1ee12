/// Finds the overlays in a part of the world without looking at the others.
///
/// Places are sorted along a Z curve of 32 bits an axis, so that every square of a quadtree is a stretch of the list: dense
/// towns get deep squares, oceans none. What has moved since it was made is looked at one by one; when that is much, the
/// list is made anew.
struct SpatialIndex {
    /// A part of the world, as fractions of it.
    struct Box {
        var west: Double
        var north: Double
        var east: Double
        var south: Double

        func contains(_ place: WorldPoint) -> Bool {
            place.x >= west && place.x <= east && place.y >= north && place.y <= south
        }
    }

    private var codes: [UInt64] = []
    private var slots: [Int32] = []
    /// By slot: whether it has moved since.
    private var isLoose: [Bool] = []
    private var loose: [Int32] = []
    private(set) var isMade = false
    /// How often the list was made: what tests count.
    private(set) var builds = 0

    /// The overlay has another place, or takes part no more, or anew.
    mutating func move(_ moved: Int32) {
        let slot = Int(moved)
        guard isMade else { return }
        if slot >= isLoose.count {
            isLoose.append(contentsOf: repeatElement(false, count: slot + 1 - isLoose.count))
        }
        guard !isLoose[slot] else { return }
        isLoose[slot] = true
        loose.append(moved)
        if loose.count > 1024 + slots.count / 16 { forget() }
    }

    mutating func forget() {
        let builds = builds
        self = SpatialIndex()
        self.builds = builds
    }

    mutating func make(_ columns: PointColumns) {
        guard !isMade else { return }
        isMade = true
        builds += 1
        slots = columns.present
        let places = columns.places
        radixSort(&slots, by: slots.map { Self.code(places[Int($0)]) })
        codes = slots.map { Self.code(places[Int($0)]) }
        isLoose = [Bool](repeating: false, count: columns.count)
    }

    /// The slots in any of some boxes, each once, in no order that means anything; nil when they are more than a limit.
    func slots(in boxes: [Box], _ columns: PointColumns, limit: Int) -> [Int32]? {
        var found: [Int32] = []
        for box in boxes {
            let corners = (
                west: Self.cell(box.west), north: Self.cell(box.north), east: Self.cell(box.east), south: Self.cell(box.south)
            )
            guard collect(corners, prefix: 0, level: 32, low: 0, high: codes.count, limit, into: &found) else { return nil }
        }
        found = found.filter { !isLoose[Int($0)] }
        if boxes.count > 1 {
            // Boxes may touch, and squares of few are taken whole.
            var seen = Set<Int32>(minimumCapacity: found.count)
            found = found.filter { seen.insert($0).inserted }
        }
        found += loose.filter { slot in
            columns.isPresent(slot) && boxes.contains { $0.contains(columns.places[Int(slot)]) }
        }
        return found.count > limit ? nil : found
    }

    /// Collects what is in a square of the quadtree and, roughly, in the box: squares of few are taken whole.
    private func collect(
        _ box: (west: UInt32, north: UInt32, east: UInt32, south: UInt32), prefix: UInt64, level: UInt64, low: Int, high: Int,
        _ limit: Int, into found: inout [Int32]
    ) -> Bool {
        guard low < high else { return true }
        let size = level == 32 ? UInt32.max : (1 << UInt32(level)) - 1
        let (x, y) = (Self.even(prefix), Self.even(prefix >> 1))
        guard x <= box.east, y <= box.south, x | size >= box.west, y | size >= box.north else { return true }
        let isInside = x >= box.west && y >= box.north && x | size <= box.east && y | size <= box.south
        if isInside || high - low <= 32 || level == 0 {
            found.append(contentsOf: slots[low..<high])
            return found.count <= limit + 64
        }
        var start = low
        for quarter in UInt64(0)..<4 {
            let part = prefix | quarter << (2 * (level - 1))
            let end = quarter == 3 ? high : firstIndex(notBelow: prefix | (quarter + 1) << (2 * (level - 1)), start, high)
            guard collect(box, prefix: part, level: level - 1, low: start, high: end, limit, into: &found) else { return false }
            start = end
        }
        return true
    }

    private func firstIndex(notBelow code: UInt64, _ low: Int, _ high: Int) -> Int {
        var (low, high) = (low, high)
        while low < high {
            let middle = (low + high) / 2
            if codes[middle] < code { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func cell(_ fraction: Double) -> UInt32 {
        UInt32(min(max(fraction, 0) * 0x1p32, 0x1p32 - 1))
    }

    private static func code(_ place: WorldPoint) -> UInt64 {
        spread(cell(place.x)) | spread(cell(place.y)) << 1
    }

    /// The bits of a number at every other place.
    private static func spread(_ value: UInt32) -> UInt64 {
        var bits = UInt64(value)
        bits = (bits | bits << 16) & 0x0000_ffff_0000_ffff
        bits = (bits | bits << 8) & 0x00ff_00ff_00ff_00ff
        bits = (bits | bits << 4) & 0x0f0f_0f0f_0f0f_0f0f
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333
        return (bits | bits << 1) & 0x5555_5555_5555_5555
    }

    /// The number whose bits are at every other place.
    private static func even(_ code: UInt64) -> UInt32 {
        var bits = code & 0x5555_5555_5555_5555
        bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
        bits = (bits | bits >> 2) & 0x0f0f_0f0f_0f0f_0f0f
        bits = (bits | bits >> 4) & 0x00ff_00ff_00ff_00ff
        bits = (bits | bits >> 8) & 0x0000_ffff_0000_ffff
        return UInt32(truncatingIfNeeded: bits | bits >> 16)
    }
}
