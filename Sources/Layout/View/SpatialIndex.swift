import WaymarkClustering
import WaymarkGeo

/// Finds the overlays in a part of the world without visiting the others.
///
/// Places are sorted along a Z-order (Morton) curve of 32 bits per axis, so every cell of a quadtree is a contiguous range of the list:
/// dense towns get small cells, and empty oceans get no cells. Overlays that have moved since the list was built are tested one by one;
/// when there are too many, the list is rebuilt.
struct SpatialIndex {
    private var codes: [UInt64] = []
    private var slots: [Int32] = []
    /// Whether each slot's overlay has moved since the list was built.
    private var isMoved: [Bool] = []
    private var moved: [Int32] = []
    private(set) var isBuilt = false
    /// The number of rebuilds, for tests.
    private(set) var builds = 0

    init() {}

    /// An index of the present places of some points. Each point must have a place.
    init(_ columns: PointColumns, of slots: [Int32]) { fill(columns, of: slots) }

    /// Records that an overlay has moved, or has started or stopped taking part in pictures.
    mutating func move(_ slot: Int32) {
        let index = Int(slot)
        guard isBuilt else { return }
        if index >= isMoved.count {
            isMoved.append(contentsOf: repeatElement(false, count: index + 1 - isMoved.count))
        }
        guard !isMoved[index] else { return }
        isMoved[index] = true
        moved.append(slot)
        if moved.count > 1024 + slots.count / 16 { forget() }
    }

    mutating func forget() {
        let builds = builds
        self = SpatialIndex()
        self.builds = builds
    }

    mutating func build(_ columns: PointColumns) {
        guard !isBuilt else { return }
        builds += 1
        fill(columns, of: columns.present)
    }

    private mutating func fill(_ columns: PointColumns, of chosen: [Int32]) {
        isBuilt = true
        slots = chosen
        let places = columns.places
        radixSort(&slots, by: slots.map { Self.code(places[Int($0)]) })
        codes = slots.map { Self.code(places[Int($0)]) }
        isMoved = [Bool](repeating: false, count: columns.count)
    }

    /// The distinct slots in the union of `boxes`, unordered; nil if there are more than `limit`.
    func slots(in boxes: [WorldBox], _ columns: PointColumns, limit: Int) -> [Int32]? {
        var found: [Int32] = []
        for box in boxes {
            let corners = (
                west: Self.cell(box.west), north: Self.cell(box.north), east: Self.cell(box.east), south: Self.cell(box.south)
            )
            guard collect(corners, prefix: 0, level: 32, low: 0, high: codes.count, limit, into: &found) else { return nil }
        }
        found = found.filter { !isMoved[Int($0)] }
        if boxes.count > 1 {
            // Boxes may touch, and sparse cells are collected as a whole.
            var seen = Set<Int32>(minimumCapacity: found.count)
            found = found.filter { seen.insert($0).inserted }
        }
        found += moved.filter { slot in
            columns.isPresent(slot) && boxes.contains { $0.contains(columns.places[Int(slot)]) }
        }
        return found.count > limit ? nil : found
    }

    /// Collects the slots in a quadtree cell that may be in the box; cells with few places are collected as a whole. Returns false as soon
    /// as there are clearly more than `limit`.
    private func collect(
        _ box: (west: UInt32, north: UInt32, east: UInt32, south: UInt32), prefix: UInt64, level: UInt64, low: Int, high: Int,
        _ limit: Int, into found: inout [Int32]
    ) -> Bool {
        guard low < high else { return true }
        let size = level == 32 ? UInt32.max : (1 << UInt32(level)) - 1
        let (x, y) = (Morton.x(prefix), Morton.y(prefix))
        guard x <= box.east, y <= box.south, x | size >= box.west, y | size >= box.north else { return true }
        let isInside = x >= box.west && y >= box.north && x | size <= box.east && y | size <= box.south
        if isInside || high - low <= 32 || level == 0 {
            found.append(contentsOf: slots[low..<high])
            return found.count <= limit + 64
        }
        var start = low
        for quarter in UInt64(0)..<4 {
            let part = prefix | quarter << (2 * (level - 1))
            let next = prefix | (quarter + 1) << (2 * (level - 1))
            let end = quarter == 3 ? high : codes[start..<high].partitioningIndex { $0 >= next }
            guard collect(box, prefix: part, level: level - 1, low: start, high: end, limit, into: &found) else { return false }
            start = end
        }
        return true
    }

    private static func cell(_ fraction: Double) -> UInt32 {
        UInt32(min(max(fraction, 0) * 0x1p32, 0x1p32 - 1))
    }

    private static func code(_ place: WorldPoint) -> UInt64 {
        Morton.code(x: cell(place.x), y: cell(place.y))
    }
}
