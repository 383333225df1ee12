import Foundation
import WaymarkGeo
import WaymarkRaster

extension ShapeGeometry {
    /// The parts of the lines up to a fraction of their total length on the ground: from the first point on, or, for a negative `progress`,
    /// from the last point back.
    mutating func traveled(_ progress: Double) -> [ShapePart] {
        guard progress != 0 else { return [] }
        if metres.isEmpty { metres = lines.map(Self.metres) }
        let total = metres.reduce(0) { $0 + ($1.last ?? 0) } + metresBefore.reduce(0, +)
        let (from, to) = progress > 0 ? (0, total * progress) : (total * (1 + progress), total)
        var (result, before): ([ShapePart], Double) = ([], 0)
        for (index, (part, metres)) in zip(lines, metres).enumerated() {
            before += metresBefore[index]
            let end = before + (metres.last ?? 0)
            defer { before = end }
            guard end > from, before < to else { continue }
            if before >= from, end <= to {
                result.append(part)
            } else {
                result.append(Self.slice(part, metres, max(from - before, 0), min(to, end) - before))
            }
        }
        return result
    }

    /// The meters from the start of the part to each point.
    static func metres(_ part: ShapePart) -> [Double] {
        let points = part.points
        var (sum, last) = (0.0, points.first.map { latitude($0.y) } ?? 0)
        return points.indices.map { index in
            guard index > 0 else { return 0 }
            if part.curve == .greatCircle {
                sum += metres(points[index - 1], points[index], .greatCircle)
            } else {
                let next = latitude(points[index].y)
                sum += metres(points[index] - points[index - 1], latitudes: last, next)
                last = next
            }
            return sum
        }
    }

    /// The distance in meters on the ground between two points, along a great circle or along the rhumb line, which is straight on a
    /// Mercator map.
    static func metres(_ a: PlanePoint, _ b: PlanePoint, _ curve: ShapePart.Curve) -> Double {
        if curve == .greatCircle {
            return SpherePoint(worldX: a.x, y: a.y).angle(to: SpherePoint(worldX: b.x, y: b.y)) * WebMercator.earthRadius
        }
        return metres(b - a, latitudes: latitude(a.y), latitude(b.y))
    }

    /// Meters along a rhumb line.
    private static func metres(_ step: PlanePoint, latitudes first: Double, _ last: Double) -> Double {
        let (north, step) = (last - first, step * (2 * .pi))
        let scale = abs(step.y) > 1e-6 ? north / step.y : cos((first + last) / 2)
        return (north * north + scale * scale * step.x * step.x).squareRoot() * WebMercator.earthRadius
    }

    /// The latitude in radians (inverse Web Mercator, EPSG:3857).
    private static func latitude(_ y: Double) -> Double { atan(sinh(.pi * (1 - 2 * y))) }

    /// The point at a fraction of the length of the rhumb line from `a` to `b`. Along a rhumb line, the latitude changes uniformly.
    private static func place(_ a: PlanePoint, _ b: PlanePoint, _ share: Double) -> PlanePoint {
        guard abs(b.y - a.y) > 1e-9 else { return a + (b - a) * share }
        let latitude = latitude(a.y) + (latitude(b.y) - latitude(a.y)) * share
        let y = (1 - asinh(tan(latitude)) / .pi) / 2
        return a + (b - a) * min(max((y - a.y) / (b.y - a.y), 0), 1)
    }

    /// The section of a line between two distances from its start, in meters.
    private static func slice(_ part: ShapePart, _ metres: [Double], _ from: Double, _ to: Double) -> ShapePart {
        func end(_ distance: Double) -> (index: Int, point: PlanePoint) {
            let low = max(0, min(metres.count - 2, metres.partitioningIndex { $0 > distance } - 1))
            let length = metres[low + 1] - metres[low]
            let share = length > 0 ? min(max((distance - metres[low]) / length, 0), 1) : 0
            return (low, place(part.points[low], part.points[low + 1], share))
        }
        let (first, last) = (end(from), end(to))
        let isCutAtStart = from > 0
        let isCutAtEnd = to < (metres.last ?? 0)
        let (from, to) = (isCutAtStart ? first.index : 0, isCutAtEnd ? last.index : part.points.count - 2)
        let isAerial = !part.heights.isEmpty
        var points = [isCutAtStart ? first.point : part.points[0]]
        var heights = isAerial ? [isCutAtStart ? part.height(of: first.point, onEdge: from) : part.heights[0]] : []
        func add(_ point: PlanePoint, _ height: @autoclosure () -> Double) {
            guard isAerial else {
                if point != points[points.count - 1] { points.append(point) }
                return
            }
            let height = height()
            guard point != points[points.count - 1] || height != heights[heights.count - 1] else { return }
            points.append(point)
            heights.append(height)
        }
        for index in from + 1..<max(to, from) + 1 { add(part.points[index], part.heights[index]) }
        let finish = isCutAtEnd ? last.point : part.points[to + 1]
        add(finish, isCutAtEnd ? part.height(of: finish, onEdge: to) : part.heights[to + 1])
        // A section of length 0 still needs two points.
        if points.count < 2 {
            points.append(finish)
            if isAerial { heights.append(heights[0]) }
        }
        let start = part.distances(ofRefined: Array(part.points[...first.index]) + [first.point]).last ?? part.start
        return ShapePart(
            points, heights: heights, isClosed: false, curve: part.curve, start: isCutAtStart ? start : part.start,
            isCutAtStart: isCutAtStart || part.isCutAtStart, isCutAtEnd: isCutAtEnd || part.isCutAtEnd, whole: part)
    }
}
