import WaymarkRaster

/// Finds holes that are where no hole should be. The first ring of a polygon is its outer one, all others are holes (RFC 7946, 3.1.6).
enum PolygonHoles {
    /// By ring: whether it is a hole that lies outside the first ring, where it would be filled instead of left free.
    /// - Parameter areCrossing: Whether some of the rings cross, or may: then only holes clear of the ring's box are certain.
    static func outside(_ rings: [WorldRing], areCrossing: Bool) -> [Bool] {
        guard let outer = rings.first, rings.count > 1 else { return rings.map { _ in false } }
        let interior = RingInterior(outer.points)
        let (low, high) = (outer.low, outer.high)
        return rings.enumerated().map { index, ring in
            guard index > 0 else { return false }
            let isClear = any(ring.low .>= high) || any(ring.high .<= low)
            if isClear || areCrossing { return isClear }
            return isInside(ring, interior) == false
        }
    }

    /// Of rings that do not cross, a hole that lies inside another one, and that one, by index; nil when there is none, and when too many
    /// holes lie side by side to tell.
    static func nested(_ rings: [WorldRing]) -> (inner: Int, outer: Int)? {
        guard rings.count > 2 else { return nil }
        // From west to east, the wider ones first: a hole lies in one before it, or in one of the same box.
        let holes = (1..<rings.count).map { (index: $0, low: rings[$0].low, high: rings[$0].high) }
            .sorted { ($0.low.x, -$0.high.x, $0.low.y, -$0.high.y, $0.index) < ($1.low.x, -$1.high.x, $1.low.y, -$1.high.y, $1.index) }
        var pairs = 0
        for (place, first) in holes.enumerated() {
            var interior: RingInterior?
            for second in holes[(place + 1)...] {
                guard second.low.x < first.high.x else { break }
                pairs += 1
                guard pairs <= mostPairs else { return nil }
                guard second.high.x <= first.high.x, second.low.y >= first.low.y, second.high.y <= first.high.y else { continue }
                let known = interior ?? RingInterior(rings[first.index].points)
                interior = known
                if isInside(rings[second.index], known) == true { return (second.index, first.index) }
                guard second.low == first.low, second.high == first.high else { continue }
                if isInside(rings[first.index], RingInterior(rings[second.index].points)) == true { return (first.index, second.index) }
            }
        }
        return nil
    }

    /// The most pairs of holes of a polygon that are compared: some hundredths of a second.
    private static let mostPairs = 2_000_000

    /// Whether a ring lies inside another, which it does not cross, so that the first point off that ring decides; nil when all are on it.
    private static func isInside(_ ring: WorldRing, _ other: RingInterior) -> Bool? {
        for point in ring.points {
            if let isInside = other.contains(point) { return isInside }
        }
        return nil
    }
}
