import Foundation
import Testing
import WaymarkMeshes
import WaymarkTestSupport

@Suite struct EarClipperTests {
    private typealias Point = SIMD2<Double>

    private static func area(_ ring: [Point]) -> Double {
        zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(0) { $0 + $1.0.x * $1.1.y - $1.0.y * $1.1.x } / 2
    }

    /// Divides a polygon, and returns the corners of its triangles.
    private func triangles(_ rings: [[Point]], budget: Int = .max) throws -> [[Point]] {
        var (clipper, budget, ends) = (EarClipper(), budget, [Int]())
        for ring in rings { ends.append((ends.last ?? 0) + ring.count) }
        let points = rings.flatMap(\.self)
        try #require(clipper.divide(points, ends: ends, budget: &budget))
        return stride(from: 0, to: clipper.triangles.count, by: 3).map { first in
            clipper.triangles[first..<first + 3].map { points[Int($0)] }
        }
    }

    /// The triangles cover the polygon exactly: all turn counterclockwise, their areas add up to its area, and none has its middle outside.
    private func expectExact(_ rings: [[Point]], _ label: String) throws {
        let triangles = try triangles(rings)
        let whole = abs(Self.area(rings[0])) - rings.dropFirst().reduce(0) { $0 + abs(Self.area($1)) }
        let sum = triangles.reduce(0) { $0 + Self.area($1) }
        #expect(abs(sum - whole) < 1e-9 * max(1, whole), "\(label): \(sum) instead of \(whole)")
        #expect(triangles.allSatisfy { Self.area($0) > 0 }, "\(label)")
        func isInside(_ point: Point) -> Bool {
            var isInside = false
            for ring in rings {
                for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) where (a.y > point.y) != (b.y > point.y) {
                    if point.x < a.x + (point.y - a.y) * (b.x - a.x) / (b.y - a.y) { isInside.toggle() }
                }
            }
            return isInside
        }
        #expect(triangles.allSatisfy { isInside(($0[0] + $0[1] + $0[2]) / 3) }, "\(label)")
    }

    /// Each in both directions.
    @Test(arguments: [false, true]) func simplePolygons(isReversed: Bool) throws {
        let rings: [(String, [Point])] = [
            ("triangle", [[0, 0], [4, 0], [0, 3]]),
            ("rectangle", [[0, 0], [4, 0], [4, 3], [0, 3]]),
            ("L", [[0, 0], [4, 0], [4, 1], [1, 1], [1, 3], [0, 3]]),
            (
                "comb",
                [
                    [0, 0], [7, 0], [7, 5], [6, 5], [6, 1], [5, 1], [5, 5], [4, 5], [4, 1], [3, 1], [3, 5], [2, 5], [2, 1], [0, 1],
                ]
            ),
            ("corners on its sides", [[0, 0], [1, 0], [2, 0], [4, 0], [4, 2], [4, 4], [3, 4], [0, 4], [0, 3], [0, 1]]),
            (
                "star",
                (0..<14).map { n in
                    let (radius, angle) = (n % 2 == 0 ? 5.0 : 2.0, Double(n) * .pi / 7)
                    return Point(radius * cos(angle), radius * sin(angle))
                }
            ),
        ]
        for (name, ring) in rings { try expectExact([isReversed ? ring.reversed() : ring], name) }
    }

    @Test func everyCornerIsUsed() throws {
        // A corner in the middle of a side stays, so that the wall below has no gap.
        let ring: [Point] = [[0, 0], [2, 0], [4, 0], [4, 4], [0, 4]]
        let corners = Set(try triangles([ring]).flatMap(\.self))
        #expect(corners == Set(ring))
    }

    @Test func holes() throws {
        let outer: [Point] = [[0, 0], [10, 0], [10, 10], [0, 10]]
        func square(_ x: Double, _ y: Double, _ side: Double = 1) -> [Point] {
            [[x, y], [x + side, y], [x + side, y + side], [x, y + side]]
        }
        try expectExact([outer, square(4, 4)], "one hole")
        try expectExact([outer, square(1, 1), square(1, 4), square(1, 7), square(5, 5, 3)], "a column of holes")
        try expectExact([outer, square(7, 1).reversed(), square(4, 1), square(1, 1)], "a row of holes")
        try expectExact([outer.reversed(), square(4, 4).reversed()], "one hole, reversed")
        try expectExact(
            [outer] + (0..<9).flatMap { x in (0..<9).map { y in square(Double(x) + 0.7, Double(y) + 0.7, 0.5) } }, "a grid of holes")
        // Holes that touch the outer ring or each other at a corner.
        try expectExact([outer, [[0, 5], [1, 4], [2, 5], [1, 6]]], "a hole at the side")
        try expectExact([outer, square(2, 2), square(3, 3)], "holes that touch")
    }

    /// Random polygons around a center, with a random hole.
    @Test(arguments: 0..<40) func randomPolygons(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let count = random.integer(5...60)
        let outer = (0..<count).map { number -> Point in
            let (angle, radius) = ((Double(number) + random.number(0...0.9)) / Double(count) * 2 * .pi, random.number(2...9))
            // On a grid, as in tiles.
            return Point((radius * cos(angle) * 256).rounded() / 256, (radius * sin(angle) * 256).rounded() / 256)
        }
        let hole = (0..<7).map { Point(0.7 * cos(Double($0)), 0.5 * sin(Double($0))) }
        // The sides of a polygon with few corners may pass through the hole.
        try expectExact(count > 12 ? [outer, hole] : [outer], "\(seed)")
    }

    /// Rings that cross or touch themselves, and rings without area, end in time and without a crash.
    @Test func crossingRings() throws {
        let bowTie: [Point] = [[0, 0], [4, 4], [4, 0], [0, 4]]
        #expect(try triangles([bowTie]).count <= 2)
        let line: [Point] = [[0, 0], [1, 0], [2, 0], [1, 0]]
        #expect(try triangles([line]).isEmpty)
        #expect(try triangles([[[1, 1], [1, 1], [1, 1]]]).isEmpty)
        // The hole lies outside of the outer ring, or is larger.
        let square: [Point] = [[0, 0], [1, 0], [1, 1], [0, 1]]
        #expect(try triangles([square, square.map { $0 + [5, 0] }]).reduce(0) { $0 + Self.area($1) } == 1)
        #expect(try triangles([square, square.map { $0 - [5, 0] }]).count >= 2)
        #expect(try triangles([square, square.map { $0 * 3 - 1 }]).count >= 2)
        for seed in 0..<200 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            let rings = (0..<random.integer(1...4)).map { _ in
                (0..<random.integer(3...12)).map { _ in Point(Double(random.integer(0...5)), Double(random.integer(0...5))) }
            }
            #expect(try triangles(rings).count <= 3 * rings.joined().count)
        }
    }

    /// A spiral of 65,000 corners exceeds the budget instead of taking minutes; a circle of as many does not.
    @Test func budget() {
        var (clipper, budget) = (EarClipper(), 1_000_000)
        let turns = (0..<32500).map { Double($0) * 0.01 }
        let spiral = turns.map { Point(cos($0), sin($0)) * ($0 + 1) } + turns.reversed().map { Point(cos($0), sin($0)) * ($0 + 2) }
        #expect(!clipper.divide(spiral, ends: [spiral.count], budget: &budget))
        budget = 1_000_000
        let circle = (0..<65000).map { Point(cos(Double($0) / 65000 * 2 * .pi), sin(Double($0) / 65000 * 2 * .pi)) }
        #expect(clipper.divide(circle, ends: [circle.count], budget: &budget) && clipper.triangles.count == 3 * 64998)
        // No corner of a coil that turns right is an ear, and each is passed again for every triangle.
        budget = 100_000
        let coil = (0..<4000).map { Point(2500 + 12 * cos(Double($0) / 24 * 2 * .pi), 1000 - 12 * sin(Double($0) / 24 * 2 * .pi)) }
        let ring = [[10, 10], [4000, 10]] + coil + [[4000, 4000]]
        #expect(!clipper.divide(ring, ends: [ring.count], budget: &budget) && budget > -20_000)
        // Many holes.
        let holes = (0..<20000).flatMap { number -> [Point] in
            let corner = Point(Double(number % 141), Double(number / 141))
            return [corner + 0.2, corner + [0.6, 0.2], corner + 0.6]
        }
        budget = 1_000_000
        let outer: [Point] = [[0, 0], [150, 0], [150, 150], [0, 150]]
        #expect(!clipper.divide(outer + holes, ends: (0...20000).map { 4 + 3 * $0 }, budget: &budget))
    }
}
