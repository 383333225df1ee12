/// A dash of a line, in which neighboring points differ.
package struct Dash: Sendable {
    package let points: [PlanePoint]
    /// The directions in which the dash begins and ends, of length 1.
    let start: PlanePoint
    let end: PlanePoint

    /// - Parameter direction: The direction, for a dash of a single point.
    package init(_ points: [PlanePoint], direction: PlanePoint) {
        self.points = points
        let count = points.count
        let (first, last) = count > 1 ? (points[1] - points[0], points[count - 1] - points[count - 2]) : (direction, direction)
        (start, end) = (first / first.length, last / last.length)
    }

    /// The lengths of the straight pieces at the dash's start and end; infinite if it has no bend.
    fileprivate var straightStart: Double { points.count > 2 ? (points[1] - points[0]).length : .infinity }
    fileprivate var straightEnd: Double { points.count > 2 ? (points[points.count - 1] - points[points.count - 2]).length : .infinity }

    /// Whether another dash begins so close to the end of this one that the two may overlap, however sharp the bend between them is. At a
    /// turn of 170°, two lines are a line width apart at 12 half widths from where they meet. A line with a sharper turn is cut there.
    fileprivate func isNear(_ next: Dash, half: Double) -> Bool {
        (next.points[0] - points[points.count - 1]).length < 12 * half
    }

    /// The straight pieces of the dash that another dash near one of its ends may reach.
    fileprivate func pieces(_ half: Double, isEnd: Bool) -> [DashPiece] {
        let count = points.count
        guard count > 1 else { return [DashPiece(from: points[0], to: points[0], along: start, isFirst: true, isLast: true)] }
        var pieces: [DashPiece] = []
        var length = 0.0
        for step in 0..<count - 1 where length < 24 * half {
            let index = isEnd ? count - 2 - step : step
            let (from, to) = (points[index], points[index + 1])
            let own = (to - from).length
            pieces.append(DashPiece(from: from, to: to, along: (to - from) / own, isFirst: index == 0, isLast: index == count - 2))
            length += own
        }
        return pieces
    }
}

/// A straight piece of a dash.
private struct DashPiece {
    let from: PlanePoint
    let to: PlanePoint
    let along: PlanePoint
    /// Whether the piece has the cap at the dash's start, or at its end.
    let isFirst: Bool
    let isLast: Bool

    /// The distance between two pieces; 0 where they cross.
    func distance(to other: DashPiece) -> Double {
        let (a, b) = (along.cross(other.from - from), along.cross(other.to - from))
        let (c, d) = (other.along.cross(from - other.from), other.along.cross(to - other.from))
        if a * b < 0, c * d < 0 { return 0 }
        return min(distance(to: other.from), distance(to: other.to), other.distance(to: from), other.distance(to: to))
    }

    private func distance(to point: PlanePoint) -> Double {
        let share = min(max(along.dot(point - from), 0), (to - from).length)
        return (point - from - along * share).length
    }

    /// Whether the rectangles of two pieces overlap, determined by separating axes.
    /// - Parameter extends: Whether square caps lengthen the pieces at the start or end of a dash.
    func overlaps(_ other: DashPiece, half: Double, extends: Bool, by least: Double) -> Bool {
        let (own, its) = (corners(half, extends), other.corners(half, extends))
        return [along, PlanePoint(-along.y, along.x), other.along, PlanePoint(-other.along.y, other.along.x)].allSatisfy { axis in
            let (a, b) = (own.map(axis.dot), its.map(axis.dot))
            return min(a.max() ?? 0, b.max() ?? 0) - max(a.min() ?? 0, b.min() ?? 0) > least
        }
    }

    private func corners(_ half: Double, _ extends: Bool) -> [PlanePoint] {
        let across = PlanePoint(-along.y, along.x) * half
        let (low, high) = (from - along * (extends && isFirst ? half : 0), to + along * (extends && isLast ? half : 0))
        return [low + across, low - across, high + across, high - across]
    }
}

/// Overlapping dashes. As separate contours, they would count twice in the pixels at their shared edges. A pixel that each dash covers by
/// half would be fully covered. Dashes whose caps overlap on a straight line therefore become one contour around their union. The union
/// of dashes that overlap across a bend is not known. Such dashes go into different parts of the path, of which the larger coverage counts.
extension Stroker {
    /// Adds dashes in their order along the line.
    /// - Returns: The contours at which further parts of the path begin.
    @discardableResult
    package mutating func add(_ dashes: [Dash]) -> [Int] {
        var unions: [Range<Int>] = []
        var first = 0
        for index in dashes.indices {
            if index + 1 < dashes.count, overlap(dashes[index], dashes[index + 1]) { continue }
            unions.append(first..<index + 1)
            first = index + 1
        }
        let (parts, count) = parts(of: unions, dashes)
        var starts: [Int] = []
        for part in 0..<count {
            if part > 0 { starts.append(contours.count) }
            for (union, number) in zip(unions, parts) where number == part { addUnion(of: dashes[union]) }
        }
        return starts
    }

    /// The part of the path that contains each union, chosen so that no two unions of a part overlap. Only neighbors on the line are
    /// compared.
    private mutating func parts(of unions: [Range<Int>], _ dashes: [Dash]) -> (parts: [Int], count: Int) {
        var parts = [Int](repeating: 0, count: unions.count)
        for index in unions.indices.dropFirst() {
            let dash = dashes[unions[index].lowerBound]
            setWidth(at: dash.points[0])
            var taken: [Int] = []
            for other in (max(0, index - Self.neighbors)..<index).reversed() {
                let before = dashes[unions[other].upperBound - 1]
                guard before.isNear(dash, half: half) else { break }
                if meet(before, dash) { taken.append(parts[other]) }
            }
            // The end of a closed line meets its start.
            if index == unions.count - 1, meet(dashes[dashes.count - 1], dashes[0]) { taken.append(parts[0]) }
            while taken.contains(parts[index]) { parts[index] += 1 }
        }
        return (parts, (parts.max() ?? 0) + 1)
    }

    /// The number of previous dashes with which a dash is compared. A line could overlap more dashes only if it were too wide for its
    /// bends.
    private static let neighbors = 8

    /// The minimum overlap of two dashes in different parts, in tolerances of the stroke. It corresponds to a pixel. Less overlap hardly
    /// counts twice. For dashes that merely touch in a pixel, counting only the larger coverage would leave a gap.
    private static let leastOverlap = 20.0

    /// Whether two dashes overlap near the end of the first and the start of the second.
    private func meet(_ a: Dash, _ b: Dash) -> Bool {
        guard half > 0, a.isNear(b, half: half) else { return false }
        let across = b.points[0] - a.points[a.points.count - 1]
        let least = Self.leastOverlap * style.tolerance
        if isStraight(a, b) { return style.cap != .butt && across.length < 2 * half - least }
        let (ends, starts) = (a.pieces(half, isEnd: true), b.pieces(half, isEnd: false))
        return ends.contains { end in
            starts.contains { start in
                style.cap == .round
                    ? end.distance(to: start) < 2 * half - least
                    : end.overlaps(start, half: half, extends: style.cap == .square, by: least)
            }
        }
    }

    /// Whether a dash begins where the other's end points, in the same direction.
    private func isStraight(_ a: Dash, _ b: Dash) -> Bool {
        let across = b.points[0] - a.points[a.points.count - 1]
        let gap = across.length
        guard gap > 0 else { return false }
        let along = across / gap
        func isParallel(_ direction: PlanePoint) -> Bool {
            direction.dot(along) > 0 && abs(direction.cross(along)) * half <= style.tolerance
        }
        return isParallel(a.end) && isParallel(b.start)
    }

    /// Whether the caps of two dashes overlap, and lie on one straight line, so that the union of the dashes is known.
    private mutating func overlap(_ a: Dash, _ b: Dash) -> Bool {
        guard style.cap != .butt, let end = a.points.last else { return false }
        let across = b.points[0] - end
        let gap = across.length
        setWidth(at: end)
        let next = half(at: b.points[0])
        // Dashes that merely touch count as separate, so that the last bit of a sine has no effect. A cap that contains the other has no
        // notch in common with it.
        guard gap < half + next - style.tolerance, gap > abs(half - next) else { return false }
        // A cap that extends beyond the gap is part of the other dash only while that dash is straight.
        return isStraight(a, b) && a.straightEnd >= next - gap && b.straightStart >= half - gap
    }

    /// Adds one contour around a series of dashes, each of which overlaps the next.
    private mutating func addUnion(of dashes: ArraySlice<Dash>) {
        guard half > 0, let first = dashes.first, let last = dashes.last else { return }
        if dashes.count == 1 {
            first.points.withUnsafeBufferPointer { add($0, isClosed: false, direction: first.end) }
            return
        }
        for (index, dash) in zip(dashes.indices, dashes) {
            addSide(dash, isForward: true)
            if index + 1 < dashes.endIndex { addGap(dash.points[dash.points.count - 1], dashes[index + 1].points[0]) }
        }
        setWidth(at: last.points[last.points.count - 1])
        addCap(style.cap, last.points[last.points.count - 1], last.end, normal(last.end))
        for (index, dash) in zip(dashes.indices, dashes).reversed() {
            addSide(dash, isForward: false)
            if index > dashes.startIndex { addGap(dash.points[0], dashes[index - 1].points[dashes[index - 1].points.count - 1]) }
        }
        setWidth(at: first.points[0])
        addCap(style.cap, first.points[0], -first.start, normal(-first.start))
        contours.close()
    }

    private func normal(_ along: PlanePoint) -> PlanePoint { PlanePoint(along.y, -along.x) * half }

    /// Adds a side of a dash, without a cap.
    private mutating func addSide(_ dash: Dash, isForward: Bool) {
        guard dash.points.count > 1 else {
            setWidth(at: dash.points[0])
            contours.points.append(dash.points[0] + normal(isForward ? dash.end : -dash.end))
            return
        }
        dash.points.withUnsafeBufferPointer { addSide($0, isClosed: false, isForward: isForward, cap: .butt) }
    }

    /// Adds the edge at a gap between two dashes: a straight edge between square caps, or a notch between round caps.
    private mutating func addGap(_ from: PlanePoint, _ to: PlanePoint) {
        guard style.cap == .round else { return }
        let gap = (to - from).length
        let along = (to - from) / gap
        let (own, next) = (half(at: from), half(at: to))
        // The notch is where the circles of the two caps meet. In a tapered stroke, the circles differ in size.
        let share = min(max(0, gap / 2 + (own * own - next * next) / (2 * gap)), gap)
        let square = max(own * own - share * share, next * next - (gap - share) * (gap - share))
        func arc(_ half: Double, to share: Double) -> [PlanePoint] {
            let normal = PlanePoint(along.y, -along.x) * half
            var spokes: [PlanePoint] = []
            var spoke = normal.turned(by: step)
            while spoke.dot(along) < share, spoke.dot(normal) > 0 {
                spokes.append(spoke)
                spoke = spoke.turned(by: step)
            }
            return spokes
        }
        let spokes = arc(own, to: share)
        for spoke in spokes { contours.points.append(from + spoke) }
        contours.points.append(from + along * share + PlanePoint(along.y, -along.x) * max(0, square).squareRoot())
        // The arc around the other end, mirrored: the same arc unless the caps differ.
        let others = own == next ? spokes : arc(next, to: gap - share)
        for spoke in others.reversed() { contours.points.append(to + spoke - along * (2 * spoke.dot(along))) }
    }
}
