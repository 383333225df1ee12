/// Lines whose ends are joined in pairs, as chains of lines.
///
/// The start of line `i` is the end number `2 * i`; its other end is number `2 * i + 1`.
package struct LineChains {
    /// The end to which each end is joined; -1 for none.
    private var partners: [Int32]

    package init(lineCount: Int) { partners = [Int32](repeating: -1, count: 2 * lineCount) }

    package mutating func join(_ end: Int, _ other: Int) { (partners[end], partners[other]) = (Int32(other), Int32(end)) }

    package func isJoined(_ end: Int) -> Bool { partners[end] >= 0 }

    /// Calls `body` with the lines of each chain in order, each with the end at which the chain enters it. The chains have the order of
    /// their first lines.
    package func forEach(_ body: (_ entries: [Int], _ isClosed: Bool) -> Void) {
        var isVisited = [Bool](repeating: false, count: partners.count / 2)
        var entries: [Int] = []
        func visit(from first: Int) {
            entries.removeAll(keepingCapacity: true)
            var entry = first
            while !isVisited[entry >> 1] {
                isVisited[entry >> 1] = true
                entries.append(entry)
                guard case let next = Int(partners[entry ^ 1]), next >= 0 else { return body(entries, false) }
                entry = next
            }
            body(entries, true)
        }
        for line in isVisited.indices where !isVisited[line] {
            if !isJoined(2 * line) { visit(from: 2 * line) } else if !isJoined(2 * line + 1) { visit(from: 2 * line + 1) }
        }
        // The remaining chains have no ends.
        for line in isVisited.indices where !isVisited[line] { visit(from: 2 * line) }
    }
}

extension TileShapes {
    /// The lines of one role, joined where they meet inside the tile. Where more than two lines meet, the straightest pairs are joined.
    /// The other lines end there, covered by the joined lines.
    func joined() -> TileShapes {
        var chains = LineChains(lineCount: count)
        var lineEnds = lineEnds
        let ends = (0..<2 * count).filter { lineEnds[$0] == .free }
        let keys = (0..<2 * count).map { key(points[endPoint($0)]) }
        let sorted = ends.sorted { (keys[$0], $0) < (keys[$1], $1) }
        var single: [UInt64: Int] = [:]
        var first = 0
        while first < sorted.count {
            var last = first + 1
            while last < sorted.count, keys[sorted[last]] == keys[sorted[first]] { last += 1 }
            if last == first + 1 {
                single[keys[sorted[first]]] = sorted[first]
            } else {
                join(Array(sorted[first..<last]), &chains, &lineEnds)
            }
            first = last
        }
        markAttached(single, &lineEnds)
        return chained(chains, lineEnds)
    }

    /// The maximum number of lines at a point that are compared in pairs. More lines never meet at a point of a map, and comparing them
    /// would take too long.
    private static let mostMeeting = 12

    /// Joins ends that meet at one point.
    private func join(_ ends: [Int], _ chains: inout LineChains, _ lineEnds: inout [LineEnd]) {
        var left = ends
        while left.count > 1, ends.count <= Self.mostMeeting {
            var best: (a: Int, b: Int, cosine: Float)?
            for (place, a) in left.enumerated() {
                for b in left[(place + 1)...] {
                    let (along, other) = (direction(a), direction(b))
                    let cosine = (along * other).sum()
                    if cosine < best?.cosine ?? .infinity { best = (a, b, cosine) }
                }
            }
            // Lines that leave in almost the same direction lie on each other.
            guard let best, best.cosine < (ends.count == 2 ? 0.98 : 0.5) else { break }
            chains.join(best.a, best.b)
            left.removeAll { $0 == best.a || $0 == best.b }
        }
        // Where no two are joined, one end keeps its round cap, which together with its line covers all others.
        for end in left.dropFirst(left.count == ends.count ? 1 : 0) { lineEnds[end] = .attached }
    }

    /// Marks single ends that lie on a point of another line.
    private func markAttached(_ single: [UInt64: Int], _ lineEnds: inout [LineEnd]) {
        guard !single.isEmpty else { return }
        for line in 0..<count {
            for point in range(line).dropFirst().dropLast() {
                if let end = single[key(points[point])] { lineEnds[end] = .attached }
            }
        }
    }

    /// Makes the closed line after an index begin at its lowest point and run toward that point's lower neighbor, so that its dashes do not
    /// depend on how the tile divides it.
    private mutating func beginRing(at start: Int) {
        func isLess(_ a: TileGeometry.Point, _ b: TileGeometry.Point) -> Bool { a.x < b.x || a.x == b.x && a.y < b.y }
        let ring = Array(points[start...])
        let count = ring.count
        guard let least = ring.indices.min(by: { isLess(ring[$0], ring[$1]) }) else { return }
        let step = isLess(ring[(least + 1) % count], ring[(least + count - 1) % count]) ? 1 : count - 1
        for index in 0..<count { points[start + index] = ring[(least + index * step) % count] }
    }

    private func chained(_ chains: LineChains, _ lineEnds: [LineEnd]) -> TileShapes {
        var result = TileShapes()
        result.points.reserveCapacity(points.count)
        chains.forEach { entries, isClosed in
            let start = result.points.count
            var box = SIMD4<Float>(.infinity, .infinity, -.infinity, -.infinity)
            for (number, entry) in entries.enumerated() {
                let (own, range) = (boxes[entry >> 1], range(entry >> 1))
                box = SIMD4(min(box.x, own.x), min(box.y, own.y), max(box.z, own.z), max(box.w, own.w))
                // The first point is the last one of the line before.
                if entry & 1 == 0 {
                    result.points += points[range].dropFirst(number == 0 ? 0 : 1)
                } else {
                    result.points += points[range].reversed().dropFirst(number == 0 ? 0 : 1)
                }
            }
            var isClosed = isClosed
            if isClosed { result.points.removeLast() }
            if isClosed, result.points.count - start < 3 {
                // A line that goes back to its start.
                result.points.append(result.points[start])
                isClosed = false
            }
            if isClosed { result.beginRing(at: start) }
            result.ends.append(Int32(result.points.count))
            result.boxes.append(box)
            result.lineEnds.append(isClosed ? .closed : lineEnds[entries[0]])
            result.lineEnds.append(isClosed ? .closed : lineEnds[entries[entries.count - 1] ^ 1])
        }
        return result
    }

    /// The index of the point at an end.
    private func endPoint(_ end: Int) -> Int { end & 1 == 0 ? range(end >> 1).lowerBound : range(end >> 1).upperBound - 1 }

    /// The direction in which a line leaves one of its ends, of length 1.
    private func direction(_ end: Int) -> TileGeometry.Point {
        let point = endPoint(end)
        let step = points[end & 1 == 0 ? point + 1 : point - 1] - points[point]
        return step / (step * step).sum().squareRoot()
    }

    private func key(_ point: TileGeometry.Point) -> UInt64 { UInt64(point.x.bitPattern) << 32 | UInt64(point.y.bitPattern) }
}
