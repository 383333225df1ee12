/// One side of a straight line: where x · a + y · b + c is 0 or more.
package struct HalfPlane: Equatable, Sendable {
    package var normal: PlanePoint
    package var offset: Double

    package init(normal: PlanePoint, offset: Double) {
        self.normal = normal
        self.offset = offset
    }

    @inline(__always)
    func value(_ point: PlanePoint) -> Double { normal.dot(point) + offset }

    /// The half plane, extended outward by a distance.
    package func widened(by distance: Double) -> HalfPlane {
        HalfPlane(normal: normal, offset: offset + distance * normal.length)
    }
}

/// A convex region to clip to: the intersection of at most eight half planes.
package struct ClipRegion: Equatable, Sendable {
    package var planes: [HalfPlane]

    package init(_ planes: [HalfPlane]) {
        self.planes = planes
    }

    package func widened(by distance: Double) -> ClipRegion {
        ClipRegion(planes.map { $0.widened(by: distance) })
    }

    /// A set of bits, one for each line beyond which a point lies.
    @inline(__always)
    package func outcode(_ point: PlanePoint) -> UInt8 {
        planes.withUnsafeBufferPointer { planes in
            var code: UInt8 = 0
            for index in 0..<planes.count where planes[index].value(point) < 0 { code |= 1 << UInt8(index) }
            return code
        }
    }

    /// The lines beyond which a box lies entirely, and the lines beyond which it lies at least partly.
    package func outcodes(low: PlanePoint, high: PlanePoint) -> (wholly: UInt8, partly: UInt8) {
        var (wholly, partly) = (UInt8.max, UInt8(0))
        for corner in [low, high, PlanePoint(low.x, high.y), PlanePoint(high.x, low.y)] {
            let code = outcode(corner)
            wholly &= code
            partly |= code
        }
        return (wholly, partly)
    }

    /// Clips a ring to one line after another (Sutherland and Hodgman, 1974). Where the ring leaves a side several times, the edges along
    /// that side cancel each other.
    package func clip(_ ring: inout [PlanePoint], scratch: inout [PlanePoint], against codes: UInt8 = .max) {
        for (number, plane) in planes.enumerated() where codes & 1 << UInt8(number) != 0 {
            guard let last = ring.last else { return }
            scratch.removeAll(keepingCapacity: true)
            var before = last
            var valueBefore = plane.value(before)
            for point in ring {
                let value = plane.value(point)
                if (value < 0) != (valueBefore < 0) {
                    scratch.append(Self.crossing(before, valueBefore, point, value))
                }
                if value >= 0 { scratch.append(point) }
                (before, valueBefore) = (point, value)
            }
            swap(&ring, &scratch)
        }
    }

    /// The intersection of an edge with a line; the same point in both directions.
    private static func crossing(_ a: PlanePoint, _ valueA: Double, _ b: PlanePoint, _ valueB: Double) -> PlanePoint {
        valueA < 0 ? a + (b - a) * (valueA / (valueA - valueB)) : b + (a - b) * (valueB / (valueB - valueA))
    }

    /// The part of an edge that is inside, as shares of it; nil if no part is inside (Cyrus and Beck, 1978).
    @inline(__always)
    package func clip(_ a: PlanePoint, _ b: PlanePoint) -> (from: Double, to: Double)? {
        var (from, to) = (0.0, 1.0)
        for plane in planes {
            let (valueA, valueB) = (plane.value(a), plane.value(b))
            if valueA < 0 {
                guard valueB >= 0 else { return nil }
                from = max(from, valueA / (valueA - valueB))
            } else if valueB < 0 {
                to = min(to, valueA / (valueA - valueB))
            }
        }
        return from <= to ? (from, to) : nil
    }
}

/// The pieces of a line that are inside a region.
package struct LinePieces: Sendable {
    package struct Piece: Equatable, Sendable {
        package var points: Range<Int>
        /// The distance of the piece's start along the line.
        package var start: Double
        package var isClosed: Bool
    }

    package private(set) var points: [PlanePoint] = []
    package private(set) var pieces: [Piece] = []
    private var codes: [UInt8] = []

    package init() {}

    package mutating func removeAll() {
        points.removeAll(keepingCapacity: true)
        pieces.removeAll(keepingCapacity: true)
    }

    /// Clips a line.
    /// - Parameters:
    ///   - distances: The distance of each point along the line; empty if not needed.
    ///   - isClosed: Whether the last point is joined to the first.
    package mutating func add(
        _ line: UnsafeBufferPointer<PlanePoint>, distances: UnsafeBufferPointer<Double>, isClosed: Bool, in region: ClipRegion
    ) {
        let count = line.count
        guard count > 0 else { return }
        codes.removeAll(keepingCapacity: true)
        codes.reserveCapacity(count)
        var (all, any) = (UInt8.max, UInt8(0))
        for point in line {
            let code = region.outcode(point)
            all &= code
            any |= code
            codes.append(code)
        }
        guard all == 0 else { return }
        if any == 0 {
            let start = points.count
            points.append(contentsOf: line)
            pieces.append(Piece(points: start..<points.count, start: distances.first ?? 0, isClosed: isClosed))
            return
        }
        // A ring that leaves the region starts at a point outside, so that no piece is split at the ring's first point.
        let first = isClosed ? codes.firstIndex { $0 != 0 } ?? 0 : 0
        var start = points.count
        var startDistance = 0.0
        func distance(_ index: Int) -> Double { distances.isEmpty ? 0 : distances[index] }
        if codes[first] == 0 {
            points.append(line[first])
            startDistance = distance(first)
        }
        for number in 0..<(isClosed ? count : count - 1) {
            let index = (first + number) % count
            let next = (index + 1) % count
            let (code, nextCode) = (codes[index], codes[next])
            if code | nextCode == 0 {
                points.append(line[next])
            } else if code & nextCode == 0, let inside = region.clip(line[index], line[next]) {
                let step = line[next] - line[index]
                if code != 0 {
                    start = points.count
                    startDistance = distance(index) + inside.from * step.length
                    points.append(line[index] + step * inside.from)
                }
                points.append(nextCode == 0 ? line[next] : line[index] + step * inside.to)
                if nextCode != 0 { end(&start, startDistance) }
            }
        }
        end(&start, startDistance)
    }

    private mutating func end(_ start: inout Int, _ distance: Double) {
        if points.count - start > 1 {
            pieces.append(Piece(points: start..<points.count, start: distance, isClosed: false))
        } else {
            points.removeLast(points.count - start)
        }
        start = points.count
    }
}
