import Glibc

/// The style of a stroke. Lengths are in the unit of the points.
package struct StrokeStyle: Equatable, Sendable {
    package enum Cap: Sendable { case butt, round, square }
    package enum Join: Sendable { case miter, round, bevel }

    package var width: Double
    package var cap: Cap
    package var join: Join
    /// The longest miter, in half widths from the center line. Longer miters become bevels (SVG's stroke-miterlimit).
    package var miterLimit: Double
    /// The largest error of round joins and caps.
    package var tolerance: Double
    /// How the width shrinks toward the top of the plane; nil, the default, for a constant width.
    package var taper: StrokeTaper?

    package init(width: Double, cap: Cap = .butt, join: Join = .miter, miterLimit: Double = 4, tolerance: Double = 0.05) {
        self.width = width
        self.cap = cap
        self.join = join
        self.miterLimit = miterLimit
        self.tolerance = tolerance
    }

    /// The maximum distance of the stroke from the center line.
    package var overhang: Double { width / 2 * max(1.5, join == .miter ? miterLimit : 1) }
}

/// A width that shrinks in proportion to the distance from a line of constant y.
package struct StrokeTaper: Equatable, Sendable {
    /// The y at which, and above which, strokes have their full width.
    package var full: Double
    /// The y, less than `full`, at which the width would be 0.
    package var vanishing: Double

    /// The minimum share of its width that a stroke keeps.
    private static let leastShare = 1.0 / 64

    package init(full: Double, vanishing: Double) {
        (self.full, self.vanishing) = (full, vanishing)
    }

    /// The taper of a stroke if only a share of its width shrinks.
    package func of(share: Double) -> StrokeTaper { StrokeTaper(full: full, vanishing: full - (full - vanishing) / share) }

    /// The share of the full width at a point.
    @inline(__always)
    package func share(at point: PlanePoint) -> Double {
        point.y >= full ? 1 : max(Self.leastShare, (point.y - vanishing) / (full - vanishing))
    }

    /// Adds points to a line where it crosses the y at which its width begins to shrink, so that the width is linear along each segment.
    package func cut(_ line: inout [PlanePoint], isClosed: Bool) {
        guard line.contains(where: { $0.y < full }), line.contains(where: { $0.y > full }) else { return }
        var result: [PlanePoint] = []
        result.reserveCapacity(line.count + 8)
        for index in line.indices {
            let a = line[index]
            result.append(a)
            guard index + 1 < line.count || isClosed else { break }
            let b = line[index + 1 < line.count ? index + 1 : 0]
            guard (a.y - full) * (b.y - full) < 0 else { continue }
            let cut = PlanePoint(a.x + (b.x - a.x) * (full - a.y) / (b.y - a.y), full)
            if cut != a, cut != b { result.append(cut) }
        }
        line = result
    }
}

/// Strokes lines: makes contours whose inside, by the nonzero rule, is the stroke.
///
/// Like Anti-Grain Geometry (agg_vcgen_stroke), it follows one side to the end and the other side back. On the inner side of a turn, the
/// two edges end where they meet. If the segments are too short for that, the outline passes through the corner itself. It is then the
/// union of the segments' rectangles and the outer wedges, all with the same orientation, so that nothing inside is counted as outside.
package struct Stroker {
    package var contours = Contours()
    let style: StrokeStyle
    /// The number of contour points beyond which round joins become bevels.
    package var mostPoints = Int.max
    /// Half the width; for a tapered stroke, at the current point.
    private(set) var half: Double
    /// The cosine of half the sharpest turn that has a miter.
    private let leastCosine: Double
    /// One step along an arc, and the steps of half a circle.
    let step: PlanePoint
    private let stepsOfHalf: Int

    /// The maximum number of steps, for lines of any width.
    private static let mostSteps = 4096.0

    package init(_ style: StrokeStyle) {
        self.style = style
        half = style.width / 2
        leastCosine = 1 / max(style.miterLimit, 1)
        let angle = half > style.tolerance ? 2 * acos(1 - style.tolerance / half) : .pi / 2
        stepsOfHalf = max(2, Int(min(Double.pi / angle, Self.mostSteps).rounded(.up)))
        step = PlanePoint(cos(.pi / Double(stepsOfHalf)), sin(.pi / Double(stepsOfHalf)))
    }

    /// Reserves six contour points for each point of the line, so that the contours rarely need to be reallocated; unused capacity costs
    /// nothing.
    package mutating func reserveCapacity(forLineOf points: Int) { contours.points.reserveCapacity(6 * points) }

    /// The number of points of a straight dash.
    package var pointsOfDash: Double { style.cap == .round ? 2 * Double(stepsOfHalf) + 2 : 6 }

    /// Adds the stroke of a line; neighboring points must differ. A single point becomes a dot if the caps are round or square.
    /// - Parameters:
    ///   - direction: The direction, for a line of a single point.
    ///   - startCap: The cap at the first point; nil for the style's cap. `endCap` is the cap at the last point.
    ///   - startHead: The points of an arrow that replaces the cap at the first point, from one side of the line around the tip to the
    ///     other side; empty for a cap. `endHead` replaces the cap at the last point.
    package mutating func add(
        _ points: UnsafeBufferPointer<PlanePoint>, isClosed: Bool, direction: PlanePoint = PlanePoint(1, 0),
        startCap: StrokeStyle.Cap? = nil, endCap: StrokeStyle.Cap? = nil, startHead: [PlanePoint] = [], endHead: [PlanePoint] = []
    ) {
        guard half > 0, points.count > 0 else { return }
        guard points.count > 1 else {
            addDot(points[0], direction)
            return
        }
        if isClosed, points.count > 2 {
            addSide(points, isClosed: true, isForward: true, cap: .butt)
            contours.close()
            addSide(points, isClosed: true, isForward: false, cap: .butt)
            contours.close()
        } else {
            addSide(points, isClosed: false, isForward: true, cap: endHead.isEmpty ? endCap ?? style.cap : .butt)
            contours.points += endHead
            addSide(points, isClosed: false, isForward: false, cap: startHead.isEmpty ? startCap ?? style.cap : .butt)
            contours.points += startHead
            contours.close()
        }
    }

    /// Adds an outline as a separate contour.
    package mutating func add(outline: [PlanePoint]) { contours.append(outline) }

    /// Adds a ring widened by half the width. This is its stroke together with its inside, to be filled by the nonzero rule. Neighboring
    /// points must differ. The ring turns from x toward y, and a hole in the other direction; the widened hole is smaller, or has no
    /// inside.
    package mutating func add(widened ring: [PlanePoint]) {
        guard half > 0, ring.count > 2 else { return }
        // At inner corners, the side passes through the corner itself, so that each edge is widened by a rectangle. The winding number is
        // therefore nowhere less than that of the ring.
        ring.withUnsafeBufferPointer { addSide($0, isClosed: true, isForward: true, cap: .butt) }
        contours.close()
    }

    package mutating func add(_ points: [PlanePoint], isClosed: Bool = false) {
        points.withUnsafeBufferPointer { add($0, isClosed: isClosed) }
    }

    /// Adds a dash without length, or a line of one point.
    mutating func addDot(_ point: PlanePoint, _ direction: PlanePoint) {
        guard style.cap != .butt else { return }
        setWidth(at: point)
        let along = direction / direction.length
        let normal = PlanePoint(along.y, -along.x) * half
        addCap(style.cap, point, along, normal)
        addCap(style.cap, point, -along, -normal)
        contours.close()
    }

    /// Adds one side of the line and the cap at its end. For an open line, this is the right side if y points up.
    mutating func addSide(_ points: UnsafeBufferPointer<PlanePoint>, isClosed: Bool, isForward: Bool, cap: StrokeStyle.Cap) {
        if style.taper == nil {
            addSide(points, isClosed: isClosed, isForward: isForward, cap: cap, isTapered: false)
        } else {
            addSide(points, isClosed: isClosed, isForward: isForward, cap: cap, isTapered: true)
            half = style.width / 2
        }
    }

    /// - Parameter isTapered: A constant. The function is inlined for each value, so that constant widths cost nothing per point.
    @inline(__always)
    private mutating func addSide(
        _ points: UnsafeBufferPointer<PlanePoint>, isClosed: Bool, isForward: Bool, cap: StrokeStyle.Cap, isTapered: Bool
    ) {
        let count = points.count
        @inline(__always) func at(_ index: Int) -> PlanePoint { points[isForward ? index : count - 1 - index] }
        var previous = at(isClosed ? count - 1 : 0)
        var vertex = at(isClosed ? 0 : 1)
        var delta = vertex - previous
        var length = delta.length
        var along = delta / length
        if isTapered { setWidth(at: previous) }
        if !isClosed { contours.points.append(previous + PlanePoint(along.y, -along.x) * half) }
        for index in isClosed ? 1..<count + 1 : 2..<max(2, count) {
            previous = vertex
            vertex = at(index == count ? 0 : index)
            delta = vertex - previous
            let nextLength = delta.length
            let next = delta / nextLength
            if isTapered { setWidth(at: previous) }
            addJoin(previous, along, next, min(length, nextLength))
            (length, along) = (nextLength, next)
        }
        if isTapered { setWidth(at: vertex) }
        if !isClosed { addCap(cap, vertex, along, PlanePoint(along.y, -along.x) * half) }
    }

    /// Half the width at a point.
    func half(at point: PlanePoint) -> Double {
        if let taper = style.taper { style.width / 2 * taper.share(at: point) } else { half }
    }

    /// Sets the width to that of a tapered stroke at a point.
    mutating func setWidth(at point: PlanePoint) {
        if style.taper != nil { half = half(at: point) }
    }

    /// Adds the outline of a turn, on the side of the normal (y, -x).
    @inline(__always)
    private mutating func addJoin(_ point: PlanePoint, _ a: PlanePoint, _ b: PlanePoint, _ shorter: Double) {
        let turn = a.cross(b)
        let cosine = a.dot(b)
        let before = PlanePoint(a.y, -a.x) * half
        let after = PlanePoint(b.y, -b.x) * half
        // Twice the squared cosine of half the turn.
        let squared = 1 + cosine
        if turn < 0 {
            // This is the inner side. The edges meet at the distance half · tan(turn / 2) before and after the corner.
            if half * -turn <= 0.5 * shorter * squared {
                contours.points.append(point + (before + after) / squared)
            } else {
                contours.points.append(point + before)
                contours.points.append(point)
                contours.points.append(point + after)
            }
            return
        }
        if half * turn < style.tolerance, cosine > 0 {
            contours.points.append(point + (before + after) / squared)
            return
        }
        switch style.join {
        case .miter where squared >= 2 * leastCosine * leastCosine:
            contours.points.append(point + (before + after) / squared)
        case .miter, .bevel:
            contours.points.append(point + before)
            contours.points.append(point + after)
        case .round:
            addArc(point, before, after)
        }
    }

    /// Adds an arc of at most half a circle from one normal to another, turning from x toward y.
    private mutating func addArc(_ centre: PlanePoint, _ from: PlanePoint, _ to: PlanePoint) {
        contours.points.append(centre + from)
        var spoke = from
        for _ in 0..<(contours.points.count < mostPoints ? stepsOfHalf : 0) where spoke.dot(to) < half * half * step.x {
            spoke = spoke.turned(by: step)
            contours.points.append(centre + spoke)
        }
        contours.points.append(centre + to)
    }

    /// Adds the cap of a line that ends in a direction, from one side to the other.
    mutating func addCap(_ cap: StrokeStyle.Cap, _ point: PlanePoint, _ along: PlanePoint, _ normal: PlanePoint) {
        switch cap {
        case .butt:
            contours.points.append(point + normal)
        case .square:
            contours.points.append(point + normal + along * half)
            contours.points.append(point - normal + along * half)
        case .round:
            var spoke = normal
            for _ in 0..<stepsOfHalf {
                contours.points.append(point + spoke)
                spoke = spoke.turned(by: step)
            }
            contours.points.append(point - normal)
        }
    }
}
