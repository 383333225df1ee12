import Testing
import WaymarkRaster
import WaymarkTestSupport

@Suite struct LineTests {
    private func walk(_ count: Int, _ step: Double, _ random: inout SplitMix64) -> [PlanePoint] {
        var point = PlanePoint(0, 0)
        return (0..<count).map { _ in
            point += PlanePoint(random.number(-step...step), random.number(-step...step * 1.3))
            return point
        }
    }

    @Test(arguments: Seeds.all) func whatIsLeftOutLiesNearWhatIsKept(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let tolerance = 0.5
        let line = walk(random.integer(1...400), random.one(of: [0.05, 0.4, 2]), &random)
        let kept = line.withUnsafeBufferPointer { LineSimplifier.simplify($0, tolerance: tolerance) }.map { Int($0) }
        #expect(kept.first == 0)
        #expect(kept.last == line.count - 1)
        #expect(zip(kept, kept.dropFirst()).allSatisfy(<))
        for (from, to) in zip(kept, kept.dropFirst()) {
            for index in from...to { #expect(line[index].distance(toLine: [line[from], line[to]]) <= tolerance * 1.0001) }
        }
    }

    @Test func straightLinesKeepTheirEnds() {
        let line = (0..<100_000).map { PlanePoint(Double($0) * 0.1, 7) }
        #expect(line.withUnsafeBufferPointer { LineSimplifier.simplify($0, tolerance: 0.01) } == [0, 99_999])
        // There and back: the tip stays.
        let back = line[0..<1000] + line[0..<900].reversed()
        #expect(Array(back).withUnsafeBufferPointer { LineSimplifier.simplify($0, tolerance: 0.01) } == [0, 999, 1899])
    }

    @Test func nearPointsAreOne() {
        var line = [PlanePoint(0, 0), PlanePoint(0.05, 0), PlanePoint(1, 0), PlanePoint(1, 0), PlanePoint(2, 0), PlanePoint(2.01, 0)]
        LineSimplifier.merge(&line, within: 0.1)
        #expect(line == [PlanePoint(0, 0), PlanePoint(1, 0), PlanePoint(2.01, 0)])
        line = [PlanePoint(3, 3), PlanePoint(3, 3), PlanePoint(3.01, 3)]
        LineSimplifier.merge(&line, within: 0.1)
        #expect(line == [PlanePoint(3, 3)])
    }

    private let box = ClipRegion([
        HalfPlane(normal: PlanePoint(1, 0), offset: 10), HalfPlane(normal: PlanePoint(-1, 0), offset: 10),
        HalfPlane(normal: PlanePoint(0.6, 0.8), offset: 8), HalfPlane(normal: PlanePoint(-0.6, -0.8), offset: 8),
    ])

    @Test(arguments: Seeds.all) func aCutRingIsTheRingInside(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var contours = Contours()
        contours.append((0..<random.integer(3...30)).map { _ in PlanePoint(random.number(-40...40), random.number(-40...40)) })
        var (ring, scratch): ([PlanePoint], [PlanePoint]) = (contours.points, [])
        box.clip(&ring, scratch: &scratch)
        var cut = Contours()
        cut.append(ring)
        #expect(ring.allSatisfy { point in box.widened(by: 1e-9).outcode(point) == 0 })
        for _ in 0..<200 {
            let point = PlanePoint(random.number(-12...12), random.number(-12...12))
            guard box.outcode(point) == 0 else { continue }
            #expect(cut.winding(around: point) == contours.winding(around: point))
        }
    }

    @Test(arguments: Seeds.all) func piecesAreTheLineInside(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let line = (0..<random.integer(2...30)).map { _ in PlanePoint(random.number(-40...40), random.number(-40...40)) }
        let isClosed = random.once(in: 2) && line.count > 2
        var distances = [0.0]
        for (a, b) in zip(line, line.dropFirst()) { distances.append(distances[distances.count - 1] + (b - a).length) }
        let round = distances[distances.count - 1] + (line[0] - line[line.count - 1]).length
        var pieces = LinePieces()
        line.withUnsafeBufferPointer { line in
            distances.withUnsafeBufferPointer { pieces.add(line, distances: $0, isClosed: isClosed, in: box) }
        }
        func points(of piece: LinePieces.Piece) -> [PlanePoint] {
            let points = Array(pieces.points[piece.points])
            return piece.isClosed ? points + [points[0]] : points
        }
        for (a, (b, distance)) in zip(line, zip(line.dropFirst() + (isClosed ? [line[0]] : []), distances)) {
            for share in stride(from: 0.013, to: 1, by: 0.11) {
                let point = a + (b - a) * share
                let isIn = pieces.pieces.contains { point.distance(toLine: points(of: $0)) < 1e-9 }
                #expect(isIn == (box.outcode(point) == 0))
                // How far along the line it is, by the piece that it is on.
                for piece in pieces.pieces {
                    let points = points(of: piece)
                    var along = piece.start
                    for (from, to) in zip(points, points.dropFirst()) {
                        if point.distance(toLine: [from, to]) < 1e-9, abs((from - a).length + (b - from).length - (b - a).length) < 1e-9 {
                            // A piece of a ring may continue across the ring's first point.
                            let off = abs(along + (point - from).length - distance - (b - a).length * share)
                            #expect(min(off, isClosed ? abs(off - round) : off) < 1e-6)
                        }
                        along += (to - from).length
                    }
                }
            }
        }
    }

    @Test func aRingWithinStaysARing() {
        let ring = [PlanePoint(0, 0), PlanePoint(3, 0), PlanePoint(0, 3)]
        var pieces = LinePieces()
        ring.withUnsafeBufferPointer { ring in pieces.add(ring, distances: .init(start: nil, count: 0), isClosed: true, in: box) }
        #expect(pieces.pieces.map(\.isClosed) == [true])
        #expect(pieces.points == ring)
    }
}
