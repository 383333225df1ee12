/// Triangles with shared vertices, in flat arrays.
///
/// The module contains the geometry of triangle meshes: bounds, face normals, ray intersections and clipping. It does not know maps, GPUs or
/// units.
package struct IndexedMesh<Position: Equatable & Sendable>: Equatable, Sendable {
    package var positions: [Position]
    /// One normal per position, of length 1; empty without normals.
    package var normals: [SIMD3<Float>]
    /// One texture coordinate per position; empty without textures.
    package var textureCoordinates: [SIMD2<Float>]
    /// One color per position: red, green, blue, alpha, not premultiplied; empty without colors.
    package var colors: [SIMD4<UInt8>]
    /// The indices of each triangle's positions.
    package var triangles: [SIMD3<UInt32>]
    /// For each triangle, the triangle of the unclipped mesh from which it was cut; empty if nothing was clipped.
    package var sources: [UInt32]

    package init(
        positions: [Position] = [], normals: [SIMD3<Float>] = [], textureCoordinates: [SIMD2<Float>] = [],
        colors: [SIMD4<UInt8>] = [], triangles: [SIMD3<UInt32>] = [], sources: [UInt32] = []
    ) {
        self.positions = positions
        self.normals = normals
        self.textureCoordinates = textureCoordinates
        self.colors = colors
        self.triangles = triangles
        self.sources = sources
    }
}

/// A mesh as it is drawn.
package typealias TriangleMesh = IndexedMesh<SIMD3<Float>>

/// A mesh in double precision, which is clipped before it is translated to its own origin and stored as floats.
package typealias PreciseMesh = IndexedMesh<SIMD3<Double>>

/// An axis-aligned box.
package struct MeshBounds: Equatable, Sendable {
    package var low: SIMD3<Double>
    package var high: SIMD3<Double>

    package init(low: SIMD3<Double>, high: SIMD3<Double>) {
        self.low = low
        self.high = high
    }

    /// The box around points; nil without points.
    package init?(_ positions: [SIMD3<Float>]) {
        guard var low = positions.first else { return nil }
        var high = low
        positions.withUnsafeBufferPointer { positions in
            for position in positions {
                low = pointwiseMin(low, position)
                high = pointwiseMax(high, position)
            }
        }
        self.init(low: SIMD3<Double>(low), high: SIMD3<Double>(high))
    }

    /// The box around points; nil without points.
    package init?(_ positions: [SIMD3<Double>]) {
        guard var low = positions.first else { return nil }
        var high = low
        positions.withUnsafeBufferPointer { positions in
            for position in positions {
                low = pointwiseMin(low, position)
                high = pointwiseMax(high, position)
            }
        }
        self.init(low: low, high: high)
    }

    package var center: SIMD3<Double> { low + (high - low) / 2 }
    package var size: SIMD3<Double> { high - low }
    /// The longest side.
    package var extent: Double { size.max() }

    /// The eight corners.
    package var corners: [SIMD3<Double>] {
        (0..<8).map { SIMD3(($0 & 1 == 0 ? low : high).x, ($0 & 2 == 0 ? low : high).y, ($0 & 4 == 0 ? low : high).z) }
    }

    /// The twelve edges, as pairs of indices in `corners`.
    package static let edges: [(Int, Int)] = [
        (0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (1, 3), (4, 6), (5, 7), (0, 4), (1, 5), (2, 6), (3, 7),
    ]
}

extension TriangleMesh {
    /// The radius of the smallest sphere around a center that contains all positions.
    package func radius(around center: SIMD3<Double>) -> Double {
        var largest = 0.0
        positions.withUnsafeBufferPointer { positions in
            for position in positions {
                let offset = SIMD3<Double>(position) - center
                largest = max(largest, (offset * offset).sum())
            }
        }
        return largest.squareRoot()
    }

    /// Reverses the winding of triangles that face away from their normals. The front of each (the side from which its corners run
    /// counterclockwise) is then the side to which the sum of its corners' normals points. Without normals, nothing changes.
    /// - Returns: Whether each triangle was reversed; empty if none was.
    @discardableResult
    package mutating func turnToNormals() -> [Bool] {
        guard !normals.isEmpty else { return [] }
        var isReversed: [Bool] = []
        positions.withUnsafeBufferPointer { positions in
            normals.withUnsafeBufferPointer { normals in
                triangles.withUnsafeMutableBufferPointer { triangles in
                    for index in triangles.indices {
                        let corners = triangles[index]
                        let (a, b, c) = (Int(corners.x), Int(corners.y), Int(corners.z))
                        let face = crossProduct(
                            SIMD3<Double>(positions[b]) - SIMD3<Double>(positions[a]),
                            SIMD3<Double>(positions[c]) - SIMD3<Double>(positions[a]))
                        let sum = SIMD3<Double>(normals[a] + normals[b] + normals[c])
                        guard (face * sum).sum() < 0 else { continue }
                        triangles[index] = SIMD3(corners.x, corners.z, corners.y)
                        if isReversed.isEmpty { isReversed = [Bool](repeating: false, count: triangles.count) }
                        isReversed[index] = true
                    }
                }
            }
        }
        return isReversed
    }

    /// A range of the triangles, with only the positions that they use.
    package func part(_ range: Range<Int>) -> TriangleMesh { parts([range])[0] }

    /// Several ranges of the triangles, each with only the positions that it uses.
    package func parts(_ ranges: [Range<Int>]) -> [TriangleMesh] {
        var numbers = [UInt32](repeating: .max, count: positions.count)
        return ranges.map { range in
            let part = part(range, &numbers)
            // Only the used entries are reset, so that many small parts take time in proportion to their size.
            for triangle in triangles[range] {
                for index in 0..<3 { numbers[Int(triangle[index])] = .max }
            }
            return part
        }
    }

    private func part(_ range: Range<Int>, _ numbers: inout [UInt32]) -> TriangleMesh {
        var part = TriangleMesh()
        part.triangles.reserveCapacity(range.count)
        for triangle in triangles[range] {
            var corners = triangle
            for index in 0..<3 {
                let old = Int(triangle[index])
                if numbers[old] == .max {
                    numbers[old] = UInt32(part.positions.count)
                    part.positions.append(positions[old])
                    if !normals.isEmpty { part.normals.append(normals[old]) }
                    if !textureCoordinates.isEmpty { part.textureCoordinates.append(textureCoordinates[old]) }
                    if !colors.isEmpty { part.colors.append(colors[old]) }
                }
                corners[index] = numbers[old]
            }
            part.triangles.append(corners)
        }
        return part
    }

    /// Whether any position is not used by a triangle.
    package var hasLoosePositions: Bool {
        var isUsed = [Bool](repeating: false, count: positions.count)
        for triangle in triangles {
            isUsed[Int(triangle.x)] = true
            isUsed[Int(triangle.y)] = true
            isUsed[Int(triangle.z)] = true
        }
        return isUsed.contains(false)
    }

    /// The same triangles with three vertices each, which have the triangle's normal: flat shading. Triangles without area have no normal
    /// and are left out.
    package func flatFaces() -> TriangleMesh {
        var flat = TriangleMesh()
        let count = triangles.count * 3
        flat.positions.reserveCapacity(count)
        flat.normals.reserveCapacity(count)
        flat.triangles.reserveCapacity(triangles.count)
        if !textureCoordinates.isEmpty { flat.textureCoordinates.reserveCapacity(count) }
        if !colors.isEmpty { flat.colors.reserveCapacity(count) }
        positions.withUnsafeBufferPointer { positions in
            for corners in triangles {
                let (a, b, c) = (positions[Int(corners.x)], positions[Int(corners.y)], positions[Int(corners.z)])
                let face = crossProduct(SIMD3<Double>(b) - SIMD3<Double>(a), SIMD3<Double>(c) - SIMD3<Double>(a))
                let length = (face * face).sum().squareRoot()
                guard length > 0 else { continue }
                let normal = SIMD3<Float>(face / length)
                let first = UInt32(flat.positions.count)
                flat.positions.append(a)
                flat.positions.append(b)
                flat.positions.append(c)
                flat.normals.append(normal)
                flat.normals.append(normal)
                flat.normals.append(normal)
                flat.triangles.append(SIMD3(first, first + 1, first + 2))
                if !textureCoordinates.isEmpty {
                    flat.textureCoordinates.append(textureCoordinates[Int(corners.x)])
                    flat.textureCoordinates.append(textureCoordinates[Int(corners.y)])
                    flat.textureCoordinates.append(textureCoordinates[Int(corners.z)])
                }
                if !colors.isEmpty {
                    flat.colors.append(colors[Int(corners.x)])
                    flat.colors.append(colors[Int(corners.y)])
                    flat.colors.append(colors[Int(corners.z)])
                }
            }
        }
        return flat
    }

    /// The indices of the positions that are outermost in one of 98 directions, ascending; all indices if there are few. On any screen,
    /// no other point is more than slightly farther out.
    package func outermost() -> [Int] {
        guard positions.count > few else { return Array(positions.indices) }
        var lowest = [Int](repeating: 0, count: directions.count)
        var highest = lowest
        for (number, direction) in directions.enumerated() {
            var (low, high) = (Float.infinity, -Float.infinity)
            positions.withUnsafeBufferPointer { positions in
                for index in positions.indices {
                    let reach = (positions[index] * direction).sum()
                    if reach < low { (low, lowest[number]) = (reach, index) }
                    if reach > high { (high, highest[number]) = (reach, index) }
                }
            }
        }
        return Set(lowest + highest).sorted()
    }
}

private let few = 128

/// One of each pair of opposite directions with integer steps of at most 2 along the axes.
private let directions: [SIMD3<Float>] = {
    var found: [SIMD3<Float>] = []
    for x in 0...2 {
        for y in -2...2 {
            for z in -2...2 {
                let steps = [x, y, z]
                let isEven = steps.allSatisfy { $0 % 2 == 0 }
                let isFirst = (steps.first { $0 != 0 } ?? 0) > 0
                if isFirst, !isEven { found.append(SIMD3(Float(x), Float(y), Float(z))) }
            }
        }
    }
    return found
}()

@inline(__always)
func crossProduct(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}
