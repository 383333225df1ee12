import Foundation

/// Normals for the corners of triangles that meet at less than an angle.
///
/// The triangles around each position form fans. Neighbors in a fan share an edge, and their normals differ by less than the angle. All
/// corners of a fan have the same normal, which is the mean of the triangles' normals, weighted by their angles at the position. It does
/// not depend on how faces are divided into triangles (G. Thürmer, C. Wüthrich, "Computing Vertex Normals from Polygonal Facets", Journal
/// of Graphics Tools 3(1), 1998). Equal positions count as one, so that texture seams are not visible. Windings may differ, because the
/// normal of every corner is on the front of the corner's triangle. Triangles without area do not connect others.
struct SmoothNormals {
    /// The triangles with indices of new vertices: one for each pair of a mesh vertex and a fan.
    private(set) var triangles: [SIMD3<UInt32>] = []
    /// The mesh vertex from which each new vertex comes.
    private(set) var sources: [UInt32] = []
    /// The normal of each new vertex, of length 1.
    private(set) var normals: [SIMD3<Float>] = []

    /// - Parameters:
    ///   - triangles: The indices of the triangles' positions.
    ///   - angle: The angle in degrees, 0…180.
    init(_ positions: [SIMD3<Double>], _ triangles: [SIMD3<UInt32>], angle: Double) {
        let faces = Self.faceNormals(positions, triangles)
        var fans = CornerFans(cornerCount: 3 * triangles.count)
        Self.join(&fans, Self.welded(positions), triangles, faces, leastCosine: cos(angle * .pi / 180))
        let sums = Self.sums(&fans, positions, triangles, faces)
        makeVertices(&fans, triangles, faces, sums)
    }
}

private extension SmoothNormals {
    /// The normal of each triangle, of length 1; zero without area.
    static func faceNormals(_ positions: [SIMD3<Double>], _ triangles: [SIMD3<UInt32>]) -> [SIMD3<Double>] {
        triangles.map { corners in
            let a = positions[Int(corners.x)]
            let face = crossProduct(positions[Int(corners.y)] - a, positions[Int(corners.z)] - a)
            let length = (face * face).sum().squareRoot()
            return length > 0 ? face / length : .zero
        }
    }

    /// The first equal position of each position.
    static func welded(_ positions: [SIMD3<Double>]) -> [UInt32] {
        var table = IndexTable(capacity: positions.count)
        return positions.indices.map { index in
            let position = positions[index]
            // Adding 0 turns −0 into 0.
            let hash = (0..<3).reduce(UInt64(0)) { ($0 ^ (position[$1] + 0).bitPattern) &* 0x9e37_79b9_7f4a_7c15 }
            return UInt32(table.find(hash, orAdd: index) { positions[$0] == position })
        }
    }

    /// The maximum number of triangles at an edge with which each triangle is compared. If there are more, only those closest in order
    /// are used.
    static let mostNeighbors = 8

    static func join(
        _ fans: inout CornerFans, _ welded: [UInt32], _ triangles: [SIMD3<UInt32>], _ faces: [SIMD3<Double>], leastCosine: Double
    ) {
        let count = 3 * triangles.count
        func start(_ corner: Int) -> UInt32 { welded[Int(triangles[corner / 3][corner % 3])] }
        func next(_ corner: Int) -> Int { corner % 3 == 2 ? corner - 2 : corner + 1 }
        func ends(_ corner: Int) -> (UInt32, UInt32) {
            let (a, b) = (start(corner), start(next(corner)))
            return (min(a, b), max(a, b))
        }
        // An edge is identified by the last corner at which it began in a triangle. A list leads from there to the other corners.
        var table = IndexTable(capacity: count)
        var before = [Int32](repeating: -1, count: count)
        for corner in 0..<count where faces[corner / 3] != .zero {
            let edge = ends(corner)
            let hash = (UInt64(edge.0) << 32 | UInt64(edge.1)) &* 0x9e37_79b9_7f4a_7c15
            let first = table.find(hash, orAdd: corner) { ends($0) == edge }
            guard first != corner else { continue }
            // The list starts at the first corner. It contains the newest corner, and then the previous ones.
            var other = before[first] < 0 ? first : Int(before[first])
            let newest = other
            for _ in 0..<mostNeighbors {
                let isSameWay = start(other) == start(corner)
                let cosine = (faces[corner / 3] * faces[other / 3]).sum()
                if (isSameWay ? -cosine : cosine) > leastCosine {
                    fans.join(corner, isSameWay ? other : next(other), isOpposite: isSameWay)
                    fans.join(next(corner), isSameWay ? next(other) : other, isOpposite: isSameWay)
                }
                guard other != first else { break }
                other = Int(before[other])
            }
            before[corner] = Int32(newest)
            before[first] = Int32(corner)
        }
    }

    /// The weighted sum of each fan's normals, at the index of its first corner.
    static func sums(
        _ fans: inout CornerFans, _ positions: [SIMD3<Double>], _ triangles: [SIMD3<UInt32>], _ faces: [SIMD3<Double>]
    ) -> [SIMD3<Double>] {
        var sums = [SIMD3<Double>](repeating: .zero, count: 3 * triangles.count)
        for (number, corners) in triangles.enumerated() where faces[number] != .zero {
            for index in 0..<3 {
                let point = positions[Int(corners[index])]
                let a = positions[Int(corners[(index + 1) % 3])] - point
                let b = positions[Int(corners[(index + 2) % 3])] - point
                let across = crossProduct(a, b)
                let angle = atan2((across * across).sum().squareRoot(), (a * b).sum())
                let (root, isOpposite) = fans.find(3 * number + index)
                sums[root] += faces[number] * (isOpposite ? -angle : angle)
            }
        }
        return sums
    }

    mutating func makeVertices(
        _ fans: inout CornerFans, _ triangles: [SIMD3<UInt32>], _ faces: [SIMD3<Double>], _ sums: [SIMD3<Double>]
    ) {
        var table = IndexTable(capacity: 3 * triangles.count)
        // For each new vertex, its fan, and whether its normal is opposite to the normal of the fan's first corner.
        var keys: [UInt64] = []
        self.triangles = triangles
        for (number, corners) in triangles.enumerated() {
            for index in 0..<3 {
                let (root, isOpposite) = fans.find(3 * number + index)
                let key = UInt64(root) << 1 | (isOpposite ? 1 : 0)
                let source = corners[index]
                let hash = (key &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(source)) &* 0xbf58_476d_1ce4_e5b9
                let vertex = table.find(hash, orAdd: keys.count) { keys[$0] == key && sources[$0] == source }
                if vertex == keys.count {
                    keys.append(key)
                    sources.append(source)
                    let sum = isOpposite ? -sums[root] : sums[root]
                    let length = (sum * sum).sum().squareRoot()
                    // If normals cancel out, the triangle's own normal remains.
                    let own = faces[number] == .zero ? SIMD3(0, 0, 1) : faces[number]
                    normals.append(SIMD3<Float>(length > 1e-9 ? sum / length : own))
                }
                self.triangles[number][index] = UInt32(vertex)
            }
        }
    }
}

/// Corners joined into fans (union–find), and whether each corner faces opposite to the first corner of its fan.
private struct CornerFans {
    private var parents: [Int32]
    /// Whether each corner is opposite to its parent.
    private var isOpposite: [Bool]

    init(cornerCount: Int) {
        parents = (0..<Int32(cornerCount)).map { $0 }
        isOpposite = [Bool](repeating: false, count: cornerCount)
    }

    mutating func find(_ corner: Int) -> (root: Int, isOpposite: Bool) {
        var (root, sum) = (corner, false)
        while parents[root] != root {
            sum = sum != isOpposite[root]
            root = Int(parents[root])
        }
        // Path compression: every corner on the way is attached to the root.
        var (next, rest) = (corner, sum)
        while next != root, parents[next] != root {
            let (parent, own) = (Int(parents[next]), isOpposite[next])
            parents[next] = Int32(root)
            isOpposite[next] = rest
            rest = rest != own
            next = parent
        }
        return (root, sum)
    }

    mutating func join(_ a: Int, _ b: Int, isOpposite between: Bool) {
        let (first, second) = (find(a), find(b))
        guard first.root != second.root else { return }
        let relation = (first.isOpposite != second.isOpposite) != between
        parents[max(first.root, second.root)] = Int32(min(first.root, second.root))
        isOpposite[max(first.root, second.root)] = relation
    }
}

/// An open hash table of indices into the caller's arrays.
private struct IndexTable {
    /// 1 + an index, or 0. Its length is a power of two.
    private var slots: [Int32]
    private let shift: UInt64

    /// - Parameter capacity: The maximum number of indices.
    init(capacity: Int) {
        var bits: UInt64 = 4
        while 1 << bits < capacity + capacity / 2 { bits += 1 }
        slots = [Int32](repeating: 0, count: 1 << bits)
        shift = 64 - bits
    }

    /// The index of an equal element, or a new one, which is added.
    @inline(__always)
    mutating func find(_ hash: UInt64, orAdd new: Int, isEqual: (Int) -> Bool) -> Int {
        var slot = Int(truncatingIfNeeded: hash >> shift)
        while slots[slot] > 0 {
            let known = Int(slots[slot]) - 1
            if isEqual(known) { return known }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = Int32(new + 1)
        return new
    }
}

extension TriangleMesh {
    /// Sets the normals of a mesh without any, smooth where triangles meet at less than an angle in degrees; see `SmoothNormals`.
    package mutating func smoothNormals(angle: Double) {
        take(SmoothNormals(positions.map { SIMD3<Double>($0) }, triangles, angle: angle))
    }
}

extension PreciseMesh {
    /// Sets the normals of a mesh without any, smooth where triangles meet at less than an angle in degrees; see `SmoothNormals`.
    package mutating func smoothNormals(angle: Double) {
        take(SmoothNormals(positions, triangles, angle: angle))
    }
}

extension IndexedMesh {
    private mutating func take(_ smooth: SmoothNormals) {
        positions = smooth.sources.map { positions[Int($0)] }
        if !textureCoordinates.isEmpty { textureCoordinates = smooth.sources.map { textureCoordinates[Int($0)] } }
        if !colors.isEmpty { colors = smooth.sources.map { colors[Int($0)] } }
        (normals, triangles) = (smooth.normals, smooth.triangles)
    }
}
