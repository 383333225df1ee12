import WaymarkRaster
import WaymarkScene

/// The arrows of a line. Lengths are in pt.
struct LineArrows: Equatable, Sendable {
    var start = LineArrow.none
    var end = LineArrow.none
    /// The length and the width of an arrow, in line widths.
    var size = 0.0
    /// The width of the line without its outline.
    var width = 0.0
    /// The width of the outline on each side.
    var casing = 0.0

    var isOn: Bool { start != .none || end != .none }

    /// The width of an arrow with its outline, which is mitered.
    var spread: Double { size * width + 4 * casing }

    /// An upper bound on the length of the line that an arrow replaces. It includes the line's outline, which makes arrows longer.
    static func reach(size: Double, width: Double, growth: Double) -> Double { (size + 0.7) * width + 1.5 * growth }

    /// The distance from the picture up to which a line must be known, so that an arrow whose tip is outside of the picture is drawn in
    /// full.
    /// - Parameter width: The width of the stroke.
    func overhang(width: Double) -> Double {
        isOn ? 2.5 * Self.reach(size: size, width: self.width, growth: max(casing, (width - self.width) / 2)) : 0
    }
}

/// An arrow in the plane of its stroke.
struct ArrowHead {
    /// The arrow's points, from one side of the line around the tip to the other side. The stroke ends with them, so that both are one
    /// contour.
    var outline: [PlanePoint]
    /// The point on the axis of the arrow at which the stroke ends.
    let base: PlanePoint
    /// The distance from the tip to the base.
    let length: Double
    /// The length on the ground of the part of the line that the arrow replaces.
    var removed = 0.0

    /// Half the width of an arrow, as a share of its length. It is the same for all arrows, so that a line and its outline have parallel
    /// sides.
    private static let slope = 0.5

    /// - Parameters:
    ///   - size: The length of the arrow for a line of the given width. The arrow is larger by `growth` on each side.
    ///   - along: The direction in which the arrow points, of length 1.
    init(_ kind: LineArrow, tip: PlanePoint, along: PlanePoint, size: Double, width: Double, growth: Double) {
        let (cosine, sine) = (1 / (1 + Self.slope * Self.slope).squareRoot(), Self.slope / (1 + Self.slope * Self.slope).squareRoot())
        let half = width / 2 + growth
        // These corners are half of the outline. x is the distance from the tip, opposite to the direction, and y is the distance from
        // the axis.
        let corners: [PlanePoint]
        if kind == .open {
            // A bar from the tip, as wide as the line, and the bar's end, both moved outward by the growth.
            let (bar, across) = (PlanePoint(cosine, sine), PlanePoint(-sine, cosine))
            let end = bar * (size / cosine + growth)
            let (outer, inner) = (end + across * growth, end - across * (width + growth))
            let meeting = PlanePoint((width + growth) / sine + half / Self.slope, half)
            corners =
                inner.y > half ? [meeting, inner, outer] : [PlanePoint(outer.x + (outer.y - half) * Self.slope, half), outer]
        } else {
            let back = size + growth
            corners = [PlanePoint(back, half), PlanePoint(back, (back + growth / sine) * Self.slope)]
        }
        length = corners[0].x
        base = tip - along * length
        let across = PlanePoint(-along.y, along.x)
        let point = { (x: Double, y: Double) in tip - along * x + across * y }
        outline = corners.map { point($0.x, -$0.y) } + [point(-growth / sine, 0)] + corners.reversed().map { point($0.x, $0.y) }
    }
}

/// The arrows at the ends of a piece of a line.
struct PieceArrows {
    var start: ArrowHead?
    var end: ArrowHead?

    /// Continues a line in the plane of the stroke to the bases of its arrows.
    func extend(_ line: inout [PlanePoint]) {
        if let start, line.first != start.base { line.insert(start.base, at: 0) }
        if let end, line.last != end.base { line.append(end.base) }
    }
}

/// Finds the arrows of a stroke, and cuts the line where they begin.
struct ArrowPlacer {
    let arrows: LineArrows
    let stroke: StrokeStyle
    /// The taper of the line without its outline.
    let taper: StrokeTaper?
    /// The number of units of the stroke's plane per pt.
    let scale: Double
    let isDashed: Bool

    /// The ends of a piece.
    struct Ends {
        /// Whether the piece has an arrow there.
        var hasStart: Bool
        var hasEnd: Bool
        /// Whether the line was cut there, and continues beyond.
        var isCutAtStart: Bool
        var isCutAtEnd: Bool

        init(_ arrows: LineArrows, isCutAtStart: Bool, isCutAtEnd: Bool) {
            (hasStart, hasEnd) = (arrows.start != .none && !isCutAtStart, arrows.end != .none && !isCutAtEnd)
            (self.isCutAtStart, self.isCutAtEnd) = (isCutAtStart, isCutAtEnd)
        }
    }

    /// The overlap in device pixels of dashes and arrows, which are separate contours, so that no seam shows between them.
    private static let overlap = 1.0

    /// Cuts a piece of a line.
    /// - Parameters:
    ///   - points: The points of the piece, on the ground or in space.
    ///   - project: Converts a point to the plane of the stroke. Straight lines must remain straight.
    func place<Point: SIMD>(
        on points: inout [Point], _ ends: Ends, project: (Point) -> PlanePoint
    ) -> PieceArrows where Point.Scalar == Double {
        var result = PieceArrows()
        if ends.hasStart, ends.hasEnd {
            // Each arrow takes at most half of the line.
            var (first, last) = Self.halves(points, project)
            first.reverse()
            result.start = cut(&first, arrows.start, isWhole: true, project)
            result.end = cut(&last, arrows.end, isWhole: true, project)
            points = first.reversed() + (first.first == last.first ? last[1...] : last[...])
        } else if ends.hasStart {
            points.reverse()
            result.start = cut(&points, arrows.start, isWhole: !ends.isCutAtEnd, project)
            points.reverse()
        } else if ends.hasEnd {
            result.end = cut(&points, arrows.end, isWhole: !ends.isCutAtStart, project)
        }
        return result
    }

    /// Cuts a line where the arrow at its last point begins; nil if the line has no direction.
    /// - Parameter isWhole: Whether the arrow shrinks if the line is shorter.
    private func cut<Point: SIMD>(
        _ points: inout [Point], _ kind: LineArrow, isWhole: Bool, _ project: (Point) -> PlanePoint
    ) -> ArrowHead? where Point.Scalar == Double {
        let tip = project(points[points.count - 1])
        let narrowing = scale * (taper?.share(at: tip) ?? 1)
        let width = arrows.width * narrowing
        let growth = (stroke.width * (stroke.taper?.share(at: tip) ?? 1) - width) / 2
        let reach = LineArrows.reach(size: arrows.size, width: width, growth: max(arrows.casing * narrowing, growth))
        var rest = points
        let removed = Self.cut(&rest, within: reach, of: tip, project)
        let neck = project(rest[rest.count - 1])
        let distance = (tip - neck).length
        guard distance > 0, distance.isFinite else { return nil }
        let share = isWhole ? min(1, distance / reach) : 1
        var head = ArrowHead(
            kind, tip: tip, along: (tip - neck) / distance, size: arrows.size * width * share, width: width * share, growth: growth * share)
        if isDashed {
            head.removed = Self.cut(&points, within: max(head.length - Self.overlap, 0.75 * head.length), of: tip, project)
        } else {
            (points, head.removed) = (rest, removed)
        }
        return head
    }

    /// Removes the end of a line within a distance of its last point, or everything beyond its farthest point.
    /// - Returns: The length on the ground of the removed part.
    private static func cut<Point: SIMD>(
        _ points: inout [Point], within reach: Double, of tip: PlanePoint, _ project: (Point) -> PlanePoint
    ) -> Double where Point.Scalar == Double {
        func distance(_ point: Point) -> Double { (project(point) - tip).length }
        var (farthest, at) = (0.0, (index: points.count - 1, removed: 0.0))
        var removed = 0.0
        for index in points.indices.dropLast().reversed() {
            let (inside, outside) = (points[index + 1], points[index])
            let own = distance(outside)
            guard own < reach else {
                // The edge crosses the circle once, so halving finds the crossing.
                var (low, high) = (0.0, 1.0)
                for _ in 0..<60 {
                    let middle = (low + high) / 2
                    if distance(inside + (outside - inside) * middle) < reach { low = middle } else { high = middle }
                }
                let point = inside + (outside - inside) * high
                points.removeLast(points.count - 1 - index)
                if point != outside { points.append(point) }
                return removed + groundLength(inside, point)
            }
            removed += groundLength(inside, outside)
            if own > farthest { (farthest, at) = (own, (index, removed)) }
        }
        points.removeLast(points.count - 1 - at.index)
        return at.removed
    }

    /// Removes the end of a line up to a length on the ground.
    static func cut<Point: SIMD>(_ points: inout [Point], length: Double) where Point.Scalar == Double {
        var left = length
        while left > 0, let end = points.popLast() {
            guard let before = points.last else { return }
            let own = groundLength(before, end)
            if own > left { points.append(end + (before - end) * (left / own)) }
            left -= own
        }
    }

    private static func groundLength<Point: SIMD>(_ a: Point, _ b: Point) -> Double where Point.Scalar == Double {
        PlanePoint(b[0] - a[0], b[1] - a[1]).length
    }

    /// Both halves of a line, by its length in the plane of the stroke.
    private static func halves<Point: SIMD>(
        _ points: [Point], _ project: (Point) -> PlanePoint
    ) -> (first: [Point], last: [Point]) where Point.Scalar == Double {
        let line = points.map(project)
        var passed = [0.0]
        for (a, b) in zip(line, line.dropFirst()) { passed.append(passed[passed.count - 1] + (b - a).length) }
        let middle = passed[passed.count - 1] / 2
        let index = max(1, passed.firstIndex { $0 >= middle } ?? 1)
        let length = passed[index] - passed[index - 1]
        let point = points[index - 1] + (points[index] - points[index - 1]) * (length > 0 ? (middle - passed[index - 1]) / length : 0)
        return (points[..<index] + [point], [point] + points[index...])
    }
}

extension Stroker {
    /// Adds arrows as separate contours.
    mutating func add(_ arrows: PieceArrows) {
        for head in [arrows.start, arrows.end] { if let head, !head.outline.isEmpty { add(outline: head.outline) } }
    }
}

extension ShapePlacer {
    /// An end of a line on a copy of the world.
    struct LineEnd: Hashable {
        let part: ObjectIdentifier
        let copy: Int
        let isStart: Bool

        init(_ part: ShapePart, _ copy: Int, isStart: Bool) {
            (self.part, self.copy, self.isStart) = (ObjectIdentifier(part), copy, isStart)
        }
    }

    /// Finds the arrows of a piece of a line, and cuts it where they begin. The traveled section of a line has the line's own arrows. It
    /// has the arrow at its end only if the whole line is traveled.
    /// - Parameter start: The distance of the first point along the line on the ground.
    mutating func placeArrows<Point: SIMD>(
        _ placer: ArrowPlacer, on points: inout [Point], start: inout Double, _ part: ShapePart, copy: Int, _ ends: ArrowPlacer.Ends,
        project: (Point) -> PlanePoint
    ) -> PieceArrows where Point.Scalar == Double {
        guard let whole = part.whole else {
            let arrows = placer.place(on: &points, ends, project: project)
            heads[LineEnd(part, copy, isStart: true)] = arrows.start
            heads[LineEnd(part, copy, isStart: false)] = arrows.end
            start += arrows.start?.removed ?? 0
            return arrows
        }
        var arrows = PieceArrows()
        for isStart in [true, false] {
            guard var head = heads[LineEnd(whole, copy, isStart: isStart)] else { continue }
            if !(isStart ? ends.hasStart : ends.hasEnd) {
                // The section may end within the arrow. The arrow then keeps the color of the rest of the line.
                let missing = isStart ? part.start - whole.start : (whole.distances.last ?? 0) - (part.distances.last ?? 0)
                head.removed -= missing * viewport.worldSize
                head.outline = []
                guard head.removed > 0 else { continue }
            }
            if isStart {
                points.reverse()
                ArrowPlacer.cut(&points, length: head.removed)
                points.reverse()
                (arrows.start, start) = (head, start + head.removed)
            } else {
                ArrowPlacer.cut(&points, length: head.removed)
                arrows.end = head
            }
        }
        return arrows
    }
}
