/// Dashes and gaps along a line.
package struct DashPattern: Equatable, Sendable {
    /// The lengths of dashes and gaps, alternating. Their number is even.
    private let lengths: [Double]
    /// The sum of all lengths.
    package let period: Double

    /// Returns nil if there are no gaps, or if a length is invalid. A list with an odd number of lengths is repeated once, as in SVG's
    /// stroke-dasharray.
    package init?(_ lengths: [Double], scale: Double = 1) {
        let all = lengths.count.isMultiple(of: 2) ? lengths : lengths + lengths
        self.lengths = all.map { $0 * scale }
        period = self.lengths.reduce(0, +)
        let gaps = stride(from: 1, to: self.lengths.count, by: 2).reduce(0) { $0 + self.lengths[$1] }
        guard period > 0, period.isFinite, gaps > 0 else { return nil }
    }

    private init(lengths: [Double], period: Double) { (self.lengths, self.period) = (lengths, period) }

    /// An estimate of the number of dashes of a line.
    package func dashes(over length: Double) -> Double { length / period * Double(lengths.count / 2) }

    /// The share of a line that dashes cover.
    package var share: Double {
        stride(from: 0, to: lengths.count, by: 2).reduce(0) { $0 + lengths[$1] } / period
    }

    /// The pattern for a line that other lines continue. At each end where the line is continued lies the middle of the pattern's last
    /// gap. The lengths are stretched or shrunk so that whole patterns fit between two such ends, or onto a closed line.
    ///
    /// Dashes therefore continue where a line is divided, and do not depend on the other pieces of the line.
    /// - Parameters:
    ///   - length: The length of the line.
    ///   - ends: The ends of the line that other lines continue.
    /// - Returns: The pattern, and the distance of the line's start from the start of the pattern; nil for a line without length.
    package func fitted(to length: Double, _ ends: Ends) -> (pattern: DashPattern, start: Double)? {
        let middle = period - lengths[lengths.count - 1] / 2
        switch ends {
        case .free: return (self, 0)
        case .startContinued: return (self, middle)
        case .endContinued: return (self, middle - length)
        case .closed, .bothContinued:
            guard length > 0 else { return nil }
            let count = max(1, (length / period).rounded())
            let scale = length / (count * period)
            return (DashPattern(lengths: lengths.map { $0 * scale }, period: period * scale), ends == .closed ? 0 : middle * scale)
        }
    }

    /// The ends of a line that other lines continue.
    package enum Ends: Sendable { case free, startContinued, endContinued, bothContinued, closed }

    /// Calls `body` with the points of each dash of a line. A dash without length has one point.
    /// - Parameters:
    ///   - start: The distance of the first point from the start of the pattern.
    ///   - body: Receives the points and the direction of the dash.
    package func cut(_ points: UnsafeBufferPointer<PlanePoint>, from start: Double, _ body: ([PlanePoint], PlanePoint) -> Void) {
        cut(points, from: start, length: { $0.length }, body)
    }

    /// Calls `body` with the points of each dash of a line in space. Lengths are measured in the first two coordinates; the third is the
    /// height above the ground.
    package func cut(_ points: UnsafeBufferPointer<SIMD3<Double>>, from start: Double, _ body: ([SIMD3<Double>], SIMD3<Double>) -> Void) {
        cut(points, from: start, length: { PlanePoint($0.x, $0.y).length }, body)
    }

    @inline(__always)
    private func cut<Point: SIMD>(
        _ points: UnsafeBufferPointer<Point>, from start: Double, length lengthOfStep: (Point) -> Double, _ body: ([Point], Point) -> Void
    ) where Point.Scalar == Double {
        guard points.count > 1 else { return }
        var place = 0
        var rest = start.truncatingRemainder(dividingBy: period)
        if rest < 0 { rest += period }
        while rest >= lengths[place], rest > 0 {
            rest -= lengths[place]
            place = (place + 1) % lengths.count
        }
        // The remaining length of the dash or gap.
        var left = lengths[place] - rest
        var dash: [Point] = place % 2 == 0 ? [points[0]] : []
        var heading = Point.zero
        heading[0] = 1
        for index in 1..<points.count {
            let step = points[index] - points[index - 1]
            let length = lengthOfStep(step)
            guard length > 0 else {
                // The line is vertical in space here, so the measured distance does not change.
                if place % 2 == 0, dash.last != points[index] { dash.append(points[index]) }
                continue
            }
            heading = step
            var passed = 0.0
            while length - passed >= left {
                passed += left
                let point = points[index - 1] + step * min(1, passed / length)
                if place % 2 == 1 {
                    dash = [point]
                } else if lengths[place + 1] > 0 {
                    if dash.last != point { dash.append(point) }
                    body(dash, heading)
                } else {
                    // The gap has no length, so the dash continues.
                    place += 1
                }
                place = (place + 1) % lengths.count
                left = lengths[place]
            }
            left -= length - passed
            if place % 2 == 0, dash.last != points[index] { dash.append(points[index]) }
        }
        if place % 2 == 0, dash.count > 1 { body(dash, heading) }
    }
}
