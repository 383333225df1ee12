import WaymarkRaster

/// A line with its colors, reduced to the points that its shades need. Between two points, position and color change evenly.
struct ColoredLine<Point: SIMD & Sendable>: Sendable where Point.Scalar == Double {
    struct Knot: Sendable {
        var point: Point
        /// The color before the point, and after it. They differ where the color jumps.
        var arriving: UInt32
        var color: UInt32
    }

    private(set) var knots: [Knot] = []
}

extension ColoredLine {
    /// - Parameters:
    ///   - places: The distance of each point from the start of the whole line, as a fraction of the world.
    ///   - pixel: The size of a device pixel where the line is nearest to the camera.
    init(_ points: [Point], _ places: [Double], _ line: LineColors.Line, pixel: Double) {
        guard var from = points.first else { return }
        var colors = ColorCursor(line)
        colors.move(to: places[0])
        var simplifier = KnotSimplifier(from, place: places[0], colors.color, pixel: pixel)
        for index in points.indices.dropFirst() {
            let (start, end) = (places[index - 1], places[index])
            let (to, length) = (points[index], end - start)
            var place = start
            while let distance = colors.next(through: end) {
                let share = length > 0 ? min(max((distance - start) / length, 0), 1) : 1
                place = distance
                simplifier.add(from + (to - from) * share, place: distance, colors.arriving)
                if colors.color != colors.arriving { simplifier.jump(to: colors.color) }
            }
            if place < end || length <= 0 {
                colors.move(to: end)
                simplifier.add(to, place: end, colors.color)
            }
            from = to
        }
        simplifier.finish()
        knots = simplifier.knots
    }

    /// The line with moved points.
    func moved(_ move: (Point) -> Point) -> ColoredLine {
        var line = self
        for index in knots.indices { line.knots[index].point = move(knots[index].point) }
        return line
    }
}

/// Omits the points of a line between which position and color change evenly with the distance.
private struct KnotSimplifier<Point: SIMD & Sendable> where Point.Scalar == Double {
    private(set) var knots: [ColoredLine<Point>.Knot]
    /// The distance of the last knot along the line.
    private var start: Double
    private var startLevels: SIMD4<Double>
    /// The last point after the knot at which a shade can end.
    private var end: (point: Point, place: Double, color: UInt32)?
    private var points: PassingSlopes<Point>
    private var colors = PassingSlopes<SIMD4<Double>>(tolerance: KnotTolerance.levels)
    private let shortest: Double

    init(_ point: Point, place: Double, _ color: UInt32, pixel: Double) {
        knots = [ColoredLine.Knot(point: point, arriving: color, color: color)]
        (start, startLevels) = (place, SIMD4(levelsOf: color))
        points = PassingSlopes(tolerance: KnotTolerance.pixels * pixel)
        shortest = KnotTolerance.shortest * pixel
    }

    mutating func add(_ point: Point, place: Double, _ color: UInt32) {
        var step = point - knots[knots.count - 1].point
        var change = SIMD4(levelsOf: color) - startLevels
        var perLength = 1 / (place - start)
        if (step * step).sum() < shortest * shortest {
            points.removeAll()
            colors.removeAll()
        } else if end != nil, !points.allow(step, perLength) || !colors.allow(change, perLength) {
            finish()
            step = point - knots[knots.count - 1].point
            change = SIMD4(levelsOf: color) - startLevels
            perLength = 1 / (place - start)
        }
        end = (point, place, color)
        // Where the line has no length on the ground, as where it is vertical, no point is omitted.
        guard perLength.isFinite else {
            finish()
            return
        }
        points.add(step, perLength)
        colors.add(change, perLength)
    }

    /// Ends the current shade.
    mutating func finish() {
        guard let end else { return }
        let last = knots[knots.count - 1]
        if end.point != last.point || end.color != last.color {
            knots.append(ColoredLine.Knot(point: end.point, arriving: end.color, color: end.color))
        }
        (start, startLevels) = (end.place, SIMD4(levelsOf: end.color))
        self.end = nil
        points.removeAll()
        colors.removeAll()
    }

    /// Ends the current shade, and continues with another color.
    mutating func jump(to color: UInt32) {
        finish()
        knots[knots.count - 1].color = color
        startLevels = SIMD4(levelsOf: color)
    }
}

private enum KnotTolerance {
    /// The maximum distance of an omitted point from the simplified line, in device pixels in each direction. A color found this far away
    /// is the same.
    static let pixels = 0.2
    /// The maximum error of a color in levels: slightly more than the rounding of colors can cause.
    static let levels = 1.05
    /// The shortest shade in device pixels. Color changes over a shorter distance are not distinguishable.
    static let shortest = 1.0
}

/// The slopes of the straight lines from a start that pass near all values of a list.
private struct PassingSlopes<Vector: SIMD> where Vector.Scalar == Double {
    private var low = Vector(repeating: -.infinity)
    private var high = Vector(repeating: .infinity)
    private let tolerance: Double

    init(tolerance: Double) { self.tolerance = tolerance }

    mutating func removeAll() { self = PassingSlopes(tolerance: tolerance) }

    /// Adds a value, relative to the start.
    @inline(__always)
    mutating func add(_ change: Vector, _ perLength: Double) {
        let (slope, slack) = (change * perLength, tolerance * perLength)
        let (least, most) = (slope - slack, slope + slack)
        low.replace(with: least, where: least .> low)
        high.replace(with: most, where: most .< high)
    }

    /// Whether the line to a value passes near all other values.
    @inline(__always)
    func allow(_ change: Vector, _ perLength: Double) -> Bool {
        let slope = change * perLength
        return all(slope .>= low .& slope .<= high)
    }
}

/// Walks along the colors of a line.
private struct ColorCursor {
    private let line: LineColors.Line
    /// The number of places passed.
    private var passed = 0
    /// The color at the current place; at a jump, the one that follows.
    private(set) var color: UInt32
    /// The color that precedes a jump.
    private(set) var arriving: UInt32

    init(_ line: LineColors.Line) {
        self.line = line
        color = line.colors[0]
        arriving = color
    }

    /// Moves to a distance, which is not less than the current one.
    mutating func move(to distance: Double) {
        while passed < line.distances.count, line.distances[passed] <= distance { passed += 1 }
        guard passed > 0 else { return }
        color = line.colors[passed - 1]
        guard passed < line.distances.count else { return }
        let (from, to) = (line.distances[passed - 1], line.distances[passed])
        if to > from { color = ColorLevels.mixed(color, line.colors[passed], (distance - from) / (to - from)) }
    }

    /// Moves to the next place up to a distance, and returns its distance; nil if there is none.
    mutating func next(through end: Double) -> Double? {
        guard passed < line.distances.count, line.distances[passed] <= end else { return nil }
        let distance = line.distances[passed]
        arriving = line.colors[passed]
        while passed < line.distances.count, line.distances[passed] == distance { passed += 1 }
        color = line.colors[passed - 1]
        return distance
    }
}

/// Premultiplied pixels, channel by channel.
enum ColorLevels {
    static func mixed(_ a: UInt32, _ b: UInt32, _ share: Double) -> UInt32 {
        guard a != b else { return a }
        let (from, to) = (SIMD4(levelsOf: a), SIMD4(levelsOf: b))
        return pixel(from + (to - from) * share)
    }

    /// The largest difference in any channel.
    static func difference(_ a: UInt32, _ b: UInt32) -> Double {
        let change = SIMD4(levelsOf: a) - SIMD4(levelsOf: b)
        return max(change.max(), -change.min())
    }

    /// The pixel with the given levels, 0…255, rounded to nearest: after adding 2^52, the lowest bits are the integer.
    @inline(__always)
    static func pixel(_ levels: SIMD4<Double>) -> UInt32 {
        let raised = levels + 0x1p52
        func bits(_ level: Double) -> UInt32 { UInt32(truncatingIfNeeded: level.bitPattern) }
        return bits(raised.x) | bits(raised.y) << 8 | bits(raised.z) << 16 | bits(raised.w) << 24
    }
}

extension SIMD4<Double> {
    /// The channels of a pixel in memory.
    @inline(__always)
    init(levelsOf pixel: UInt32) {
        self.init(Double(pixel & 255), Double(pixel >> 8 & 255), Double(pixel >> 16 & 255), Double(pixel >> 24))
    }
}
