import Foundation
import Testing
import WaymarkRaster
import WaymarkTestSupport

@Suite struct RingCrossingsTests {
    private func find(_ rings: [PlanePoint]..., mostPairs: Int = RingCrossings.mostPairs) -> RingCrossings.Answer {
        var contours = Contours()
        for ring in rings { contours.append(ring) }
        return RingCrossings.find(contours, mostPairs: mostPairs)
    }

    /// A ring round a center, never crossing itself.
    private func star(_ count: Int, _ radii: ClosedRange<Double>, _ random: inout SplitMix64) -> [PlanePoint] {
        (0..<count).map { index in
            let angle = Double(index) / Double(count) * 2 * .pi
            return PlanePoint(cos(angle), sin(angle)) * random.number(radii)
        }
    }

    @Test func findsABowTie() {
        let tie = [PlanePoint(0, 0), PlanePoint(1, 1), PlanePoint(1, 0), PlanePoint(0, 1)]
        guard case .crossing = find(tie) else {
            Issue.record("not found")
            return
        }
        #expect(find([PlanePoint(0, 0), PlanePoint(1, 0), PlanePoint(1, 1), PlanePoint(0, 1)]) == .none)
    }

    @Test func touchingIsNotCrossing() {
        let square = [PlanePoint(0, 0), PlanePoint(4, 0), PlanePoint(4, 4), PlanePoint(0, 4)]
        // A hole that touches an edge and a corner, and a spike.
        #expect(find(square, [PlanePoint(0, 2), PlanePoint(2, 1), PlanePoint(4, 4)]) == .none)
        #expect(find([PlanePoint(0, 0), PlanePoint(4, 0), PlanePoint(8, 0), PlanePoint(4, 0), PlanePoint(4, 4)]) == .none)
        // Repeated points and no area.
        #expect(find([PlanePoint(1, 1), PlanePoint(1, 1), PlanePoint(1, 1)]) == .none)
        #expect(find([PlanePoint(0, 0), PlanePoint(1, 1), PlanePoint(2, 2), PlanePoint(1, 1)]) == .none)
    }

    @Test(arguments: [0, .leastNonzeroMagnitude, 1e-300, 1e-12, 1, 1e300, .greatestFiniteMagnitude / 4]) func ringsWithoutAreaAreNoTrap(
        unit: Double
    ) {
        for flat in [0, Double.leastNonzeroMagnitude, 1e-17, 0.1] {
            for axis in [PlanePoint(1, 0), PlanePoint(0, 1), PlanePoint(1, 1)] {
                let other = PlanePoint(1, 1) - axis
                // Out and back, so that nothing crosses.
                var there: [PlanePoint] = []
                for number in 0..<20 {
                    let along: Double = Double(number) / 20 * unit
                    there.append(axis * along + other * flat)
                }
                let back: [PlanePoint] = there.dropFirst().dropLast().reversed()
                #expect(find(there + back) == .none)
                var zigzag: [PlanePoint] = []
                for number in 0..<40 {
                    let along: Double = Double(number * 7 % 40) / 40 * unit
                    let off: Double = Double(number % 3) * flat * 1e-300
                    zigzag.append(axis * along + other * off)
                }
                _ = find(zigzag)
            }
        }
        var strange = (0..<20).map { PlanePoint(Double($0), 1) }
        (strange[3].x, strange[5].y) = (.nan, .infinity)
        _ = find(strange)
    }

    @Test func findsCrossingsAtSharedPoints() {
        func isFound(_ rings: [PlanePoint]...) -> Bool {
            var contours = Contours()
            for ring in rings { contours.append(ring) }
            if case .crossing = RingCrossings.find(contours) { return true }
            return false
        }
        let square = [PlanePoint(0, 0), PlanePoint(4, 0), PlanePoint(4, 4), PlanePoint(0, 4)]
        // Gone round twice, whole and with a point more the second time.
        #expect(isFound(square + square))
        #expect(isFound(square + [PlanePoint(0, 0), PlanePoint(3, 0)] + square.dropFirst()))
        // A bow tie whose middle is a point of both its ways, of one, and points that repeat.
        let middle = PlanePoint(2, 2)
        #expect(isFound([PlanePoint(0, 0), middle, PlanePoint(4, 4), PlanePoint(4, 0), middle, PlanePoint(0, 4)]))
        #expect(isFound([PlanePoint(0, 0), middle, PlanePoint(4, 4), PlanePoint(4, 0), PlanePoint(0, 4)]))
        #expect(isFound([PlanePoint(0, 0), middle, middle, PlanePoint(4, 4), PlanePoint(4, 0), middle, middle, PlanePoint(0, 4)]))
        // A pentagram with points where it crosses.
        let outer = (0..<5).map { PlanePoint(cos(Double($0) * 0.8 * .pi), sin(Double($0) * 0.8 * .pi)) }
        func meet(_ a: Int, _ b: Int) -> PlanePoint {
            let (first, second) = (min(a % 5, b % 5), max(a % 5, b % 5))
            let (p, q) = (outer[first], outer[second])
            let (step, other) = (outer[(first + 1) % 5] - p, outer[(second + 1) % 5] - q)
            let gap = q - p
            return p + step * ((gap.x * other.y - gap.y * other.x) / (step.x * other.y - step.y * other.x))
        }
        #expect(isFound((0..<5).flatMap { [outer[$0], meet($0, $0 + 3), meet($0, $0 + 2)] }))
        // Two rings that only touch at a common point, one inside the other or next to it.
        #expect(!isFound(square, [PlanePoint(4, 4), PlanePoint(3, 1), PlanePoint(1, 3)]))
        #expect(!isFound(square, [PlanePoint(4, 4), PlanePoint(7, 5), PlanePoint(5, 7)]))
        // In to a hole and back along the same way.
        #expect(
            !isFound([
                PlanePoint(0, 0), PlanePoint(4, 0), PlanePoint(4, 4), PlanePoint(0, 4), PlanePoint(0, 0), PlanePoint(1, 1),
                PlanePoint(1, 3), PlanePoint(3, 3), PlanePoint(3, 1), PlanePoint(1, 1),
            ]))
        // A hole along an edge.
        #expect(!isFound(square, [PlanePoint(1, 0), PlanePoint(1, 2), PlanePoint(3, 2), PlanePoint(3, 0)]))
    }

    @Test(arguments: Seeds.all) func findsOneCrossingAmongMany(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var ring = star(random.integer(8...3000), 0.2...1, &random)
        #expect(find(ring) == .none)
        // Two neighbors that change places cross their neighbors' edges.
        let place = random.integer(1...ring.count - 3)
        ring.swapAt(place, place + 1)
        let direct = (0..<ring.count).contains { a in
            (0..<ring.count).contains { b in
                abs(a - b) > 1 && Self.cross(ring[a], ring[(a + 1) % ring.count], ring[b], ring[(b + 1) % ring.count])
            }
        }
        if ring.count < 300 { #expect((find(ring) != .none) == direct) }
    }

    private static func cross(_ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint, _ d: PlanePoint) -> Bool {
        func side(_ p: PlanePoint, _ q: PlanePoint, _ r: PlanePoint) -> Double { (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x) }
        return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
    }

    @Test func ringsOf65536PointsAreDoneWith() {
        var random = SplitMix64(seed: 1)
        let scribble = (0..<65_536).map { _ in PlanePoint(random.number(0...1), random.number(0...1)) }
        guard case .crossing = find(scribble) else {
            Issue.record("not found")
            return
        }
        #expect(find(star(65_536, 0.95...1, &random)) == .none)
        // A comb of slanted teeth, each the whole way: nearly every edge passes nearly every cell.
        let comb = (0..<65_536).map { index in
            let (end, shift) = (Double(index % 2), Double(index) * 1e-6)
            return PlanePoint(end + shift, end - shift)
        }
        #expect(find(comb, mostPairs: 1_000_000) == .unknown)
    }
}
