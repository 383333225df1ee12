import Foundation
import Testing
import WaymarkLayout
import WaymarkRaster
import WaymarkTestSupport
import WaymarkText

/// Places on a curve, and texts that follow it.
@Suite struct LineCurveTests {
    private func randomCurve(_ random: inout SplitMix64) -> LineCurve {
        LineCurve((0..<random.integer(2...40)).map { _ in PlanePoint(random.number(-300...300), random.number(-300...300)) })
    }

    /// Walks along the line, instead of searching.
    private func walked(_ curve: LineCurve, _ distance: Double) -> PlanePoint {
        var rest = max(0, distance)
        for (a, b) in zip(curve.points, curve.points.dropFirst()) {
            let own = (b - a).length
            if rest <= own { return a + (b - a) * (rest / own) }
            rest -= own
        }
        return curve.points[curve.points.count - 1]
    }

    @Test(arguments: Seeds.all) func pointsAreAtTheirDistances(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let curve = randomCurve(&random)
        for _ in 0..<50 {
            let distance = random.number(-20...curve.length + 20)
            #expect((curve.point(at: distance) - walked(curve, distance)).length < 1e-9)
        }
        #expect(curve.point(at: -1) == curve.points[0] && curve.point(at: curve.length + 1) == curve.points[curve.points.count - 1])
    }

    @Test func aCornerTurnsByItsAngle() {
        for degrees in [0.0, 30, 90, 135, 180] {
            let angle = degrees * .pi / 180
            let curve = LineCurve([PlanePoint(0, 0), PlanePoint(100, 0), PlanePoint(100 + 100 * cos(angle), 100 * sin(angle))])
            #expect(abs(curve.cosineOfTurn(at: 100, reach: 10) - cos(angle)) < 1e-12)
            #expect(abs(curve.cosineOfTurn(at: 50, reach: 10) - 1) < 1e-12)
        }
    }

    /// Five units of 10, the last of which has no width, as a combining mark may.
    private let units = (0..<5).map { number in
        TextLayout.Unit(glyphs: number..<number + 1, start: 10 * Double(number), end: number < 4 ? 10 * Double(number + 1) : 40)
    }

    private func place(
        on curve: LineCurve, at middle: Double, isReversed: Bool = false, maxAngle: Double = 45, scale: Double = 1
    ) throws(CurvedText.Misfit) -> CurvedText {
        try CurvedText.place(
            units, width: 40, scale: scale, em: 12 * scale, on: curve, middle: middle, isReversed: isReversed, maxAngle: maxAngle)
    }

    @Test func aTextOnAStraightLineIsStraight() throws {
        let curve = LineCurve([PlanePoint(10, 20), PlanePoint(110, 20)])
        let text = try place(on: curve, at: 50)
        #expect(text.units.map(\.anchor) == [45, 55, 65, 75, 80].map { PlanePoint($0, 20) })
        #expect(text.units.allSatisfy { $0.along == PlanePoint(1, 0) })
        let reversed = try place(on: curve, at: 50, isReversed: true)
        #expect(reversed.units.map(\.anchor) == [75, 65, 55, 45, 40].map { PlanePoint($0, 20) })
        #expect(reversed.units.allSatisfy { $0.along == PlanePoint(-1, 0) })
        #expect(try place(on: curve, at: 50, scale: 2).units[0].anchor == PlanePoint(30, 20))
    }

    @Test func aTextNeedsItsLength() throws {
        let curve = LineCurve([PlanePoint(0, 0), PlanePoint(40, 0)])
        #expect(try place(on: curve, at: 20).units.count == 5)
        for middle in [19.9, 20.1, -100, 200] { #expect(throws: CurvedText.Misfit.short) { try place(on: curve, at: middle) } }
        #expect(throws: CurvedText.Misfit.short) { try place(on: LineCurve([PlanePoint(0, 0)]), at: 0) }
        #expect(throws: CurvedText.Misfit.short) { try place(on: LineCurve(), at: 0) }
    }

    /// A text goes around a corner up to the limit, and not beyond, wherever the corner is within it.
    @Test(arguments: [10.0, 30, 44, 46, 60, 90, 120, 170]) func aTextGoesAroundNoSharperCorner(degrees: Double) throws {
        let angle = degrees * .pi / 180
        let curve = LineCurve([PlanePoint(0, 0), PlanePoint(100, 0), PlanePoint(100 + 100 * cos(angle), 100 * sin(angle))])
        for middle in stride(from: 81.0, through: 119, by: 2) {
            if degrees < 45 {
                let text = try place(on: curve, at: middle)
                for unit in text.units { #expect(abs(unit.along.length - 1) < 1e-12) }
            } else {
                #expect(throws: CurvedText.Misfit.sharp) { try place(on: curve, at: middle) }
            }
            _ = try place(on: curve, at: middle, maxAngle: 180)
        }
        _ = try place(on: curve, at: 60)
    }

    /// On a circle, every unit is on it and along its tangent.
    @Test func aTextFollowsACircle() throws {
        let points = (0...720).map { PlanePoint(100 * cos(Double($0) * .pi / 360), 100 * sin(Double($0) * .pi / 360)) }
        let curve = LineCurve(points)
        for unit in try place(on: curve, at: 200).units {
            #expect(abs(unit.anchor.length - 100) < 0.01)
            #expect(abs(unit.along.dot(unit.anchor) / 100) < 0.01)
        }
    }

    /// A wide unit, such as a word of joined letters, does not leave the line.
    @Test func aWideUnitNeedsAStraightLine() throws {
        let points = (0...360).map { PlanePoint(40 * cos(Double($0) * .pi / 360), 40 * sin(Double($0) * .pi / 360)) }
        let word = [TextLayout.Unit(glyphs: 0..<1, start: 0, end: 60)]
        func place(_ curve: LineCurve) throws(CurvedText.Misfit) {
            _ = try CurvedText.place(word, width: 60, scale: 1, em: 12, on: curve, middle: 60, isReversed: false, maxAngle: 45)
        }
        #expect(throws: CurvedText.Misfit.sharp) { try place(LineCurve(points)) }
        try place(LineCurve(points.map { PlanePoint($0.x * 20, $0.y * 20) }))
    }

    /// Noise that is small compared with the letters does not count as a corner.
    @Test(arguments: Seeds.all) func aTextMayFollowANoisyLine(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let curve = LineCurve((0...100).map { PlanePoint(2 * Double($0), random.number(-0.4...0.4)) })
        _ = try place(on: curve, at: curve.length / 2)
    }
}
