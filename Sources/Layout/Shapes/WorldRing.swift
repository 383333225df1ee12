import WaymarkGeo
import WaymarkRaster

/// A ring in unwrapped world coordinates.
struct WorldRing {
    var points: [PlanePoint]
    /// The ring's index among the rings of its polygon.
    var number = 0
    /// The lines to stroke, when they are not the whole ring. Edges along ±180°, where data are cut, and along the map's edge are left out.
    var outline: [[PlanePoint]]?

    var low: PlanePoint { points.reduce(PlanePoint(repeating: .infinity)) { pointwiseMin($0, $1) } }
    var high: PlanePoint { points.reduce(PlanePoint(repeating: -.infinity)) { pointwiseMax($0, $1) } }

    init(_ places: [LatLng], _ unwrapped: [PlanePoint]) {
        var points = unwrapped
        if points.count > 1, places.first == places.last { points.removeLast() }
        self.points = points
        guard points.count > 2 else { return }
        let count = points.count
        let step = points[0].x - points[count - 1].x
        let turns = (points[count - 1].x + (step - step.rounded(.toNearestOrEven)) - points[0].x).rounded()
        if turns == 0, high.x - low.x < 1e-12, places.allSatisfy({ abs($0.lng) <= 180 }) {
            // All corners are on ±180°, so the given longitudes decide whether and how the ring winds around the world.
            self.points = (0..<count).map { PlanePoint((places[$0].lng + 180) / 360, points[$0].y) }
            return
        }
        // An edge between two corners on ±180° is a cut that data have made through a ring.
        func isCut(_ index: Int) -> Bool {
            abs(places[index].lng) == 180 && abs(places[(index + 1) % count].lng) == 180
        }
        var line = points
        if turns != 0 { line.append(points[0] + PlanePoint(turns, 0)) }
        if turns != 0 || (0..<count).contains(where: isCut) {
            outline = Self.lines(turns == 0 ? points + [points[0]] : line, isCut: isCut, isClosed: turns == 0)
        }
        if abs(turns) == 1 { close(turns, pole: points.reduce(0) { $0 + $1.y } / Double(count) > 0.5 ? 1 : 0) }
    }

    /// Creates a ring whose points are already unwrapped.
    /// - Parameter pole: The edge of the map along which the ring is closed if it winds around the world: 0 is north, 1 south.
    init(_ points: [PlanePoint], pole: Double?) {
        self.points = points
        if let pole, let first = points.first, let last = points.last {
            let turns = last.x > first.x ? 1.0 : -1
            outline = [points + [first + PlanePoint(turns, 0)]]
            close(turns, pole: pole)
        }
    }

    private mutating func close(_ turns: Double, pole: Double) {
        // The ring is closed beyond all of its points, so that no edges cross. The part beyond the map is clipped later.
        let (first, y) = (points[0], pole > 0 ? 2.0 : -1)
        points.append(first + PlanePoint(turns, 0))
        points.append(PlanePoint(first.x + turns, y))
        points.append(PlanePoint(first.x, y))
    }

    mutating func move(by worlds: Double) {
        guard worlds != 0 else { return }
        for index in points.indices { points[index].x += worlds }
        outline = outline?.map { $0.map { PlanePoint($0.x + worlds, $0.y) } }
    }

    /// Splits a line into pieces at the edges that are left out.
    private static func lines(_ line: [PlanePoint], isCut: (Int) -> Bool, isClosed: Bool) -> [[PlanePoint]] {
        var lines: [[PlanePoint]] = []
        var current = [line[0]]
        for index in 0..<line.count - 1 {
            if isCut(index) {
                lines.append(current)
                current = [line[index + 1]]
            } else {
                current.append(line[index + 1])
            }
        }
        // The last piece of a ring continues into the first.
        if isClosed, lines.count > 0 { lines[0] = current + lines[0].dropFirst() } else { lines.append(current) }
        return lines.filter { $0.count > 1 }
    }
}

/// Finds misplaced holes. The first ring of a polygon is the outer ring, and all others are holes (RFC 7946, 3.1.6).
enum PolygonHoles {
    /// Whether each ring is a hole outside the first ring, where it would be filled.
    /// - Parameter areCrossing: Whether some of the rings cross, or may cross. In that case, only holes outside the outer ring's box are
    ///   certain to be outside.
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

    /// The indices of a hole inside another hole, and of that other hole, among rings that do not cross. Nil when there are none, or too
    /// many pairs of holes to compare.
    static func nested(_ rings: [WorldRing]) -> (inner: Int, outer: Int)? {
        guard rings.count > 2 else { return nil }
        // The holes are ordered from west to east, wider ones first. A hole can therefore only be inside an earlier hole, or a hole with
        // the same box.
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

    /// The maximum number of compared pairs of holes of a polygon, which takes hundredths of a second.
    private static let mostPairs = 2_000_000

    /// Whether a ring is inside another that it does not cross; nil if all of its points are on the other ring. The first point that is
    /// not on the other ring decides.
    private static func isInside(_ ring: WorldRing, _ other: RingInterior) -> Bool? {
        for point in ring.points {
            if let isInside = other.contains(point) { return isInside }
        }
        return nil
    }
}
