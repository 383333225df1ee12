import Synchronization
import WaymarkGeo
import WaymarkImaging
import WaymarkRaster

/// One line or ring of a shape, in fractions of the world, unwrapped: x continues beyond 0…1 where it crosses ±180°.
///
/// A part caches its simplified points, which depend only on the zoom, so panning the map simplifies nothing again.
final class ShapePart: Sendable {
    /// The curve between two successive points.
    enum Curve: Equatable, Sendable {
        case straight
        case greatCircle
        /// A circle on the sphere, from which its points are computed.
        case circle(CircleRing)
    }

    /// The points. Nil for a circle, because a hundred thousand circles would take a gigabyte.
    private let stored: [PlanePoint]?
    /// The number of `points`.
    let pointCount: Int
    /// The height of each point of a line through the air, as a fraction of the world's size; empty for a level part.
    let heights: [Double]
    /// Whether an edge connects the last point to the first.
    let isClosed: Bool
    let curve: Curve
    /// The maximum distance of the curve from the straight lines between the points, as a fraction of the world.
    private let curveTolerance: Double
    /// The distance from the start of the whole line to the start of this part, as a fraction of the world.
    let start: Double
    /// Whether the part's start or end is a cut instead of an end of the whole line.
    let isCutAtStart: Bool
    let isCutAtEnd: Bool
    /// The whole part, if this is its traveled section; nil for other parts.
    let whole: ShapePart?
    /// The number of turns around the world: 1 for a line that winds once around it toward the east, −1 toward the west. Such a line ends
    /// at its start on the next copy.
    let turns: Double
    /// The corners of the part's bounding box.
    let low: PlanePoint
    let high: PlanePoint

    /// The points for one level. At a level, the world is 2^level device pixels wide where it is nearest the camera.
    private struct LevelCache {
        var level: Int?
        /// The simplified points. Nil if simplification would not remove enough points, and for a circle that was used only once at this
        /// level, so that maps drawn once keep no points of circles.
        var simplified: [PlanePoint]?
        var distances: [Double]?
        var placesOfColors: [Double]?
        var colored: (line: ColoredLine<PlanePoint>, colors: LineColors.Line)?
        /// The number of simplifications; tests count it.
        var simplifications = 0
        /// Whether the budget counts these points.
        var isNoted = false
        /// The indices of points between which a ring is simplified in pieces; empty to simplify it as a whole. See `SharedBorders`.
        var borderEnds: [Int32] = []

        /// Drops the results for a level.
        mutating func clear(level: Int?) {
            (self.level, simplified, distances, placesOfColors, colored) = (level, nil, nil, nil, nil)
        }
    }

    private let cache = Mutex(LevelCache())
    /// The distance of each point from the start of the whole line, computed on first use.
    private let distancesOfPoints = Mutex<[Double]?>(nil)

    var simplifications: Int { cache.withLock { $0.simplifications } }
    /// The number of points in memory.
    var keptPoints: Int { (stored?.count ?? 0) + cache.withLock { $0.simplified?.count ?? 0 } }

    /// The maximum error of a drawn line, in device pixels.
    static let tolerance = 0.05
    /// The level up to which curves are stored as points. At deeper levels, they are refined where they are visible.
    static let curveLevel = 14
    static let curveTolerance = tolerance / Double(1 << curveLevel)

    init(
        _ points: [PlanePoint], heights: [Double] = [], isClosed: Bool, curve: Curve = .straight, start: Double = 0,
        isCutAtStart: Bool = false, isCutAtEnd: Bool = false, whole: ShapePart? = nil
    ) {
        if case .circle = curve { stored = nil } else { stored = points }
        pointCount = points.count
        self.heights = heights
        self.isClosed = isClosed
        self.curve = curve
        self.start = start
        self.isCutAtStart = isCutAtStart
        self.isCutAtEnd = isCutAtEnd
        self.whole = whole
        curveTolerance = curve == .straight ? 0 : Self.curveTolerance
        let step = isClosed || points.count < 3 ? .zero : points[points.count - 1] - points[0]
        // x + 1 - x is not always 1.
        turns = abs(abs(step.x) - 1) < 1e-12 && step.y == 0 ? step.x.rounded() : 0
        var (low, high) = (PlanePoint(repeating: .infinity), PlanePoint(repeating: -.infinity))
        for point in points {
            low = pointwiseMin(low, point)
            high = pointwiseMax(high, point)
        }
        self.low = low - PlanePoint(repeating: curveTolerance)
        self.high = high + PlanePoint(repeating: curveTolerance)
    }

    deinit {
        if cache.withLock({ $0.isNoted }) { SimplifiedParts.shared.remove(ObjectIdentifier(self)) }
    }

    /// Drops the simplified points.
    func forgetSimplified() {
        cache.withLock { cache in
            cache.clear(level: nil)
            cache.isNoted = false
        }
    }

    /// All points. The points of a circle are computed.
    var points: [PlanePoint] {
        if let stored { return stored }
        guard case .circle(let ring) = curve else { return [] }
        return ring.points(tolerance: Self.curveTolerance).points
    }

    /// The points at a level, simplified within the tolerance.
    func points(level: Int) -> [PlanePoint] {
        cache.withLock { points(level, &$0) }
    }

    /// Whether the part may be drawn with fewer points than it has.
    var isSimplified: Bool { pointCount > Self.fewestSimplified || curve != .straight }

    /// Straight lines with up to this many points are never simplified.
    private static let fewestSimplified = 8

    /// Sets the points between which a ring is simplified in pieces.
    func setBorderEnds(_ ends: [Int32]) {
        cache.withLock { cache in
            guard cache.borderEnds != ends else { return }
            cache.borderEnds = ends
            cache.clear(level: nil)
        }
    }

    /// The distance of each of `points(level:)` from the start of the whole line, as a fraction of the world.
    func distances(level: Int) -> [Double] {
        cache.withLock { cache in
            let points = points(level, &cache)
            if let known = cache.distances { return known }
            var sum = start
            var before: PlanePoint?
            let distances = points.map { point in
                if let before { sum += (point - before).length }
                before = point
                return sum
            }
            cache.distances = distances
            return distances
        }
    }

    /// The distance of each point from the start of the whole line, as a fraction of the world, measured along the curve.
    var distances: [Double] {
        distancesOfPoints.withLock { known in
            if let known { return known }
            let points = points
            var sum = start
            let distances = points.indices.map { index in
                if index > 0 { sum += length(points[index - 1], points[index]) }
                return sum
            }
            known = distances
            return distances
        }
    }

    /// The distances of refined points from the start of the whole line. The refined points include all points of the part in order; the
    /// others lie on the curve between these.
    func distances(ofRefined refined: [PlanePoint]) -> [Double] {
        let (points, distances) = (points, distances)
        var index = -1
        return refined.map { point in
            if index + 1 < points.count, points[index + 1] == point {
                index += 1
                return distances[index]
            }
            return distances[max(index, 0)] + length(points[max(index, 0)], point)
        }
    }

    /// The distance of each of `points(level:)` from the start of the whole line, for the line's colors. It is measured along all points
    /// of the part, including points that the level omits.
    func placesOfColors(level: Int) -> [Double] {
        let all = distances
        return cache.withLock { placesOfColors(level, all, &$0) }
    }

    /// The line with its colors at a level.
    func coloredLine(_ colors: LineColors.Line, level: Int) -> ColoredLine<PlanePoint> {
        let all = distances
        return cache.withLock { cache in
            let places = placesOfColors(level, all, &cache)
            if let known = cache.colored, known.colors === colors { return known.line }
            let line = ColoredLine(points(level, &cache), places, colors, pixel: 1 / Self.pixels(level))
            cache.colored = (line, colors)
            return line
        }
    }

    private func placesOfColors(_ level: Int, _ all: [Double], _ cache: inout LevelCache) -> [Double] {
        let points = points(level, &cache)
        if let known = cache.placesOfColors { return known }
        guard let stored, points.count != stored.count else { return all }
        let places: [Double]
        if curve != .straight, level > Self.curveLevel {
            places = distances(ofRefined: points)
        } else {
            var index = 0
            places = points.map { point in
                while index < stored.count - 1, stored[index] != point { index += 1 }
                return all[index]
            }
        }
        cache.placesOfColors = places
        return places
    }

    private func length(_ a: PlanePoint, _ b: PlanePoint) -> Double { curve == .greatCircle ? GreatCircle.length(a, b) : (b - a).length }

    private func points(_ level: Int, _ cache: inout LevelCache) -> [PlanePoint] {
        let isKnown = cache.level == level
        if isKnown, let known = cache.simplified ?? stored { return known }
        if !isKnown { cache.clear(level: level) }
        let points = stored ?? []
        guard isSimplified else { return points }
        cache.simplifications += isKnown ? 0 : 1
        let simplified = cache.borderEnds.isEmpty ? simplified(level: level) : simplifiedBorders(level: level, cache.borderEnds)
        if stored != nil || isKnown { cache.simplified = simplified }
        if let kept = cache.simplified {
            cache.isNoted = true
            SimplifiedParts.shared.note(self, byteCount: 192 + kept.count * MemoryLayout<PlanePoint>.stride)
        }
        return simplified ?? points
    }

    /// The points that a level needs; nil for all points, if these are stored.
    private func simplified(level: Int) -> [PlanePoint]? {
        if curve != .straight, level > Self.curveLevel {
            // The curve is refined as a whole to the level's tolerance. Callers use `refined(level:isSeen:)` for large curves.
            return refined(level: level) { _, _, _ in true }
        }
        let points = points
        let line = isClosed ? points + [points[0]] : points
        let kept = line.withUnsafeBufferPointer { LineSimplifier.simplify($0, tolerance: Self.tolerance / Self.pixels(level)) }
        guard kept.count * 10 < line.count * 9 else { return stored == nil ? points : nil }
        return (isClosed ? kept.dropLast() : kept[...]).map { line[Int($0)] }
    }

    /// The points of a ring that a level needs; nil for all points. Each piece between two ends is simplified separately and in a canonical
    /// direction, so that rings that share it keep the same points.
    private func simplifiedBorders(level: Int, _ ends: [Int32]) -> [PlanePoint]? {
        let (points, tolerance) = (points, Self.tolerance / Self.pixels(level))
        func precedes(_ a: PlanePoint, _ b: PlanePoint) -> Bool { a.x != b.x ? a.x < b.x : a.y < b.y }
        var result: [PlanePoint] = []
        var piece: [PlanePoint] = []
        var isShorter = false
        for (number, start) in ends.enumerated() {
            let end = number + 1 < ends.count ? Int(ends[number + 1]) : Int(ends[0]) + points.count
            piece.removeAll(keepingCapacity: true)
            for index in Int(start)...end { piece.append(points[index < points.count ? index : index - points.count]) }
            let (first, last) = (piece[0], piece[piece.count - 1])
            let isBackwards = first == last ? precedes(piece[piece.count - 2], piece[1]) : precedes(last, first)
            if isBackwards { piece.reverse() }
            let kept = piece.withUnsafeBufferPointer { LineSimplifier.simplify($0, tolerance: tolerance) }
            if kept.count * 10 < piece.count * 9 {
                piece = kept.map { piece[Int($0)] }
                isShorter = true
            }
            if isBackwards { piece.reverse() }
            result.append(contentsOf: piece.dropLast())
        }
        return isShorter ? result : nil
    }

    static func pixels(_ level: Int) -> Double { Double(sign: .plus, exponent: level, significand: 1) }

    /// Whether the curve must be refined only where it is visible. This is so if its points are too coarse for a level, and it is too
    /// large to refine as a whole.
    func needsRefinement(level: Int) -> Bool {
        curve != .straight && level > Self.curveLevel && (high - low).max() * Self.pixels(level) > Self.largestRefined
    }

    /// The largest size in device pixels at which a curve is refined as a whole.
    private static let largestRefined = 8192.0

    /// The points of a curve, with additional points for a level where it is visible.
    /// - Parameter isSeen: Whether the curve between two points, within the given distance of the straight line, may be visible.
    func refined(level: Int, isSeen: (PlanePoint, PlanePoint, Double) -> Bool) -> [PlanePoint] {
        let tolerance = Self.tolerance / Self.pixels(level)
        if case .circle(let ring) = curve { return ring.refined(tolerance: tolerance, Self.curveTolerance, isSeen) }
        let points = points
        var result: [PlanePoint] = []
        let count = isClosed ? points.count : points.count - 1
        for index in 0..<count {
            let (a, b) = (points[index], points[(index + 1) % points.count])
            result.append(a)
            guard curve == .greatCircle, isSeen(a, b, curveTolerance) else { continue }
            let ends = (SpherePoint(worldX: a.x, y: a.y), SpherePoint(worldX: b.x, y: b.y))
            GreatCircle.subdivide(a, ends.0, b, ends.1, tolerance, isSeen, &result)
        }
        if !isClosed, let last = points.last { result.append(last) }
        return result
    }
}

/// The process's cache of the simplified points of lines and rings. The parts hold the points; this class counts and evicts them.
final class SimplifiedParts: SharedCache {
    static let shared = {
        let parts = SimplifiedParts()
        CacheBudget.addProcessCache(parts)
        return parts
    }()

    private struct WeakPart: Sendable {
        weak var part: ShapePart?
    }

    private let parts = Mutex(LRUCache<ObjectIdentifier, WeakPart>())

    /// Records that a part has simplified its points, and has therefore used them.
    func note(_ part: ShapePart, byteCount: Int) {
        parts.withLock { _ = $0.insert(WeakPart(part: part), for: ObjectIdentifier(part), byteCount: byteCount) }
    }

    /// Removes a part that was freed.
    func remove(_ part: ObjectIdentifier) { parts.withLock { $0.remove(part) } }

    var keptBytes: Int { parts.withLock { $0.byteCount } }
    var oldestUse: UInt64? { parts.withLock { $0.oldestUse } }

    func evict(through picture: UInt64, bytes: Int) {
        var evicted: [ShapePart] = []
        parts.withLock { parts in parts.evict(through: picture, bytes: bytes) { if let part = $0.part { evicted.append(part) } } }
        // This happens outside the lock, because a part in use calls `note` while it holds its own lock.
        for part in evicted { part.forgetSimplified() }
    }
}
