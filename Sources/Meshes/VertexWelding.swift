/// Finds corners that are the same but for rounding.
package enum VertexWelding {
    /// How far apart corners may be that are the same, as a share of the mesh's longest side.
    package static let tolerance = 1e-6

    /// For each position the number of the position that stands for it: the first of those that lie within a distance of one
    /// another, by which every later one is measured. One that stands for others stands for itself.
    ///
    /// Those that stand for others lie that distance apart, so there are few in any cell of the grid in which they are looked for,
    /// however dense the positions are.
    package static func weld(_ positions: [SIMD3<Float>], within share: Double = tolerance) -> [UInt32] {
        guard let bounds = MeshBounds(positions), bounds.extent > 0 else { return [UInt32](repeating: 0, count: positions.count) }
        let distance = bounds.extent * share
        let square = distance * distance
        // Cells of four times the distance, so that half of the positions need no other cell in an axis than their own. Coordinates
        // fit 18 bits; the grid is shifted, since positions like to lie at regular places.
        let cellsPerUnit = 1 / (4 * distance)
        let (low, shift, reach) = (bounds.low, SIMD3(0.3183, 0.3679, 0.4142), SIMD3<Double>(repeating: 0.2500001))
        var bits = 4
        while 1 << bits < 2 * positions.count { bits += 1 }
        var heads = [UInt32](repeating: .max, count: 1 << bits)
        var next = [UInt32](repeating: .max, count: positions.count)
        var result = [UInt32](repeating: 0, count: positions.count)
        let drop = UInt64(64 - bits)
        positions.withUnsafeBufferPointer { positions in
            heads.withUnsafeMutableBufferPointer { heads in
                next.withUnsafeMutableBufferPointer { next in
                    result.withUnsafeMutableBufferPointer { result in
                        for index in positions.indices {
                            let position = positions[index]
                            let place = (SIMD3<Double>(position) - low) * cellsPerUnit + shift
                            // All at least 0.
                            let (first, last) = (cell(place - reach), cell(place + reach))
                            var found = UInt32.max
                            search: for z in first.2...last.2 {
                                for y in first.1...last.1 {
                                    for x in first.0...last.0 {
                                        var other = heads[slot(x, y, z, drop)]
                                        while other != .max {
                                            let off = SIMD3<Double>(position - positions[Int(other)])
                                            if (off * off).sum() <= square {
                                                found = other
                                                break search
                                            }
                                            other = next[Int(other)]
                                        }
                                    }
                                }
                            }
                            if found == .max {
                                found = UInt32(index)
                                let own = cell(place)
                                let list = slot(own.0, own.1, own.2, drop)
                                next[index] = heads[list]
                                heads[list] = found
                            }
                            result[index] = found
                        }
                    }
                }
            }
        }
        return result
    }

    @inline(__always)
    private static func cell(_ place: SIMD3<Double>) -> (Int, Int, Int) { (Int(place.x), Int(place.y), Int(place.z)) }

    /// Where in the table a cell's list begins; cells that share a place share a list.
    @inline(__always)
    private static func slot(_ x: Int, _ y: Int, _ z: Int, _ drop: UInt64) -> Int {
        let key = UInt64(truncatingIfNeeded: x | y << 20 | z << 40)
        return Int(truncatingIfNeeded: ((key ^ key >> 29) &* 0x9E37_79B9_7F4A_7C15) >> drop)
    }
}
