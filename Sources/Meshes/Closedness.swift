/// Whether a surface hides its own back.
package enum Closedness: Equatable, Sendable {
    /// It has edges, triangles that turn against their neighbours, or parts that are inside out.
    case open
    /// It is closed, and the fronts of its triangles look outward.
    case outward
    /// It is closed, and the backs of its triangles look outward.
    case inward
}

extension TriangleMesh {
    /// Whether the surface is closed and turned one way round, so that from outside only fronts, or only backs, are nearest.
    ///
    /// Corners within a millionth of the extent are the same; triangles that have no area then are nothing. Every directed edge must
    /// be there once, and once in the other direction. Since a closed surface may run through itself and be inside out in
    /// part, rays are sent through each of its pieces: none may be more often out of it than in. Hollows count as open. It takes about as
    /// long as welding, whatever the mesh.
    package func closedness() -> Closedness {
        guard !triangles.isEmpty else { return .open }
        let welded = VertexWelding.weld(positions)
        var corners: [SIMD3<UInt32>] = []
        corners.reserveCapacity(triangles.count)
        triangles.withUnsafeBufferPointer { triangles in
            welded.withUnsafeBufferPointer { welded in
                for triangle in triangles {
                    let (a, b, c) = (welded[Int(triangle.x)], welded[Int(triangle.y)], welded[Int(triangle.z)])
                    if a != b, b != c, c != a { corners.append(SIMD3(a, b, c)) }
                }
            }
        }
        guard !corners.isEmpty else { return .open }
        if !Self.isClosed(corners, vertexCount: positions.count) {
            // Needles may close the seams of others, or stand about.
            let thick = corners.filter { !isNeedle($0) }
            guard thick.count < corners.count, !thick.isEmpty, Self.isClosed(thick, vertexCount: positions.count) else { return .open }
            corners = thick
        }
        let volume = volume(corners)
        guard volume != 0 else { return .open }
        guard WindingCheck.isNowhereNegative(positions, corners, sign: volume > 0 ? 1 : -1) else { return .open }
        return volume > 0 ? .outward : .inward
    }

    /// Whether a triangle's height is no more than rounding.
    private func isNeedle(_ corners: SIMD3<UInt32>) -> Bool {
        let (a, b, c) = (
            SIMD3<Double>(positions[Int(corners.x)]), SIMD3<Double>(positions[Int(corners.y)]), SIMD3<Double>(positions[Int(corners.z)])
        )
        let normal = crossProduct(b - a, c - a)
        let longest = max(((b - a) * (b - a)).sum(), ((c - b) * (c - b)).sum(), ((a - c) * (a - c)).sum())
        let area = (normal * normal).sum().squareRoot()
        return area <= VertexWelding.tolerance * longest
    }

    /// Six times the volume that triangles enclose: above 0 when their fronts look outward.
    private func volume(_ corners: [SIMD3<UInt32>]) -> Double {
        // From a point of it, so that meshes far from their origin lose no digits.
        let origin = SIMD3<Double>(positions[Int(corners[0].x)])
        var sum = 0.0
        positions.withUnsafeBufferPointer { positions in
            for triangle in corners {
                let a = SIMD3<Double>(positions[Int(triangle.x)]) - origin
                let b = SIMD3<Double>(positions[Int(triangle.y)]) - origin
                let c = SIMD3<Double>(positions[Int(triangle.z)]) - origin
                sum += (a * crossProduct(b, c)).sum()
            }
        }
        return sum
    }

    /// Whether every directed edge is there once, and once in the other direction.
    static func isClosed(_ corners: [SIMD3<UInt32>], vertexCount: Int) -> Bool {
        // Edges by the lower of their ends: where each corner's begin, then the other ends, with the direction in the lowest bit.
        var starts = [Int32](repeating: 0, count: vertexCount + 1)
        var ends = [UInt32](repeating: 0, count: corners.count * 3)
        var marks = [UInt8](repeating: 0, count: vertexCount)
        guard corners.count <= Int(Int32.max) / 3 else { return false }
        return starts.withUnsafeMutableBufferPointer { starts in
            ends.withUnsafeMutableBufferPointer { ends in
                marks.withUnsafeMutableBufferPointer { marks in
                    corners.withUnsafeBufferPointer { corners in
                        for corner in corners {
                            starts[Int(min(corner.x, corner.y))] += 1
                            starts[Int(min(corner.y, corner.z))] += 1
                            starts[Int(min(corner.z, corner.x))] += 1
                        }
                        var sum: Int32 = 0
                        for index in starts.indices {
                            sum += starts[index]
                            starts[index] = sum
                        }
                        func put(_ a: UInt32, _ b: UInt32) {
                            let (low, high) = (Int(min(a, b)), max(a, b))
                            starts[low] -= 1
                            ends[Int(starts[low])] = high << 1 | (a < b ? 0 : 1)
                        }
                        for corner in corners {
                            put(corner.x, corner.y)
                            put(corner.y, corner.z)
                            put(corner.z, corner.x)
                        }
                        for vertex in 0..<vertexCount {
                            let range = Int(starts[vertex])..<Int(starts[vertex + 1])
                            for index in range {
                                let (other, bit) = (Int(ends[index] >> 1), UInt8(1) << UInt8(ends[index] & 1))
                                guard marks[other] & bit == 0 else { return false }
                                marks[other] |= bit
                            }
                            for index in range {
                                let other = Int(ends[index] >> 1)
                                // Seen from either of the two the mark is taken back, so the second finds none.
                                guard marks[other] != 1, marks[other] != 2 else { return false }
                                marks[other] = 0
                            }
                        }
                        return true
                    }
                }
            }
        }
    }
}
