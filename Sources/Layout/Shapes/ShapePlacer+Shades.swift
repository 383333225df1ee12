import WaymarkFrame
import WaymarkGeo
import WaymarkRaster
import WaymarkScene

/// A place of a line in the picture: in device pixels, with half the width of the line there.
struct ShadePoint {
    var place: PlanePoint
    var half: Double

    fileprivate var quantizedPlace: PathPoint { PathPoint(Float(quantized(place.x)), Float(quantized(place.y))) }
}

/// Makes the shades of a line whose color changes along it.
struct ShadeMaker {
    let style: ShapeStyle
    let isTilted: Bool
    private(set) var shades: [PathShade]
    /// The end of the last shade, and the places after it that one shade can pass.
    private var last: ShadeEnd?
    private var passed = PassedPlaces()
    /// The first shade of the current piece of the line.
    private var first: Int
    private var isFirstAnEnd = false

    /// The shortest shade in device pixels. Colors that change within less are not distinguishable.
    private static let shortest = 0.5
    /// The error of a color in levels that the perspective may cause along a shade.
    private static let tolerance = 0.5
    /// The overlap of successive shades in device pixels.
    private static let overlap: Float = 0.125
    /// The distance in device pixels by which shades extend beyond the line, for the pixels that it covers partly.
    private static let margin = 1.0

    /// - Parameter shades: Receives the shades of the line. The maker takes the list, so that it is not copied.
    init(_ style: ShapeStyle, isTilted: Bool, taking shades: inout [PathShade]) {
        (self.style, self.isTilted) = (style, isTilted)
        first = shades.count
        self.shades = []
        swap(&self.shades, &shades)
    }
}

extension ShadeMaker {
    /// Adds the visible part of a line.
    /// - Parameters:
    ///   - distances: The distance of each point along the whole line, as a fraction of the world.
    ///   - clip: The visible part of an edge; nil if there is none.
    mutating func add<Point: SIMD>(
        _ points: [Point], _ distances: [Double], _ line: LineColors.Line, clip: (Point, Point) -> (from: Double, to: Double)?,
        project: (Point) -> ShadePoint
    ) where Point.Scalar == Double {
        var colors = ColorCursor(line)
        for index in points.indices.dropFirst() {
            let (a, step) = (points[index - 1], points[index] - points[index - 1])
            guard let visible = clip(a, points[index]) else { continue }
            let (start, length) = (distances[index - 1], distances[index] - distances[index - 1])
            var place = visible.from
            if visible.from > 0 || last == nil {
                end(isEnd: false)
                colors.move(to: start + length * visible.from)
                begin(project(a + step * place), colors.color, isEnd: index == 1 && visible.from == 0)
            }
            let stop = visible.to == 1 ? distances[index] : start + length * visible.to
            while let distance = colors.next(through: stop) {
                let share = length > 0 ? min(max((distance - start) / length, place), visible.to) : place
                add(a + step * place, to: a + step * share, colors.arriving, project)
                place = share
                if colors.color != colors.arriving { jump(to: colors.color) }
            }
            if place < visible.to {
                colors.move(to: stop)
                add(a + step * place, to: a + step * visible.to, colors.color, project)
            }
            if visible.to < 1 { end(isEnd: false) } else if index == points.count - 1 { end(isEnd: true) }
        }
        end(isEnd: false)
    }

    private mutating func begin(_ point: ShadePoint, _ color: UInt32, isEnd: Bool) {
        last = ShadeEnd(point: point, color: color)
        passed.removeAll()
        (first, isFirstAnEnd) = (shades.count, isEnd)
    }

    /// Adds an edge; in perspective, in pieces along each of which the color is even.
    private mutating func add<Point: SIMD>(
        _ a: Point, to b: Point, _ color: UInt32, _ project: (Point) -> ShadePoint, depth: Int = 0
    ) where Point.Scalar == Double {
        let end = project(b)
        if isTilted, depth < 8, let from = passed.end ?? last, from.color != color {
            let (start, middle) = (project(a), project((a + b) / 2))
            let step = end.place - start.place
            let square = step.x * step.x + step.y * step.y
            let offset = middle.place - start.place
            let share = square > 1 ? (offset.x * step.x + offset.y * step.y) / square : 0.5
            if abs(share - 0.5) * Double(ColorCursor.difference(from.color, color)) > Self.tolerance {
                let half = ColorCursor.mixed(from.color, color, 0.5)
                add(a, to: (a + b) / 2, half, project, depth: depth + 1)
                add((a + b) / 2, to: b, color, project, depth: depth + 1)
                return
            }
        }
        guard let last else { return }
        let next = ShadeEnd(point: end, color: color)
        let step = end.place - last.point.place
        if (step * step).sum() < Self.shortest * Self.shortest {
            passed.removeAll()
        } else if !passed.canPass(from: last, to: next) {
            appendPassed()
            passed.removeAll()
        }
        passed.append(next, from: self.last ?? last)
    }

    private mutating func appendPassed() {
        if let end = passed.end { append(end) }
    }

    private mutating func append(_ end: ShadeEnd) {
        guard let last else { return }
        let isContinued = shades.count > first
        let start = isContinued ? shades[shades.count - 1].end : last.point.quantizedPlace
        let place = end.point.quantizedPlace
        // Without length, it has no direction.
        guard start != place || !isContinued else { return }
        shades.append(
            PathShade(
                start: start, end: place, startColor: last.color, endColor: end.color,
                radius: Float(max(last.point.half, end.point.half) + Self.margin), before: 0, after: 0))
        self.last = end
        if isContinued { joinLast() }
    }

    /// Fits the last two shades together at the corner between them.
    private mutating func joinLast() {
        let (shade, next) = (shades[shades.count - 2], shades[shades.count - 1])
        let (a, b) = (shade.end - shade.start, next.end - next.start)
        let (length, nextLength) = ((a * a).sum().squareRoot(), (b * b).sum().squareRoot())
        let most: Float = style.join == .miter ? Float(style.miterLimit) : 1
        var reach = shade.radius * most
        if length > 0, nextLength > 0 {
            let perLengths = 1 / (length * nextLength)
            let (cross, dot) = ((a.x * b.y - a.y * b.x) * perLengths, (a * b).sum() * perLengths)
            // The tangent of half the turn.
            let skew = cross / max(1 + dot, 1e-3)
            // On the outside of the corner, the next shade begins beside its axis, beyond the line that halves the angle.
            reach = shade.radius * (dot > 0 ? abs(cross) : max(1, min(abs(skew), most)))
            let side = abs(skew) * max(shade.radius, next.radius)
            // Beyond half of a shade, its ends could cross.
            if side < min(length, nextLength) / 2 {
                let change =
                    Float(ColorCursor.difference(shade.startColor, shade.endColor)) / length
                    + Float(ColorCursor.difference(next.startColor, next.endColor)) / nextLength
                if side * change > 1 {
                    shades[shades.count - 2].endSkew = -skew
                    shades[shades.count - 1].startSkew = skew
                }
            }
        }
        // The next shade covers what lies beside its axis.
        shades[shades.count - 2].after = Self.overlap + reach
    }

    /// Begins with another color at the current place.
    private mutating func jump(to color: UInt32) {
        appendPassed()
        last?.color = color
        passed.removeAll()
    }

    private mutating func end(isEnd: Bool) {
        defer {
            last = nil
            passed.removeAll()
        }
        appendPassed()
        guard shades.count > first else { return }
        func overhang(_ shade: PathShade) -> Float { style.cap == .butt ? Float(Self.margin) : shade.radius }
        shades[first].before = overhang(shades[first])
        shades[shades.count - 1].after = overhang(shades[shades.count - 1])
        if isEnd, style.arrows.end != .none { widen(fromEnd: true) }
        if isFirstAnEnd, style.arrows.start != .none { widen(fromEnd: false) }
        first = shades.count
    }

    /// Widens the shades within reach of an arrow at the end or the start of the line.
    private mutating func widen(fromEnd: Bool) {
        let arrows = style.arrows
        var index = fromEnd ? shades.count - 1 : first
        let tip = fromEnd ? shades[index].end : shades[index].start
        // Pixels per pt at the tip.
        let scale = (shades[index].radius - Float(Self.margin)) / Float(arrows.width / 2)
        let reach = scale * Float(LineArrows.reach(size: arrows.size, width: arrows.width, growth: 0))
        let radius = max(shades[index].radius, scale * Float(arrows.size * arrows.width / 2) + Float(Self.margin))
        func length(_ step: PathPoint) -> Float { (step * step).sum().squareRoot() }
        while shades.indices.contains(index), index >= first {
            let shade = shades[index]
            let (near, far) = fromEnd ? (shade.end, shade.start) : (shade.start, shade.end)
            guard length(near - tip) < reach else { break }
            guard length(far - tip) > reach else {
                shades[index].radius = radius
                index += fromEnd ? -1 : 1
                continue
            }
            // Split, so that the rest does not widen.
            let share = min(1, (reach - length(near - tip)) / length(far - near))
            let cut = near + (far - near) * share
            let along = fromEnd ? 1 - share : share
            let color = ColorCursor.mixed(shade.startColor, shade.endColor, Double(along))
            var (before, after) = (shade, shade)
            (before.end, before.endColor, before.after, before.endSkew) = (cut, color, Self.overlap, 0)
            (after.start, after.startColor, after.before, after.startSkew) = (cut, color, 0, 0)
            if fromEnd { after.radius = radius } else { before.radius = radius }
            shades.replaceSubrange(index...index, with: [before, after])
            break
        }
    }
}

/// A place of a line with its color.
private struct ShadeEnd {
    var point: ShadePoint
    var color: UInt32
}

/// The places after a shade that one more shade can pass.
private struct PassedPlaces {
    private var ends: [ShadeEnd] = []
    private var directions = PassingDirections(Self.bend)
    /// The least and the greatest value of each channel of the colors, including that of the last shade.
    private var low = SIMD4<Int32>()
    private var high = SIMD4<Int32>()
    /// Whether these differ by no more than `levels`.
    private var isEven = true

    /// The most places that a shade passes, their largest distance from it in device pixels, and the largest difference of a color in levels.
    private static let most = 12
    private static let bend = 0.08
    private static let levels: Int32 = 1

    /// The last place.
    var end: ShadeEnd? { ends.last }

    mutating func removeAll() { ends.removeAll(keepingCapacity: true) }

    /// Adds the next place.
    /// - Parameter last: The end of the last shade.
    mutating func append(_ next: ShadeEnd, from last: ShadeEnd) {
        if ends.isEmpty {
            directions = PassingDirections(Self.bend)
            low = SIMD4(channelsOf: last.color)
            (high, isEven) = (low, true)
        }
        directions.add(next.point.place - last.point.place)
        if next.color != (ends.last ?? last).color { include(next.color) }
        ends.append(next)
    }

    private mutating func include(_ color: UInt32) {
        let color = SIMD4<Int32>(channelsOf: color)
        (low, high) = (pointwiseMin(low, color), pointwiseMax(high, color))
        isEven = (high &- low).max() <= Self.levels
    }

    /// Whether one shade to a place can pass all places.
    /// - Parameter last: The end of the last shade.
    func canPass(from last: ShadeEnd, to next: ShadeEnd) -> Bool {
        guard let end = ends.last else { return true }
        let step = next.point.place - last.point.place
        let square = (step * step).sum()
        guard ends.count < Self.most, directions.allow(step, square) else { return false }
        if next.color == end.color, isEven { return true }
        let color = SIMD4<Int32>(channelsOf: next.color)
        if (pointwiseMax(high, color) &- pointwiseMin(low, color)).max() <= Self.levels { return true }
        let start = SIMD4<Float>(SIMD4<Int32>(channelsOf: last.color))
        let change = (SIMD4<Float>(color) - start) / Float(square)
        for place in ends {
            let along = ((place.point.place - last.point.place) * step).sum()
            let error = start + change * Float(along) - SIMD4<Float>(SIMD4<Int32>(channelsOf: place.color))
            // Half a level for rounding.
            guard pointwiseMax(error, -error).max() <= Float(Self.levels) + 0.5 else { return false }
        }
        return true
    }
}

extension SIMD4<Int32> {
    /// The channels of a pixel in memory.
    @inline(__always)
    fileprivate init(channelsOf pixel: UInt32) {
        self.init(Int32(pixel & 255), Int32(pixel >> 8 & 255), Int32(pixel >> 16 & 255), Int32(pixel >> 24))
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
        if to > from { color = Self.mixed(color, line.colors[passed], (distance - from) / (to - from)) }
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

    static func mixed(_ a: UInt32, _ b: UInt32, _ share: Double) -> UInt32 {
        guard a != b else { return a }
        var result: UInt32 = 0
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
            let (from, to) = (Double(a >> shift & 255), Double(b >> shift & 255))
            // Rounded to the nearest level.
            result |= UInt32(from + (to - from) * share + 0.5) << shift
        }
        return result
    }

    /// The largest difference of a channel.
    static func difference(_ a: UInt32, _ b: UInt32) -> Int {
        let (a, b) = (SIMD4<Int32>(channelsOf: a), SIMD4<Int32>(channelsOf: b))
        return Int(pointwiseMax(a &- b, b &- a).max())
    }
}
