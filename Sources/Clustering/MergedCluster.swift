/// A cluster or a single point, with the overlapping neighbors that joined it.
public struct MergedCluster: Sendable, Equatable {
    /// The largest part. The key of this part identifies the merged cluster.
    public let largest: FoundCluster
    /// The other parts, in ascending order of their keys.
    public private(set) var joined: [FoundCluster] = []
    /// The number of points in all parts.
    public private(set) var count: Int
    /// The sum of the points' positions, in steps. A part on the other side of the world's edge counts as lying beyond that edge, not at
    /// the opposite edge.
    private var sumX: Int64
    private var sumY: Int64

    /// Creates a merged cluster from a cluster or a single point that no neighbor has joined.
    public init(_ cluster: FoundCluster) {
        largest = cluster
        (count, sumX, sumY) = (cluster.count, cluster.sumX, cluster.sumY)
    }

    mutating func join(_ other: FoundCluster) {
        let worlds = Int64((largest.mean.x - other.mean.x).rounded())
        joined.append(other)
        count += other.count
        sumX += other.sumX + worlds * Int64(other.count) * WorldSteps.perWorld
        sumY += other.sumY
    }

    /// All parts, beginning with the largest.
    public var parts: [FoundCluster] { [largest] + joined }
    /// The caller's identifier of the point, if this is a single point; -1 for a cluster.
    public var lone: Int32 { joined.isEmpty ? largest.lone : -1 }
    public var key: UInt64 { largest.key }
    public var zoom: Int { largest.zoom }

    /// The mean of the points' positions, as fractions of the world's size. Each position counts as the middle of its step.
    public var mean: (x: Double, y: Double) {
        let x = (Double(sumX) / Double(count) + 0.5) * 0x1p-36
        return (x < 0 ? x + 1 : x >= 1 ? x - 1 : x, (Double(sumY) / Double(count) + 0.5) * 0x1p-36)
    }
}

/// The sizes of the discs of clusters and single points. Clusters and points whose discs overlap are merged.
public struct DiscSizes {
    /// The size of the world in pt at the camera's zoom.
    public var worldSize: Double
    /// An upper bound in pt on the widths of all discs.
    public var widest: Double
    /// The width in pt of the disc of a cluster or a single point.
    public var width: (FoundCluster) -> Double

    public init(worldSize: Double, widest: Double, width: @escaping (FoundCluster) -> Double) {
        (self.worldSize, self.widest, self.width) = (worldSize, widest, width)
    }

    /// Distances in pt are rounded to multiples of 1/1024.
    static let stepsPerPoint = 1024.0

    /// An upper bound on the distance between the centers of overlapping discs, as a fraction of the world's size. For two discs of the
    /// greatest width, it is three quarters of that width.
    var reach: Double { (0.75 * widest + 1 / Self.stepsPerPoint) / worldSize }
}

extension PointClusters {
    /// The clusters and single points whose mean positions lie in a rectangle, after overlapping clusters and points have been merged. The
    /// merging does not depend on the rectangle. The order of the result depends only on the points.
    /// - Parameters:
    ///   - west: The western edge of the rectangle, 0…1. All edges are fractions of the world's size and belong to the rectangle.
    ///   - zoom: The zoom level, as in `clusters`.
    public func mergedClusters(
        west: Double, north: Double, east: Double, south: Double, zoom: Int, groups active: [Int] = [0], _ sizes: DiscSizes
    ) -> [MergedCluster] {
        guard west <= east, north <= south else { return [] }
        return overlaps(around: (west, north, east, south), zoom: zoom, active, sizes).merged().filter { cluster in
            let (x, y) = cluster.mean
            return x >= west && x <= east && y >= north && y <= south
        }
    }

    /// The overlaps around a rectangle that determine which items merge inside it. Items outside it matter, because their overlaps
    /// determine whether an item inside can join its neighbor, and because a merged cluster whose mean is inside may have parts outside.
    /// - Parameter box: The rectangle, which may extend beyond the world's western or eastern edge.
    private func overlaps(
        around box: (west: Double, north: Double, east: Double, south: Double), zoom: Int, _ active: [Int], _ sizes: DiscSizes
    ) -> DiscOverlaps {
        let reach = sizes.reach
        switch strategy {
        case .grid(let cellSize):
            // The neighbors of an item are in neighboring cells.
            let cell = cellSize / (512 * Double(sign: .plus, exponent: zoom, significand: 1))
            let items = clusters(around: box, margin: 3 * min(reach, cell) * (1 + 1e-9), zoom: zoom, active)
            return DiscOverlaps(items, .ofKeys(columns: UInt64(grid.columns(zoom: zoom))), sizes)
        case .hierarchical:
            // The cells are at least as wide as the distance between overlapping discs.
            let columns = max(1, min(0x1p31, (1 / reach).rounded(.down)))
            let items = clusters(around: box, margin: 3 * reach * (1 + 1e-9), zoom: zoom, active)
            return DiscOverlaps(items, .even(columns: UInt64(columns)), sizes)
        }
    }

    /// The clusters and single points in a rectangle and in the margin around it, in ascending order of their keys.
    private func clusters(
        around box: (west: Double, north: Double, east: Double, south: Double), margin: Double, zoom: Int, _ active: [Int]
    ) -> [FoundCluster] {
        // A mean counts as the middle of its step, which may be in another cell.
        let margin = margin + 0x1p-36
        let (north, south) = (max(0, box.north - margin), min(1, box.south + margin))
        guard box.east - box.west + 2 * margin < 1 else {
            return clusters(west: 0, north: north, east: 1, south: south, zoom: zoom, groups: active).sorted { $0.key < $1.key }
        }
        let worlds = (box.west - margin).rounded(.down)
        let (west, east) = (box.west - margin - worlds, box.east + margin - worlds)
        var items = clusters(west: west, north: north, east: east, south: south, zoom: zoom, groups: active)
        if east >= 1 { items += clusters(west: 0, north: north, east: east - 1, south: south, zoom: zoom, groups: active) }
        if case .grid = strategy, east < 1 { return items }
        items.sort { $0.key < $1.key }
        // One cell may be in both parts.
        return zip(items.indices, items).filter { $0 == 0 || items[$0 - 1].key != $1.key }.map(\.1)
    }
}

extension PointClusters {
    /// Calls `body` with the identifier of each point in a merged cluster, in no particular order.
    public func forEachMember(of cluster: MergedCluster, groups active: [Int] = [0], _ body: (Int32) -> Void) {
        forEachMember(of: cluster.largest, groups: active, body)
        for part in cluster.joined { forEachMember(of: part, groups: active, body) }
    }

    /// The lowest zoom level, above the cluster's zoom level, at which the points are no longer all in one merged cluster. Nil if they are
    /// still together at the deepest clustered level.
    /// - Parameter sizes: The sizes of discs. `worldSize` is not used.
    public func expansionZoom(of cluster: MergedCluster, deepest: Int, groups active: [Int] = [0], _ sizes: DiscSizes) -> Int? {
        var zoom = cluster.zoom + 1
        if cluster.joined.isEmpty {
            // The merged points cannot separate before the points of the largest part do.
            guard let parting = expansionZoom(of: cluster.largest, deepest: deepest, groups: active) else { return nil }
            zoom = parting
        }
        while zoom <= deepest {
            guard areTogether(cluster, zoom: zoom, active, sizes) else { return zoom }
            zoom += 1
        }
        return nil
    }

    /// Whether the points of a cluster are in one merged cluster at a deeper zoom level.
    private func areTogether(_ cluster: MergedCluster, zoom: Int, _ active: [Int], _ sizes: DiscSizes) -> Bool {
        var sizes = sizes
        sizes.worldSize = 512 * Double(sign: .plus, exponent: zoom, significand: 1)
        let items = cluster.parts.flatMap { self.items(of: $0, zoom: zoom, active) }
        guard items.count > 1 else { return true }
        let origin = items[0].mean
        var box = (west: origin.x, north: origin.y, east: origin.x, south: origin.y)
        for item in items {
            let (x, y) = (item.mean.x + (origin.x - item.mean.x).rounded(), item.mean.y)
            box = (min(box.west, x), min(box.north, y), max(box.east, x), max(box.south, y))
        }
        // All parts would have to overlap a single disc.
        guard max(box.east - box.west, box.south - box.north) <= 2 * sizes.reach else { return false }
        return overlaps(around: box, zoom: zoom, active, sizes).areTogether(items.map(\.key))
    }

    /// The clusters and single points of a deeper zoom level that a cluster contains.
    private func items(of cluster: FoundCluster, zoom: Int, _ active: [Int]) -> [FoundCluster] {
        if let items = hierarchyItems(of: cluster, zoom: zoom) { return items }
        let (shift, (x, y)) = (UInt32(zoom - cluster.zoom), cluster.cell)
        let rest: UInt32 = (1 << shift) - 1
        return clusters(in: CellRect(zoom: zoom, xs: x << shift...(x << shift | rest), ys: y << shift...(y << shift | rest)), active)
    }
}
