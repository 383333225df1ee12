import WaymarkVectorTiles

/// The walls of a tile's buildings that already have an outline. This is a hash table in one flat array, because tens of thousands of walls
/// are looked up in a picture.
struct WallTable {
    /// The two ends of each wall; `none` in free places.
    private var places: [SIMD4<Float>] = []
    private var mask = 0

    /// The value of a free place, which is distinct because positions in a tile are 0…1.
    private static let none = SIMD4<Float>(repeating: -1)
    /// The maximum number of places that a search visits, because a malicious tile may have all its walls in one place.
    private static let mostVisited = 32

    /// Removes all walls.
    /// - Parameter capacity: The number of walls to come.
    mutating func reset(capacity: Int) {
        var size = 16
        while size < 2 * capacity { size *= 2 }
        mask = size - 1
        places.removeAll(keepingCapacity: true)
        places.append(contentsOf: repeatElement(Self.none, count: size))
    }

    /// Inserts the wall between two points, in either direction.
    /// - Returns: Whether the wall is new. If many walls belong in one place, this may rarely be true for a wall that the table already
    ///   has.
    mutating func insert(_ a: TileGeometry.Point, _ b: TileGeometry.Point) -> Bool {
        let isForward = a.x < b.x || a.x == b.x && a.y < b.y
        let wall = isForward ? SIMD4(lowHalf: a, highHalf: b) : SIMD4(lowHalf: b, highHalf: a)
        // This is safe, because both types have 16 bytes, and every pattern is a value. The bits are only hashed.
        let bits = unsafeBitCast(wall, to: SIMD2<UInt64>.self)
        var hash = (bits.x &* 0x9E37_79B9_7F4A_7C15) ^ (bits.y &* 0xC2B2_AE3D_27D4_EB4F)
        hash ^= hash >> 29
        hash = hash &* 0x9E37_79B9_7F4A_7C15
        let first = Int(truncatingIfNeeded: hash >> 32)
        for step in 0..<Self.mostVisited {
            let place = (first &+ step) & mask
            if places[place] == wall { return false }
            if places[place] == Self.none {
                places[place] = wall
                return true
            }
        }
        return true
    }
}
