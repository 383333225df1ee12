import WaymarkGeo
import WaymarkRaster

/// One line or ring of a shape as fractions of the world, unwrapped: x goes on beyond 0…1 where it crosses ±180°.
///
/// It keeps what depends on the zoom alone, so that moving the map simplifies nothing.
final class ShapePart {
    /// What is between the points.
    enum Curve: Equatable {
        case straight
        case greatCircle
        /// Around a centre, at an angle in radians; the points stand at bearings in even steps from north on, and the last is the first.
        case circle(SpherePoint, angle: Double)
    }

    let points: [PlanePoint]
    /// Whether a stroke goes on from the last point to the first.
    let isClosed: Bool
    let curve: Curve
    /// By how much the curve may be off between the points, as a fraction of the world.
    private let curveTolerance: Double
    /// How far along the line of which it is a part it begins, as a fraction of the world.
    let start: Double
    /// Whether its ends are ends, or only where the line was cut.
    let isCutAtStart: Bool
    let isCutAtEnd: Bool
    /// The box around it.
    let low: PlanePoint
    let high: PlanePoint
    /// Bearings of the points of a circle.
    private let bearings: [Double]

    /// At a level, the world is 2^level device pixels wide where it is largest.
    private var level: Int?
    /// nil when leaving out points does not pay.
    private var simplified: [PlanePoint]?
    private var distancesOfLevel: [Double]?
    /// How often points were left out anew: what tests count.
    private(set) var simplifications = 0

    /// In device pixels: how far a line may be from where it should be.
    static let tolerance = 0.05
    /// The level up to which curves are kept as points; deeper ones are refined where they are seen.
    static let curveLevel = 14
    static let curveTolerance = tolerance / Double(1 << curveLevel)

    init(
        _ points: [PlanePoint], isClosed: Bool, curve: Curve = .straight, start: Double = 0, isCutAtStart: Bool = false,
        isCutAtEnd: Bool = false, bearings: [Double] = []
    ) {
        self.points = points
        self.isClosed = isClosed
        self.curve = curve
        self.start = start
        self.isCutAtStart = isCutAtStart
        self.isCutAtEnd = isCutAtEnd
        self.bearings = bearings
        curveTolerance = curve == .straight ? 0 : Self.curveTolerance
        var (low, high) = (PlanePoint(repeating: .infinity), PlanePoint(repeating: -.infinity))
        for point in points {
            low = pointwiseMin(low, point)
            high = pointwiseMax(high, point)
        }
        self.low = low - PlanePoint(repeating: curveTolerance)
        self.high = high + PlanePoint(repeating: curveTolerance)
    }

    /// The points at a level, moved apart by less than the tolerance.
    func points(level: Int) -> [PlanePoint] {
        prepare(level)
        return simplified ?? points
    }

    /// How far along the whole line each of `points(level:)` is.
    func distances(level: Int) -> [Double] {
        prepare(level)
        if let distancesOfLevel { return distancesOfLevel }
        var sum = start
        var before: PlanePoint?
        let distances = (simplified ?? points).map { point in
            if let before { sum += (point - before).length }
            before = point
            return sum
        }
        distancesOfLevel = distances
        return distances
    }

    /// How far along the whole line each of its points is, whatever is seen: along the curve, not the straight lines between points.
    private(set) lazy var distances: [Double] = {
        var sum = start
        return points.indices.map { index in
            if index > 0 { sum += length(points[index - 1], points[index]) }
            return sum
        }
    }()

    /// How far along the whole line points are, all of its own being among them in their order, the others on the curve.
    func distances(ofRefined refined: [PlanePoint]) -> [Double] {
        var index = -1
        return refined.map { point in
            if index + 1 < points.count, points[index + 1] == point {
                index += 1
                return distances[index]
            }
            return distances[max(index, 0)] + length(points[max(index, 0)], point)
        }
    }

    private func length(_ a: PlanePoint, _ b: PlanePoint) -> Double { curve == .greatCircle ? GreatCircle.length(a, b) : (b - a).length }

    private func prepare(_ level: Int) {
        guard self.level != level else { return }
        self.level = level
        simplified = nil
        distancesOfLevel = nil
        guard points.count > 8 || curve != .straight else { return }
        simplifications += 1
        if curve != .straight, level > Self.curveLevel {
            // As fine as the level needs, where that is little.
            simplified = refined(level: level) { _, _, _ in true }
            return
        }
        let line = isClosed ? points + [points[0]] : points
        let kept = line.withUnsafeBufferPointer { LineSimplifier.simplify($0, tolerance: Self.tolerance / Self.pixels(level)) }
        if kept.count * 10 < line.count * 9 {
            simplified = (isClosed ? kept.dropLast() : kept[...]).map { line[Int($0)] }
        }
    }

    static func pixels(_ level: Int) -> Double { Double(sign: .plus, exponent: level, significand: 1) }

    /// Whether the curve must be refined where it is seen, because the points are too coarse for a level and it is too large
    /// to be refined once for all.
    func needsRefinement(level: Int) -> Bool {
        curve != .straight && level > Self.curveLevel && (high - low).max() * Self.pixels(level) > Self.largestRefined
    }

    /// Device pixels.
    private static let largestRefined = 8192.0

    /// The points of a curve, with as many between them as a level needs where they are seen.
    /// - Parameter isSeen: Whether what lies between two points, as far off the straight line as given, may be.
    func refined(level: Int, isSeen: (PlanePoint, PlanePoint, Double) -> Bool) -> [PlanePoint] {
        let tolerance = Self.tolerance / Self.pixels(level)
        var result: [PlanePoint] = []
        let count = isClosed ? points.count : points.count - 1
        for index in 0..<count {
            let (a, b) = (points[index], points[(index + 1) % points.count])
            result.append(a)
            guard isSeen(a, b, curveTolerance) else { continue }
            switch curve {
            case .straight: break
            case .greatCircle:
                let ends = (SpherePoint(worldX: a.x, y: a.y), SpherePoint(worldX: b.x, y: b.y))
                GreatCircle.subdivide(a, ends.0, b, ends.1, tolerance, isSeen, &result)
            case .circle(let center, let angle):
                let first = bearings[index]
                let second = index + 1 < points.count ? bearings[index + 1] : 2 * .pi
                SmallCircle(center: center, angle: angle).subdivide(a, first, b, second, tolerance, isSeen, &result)
            }
        }
        if !isClosed, let last = points.last { result.append(last) }
        return result
    }
}

/// The shortest way between two places.
enum GreatCircle {
    typealias Sight = (PlanePoint, PlanePoint, Double) -> Bool
    private static let deepest = 40

    /// Appends points between two ends until what is seen is within a tolerance of the arc.
    static func subdivide(
        _ a: PlanePoint, _ first: SpherePoint, _ b: PlanePoint, _ second: SpherePoint, _ tolerance: Double, _ isSeen: Sight,
        _ result: inout [PlanePoint], depth: Int = 0
    ) {
        guard depth < deepest, let middle = first.middle(to: second), let quarter = first.middle(to: middle) else { return }
        let point = place(middle, between: a, b, 0.5)
        // Across the equator the middle may be on the straight line by chance.
        let off = max((point - (a + b) / 2).length, (place(quarter, between: a, b, 0.25) - (a * 0.75 + b * 0.25)).length)
        guard off > tolerance, depth == 0 || isSeen(a, b, 2 * off) else { return }
        subdivide(a, first, point, middle, tolerance, isSeen, &result, depth: depth + 1)
        result.append(point)
        subdivide(point, middle, b, second, tolerance, isSeen, &result, depth: depth + 1)
    }

    /// The length on the map of the arc between two places, in fractions of the world.
    static func length(_ a: PlanePoint, _ b: PlanePoint) -> Double {
        let (first, last) = (SpherePoint(worldX: a.x, y: a.y), SpherePoint(worldX: b.x, y: b.y))
        guard let middle = first.middle(to: last), let early = first.middle(to: middle), let late = middle.middle(to: last) else {
            return (b - a).length
        }
        // The map's scale is the secant of the latitude; Boole's rule.
        func scale(_ point: SpherePoint) -> Double { 1 / max(1 - point.vector.z * point.vector.z, 1e-6).squareRoot() }
        let mean = (7 * (scale(first) + scale(last)) + 32 * (scale(early) + scale(late)) + 12 * scale(middle)) / 90
        return first.angle(to: last) * mean / (2 * .pi)
    }

    private static func place(_ point: SpherePoint, between a: PlanePoint, _ b: PlanePoint, _ share: Double) -> PlanePoint {
        let place = point.worldPoint(near: a.x + (b.x - a.x) * share)
        return PlanePoint(place.x, place.y)
    }
}

/// All places at one distance from a centre.
struct SmallCircle {
    var center: SpherePoint
    /// In radians.
    var angle: Double
    private static let deepest = 30

    func point(bearing: Double, near x: Double) -> PlanePoint {
        let place = center.destination(bearing: bearing, angle: angle).worldPoint(near: x)
        return PlanePoint(place.x, place.y)
    }

    func subdivide(
        _ a: PlanePoint, _ first: Double, _ b: PlanePoint, _ second: Double, _ tolerance: Double, _ isSeen: GreatCircle.Sight,
        _ result: inout [PlanePoint], bearings: UnsafeMutablePointer<[Double]>? = nil, depth: Int = 0
    ) {
        guard depth < Self.deepest else { return }
        let middle = (first + second) / 2
        let point = point(bearing: middle, near: (a.x + b.x) / 2)
        let quarter = self.point(bearing: first * 0.75 + second * 0.25, near: a.x * 0.75 + b.x * 0.25)
        let off = max((point - (a + b) / 2).length, (quarter - (a * 0.75 + b * 0.25)).length)
        guard off > tolerance, depth == 0 || isSeen(a, b, 2 * off) else { return }
        subdivide(a, first, point, middle, tolerance, isSeen, &result, bearings: bearings, depth: depth + 1)
        result.append(point)
        bearings?.pointee.append(middle)
        subdivide(point, middle, b, second, tolerance, isSeen, &result, bearings: bearings, depth: depth + 1)
    }
}
