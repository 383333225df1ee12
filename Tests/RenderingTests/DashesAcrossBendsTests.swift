import Foundation
import Testing
import WaymarkFrame
import WaymarkImaging
import WaymarkRaster
import WaymarkRendering
import WaymarkTestSupport

/// Dashes before and behind a bend may overlap. Where they share the edges of pixels, these were once covered by the sum of both.
@Suite struct DashesAcrossBendsTests {
    private static let size = 110

    private func draw(parts: [[[PathPoint]]]) -> Bitmap {
        var frame = Frame(width: Self.size, height: Self.size)
        frame.add(parts: parts, color: .black)
        var bitmap = Bitmap(width: Self.size, height: Self.size)
        PathPainter(threadCount: 1).draw(0..<1, of: frame, into: &bitmap)
        return bitmap
    }

    private func contours(_ contours: Contours) -> [[PathPoint]] {
        (0..<contours.count).map { contours[$0].map { PathPoint(Float($0.x), Float($0.y)) } }
    }

    /// The contours of dashes, by part of the path.
    private func parts(_ dashes: [Dash], _ style: StrokeStyle) -> [[[PathPoint]]] {
        var stroker = Stroker(style)
        let starts = stroker.add(dashes)
        let all = contours(stroker.contours)
        return zip([0] + starts, starts + [all.count]).map { Array(all[$0..<$1]) }
    }

    private func isInside(_ contours: [[PathPoint]], _ x: Double, _ y: Double) -> Bool {
        var winding = 0
        for contour in contours {
            for (a, b) in zip(contour, contour.dropFirst() + contour.prefix(1)) {
                let (ax, ay, bx, by) = (Double(a.x), Double(a.y), Double(b.x), Double(b.y))
                if (ay <= y) != (by <= y), ax + (y - ay) / (by - ay) * (bx - ax) > x { winding += by > ay ? 1 : -1 }
            }
        }
        return winding != 0
    }

    @Test(arguments: Seeds.all) func noPixelIsCoveredTwice(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        // Neighbors overlap by two pixels or more, and others do not.
        let width = random.number(5...11)
        let style = StrokeStyle(width: width, cap: .round, join: random.one(of: [.miter, .round, .bevel]), tolerance: 0.05)
        let pattern = try #require(DashPattern([1.3 * width, random.number(0.3...1) * (width - 2)]))
        let (first, turn) = (random.number(0...6.2), random.one(of: [-1.0, 1]) * random.number(0.5...1.3))
        let corner = PlanePoint(55, 55)
        let line = [
            corner - PlanePoint(cos(first), sin(first)) * 36, corner, corner + PlanePoint(cos(first + turn), sin(first + turn)) * 36,
        ]
        var dashes: [Dash] = []
        line.withUnsafeBufferPointer { pattern.cut($0, from: random.number(0...20)) { dashes.append(Dash($0, direction: $1)) } }
        let parts = parts(dashes, style)
        let drawn = draw(parts: parts)
        // Dashes whose caps overlap on a straight line have one contour.
        let single = parts.flatMap { $0.map { [$0] } }
        let alone = single.map { draw(parts: [$0]) }
        for y in 0..<Self.size {
            for x in 0..<Self.size {
                let shares = alone.map { Int($0[x, y].alpha) }
                let (alpha, largest) = (Int(drawn[x, y].alpha), shares.max() ?? 0)
                guard shares.count(where: { $0 > 0 }) > 1 else {
                    #expect(abs(alpha - largest) <= 5, "\(x), \(y)")
                    continue
                }
                var count = 0
                for step in 0..<1024 {
                    let (px, py) = (Double(x) + (Double(step % 32) + 0.5) / 32, Double(y) + (Double(step / 32) + 0.5) / 32)
                    if single.contains(where: { isInside($0, px, py) }) { count += 1 }
                }
                // A dash that itself goes round a bend may cover more than it should at the inner edge.
                let covered = max(Double(count) / 1024 * 255, Double(largest))
                #expect(alpha >= largest - 5 && Double(alpha) <= covered + 12, "\(alpha) of \(covered), \(shares) at \(x), \(y): \(style)")
            }
        }
    }

    /// A line without bends, or with separate dashes, is one part.
    @Test func dashesApartAreOnePart() throws {
        let style = StrokeStyle(width: 6, cap: .round, tolerance: 0.05)
        func count(_ line: [PlanePoint], _ lengths: [Double], cap: StrokeStyle.Cap) throws -> Int {
            let pattern = try #require(DashPattern(lengths))
            var dashes: [Dash] = []
            line.withUnsafeBufferPointer { pattern.cut($0, from: 0) { dashes.append(Dash($0, direction: $1)) } }
            return parts(dashes, StrokeStyle(width: style.width, cap: cap, tolerance: style.tolerance)).count
        }
        let straight = [PlanePoint(5, 5), PlanePoint(100, 60)]
        let bent = [PlanePoint(5, 5), PlanePoint(50, 5), PlanePoint(50, 100)]
        #expect(try count(straight, [6, 3], cap: .round) == 1 && count(straight, [6, 3], cap: .butt) == 1)
        #expect(try count(bent, [30, 15], cap: .round) == 1 && count(bent, [44, 6], cap: .butt) == 1)
        #expect(try count(bent, [44, 2], cap: .round) == 2 && count(bent, [44, 2], cap: .butt) == 2)
        // Dashes that merely touch are also one part, so no gap shows between them.
        #expect(try count(bent, [0, 8], cap: .round) == 1)
        // Dots that each overlap the two before them, round a bend.
        let circle = (0...60).map { PlanePoint(55 + 20 * cos(Double($0) / 10), 55 + 20 * sin(Double($0) / 10)) }
        #expect(try count(circle, [0, 2], cap: .round) == 3)
    }
}
