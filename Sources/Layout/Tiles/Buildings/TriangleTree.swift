import WaymarkClustering
import WaymarkFrame

/// The triangles of a mesh in a tree of boxes, so that few of them need to be tested with a ray.
struct TriangleTree: Sendable {
    /// A box in the unit of the mesh.
    struct Box {
        var low = SIMD3<Float>(repeating: .infinity)
        var high = SIMD3<Float>(repeating: -.infinity)

        fileprivate func union(_ other: Box) -> Box {
            Box(low: pointwiseMin(low, other.low), high: pointwiseMax(high, other.high))
        }
    }

    /// The indices of each run of triangles.
    private let runs: [Range<Int32>]
    /// The boxes of the runs, then boxes around several of these each, and so on, up to a single box.
    private let levels: [[Box]]

    /// The maximum number of triangles of a run, about as many as a building has, and the number of boxes in a box.
    private static let (runLength, branches) = (16, 8)

    /// - Parameter ends: The end of the indices of each building.
    init(_ vertices: [MeshVertex], _ indices: [UInt32], ends: [Int]) {
        var found: [(code: UInt64, run: Range<Int>, box: Box)] = []
        var first = 0
        for end in ends {
            while first < end {
                let run = first..<min(end, first + 3 * Self.runLength)
                let box = run.reduce(Box()) { box, index in
                    let vertex = vertices[Int(indices[index])]
                    let point = SIMD3(vertex.x, vertex.y, vertex.z)
                    return box.union(Box(low: point, high: point))
                }
                found.append((0, run, box))
                first = run.upperBound
            }
        }
        // Runs that are near each other share a box.
        let whole = found.reduce(Box()) { $0.union($1.box) }
        let size = pointwiseMax(whole.high - whole.low, SIMD3(repeating: .leastNormalMagnitude))
        for index in found.indices {
            let box = found[index].box
            let place = ((box.low + box.high) / 2 - whole.low) / size * 65535
            found[index].code = Morton.code(x: UInt32(place.x), y: UInt32(place.y))
        }
        found.sort { ($0.code, $0.run.lowerBound) < ($1.code, $1.run.lowerBound) }
        runs = found.map { Int32($0.run.lowerBound)..<Int32($0.run.upperBound) }
        var levels = [found.map(\.box)]
        while let last = levels.last, last.count > 1 {
            levels.append(
                stride(from: 0, to: last.count, by: Self.branches).map { start in
                    last[start..<min(start + Self.branches, last.count)].reduce(Box()) { $0.union($1) }
                })
        }
        self.levels = levels
    }

    /// The size in memory.
    var byteCount: Int { levels.reduce(8 * runs.count) { $0 + MemoryLayout<Box>.stride * $1.count } }
}

extension TriangleTree {
    /// Whether a condition is true for one of the runs in certain boxes.
    /// - Parameters:
    ///   - isPassed: Whether the runs in a box matter.
    ///   - isMet: The condition for the indices of a run.
    func contains(in isPassed: (Box) -> Bool, where isMet: (Range<Int>) -> Bool) -> Bool {
        contains(level: levels.count - 1, levels[levels.count - 1].indices, isPassed, isMet)
    }

    private func contains(level: Int, _ boxes: Range<Int>, _ isPassed: (Box) -> Bool, _ isMet: (Range<Int>) -> Bool) -> Bool {
        for index in boxes where isPassed(levels[level][index]) {
            if level == 0 {
                if isMet(Int(runs[index].lowerBound)..<Int(runs[index].upperBound)) { return true }
            } else {
                let first = index * Self.branches
                let inside = first..<min(first + Self.branches, levels[level - 1].count)
                if contains(level: level - 1, inside, isPassed, isMet) { return true }
            }
        }
        return false
    }
}
