import WaymarkRaster
import WaymarkVectorTiles

/// The lines of a role in all tiles of a view, in pt from the view's center. Solid lines are joined at the edges of tiles, because the
/// edges of two strokes would be visible there. Dashed lines are not joined. Each has a gap at the edge of its tile, so its dashes depend
/// only on the tile, and not on the other tiles in the view.
struct GroundLines {
    private(set) var points: [PlanePoint] = []
    /// The start and the end of each line, alternating.
    private(set) var ends: [LineEnd] = []
    /// The end of the points of each line.
    private var pointEnds: [Int] = []

    var count: Int { pointEnds.count }
    func range(_ line: Int) -> Range<Int> { (line == 0 ? 0 : pointEnds[line - 1])..<pointEnds[line] }

    /// The maximum distance between two ends at the edge of a tile that belong to one line, as a share of the larger tile. The tiles of a
    /// road round their coordinates separately, usually to 1/4096.
    private static let tolerance = 3.0 / 4096
    /// The maximum number of ends that are compared with another one. On a map, only a few ends are that close to each other.
    private static let mostWaiting = 64

    /// - Parameters:
    ///   - isDashed: Whether the lines are dashed.
    ///   - region: The ground on which lines are visible. Other lines are left out.
    init(_ role: MapRole, _ tiles: [ShownTile], isDashed: Bool, in region: ClipRegion) {
        // The tile of each line.
        var numbers: [Int] = []
        for (number, tile) in tiles.enumerated() {
            let shapes = tile.geometry.lines(role)
            for line in 0..<shapes.count where tile.codes(shapes.boxes[line], in: region).wholly == 0 {
                for point in shapes.points[shapes.range(line)] { points.append(tile.offset(point)) }
                pointEnds.append(points.count)
                ends += shapes.lineEnds[2 * line...2 * line + 1]
                numbers.append(number)
            }
        }
        guard !isDashed, tiles.count > 1, ends.contains(.edge) else { return }
        let chains = edgeChains(numbers, tiles)
        join(chains)
    }

    private func endPoint(_ end: Int) -> Int { end & 1 == 0 ? range(end >> 1).lowerBound : range(end >> 1).upperBound - 1 }

    /// The direction in which a line leaves one of its ends.
    private func direction(_ end: Int) -> PlanePoint {
        let point = endPoint(end)
        let step = points[end & 1 == 0 ? point + 1 : point - 1] - points[point]
        return step / max(step.length, .leastNormalMagnitude)
    }

    /// Joins each end at the edge of a tile with the nearest end in another tile from which the line continues.
    private func edgeChains(_ numbers: [Int], _ tiles: [ShownTile]) -> LineChains {
        var chains = LineChains(lineCount: count)
        let reaches = tiles.map { ($0.end.x - $0.origin.x) * Self.tolerance }
        guard let farthest = reaches.max(), farthest > 0 else { return chains }
        func cell(_ point: PlanePoint) -> SIMD2<Int> {
            let cell = (point / farthest).rounded(.down)
            return SIMD2(Int(max(-0x1p50, min(0x1p50, cell.x))), Int(max(-0x1p50, min(0x1p50, cell.y))))
        }
        var waiting: [SIMD2<Int>: [Int]] = [:]
        for end in ends.indices where ends[end] == .edge {
            let (point, number) = (points[endPoint(end)], numbers[end >> 1])
            let own = cell(point)
            var best: (end: Int, distance: Double)?
            for dy in -1...1 {
                for dx in -1...1 {
                    for other in waiting[own &+ SIMD2(dx, dy)] ?? [] where !chains.isJoined(other) {
                        let otherNumber = numbers[other >> 1]
                        let distance = (points[endPoint(other)] - point).length
                        guard otherNumber != number, distance <= max(reaches[number], reaches[otherNumber]),
                            distance < best?.distance ?? .infinity, (direction(end) * direction(other)).sum() < -0.5
                        else { continue }
                        best = (other, distance)
                    }
                }
            }
            if let best {
                chains.join(best.end, end)
            } else if waiting[own]?.count ?? 0 < Self.mostWaiting {
                waiting[own, default: []].append(end)
            }
        }
        return chains
    }

    private mutating func join(_ chains: LineChains) {
        var joined: (points: [PlanePoint], ends: [LineEnd], pointEnds: [Int]) = ([], [], [])
        joined.points.reserveCapacity(points.count)
        chains.forEach { entries, isClosed in
            for (number, entry) in entries.enumerated() {
                let range = range(entry >> 1)
                // Except for rounding, the first point equals the last point of the previous line.
                let skipped = number == 0 ? 0 : 1
                if entry & 1 == 0 {
                    joined.points += points[range].dropFirst(skipped)
                } else {
                    joined.points += points[range].reversed().dropFirst(skipped)
                }
            }
            if isClosed { joined.points.removeLast() }
            joined.pointEnds.append(joined.points.count)
            joined.ends.append(isClosed ? .closed : ends[entries[0]])
            joined.ends.append(isClosed ? .closed : ends[entries[entries.count - 1] ^ 1])
        }
        (points, ends, pointEnds) = joined
    }
}
