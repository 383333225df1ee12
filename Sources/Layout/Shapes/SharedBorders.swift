import WaymarkRaster

/// Finds the ends of the borders that areas share, so that each border is simplified separately and identically in both areas. Otherwise
/// the two simplifications of a border would differ by up to a tenth of a pixel, and the ground would show through.
///
/// A point is such an end if the rings through it do not all continue to the same two points (the junctions of TopoJSON: Bostock, 2012), or
/// if one of the rings is drawn with all its points.
struct SharedBorders {
    /// The rings through one point.
    private struct Passage {
        var point: UInt64
        /// The number of rings, and the sum of their `PassedPoint.neighbors`: rings with equal neighbors add equal numbers.
        var rings: UInt64 = 0
        var neighbors: UInt64 = 0
        /// Whether a ring through the point keeps all its points, because they are few.
        var isKept = false
    }

    /// A hash table with open addressing, in which a point of 0 marks a free place.
    private var passages: [Passage]
    private let mask: Int

    /// - Parameter rings: All rings that may share a border with the rings passed to `ends`.
    init(_ rings: [ShapePart]) {
        let points = rings.reduce(0) { $0 + $1.pointCount }
        var size = 16
        while size < 2 * points { size *= 2 }
        passages = [Passage](repeating: Passage(point: 0), count: size)
        mask = size - 1
        for ring in rings {
            for point in PassedPoint.all(of: ring) {
                let index = index(of: point.key)
                passages[index].point = point.key
                passages[index].rings += 1
                passages[index].neighbors &+= point.neighbors
                if !ring.isSimplified { passages[index].isKept = true }
            }
        }
    }

    private func index(of key: UInt64) -> Int {
        var index = Int(truncatingIfNeeded: key >> 8) & mask
        while passages[index].point != key, passages[index].point != 0 { index = (index + 1) & mask }
        return index
    }

    /// The indices of a ring's points between which it is simplified in pieces, ascending; empty for a ring that shares no point.
    func ends(_ ring: ShapePart) -> [Int32] {
        let points = PassedPoint.all(of: ring)
        var result: [Int32] = []
        var isShared = false
        var least = 0
        for (number, point) in points.enumerated() {
            let passage = passages[index(of: point.key)]
            if passage.rings > 1 { isShared = true }
            if passage.isKept || passage.neighbors != passage.rings &* point.neighbors { result.append(Int32(number)) }
            if point.key < points[least].key { least = number }
        }
        // Rings with the same points have no ends; each of them begins at the same point.
        return result.isEmpty && isShared ? [Int32(least)] : result
    }
}

/// A point of a ring, with a number in place of coordinates, because copies of a point in several rings may differ in the last bits, and
/// may be on different copies of the world.
private struct PassedPoint {
    /// The number of the point; never 0.
    var key: UInt64
    /// A hash of the points before and after, which is the same in either order.
    var neighbors: UInt64

    static func all(of ring: ShapePart) -> [PassedPoint] {
        let keys = ring.points.map(key)
        return keys.indices.map { index in
            let before = keys[index == 0 ? keys.count - 1 : index - 1]
            let after = keys[index + 1 == keys.count ? 0 : index + 1]
            return PassedPoint(key: keys[index], neighbors: mixed(before) &+ mixed(after))
        }
    }

    /// The number of steps across the world. A step is 0.6 mm at the equator.
    private static let steps = 0x1p36

    private static func key(_ point: PlanePoint) -> UInt64 {
        let (x, y) = (((point.x - point.x.rounded(.down)) * steps).rounded(), (point.y * steps).rounded())
        let column = UInt64(x) & (1 << 36 - 1)
        let row = UInt64(bitPattern: Int64(min(max(y, -0x1p60), 0x1p60)))
        return max(1, mixed(mixed(column) &+ row))
    }

    /// Spreads the bits of a number: the last steps of Steele, Lea and Flood's SplitMix64 (2014).
    private static func mixed(_ number: UInt64) -> UInt64 {
        var z = number &+ 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// Finds the areas whose shared borders have new ends because neighboring areas have changed.
struct BorderChanges {
    private var boxes: [ShapeBox] = []

    /// Records that an area was changed, added or removed.
    mutating func note(_ geometry: ShapeGeometry) {
        for ring in geometry.rings where ring.curve == .straight { boxes.append(ShapeBox(low: ring.low, high: ring.high)) }
    }

    /// Sets the ends of shared borders in the areas around all changes.
    /// - Parameter bounds: The bounds of all shapes.
    mutating func apply(_ shapes: ShapeTable, _ bounds: [ShapeBounds]) {
        guard !boxes.isEmpty else { return }
        let changed = union(boxes)
        boxes = []
        let affected = rings(in: changed, shapes, bounds).filter(\.isSimplified)
        guard !affected.isEmpty else { return }
        let borders = SharedBorders(rings(in: union(affected.map { ShapeBox(low: $0.low, high: $0.high) }), shapes, bounds))
        for ring in affected { ring.setBorderEnds(borders.ends(ring)) }
    }

    /// The rings that overlap one of several boxes.
    private func rings(in boxes: [ShapeBox], _ shapes: ShapeTable, _ bounds: [ShapeBounds]) -> [ShapePart] {
        var result: [ShapePart] = []
        for listed in bounds where boxes.contains(where: { $0.overlaps(listed.low, listed.high) }) {
            guard let rings = shapes[listed.slot]?.geometry.rings else { continue }
            for ring in rings where ring.curve == .straight && boxes.contains(where: { $0.overlaps(ring.low, ring.high) }) {
                result.append(ring)
            }
        }
        return result
    }

    /// A few boxes that contain all of the given ones.
    private func union(_ boxes: [ShapeBox]) -> [ShapeBox] {
        guard boxes.count > Self.mostBoxes, var whole = boxes.first else { return boxes }
        for box in boxes { (whole.low, whole.high) = (pointwiseMin(whole.low, box.low), pointwiseMax(whole.high, box.high)) }
        return [whole]
    }

    private static let mostBoxes = 64
}
