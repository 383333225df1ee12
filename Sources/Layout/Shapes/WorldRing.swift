import WaymarkGeo
import WaymarkRaster

/// A ring in unwrapped world coordinates.
struct WorldRing {
    var points: [PlanePoint]
    /// Its index among the rings of its polygon.
    var number = 0
    /// The lines to stroke, when they are not the whole ring: edges along ±180°, where data are cut, and along the map's edge are left out.
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
            // All corners are on ±180°: the longitudes as written decide how the ring goes around the world, if it does.
            self.points = (0..<count).map { PlanePoint((places[$0].lng + 180) / 360, points[$0].y) }
            return
        }
        // An edge between two corners on ±180° is where data cut a ring in two.
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

    /// A ring whose points are already unwrapped.
    /// - Parameter pole: The edge of the map along which it is closed when it winds around the world: 0 is north, 1 south.
    init(_ points: [PlanePoint], pole: Double?) {
        self.points = points
        if let pole, let first = points.first, let last = points.last {
            let turns = last.x > first.x ? 1.0 : -1
            outline = [points + [first + PlanePoint(turns, 0)]]
            close(turns, pole: pole)
        }
    }

    private mutating func close(_ turns: Double, pole: Double) {
        // Closed beyond all of its points, so that no edges cross; the part beyond the map is clipped later.
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
        // In a ring, the last piece continues into the first.
        if isClosed, lines.count > 0 { lines[0] = current + lines[0].dropFirst() } else { lines.append(current) }
        return lines.filter { $0.count > 1 }
    }
}
