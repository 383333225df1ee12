import Foundation
import Testing
import WaymarkRaster
import WaymarkTestSupport

@Suite struct StrokerTests {
    private func stroke(_ points: [PlanePoint], _ style: StrokeStyle, isClosed: Bool = false) -> Contours {
        var stroker = Stroker(style)
        stroker.add(points, isClosed: isClosed)
        return stroker.contours
    }

    @Test func capsHaveTheirAreas() {
        let line = [PlanePoint(3, 4), PlanePoint(3 + 60, 4 + 80)]
        #expect(abs(stroke(line, StrokeStyle(width: 10)).signedArea - 1000) < 1e-9)
        #expect(abs(stroke(line, StrokeStyle(width: 10, cap: .square)).signedArea - 1100) < 1e-9)
        let round = stroke(line, StrokeStyle(width: 10, cap: .round, tolerance: 1e-4)).signedArea
        #expect(abs(round - 1000 - .pi * 25) < 0.01)
    }

    /// A shape with a hole, widened: all points within the distance of it are inside, and all others are outside.
    @Test(arguments: Seeds.all) func widenedRingsAreNearTheShape(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func star(_ radii: ClosedRange<Double>, isHole: Bool) -> [PlanePoint] {
            let count = random.integer(5...12)
            let points = (0..<count).map { number -> PlanePoint in
                let angle = Double(number) / Double(count) * 2 * .pi
                return PlanePoint(cos(angle), sin(angle)) * random.number(radii)
            }
            return isHole ? points.reversed() : points
        }
        let rings = [star(30...60, isHole: false), star(2...20, isHole: true)]
        let half = random.number(1...15)
        var stroker = Stroker(StrokeStyle(width: 2 * half, join: .round, tolerance: 0.01))
        for ring in rings { stroker.add(widened: ring) }
        #expect(stroker.contours.count == 2)
        func winding(_ rings: [[PlanePoint]], _ point: PlanePoint) -> Int {
            var result = 0
            for ring in rings {
                var a = ring[ring.count - 1]
                for b in ring {
                    if (a.y <= point.y) != (b.y <= point.y), a.x + (b.x - a.x) * (point.y - a.y) / (b.y - a.y) > point.x {
                        result += b.y > a.y ? 1 : -1
                    }
                    a = b
                }
            }
            return result
        }
        func distance(_ point: PlanePoint) -> Double {
            rings.map { ring in
                zip(ring, ring.dropFirst() + [ring[0]]).map { a, b -> Double in
                    let step = b - a
                    let share = min(1, max(0, (point - a).dot(step) / step.dot(step)))
                    return (point - a - step * share).length
                }.min()!
            }.min()!
        }
        let widened = (0..<2).map { Array(stroker.contours[$0]) }
        for _ in 0..<400 {
            let point = PlanePoint(random.number(-80...80), random.number(-80...80))
            let off = distance(point)
            guard abs(off - half) > 0.02 else { continue }
            let isInside = winding(rings, point) != 0 || off < half
            #expect((winding(widened, point) != 0) == isInside, "seed \(seed): \(point)")
            #expect(winding(widened, point) >= 0)
        }
    }

    /// Two segments at a right angle: their rectangles minus the overlap, and the outer wedge.
    @Test(arguments: [(StrokeStyle.Join.miter, 25.0), (.round, .pi * 25 / 4), (.bevel, 12.5)])
    func joinsHaveTheirAreas(join: StrokeStyle.Join, wedge: Double) {
        for turn in [1.0, -1] {
            let line = [PlanePoint(0, 0), PlanePoint(100, 0), PlanePoint(100, 100 * turn)]
            let area = stroke(line, StrokeStyle(width: 10, join: join, tolerance: 1e-4)).signedArea
            #expect(abs(area - (2000 - 25 + wedge)) < 0.01)
        }
    }

    @Test func mitersEndAtTheirLimit() {
        // A turn back by 20 degrees: the miter reaches 1 / sin 10° = 5.76 half widths.
        let angle = 20 * Double.pi / 180
        let line = [PlanePoint(0, 0), PlanePoint(100, 0), PlanePoint(100 - 100 * cos(angle), 100 * sin(angle))]
        func reach(_ limit: Double) -> Double {
            stroke(line, StrokeStyle(width: 10, miterLimit: limit)).points.map { ($0 - PlanePoint(100, 0)).length }
                .filter { $0 < 90 }.max() ?? 0
        }
        #expect(abs(reach(6) - 5 / sin(angle / 2)) < 1e-9)
        #expect(reach(5.7) < 40)
    }

    @Test func ringsAreClosedWithJoins() {
        let square = [PlanePoint(0, 0), PlanePoint(100, 0), PlanePoint(100, 100), PlanePoint(0, 100)]
        for ring in [square, square.reversed()] {
            let contours = stroke(ring, StrokeStyle(width: 10), isClosed: true)
            #expect(contours.count == 2)
            #expect(abs(contours.signedArea - (110 * 110 - 90 * 90)) < 1e-9)
        }
    }

    /// Beyond the limit of points, round joins become bevels.
    @Test func mostPoints() {
        let zigzag = (0..<1000).map { PlanePoint(Double($0), Double($0 % 2)) }
        func count(_ limit: Int) -> Int {
            var stroker = Stroker(StrokeStyle(width: 1000, join: .round))
            stroker.mostPoints = limit
            stroker.add(zigzag)
            return stroker.contours.points.count
        }
        #expect(count(.max) > 10_000 && count(2000) < 2000 + 6 * zigzag.count)
    }

    @Test func aPointIsADot() {
        #expect(stroke([PlanePoint(5, 5)], StrokeStyle(width: 8)).isEmpty)
        #expect(abs(stroke([PlanePoint(5, 5)], StrokeStyle(width: 8, cap: .square)).signedArea - 64) < 1e-9)
        #expect(abs(stroke([PlanePoint(5, 5)], StrokeStyle(width: 8, cap: .round, tolerance: 1e-4)).signedArea - .pi * 16) < 0.01)
    }

    /// With round joins and caps a stroke is all that is nearer to the line than half its width, however the line turns, crosses
    /// and comes back; and nothing is counted against another.
    @Test(arguments: Seeds.all) func isEverythingNearTheLine(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let step = random.one(of: [0.3, 2, 10, 40])
        var point = PlanePoint(50, 50)
        var line = [point]
        for _ in 0..<random.integer(1...40) {
            let back = random.once(in: 8) && line.count > 1
            point = back ? line[line.count - 2] : point + PlanePoint(random.number(-step...step), random.number(-step...step))
            if point != line[line.count - 1] { line.append(point) }
        }
        guard line.count > 1 else { return }
        let isClosed = line.count > 3 && random.once(in: 2) && line[0] != line[line.count - 1]
        let width = random.one(of: [0.5, 3, 12, 40])
        let tolerance = 0.01
        let contours = stroke(line, StrokeStyle(width: width, cap: .round, join: .round, tolerance: tolerance), isClosed: isClosed)
        for _ in 0..<300 {
            let near = random.one(of: line) + PlanePoint(random.number(-width...width), random.number(-width...width))
            let distance = near.distance(toLine: isClosed ? line + [line[0]] : line)
            guard abs(distance - width / 2) > 2 * tolerance else { continue }
            let winding = contours.winding(around: near)
            #expect(winding >= 0)
            #expect((winding > 0) == (distance < width / 2), "\(near) is \(distance) away")
        }
    }

    /// Dashes of a straight line whose caps overlap have one contour around all of them, and no place is counted twice.
    @Test(arguments: Seeds.all) func overlappingDashesAreOneArea(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let pattern = try #require(DashPattern([random.one(of: [0, random.number(0...20)]), random.number(0.5...20)]))
        let style = StrokeStyle(
            width: random.number(1...24), cap: random.one(of: [.butt, .square, .round]), tolerance: 0.01)
        let angle = random.number(0...6)
        let along = PlanePoint(cos(angle), sin(angle))
        var dashes: [Dash] = []
        [PlanePoint(5, 5), PlanePoint(5, 5) + along * 100].withUnsafeBufferPointer {
            pattern.cut($0, from: random.number(0...20)) { dashes.append(Dash($0, direction: $1)) }
        }
        var stroker = Stroker(style)
        stroker.add(dashes)
        func isInside(_ point: PlanePoint, half: Double) -> Bool {
            dashes.contains { dash in
                if style.cap == .round { return point.distance(toLine: [dash.points[0], dash.points[dash.points.count - 1]]) < half }
                if style.cap == .butt, dash.points.count < 2 { return false }
                func place(_ point: PlanePoint) -> PlanePoint { PlanePoint((point * along).sum(), point.x * along.y - point.y * along.x) }
                let (start, end, at) = (place(dash.points[0]), place(dash.points[dash.points.count - 1]), place(point))
                // A butt cap has no length.
                let cap = style.cap == .butt ? half - style.width / 2 : half
                return abs(at.y - start.y) < half && at.x > start.x - cap && at.x < end.x + cap
            }
        }
        for _ in 0..<300 {
            let near = PlanePoint(5, 5) + along * random.number(-20...120) + PlanePoint(random.number(-15...15), random.number(-15...15))
            let isIn = isInside(near, half: style.width / 2)
            guard [-0.02, 0.02].allSatisfy({ isInside(near, half: style.width / 2 + $0) == isIn }) else { continue }
            #expect(stroker.contours.winding(around: near) == (isIn ? 1 : 0), "\(near), \(style), \(pattern)")
        }
    }

    /// Dashes of a line to or from the horizon: their widths shrink in proportion to the distance from it, and their gaps with its square.
    @Test(arguments: [StrokeStyle.Cap.round, .square], [[6, 4], [0, 8]] as [[Double]])
    func taperedDashesHaveTheWidthsOfTheirPlaces(cap: StrokeStyle.Cap, pattern: [Double]) {
        var style = StrokeStyle(width: 4, cap: cap, join: .round, tolerance: 0.01)
        style.taper = StrokeTaper(full: 200, vanishing: 70)
        func half(_ row: Double) -> Double { 2 * min(1, max(1.0 / 64, (row - 70) / 130)) }
        func place(_ distance: Double) -> PlanePoint { PlanePoint(50, 70 + 130 / (1 + distance / 300)) }
        for isReversed in [false, true] {
            var lines = stride(from: -100, through: 5700, by: pattern[0] + pattern[1]).map { start in
                pattern[0] > 0 ? [place(start), place(start + pattern[0])] : [place(start)]
            }
            if isReversed { lines = lines.reversed().map { $0.reversed() } }
            var stroker = Stroker(style)
            stroker.add(lines.map { Dash($0, direction: PlanePoint(0, isReversed ? 1 : -1)) })
            func isInside(_ point: PlanePoint, by scale: Double, _ slack: Double) -> Bool {
                lines.contains { line in
                    let (low, high) = (min(line[0].y, line[line.count - 1].y), max(line[0].y, line[line.count - 1].y))
                    let row = min(max(point.y, low), high)
                    let (across, along, reach) = (abs(point.x - 50), abs(point.y - row), scale * half(row) + slack)
                    return cap == .round ? PlanePoint(across, along).length < reach : across < reach && along < reach
                }
            }
            #expect((0..<stroker.contours.count).allSatisfy { stroker.contours[$0].allSatisfy { $0.x.isFinite && $0.y.isFinite } })
            for row in stride(from: 77.0, to: 265, by: 1.7) {
                for across in stride(from: -3.0, through: 3, by: 0.23) {
                    let point = PlanePoint(50 + across, row)
                    let winding = stroker.contours.winding(around: point)
                    if isInside(point, by: 0.9, -0.02) { #expect(winding > 0, "\(point)") }
                    if !isInside(point, by: 1.1, 0.02) { #expect(winding == 0, "\(point)") }
                }
            }
        }
    }

    /// However the line bends, dashes cover everything near them.
    @Test(arguments: Seeds.all) func dashesOfBentLinesAreEverythingNearThem(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let pattern = try #require(DashPattern([random.number(0...20), random.number(0.5...20)]))
        let half = random.number(1...12)
        var line = [PlanePoint(50, 50)]
        let step = random.one(of: [3.0, 20])
        for _ in 0..<20 { line.append(line[line.count - 1] + PlanePoint(random.number(-step...step), random.number(-step...step))) }
        var dashes: [Dash] = []
        line.withUnsafeBufferPointer { pattern.cut($0, from: 0) { dashes.append(Dash($0, direction: $1)) } }
        var stroker = Stroker(StrokeStyle(width: 2 * half, cap: .round, join: .round, tolerance: 0.01))
        stroker.add(dashes)
        for _ in 0..<300 {
            let near = random.one(of: line) + PlanePoint(random.number(-half * 2...half * 2), random.number(-half * 2...half * 2))
            let distance = dashes.map { near.distance(toLine: $0.points + [$0.points[$0.points.count - 1]]) }.min() ?? .infinity
            guard abs(distance - half) > 0.03 else { continue }
            #expect((stroker.contours.winding(around: near) > 0) == (distance < half), "\(near) is \(distance) away")
        }
    }
}

extension PlanePoint {
    /// How far it is from the nearest place on a line.
    func distance(toLine line: [PlanePoint]) -> Double {
        zip(line, line.dropFirst()).map { a, b in
            let step = b - a
            let share = Swift.min(1, Swift.max(0, ((self - a) * step).sum() / Swift.max((step * step).sum(), .leastNormalMagnitude)))
            return (self - a - step * share).length
        }.min() ?? .infinity
    }
}

extension Contours {
    /// How often all contours go round a point.
    func winding(around point: PlanePoint) -> Int {
        (0..<count).reduce(0) { sum, index in
            let contour = Array(self[index])
            return sum
                + contour.indices.reduce(0) { sum, index in
                    let (a, b) = (contour[index] - point, contour[(index + 1) % contour.count] - point)
                    guard (a.y <= 0) != (b.y <= 0) else { return sum }
                    let x = a.x - a.y * (b.x - a.x) / (b.y - a.y)
                    return x > 0 ? sum + (b.y > a.y ? 1 : -1) : sum
                }
        }
    }
}
