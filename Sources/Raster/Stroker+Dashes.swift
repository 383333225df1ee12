/// A dash of a line: neighboring points differ.
package struct Dash: Sendable {
    package let points: [PlanePoint]
    /// Those in which it begins and ends, of length 1.
    let start: PlanePoint
    let end: PlanePoint

    /// - Parameter direction: Of a single point.
    package init(_ points: [PlanePoint], direction: PlanePoint) {
        self.points = points
        let count = points.count
        let (first, last) = count > 1 ? (points[1] - points[0], points[count - 1] - points[count - 2]) : (direction, direction)
        (start, end) = (first / first.length, last / last.length)
    }

    /// How far it goes straight on from its start, and straight to its end; as far as one likes where it has no bend.
    fileprivate var straightStart: Double { points.count > 2 ? (points[1] - points[0]).length : .infinity }
    fileprivate var straightEnd: Double { points.count > 2 ? (points[points.count - 1] - points[points.count - 2]).length : .infinity }
}

/// Dashes whose caps overlap. As contours of their own they would be counted twice in the pixels at the edges that they share, and cover
/// them whole where they cover half. So such dashes are one contour around their union.
extension Stroker {
    /// Adds dashes in the order in which they are on the line.
    package mutating func add(_ dashes: [Dash]) {
        var first = 0
        for index in dashes.indices where index + 1 == dashes.count || !overlap(dashes[index], dashes[index + 1]) {
            addUnion(of: dashes[first...index])
            first = index + 1
        }
    }

    /// Whether the caps of two dashes overlap, and lie on one straight line, so that the union of the dashes is known.
    private func overlap(_ a: Dash, _ b: Dash) -> Bool {
        guard style.cap != .butt, let end = a.points.last else { return false }
        let across = b.points[0] - end
        let gap = across.length
        // Those that merely touch are apart, so that the last bit of a sine does not decide.
        guard gap < 2 * half - style.tolerance, gap > 0 else { return false }
        let along = across / gap
        func isParallel(_ direction: PlanePoint) -> Bool {
            direction.dot(along) > 0 && abs(direction.cross(along)) * half <= style.tolerance
        }
        // A cap that reaches beyond the gap is a part of the other dash only as far as that is straight.
        let beyond = half - gap
        return isParallel(a.end) && isParallel(b.start) && a.straightEnd >= beyond && b.straightStart >= beyond
    }

    /// One contour of dashes of which each overlaps the next.
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
        addCap(style.cap, last.points[last.points.count - 1], last.end, normal(last.end))
        for (index, dash) in zip(dashes.indices, dashes).reversed() {
            addSide(dash, isForward: false)
            if index > dashes.startIndex { addGap(dash.points[0], dashes[index - 1].points[dashes[index - 1].points.count - 1]) }
        }
        addCap(style.cap, first.points[0], -first.start, normal(-first.start))
        contours.close()
    }

    private func normal(_ along: PlanePoint) -> PlanePoint { PlanePoint(along.y, -along.x) * half }

    /// A side of a dash without a cap.
    private mutating func addSide(_ dash: Dash, isForward: Bool) {
        guard dash.points.count > 1 else {
            contours.points.append(dash.points[0] + normal(isForward ? dash.end : -dash.end))
            return
        }
        dash.points.withUnsafeBufferPointer { addSide($0, isClosed: false, isForward: isForward, cap: .butt) }
    }

    /// The edge beside a gap between two dashes: straight between square caps, and a notch between round ones.
    private mutating func addGap(_ from: PlanePoint, _ to: PlanePoint) {
        guard style.cap == .round else { return }
        let gap = (to - from).length
        let along = (to - from) / gap
        let normal = normal(along)
        let depth = (half * half - gap * gap / 4).squareRoot()
        var spokes: [PlanePoint] = []
        var spoke = normal.turned(by: step)
        while spoke.dot(along) < gap / 2, spoke.dot(normal) > 0 {
            spokes.append(spoke)
            spoke = spoke.turned(by: step)
        }
        for spoke in spokes { contours.points.append(from + spoke) }
        contours.points.append((from + to) / 2 + normal / half * depth)
        // The same arc, mirrored.
        for spoke in spokes.reversed() { contours.points.append(to + spoke - along * (2 * spoke.dot(along))) }
    }
}
