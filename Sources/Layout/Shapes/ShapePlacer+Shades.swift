import WaymarkFrame
import WaymarkGeo
import WaymarkRaster
import WaymarkScene

/// A point of a line in the picture, in device pixels, with half the width of the line there.
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
    /// The end of the last shade, and a later point that is too near to it to be the end of the next shade.
    private var last: ShadeEnd?
    private var passed: ShadeEnd?
    /// The first shade of the current piece of the line.
    private var first: Int
    private var isFirstAnEnd = false

    /// The shortest shade in device pixels. Color changes over a shorter distance are not distinguishable.
    private static let shortest = 0.5
    /// The maximum error of a color, in levels, that the perspective may cause along a shade.
    private static let tolerance = 0.5
    /// The overlap of successive shades in device pixels.
    private static let overlap: Float = 0.125
    /// The distance in device pixels by which shades extend beyond the line, so that they color the partly covered pixels.
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
    /// - Parameter clip: The visible part of an edge; nil if there is none.
    mutating func add<Point: SIMD>(
        _ line: ColoredLine<Point>, clip: (Point, Point) -> (from: Double, to: Double)?, project: (Point) -> ShadePoint
    ) where Point.Scalar == Double {
        let knots = line.knots
        for index in knots.indices.dropFirst() {
            let (a, b) = (knots[index - 1], knots[index])
            guard let visible = clip(a.point, b.point) else { continue }
            func place(_ share: Double) -> (point: Point, color: UInt32) {
                if share <= 0 { return (a.point, a.color) }
                if share >= 1 { return (b.point, b.arriving) }
                return (a.point + (b.point - a.point) * share, ColorLevels.mixed(a.color, b.arriving, share))
            }
            let (start, stop) = (place(visible.from), place(visible.to))
            if visible.from > 0 || last == nil {
                end(isEnd: false)
                begin(project(start.point), start.color, isEnd: index == 1 && visible.from == 0)
            }
            add(start.point, to: stop.point, stop.color, project)
            if visible.to < 1 {
                end(isEnd: false)
            } else if index == knots.count - 1 {
                end(isEnd: true)
            } else if b.color != b.arriving {
                jump(to: b.color)
            }
        }
        end(isEnd: false)
    }

    private mutating func begin(_ point: ShadePoint, _ color: UInt32, isEnd: Bool) {
        last = ShadeEnd(point: point, color: color)
        (first, isFirstAnEnd) = (shades.count, isEnd)
    }

    /// Adds an edge. In perspective, it is divided into pieces along which the color changes evenly.
    private mutating func add<Point: SIMD>(
        _ a: Point, to b: Point, _ color: UInt32, _ project: (Point) -> ShadePoint, depth: Int = 0
    ) where Point.Scalar == Double {
        guard let last else { return }
        let end = project(b)
        if isTilted, depth < 8, case let from = (passed ?? last).color, from != color {
            let (start, middle) = (project(a), project((a + b) / 2))
            let step = end.place - start.place
            let square = step.x * step.x + step.y * step.y
            let offset = middle.place - start.place
            let share = square > 1 ? (offset.x * step.x + offset.y * step.y) / square : 0.5
            if abs(share - 0.5) * ColorLevels.difference(from, color) > Self.tolerance {
                let half = ColorLevels.mixed(from, color, 0.5)
                add(a, to: (a + b) / 2, half, project, depth: depth + 1)
                add((a + b) / 2, to: b, color, project, depth: depth + 1)
                return
            }
        }
        let step = end.place - last.point.place
        let next = ShadeEnd(point: end, color: color)
        if (step * step).sum() < Self.shortest * Self.shortest { passed = next } else { append(next) }
    }

    /// Adds a shade up to the last point, even if it is short.
    private mutating func appendPassed() {
        if let passed { append(passed) }
    }

    private mutating func append(_ end: ShadeEnd) {
        passed = nil
        guard let last else { return }
        let isContinued = shades.count > first
        let start = isContinued ? shades[shades.count - 1].end : last.point.quantizedPlace
        let place = end.point.quantizedPlace
        // A shade without length has no direction.
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
            // On the outside of the corner, the next shade begins beside its axis, beyond the line that bisects the angle.
            reach = shade.radius * (dot > 0 ? abs(cross) : max(1, min(abs(skew), most)))
            let side = abs(skew) * max(shade.radius, next.radius)
            // If the slant covered more than half of a shade, the shade's ends could cross.
            if side < min(length, nextLength) / 2 {
                let change =
                    Float(ColorLevels.difference(shade.startColor, shade.endColor)) / length
                    + Float(ColorLevels.difference(next.startColor, next.endColor)) / nextLength
                if side * change > 1 {
                    shades[shades.count - 2].endSkew = -skew
                    shades[shades.count - 1].startSkew = skew
                }
            }
        }
        // The next shade covers the part of this shade that is beside the next shade's axis.
        shades[shades.count - 2].after = Self.overlap + reach
    }

    /// Continues with another color from the current point.
    private mutating func jump(to color: UInt32) {
        appendPassed()
        last?.color = color
    }

    private mutating func end(isEnd: Bool) {
        defer { last = nil }
        appendPassed()
        guard shades.count > first else { return }
        func overhang(_ shade: PathShade) -> Float { style.cap == .butt ? Float(Self.margin) : shade.radius }
        shades[first].before = overhang(shades[first])
        shades[shades.count - 1].after = overhang(shades[shades.count - 1])
        let piece = first..<shades.count
        if isEnd, style.arrows.end != .none { addArrow(at: shades[piece.upperBound - 1].end, of: piece, fromEnd: true) }
        if isFirstAnEnd, style.arrows.start != .none { addArrow(at: shades[piece.lowerBound].start, of: piece, fromEnd: false) }
        first = shades.count
    }

    /// Colors the arrow at the end or the start of a piece of the line. The arrow lies along the chord to its tip, while the line leading
    /// to the tip may turn.
    private mutating func addArrow(at tip: PathPoint, of piece: Range<Int>, fromEnd: Bool) {
        let arrows = style.arrows
        let outermost = shades[fromEnd ? piece.upperBound - 1 : piece.lowerBound]
        // The number of device pixels per pt at the tip.
        let scale = (outermost.radius - Float(Self.margin)) / Float(arrows.width / 2)
        let reach = scale * Float(LineArrows.reach(size: arrows.size, width: arrows.width, growth: 0))
        let radius = max(outermost.radius, scale * Float(arrows.size * arrows.width / 2) + Float(Self.margin))
        func length(_ step: PathPoint) -> Float { (step * step).sum().squareRoot() }
        let color = fromEnd ? outermost.endColor : outermost.startColor
        // The place where the line comes within reach of the tip.
        var neck = (place: tip, color: color)
        for number in 0..<piece.count {
            let shade = shades[fromEnd ? piece.upperBound - 1 - number : piece.lowerBound + number]
            let far = fromEnd ? (shade.start, shade.startColor) : (shade.end, shade.endColor)
            if length(far.0 - tip) <= reach {
                neck = far
                continue
            }
            let near = fromEnd ? (shade.end, shade.endColor) : (shade.start, shade.startColor)
            let share = max(0, min(1, (reach - length(near.0 - tip)) / length(far.0 - near.0)))
            neck = (near.0 + (far.0 - near.0) * share, ColorLevels.mixed(near.1, far.1, Double(share)))
            break
        }
        let margin = Float(Self.margin)
        shades.append(
            PathShade(start: neck.place, end: tip, startColor: neck.color, endColor: color, radius: radius, before: 0, after: margin))
    }
}

/// A place of a line with its color.
private struct ShadeEnd {
    var point: ShadePoint
    var color: UInt32
}
