import WaymarkMeshes

/// Finds the few points of many that may be outermost on a screen.
enum OutermostPoints {
    /// The indices of points in space, as fractions of the world, that are outermost in one of many directions, ascending. Others may reach
    /// a little farther: `Extent.extend` finds them.
    static func indices(of points: [SIMD3<Double>]) -> [Int] {
        guard let first = points.first else { return [] }
        var extent = 0.0
        for point in points { extent = max(extent, abs(point.x - first.x), abs(point.y - first.y), abs(point.z - first.z)) }
        guard extent > 0 else { return [0] }
        return TriangleMesh(positions: points.map { SIMD3<Float>(($0 - first) / extent) }).outermost()
    }
}
