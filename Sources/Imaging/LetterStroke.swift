typealias Point = SIMD2<Double>

/// A stroke of a letterform in pixels: a straight one, or an arc between two ellipses.
struct LetterStroke {
    private enum Shape {
        /// Convex, corners in order.
        case polygon([Point])
        case ring(center: Point, outer: Point, inner: Point)
    }

    private let shape: Shape
    private let cuts: [Cut]

    /// A convex polygon.
    init(_ corners: [Point]) {
        shape = .polygon(corners)
        cuts = []
    }

    /// What lies between two ellipses of one center, and in all of the cuts.
    init(center: Point, outer: Point, inner: Point, cuts: [Cut]) {
        shape = .ring(center: center, outer: outer, inner: inner)
        self.cuts = cuts
    }

    /// The half of the plane in which `x · point.x + y · point.y <= bound`.
    struct Cut {
        var x: Double
        var y: Double
        var bound: Double

        static func left(of x: Double) -> Cut { Cut(x: 1, y: 0, bound: x) }
        static func right(of x: Double) -> Cut { Cut(x: -1, y: 0, bound: -x) }
        static func above(_ y: Double) -> Cut { Cut(x: 0, y: 1, bound: y) }
        static func below(_ y: Double) -> Cut { Cut(x: 0, y: -1, bound: -y) }

        /// The side of the line through two points on which a third one lies.
        static func along(_ a: Point, _ b: Point, keeping point: Point) -> Cut {
            let cut = Cut(x: b.y - a.y, y: a.x - b.x, bound: (b.y - a.y) * a.x + (a.x - b.x) * a.y)
            return cut.x * point.x + cut.y * point.y <= cut.bound ? cut : Cut(x: -cut.x, y: -cut.y, bound: -cut.bound)
        }
    }
}

extension LetterStroke {
    /// Appends what it covers of the horizontal line at `y`, as pairs of left and right ends.
    func appendSpans(at y: Double, to spans: inout [(left: Double, right: Double)]) {
        switch shape {
        case .polygon(let corners):
            var left = Double.infinity
            var right = -Double.infinity
            for (index, a) in corners.enumerated() {
                let b = corners[index + 1 == corners.count ? 0 : index + 1]
                guard a.y != b.y, min(a.y, b.y) <= y, y <= max(a.y, b.y) else { continue }
                let x = a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y)
                left = min(left, x)
                right = max(right, x)
            }
            append(left, right, at: y, to: &spans)
        case .ring(let center, let outer, let inner):
            let reach = Self.chord(outer, at: y - center.y)
            guard reach > 0 else { return }
            let hole = Self.chord(inner, at: y - center.y)
            if hole > 0 {
                append(center.x - reach, center.x - hole, at: y, to: &spans)
                append(center.x + hole, center.x + reach, at: y, to: &spans)
            } else {
                append(center.x - reach, center.x + reach, at: y, to: &spans)
            }
        }
    }

    private func append(_ left: Double, _ right: Double, at y: Double, to spans: inout [(left: Double, right: Double)]) {
        var left = left
        var right = right
        for cut in cuts {
            let rest = cut.bound - cut.y * y
            if cut.x > 0 {
                right = min(right, rest / cut.x)
            } else if cut.x < 0 {
                left = max(left, rest / cut.x)
            } else if rest < 0 {
                return
            }
        }
        if left < right { spans.append((left, right)) }
    }

    /// Half the length of an ellipse's chord at a distance below its middle; 0 outside.
    private static func chord(_ radii: Point, at distance: Double) -> Double {
        guard radii.x > 0, radii.y > 0 else { return 0 }
        let share = distance / radii.y
        let square = 1 - share * share
        return square > 0 ? radii.x * square.squareRoot() : 0
    }
}
