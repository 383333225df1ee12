import Foundation
import WaymarkRaster
import WaymarkText

/// A line of text on a curve: the place and the direction of each of its units. Lengths are in the unit of the curve.
package struct CurvedText: Sendable {
    /// A piece of the text that stays straight; see `TextLayout.Unit`.
    package struct Unit: Sendable {
        /// The point of the curve at the middle of the piece.
        package var anchor: PlanePoint
        /// The direction of the text, of length 1.
        package var along: PlanePoint
        /// Half the width of the piece.
        package var half: Double

        /// The point at a distance from its anchor, downward as the text is read.
        func point(beside offset: Double) -> PlanePoint { anchor + PlanePoint(-along.y, along.x) * offset }
    }

    /// The units from the start of the text.
    package private(set) var units: [Unit] = []

    /// The reason why a text does not fit on a curve.
    package enum Misfit: Error {
        /// The curve ends within the text.
        case short
        /// The curve has a corner that is too sharp, or a word that must stay straight would leave it.
        case sharp
    }

    /// The maximum distance in em between the curve and the ends or the middle of a straight piece.
    private static let largestSagitta = 0.35

    /// The allowed distances of letters beside the curve, as a share of their distances on a straight line. Deviations in this range are
    /// not noticeable.
    private static let spread = 0.8...1.25
    /// The maximum number of times that the distance of a letter beside the curve is corrected.
    private static let mostCorrections = 4

    /// The tolerance by which a line may be shorter than its text, so that a text may be as long as its line.
    static func slack(_ width: Double) -> Double { 1e-6 * max(1, width) }

    /// Places a text.
    /// - Parameters:
    ///   - units: The units of the text from left to right.
    ///   - width: The width of the text in pt.
    ///   - scale: The number of units of the curve per pt.
    ///   - em: The size of the text in units of the curve.
    ///   - middle: The distance of the text's middle from the start of the curve.
    ///   - isReversed: Whether the text runs from the end of the curve to its start.
    ///   - maxAngle: The sharpest corner in degrees.
    ///   - offset: The distance of the text from the curve, downward as the text is read. Default 0.
    package static func place(
        _ units: [TextLayout.Unit], width: Double, scale: Double, em: Double, on curve: LineCurve, middle: Double, isReversed: Bool,
        maxAngle: Double, offset: Double = 0
    ) throws(Misfit) -> CurvedText {
        let (start, end) = (middle - width * scale / 2, middle + width * scale / 2)
        let slack = slack(width * scale)
        guard curve.points.count > 1, start >= -slack, end <= curve.length + slack else { throw .short }
        let leastCosine = cos(maxAngle * .pi / 180) - 1e-9
        try checkCorners(curve, from: start, to: end, reach: em, leastCosine)
        var result = CurvedText()
        result.units.reserveCapacity(units.count)
        let sign = isReversed ? -1.0 : 1
        let nominal = units.map { middle + sign * (($0.start + $0.end) / 2 - width / 2) * scale }
        let reaches = units.map { max(($0.end - $0.start) * scale / 2, em / 4, abs(offset) / 2) }
        let distances =
            offset == 0 ? nominal : distances(nominal, middle: middle) { Self.point(at: $0, on: curve, reach: reaches[$1], sign * offset) }
        for (index, unit) in units.enumerated() {
            let half = (unit.end - unit.start) * scale / 2
            let distance = distances[index]
            guard distance - half >= -slack, distance + half <= curve.length + slack else { throw .short }
            guard let along = curve.direction(at: distance, reach: reaches[index]) else { throw .sharp }
            let anchor = curve.point(at: distance)
            if half > em / 2 {
                for place in [distance - half, distance + half] {
                    let off = along.cross(curve.point(at: place) - anchor)
                    guard abs(off) <= largestSagitta * em else { throw .sharp }
                }
            }
            if let before = result.units.last, before.along.dot(along * sign) < leastCosine { throw .sharp }
            let placed = Unit(anchor: anchor, along: along * sign, half: half)
            if offset != 0, let before = result.units.last {
                let gap = (placed.point(beside: offset) - before.point(beside: offset)).length
                let advance = abs(nominal[index] - nominal[index - 1])
                guard advance == 0 || spread.contains(gap / advance) else { throw .sharp }
            }
            result.units.append(placed)
        }
        return result
    }

    /// The distances of letters from the start of the curve. They are chosen so that the letters are as far apart beside the curve as on
    /// a straight line. On the inside of a bend, they are therefore farther apart along the curve, and on the outside closer.
    /// - Parameters:
    ///   - nominal: The distances on a straight line.
    ///   - middle: The distance of the text's middle, from which the letters are placed in both directions.
    ///   - point: The point beside the curve at a distance, for the letter of an index.
    private static func distances(_ nominal: [Double], middle: Double, _ point: (Double, Int) -> PlanePoint?) -> [Double] {
        guard let first = nominal.indices.min(by: { abs(nominal[$0] - middle) < abs(nominal[$1] - middle) }) else { return nominal }
        var result = nominal
        for step in [1, -1] {
            var index = first
            while nominal.indices.contains(index + step) {
                let advance = nominal[index + step] - nominal[index]
                var along = advance
                if let here = point(result[index], index) {
                    for _ in 0..<mostCorrections {
                        guard let there = point(result[index] + along, index + step) else { break }
                        let gap = (there - here).length
                        guard gap > 0 else { break }
                        along *= min(max(abs(advance) / gap, 0.5), 2)
                    }
                }
                result[index + step] = result[index] + along
                index += step
            }
        }
        return result
    }

    /// The point beside a curve at a distance from its start.
    /// - Parameter offset: The distance beside the curve, to the right of its direction.
    private static func point(at distance: Double, on curve: LineCurve, reach: Double, _ offset: Double) -> PlanePoint? {
        curve.direction(at: distance, reach: reach).map { curve.point(at: distance) + PlanePoint(-$0.y, $0.x) * offset }
    }

    /// Checks the turn at the corners of a part of a curve.
    private static func checkCorners(
        _ curve: LineCurve, from start: Double, to end: Double, reach: Double, _ leastCosine: Double
    ) throws(Misfit) {
        var index = curve.segment(at: start) + 1
        var checked = -Double.infinity
        while index < curve.points.count - 1, curve.distances[index] <= end {
            let distance = curve.distances[index]
            // Between two corners this close, the turn hardly differs.
            if distance - checked >= reach / 8 {
                checked = distance
                if curve.cosineOfTurn(at: distance, reach: reach) < leastCosine { throw .sharp }
            }
            index += 1
        }
    }
}
