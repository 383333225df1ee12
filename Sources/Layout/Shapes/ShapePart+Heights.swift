import WaymarkGeo
import WaymarkRaster

extension ShapePart {
    /// The points of a line through the air at the resolution of a level. They are not simplified, because that would have to consider
    /// heights.
    /// - Parameter isSeen: See `refined(level:isSeen:)`.
    func spacePoints(level: Int, isSeen: (PlanePoint, PlanePoint, Double) -> Bool) -> [PlanePoint] {
        curve == .straight || level <= Self.curveLevel ? points : refined(level: level, isSeen: isSeen)
    }

    /// The heights of points on the line, as fractions of the world's size; empty for a level line. Between two of the stored points, the
    /// line is straight in space.
    /// - Parameter distances: The distance of each point from the start of the whole line, as a fraction of the world, ascending.
    func heights(at distances: [Double]) -> [Double] {
        guard !heights.isEmpty else { return [] }
        let known = self.distances
        var next = 1
        return distances.map { distance in
            while next < known.count - 1, known[next] < distance { next += 1 }
            guard next < known.count else { return heights[0] }
            return Self.height(heights[next - 1], heights[next], distance - known[next - 1], of: known[next] - known[next - 1])
        }
    }

    /// The heights of refined points, which include all points of the part in order; see `distances(ofRefined:)`.
    func heights(ofRefined refined: [PlanePoint]) -> [Double] {
        guard refined.count != points.count else { return heights }
        var next = 0
        return zip(refined, distances(ofRefined: refined)).map { point, distance in
            if next < points.count, points[next] == point {
                next += 1
                return heights[next - 1]
            }
            let (from, to) = (max(next - 1, 0), min(next, points.count - 1))
            return Self.height(heights[from], heights[to], distance - distances[from], of: distances[to] - distances[from])
        }
    }

    /// The height at a point of the edge that begins at an index.
    func height(of point: PlanePoint, onEdge index: Int) -> Double {
        let edge = points[index + 1] - points[index]
        return Self.height(heights[index], heights[index + 1], (point - points[index]).length, of: edge.length)
    }

    private static func height(_ first: Double, _ last: Double, _ distance: Double, of length: Double) -> Double {
        guard length > 0 else { return last }
        return first + (last - first) * min(max(distance / length, 0), 1)
    }
}

extension ShapeGeometry {
    /// The heights of a line's points as fractions of the world's size, each at the scale of its latitude.
    /// - Parameters:
    ///   - altitude: The number of meters added to the altitude of every point.
    ///   - indices: The index in `points` of each point of `places`. Along the arcs between them, the altitude changes uniformly.
    static func heights(_ places: [LatLng], altitude: Double, _ points: [PlanePoint], at indices: [Int]) -> [Double] {
        func height(_ metres: Double, lat: Double) -> Double {
            let lat = min(max(lat, -WebMercator.maxLatitude), WebMercator.maxLatitude)
            return metres * WebMercator.pointsPerMeter(lat: lat, worldSize: 1)
        }
        var heights = [Double](repeating: 0, count: points.count)
        for (number, place) in places.enumerated() {
            let index = indices[number]
            heights[index] = height(altitude + place.altitude, lat: place.lat)
            guard number > 0, index > indices[number - 1] + 1 else { continue }
            let (start, before) = (indices[number - 1], places[number - 1])
            let arc = points[start...index].map { SpherePoint(worldX: $0.x, y: $0.y) }
            var passed = [0.0]
            for (a, b) in zip(arc, arc.dropFirst()) { passed.append(passed[passed.count - 1] + a.angle(to: b)) }
            let whole = passed[passed.count - 1]
            for step in 1..<arc.count - 1 {
                let share = whole > 0 ? passed[step] / whole : 1
                heights[start + step] = height(
                    altitude + before.altitude + (place.altitude - before.altitude) * share,
                    lat: WebMercator.latitude(fromY: points[start + step].y))
            }
        }
        return heights
    }
}
