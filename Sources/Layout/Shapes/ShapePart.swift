import Synchronization
import WaymarkGeo
import WaymarkRaster

/// One line or ring of a shape as fractions of the world, unwrapped: x goes on beyond 0…1 where it crosses ±180°.
///
/// It keeps what depends on the zoom alone, so that moving the map simplifies nothing.
final class ShapePart: Sendable {
    /// What is between the points.
    enum Curve: Equatable, Sendable {
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

    /// What depends on the level alone: at a level, the world is 2^level device pixels wide where it is largest.
    private struct LevelCache {
        var level: Int?
        /// nil when leaving out points does not pay.
        var simplified: [PlanePoint]?
        var distances: [Double]?
        /// How often points were left out anew: what tests count.
        var simplifications = 0
    }

    private let cache = Mutex(LevelCache())
    /// How far along the whole line each point is; made when it is first asked for.
    private let distancesOfPoints = Mutex<[Double]?>(nil)

    var simplifications: Int { cache.withLock { $0.simplifications } }

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
        cache.withLock { cache in
            prepare(level, &cache)
            return cache.simplified ?? points
        }
    }

    /// How far along the whole line each of `points(level:)` is.
    func distances(level: Int) -> [Double] {
        cache.withLock { cache in
            prepare(level, &cache)
            if let known = cache.distances { return known }
            var sum = start
            var before: PlanePoint?
            let distances = (cache.simplified ?? points).map { point in
                if let before { sum += (point - before).length }
                before = point
                return sum
            }
            cache.distances = distances
            return distances
        }
    }

    /// How far along the whole line each of its points is, whatever is seen: along the curve, not the straight lines between points.
    var distances: [Double] {
        distancesOfPoints.withLock { known in
            if let known { return known }
            var sum = start
            let distances = points.indices.map { index in
                if index > 0 { sum += length(points[index - 1], points[index]) }
                return sum
            }
            known = distances
            return distances
        }
    }

    /// How far along the whole line points are, all of its own being among them in their order, the others on the curve.
    func distances(ofRefined refined: [PlanePoint]) -> [Double] {
        let distances = distances
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

    private func prepare(_ level: Int, _ cache: inout LevelCache) {
        guard cache.level != level else { return }
        cache.level = level
        cache.simplified = nil
        cache.distances = nil
        guard points.count > 8 || curve != .straight else { return }
        cache.simplifications += 1
        if curve != .straight, level > Self.curveLevel {
            // As fine as the level needs, where that is little.
            cache.simplified = refined(level: level) { _, _, _ in true }
            return
        }
        let line = isClosed ? points + [points[0]] : points
        let kept = line.withUnsafeBufferPointer { LineSimplifier.simplify($0, tolerance: Self.tolerance / Self.pixels(level)) }
        if kept.count * 10 < line.count * 9 {
            cache.simplified = (isClosed ? kept.dropLast() : kept[...]).map { line[Int($0)] }
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
