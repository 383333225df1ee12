/// Clusters nearby points at every integer zoom level.
///
/// This type knows nothing about overlays, cameras or pixels. The caller gives each point a number that identifies it, and a position in
/// integer steps (`WorldSteps`). The same points make the same clusters, bit for bit, regardless of the order in which they were added and
/// removed.
///
/// Each point belongs to a group. A query names the active groups, which are the groups whose points are visible at the zoom.
public struct PointClusters: Sendable {
    /// The method of clustering.
    public enum Strategy: Hashable, Sendable {
        /// The points in each cell of a grid form a cluster. The grid is fixed to the world. `cellSize` is the side of a cell in pt, at
        /// least 2.
        case grid(cellSize: Double)
        /// Points within a radius of each other form a cluster. The radius is in pt. Clustering begins at the deepest zoom level, and
        /// continues at each lower level.
        case hierarchical(radius: Double)
    }

    public let strategy: Strategy
    /// The grid whose cells form clusters; for a hierarchy, a fine grid that is used to find points.
    public let grid: CellGrid
    private var groups: [PointGroup] = []
    /// The hierarchy and the groups that it contains; nil after each edit, until the hierarchy is needed.
    private var hierarchy: (groups: [Int], levels: ClusterHierarchy)?

    public init(_ strategy: Strategy) {
        self.strategy = strategy
        switch strategy {
        case .grid(let cellSize): grid = CellGrid(cellSize: cellSize)
        case .hierarchical: grid = CellGrid(cellSize: 2)
        }
    }

    /// The number of points.
    public var count: Int { groups.reduce(0) { $0 + $1.count } }

    /// Replaces the points of a group.
    /// - Parameter numbers: The identifiers of the points, in ascending order.
    public mutating func setPoints(_ numbers: [Int32], inGroup group: Int = 0, place: (Int32) -> WorldSteps) {
        grow(to: group)
        groups[group] = PointGroup(numbers, grid, place: place)
        hierarchy = nil
    }

    /// Adds a point to a group that does not contain it yet.
    public mutating func add(_ number: Int32, at place: WorldSteps, inGroup group: Int = 0) {
        grow(to: group)
        groups[group].add(EditedPoint(code: grid.code(place), number: number, place: place))
        hierarchy = nil
    }

    /// Removes a point from a group.
    /// - Parameter place: The position at which the point was added.
    public mutating func remove(_ number: Int32, at place: WorldSteps, inGroup group: Int = 0) {
        groups[group].remove(EditedPoint(code: grid.code(place), number: number, place: place))
        hierarchy = nil
    }

    private mutating func grow(to group: Int) {
        while groups.count <= group { groups.append(PointGroup()) }
    }
}

/// A cluster or a single point, as found by a query.
public struct FoundCluster: Sendable, Equatable {
    /// The cluster's identity at its zoom: the Morton code of its cell or, in a hierarchy, the index of the cluster.
    public var key: UInt64
    public var zoom: Int
    /// The number of points in the cluster.
    public var count: Int
    /// The caller's identifier of the point, if this is a single point; -1 for a cluster.
    public var lone: Int32
    /// The sum of the points' x positions, in steps.
    public var sumX: Int64
    /// The sum of the points' y positions, in steps.
    public var sumY: Int64

    public init(key: UInt64, zoom: Int, count: Int, lone: Int32, sumX: Int64, sumY: Int64) {
        self.key = key
        self.zoom = zoom
        self.count = count
        self.lone = lone
        self.sumX = sumX
        self.sumY = sumY
    }

    /// The mean of the points' positions, as fractions of the world's size. Each position counts as the middle of its step.
    public var mean: (x: Double, y: Double) {
        ((Double(sumX) / Double(count) + 0.5) * 0x1p-36, (Double(sumY) / Double(count) + 0.5) * 0x1p-36)
    }

    /// The column and row of the cluster's cell in the grid. In a hierarchy, this value has no meaning.
    public var cell: (x: UInt32, y: UInt32) { (Morton.x(key), Morton.y(key)) }
}

extension PointClusters {
    /// Builds the hierarchy if the points, the groups or the zooms have changed; does nothing for a grid.
    /// - Parameter zooms: The integer zoom levels at which points are clustered. In a hierarchy, all levels depend on the deepest one.
    public mutating func prepare(groups active: [Int], zooms: ClosedRange<Int>) {
        guard case .hierarchical(let radius) = strategy else { return }
        if let hierarchy, hierarchy.groups == active, hierarchy.levels.zooms == zooms { return }
        var points: [EditedPoint] = []
        points.reserveCapacity(count)
        for group in active where group < groups.count {
            groups[group].merge()
            groups[group].forEachPoint { points.append($0) }
        }
        hierarchy = (active, ClusterHierarchy(points, radius: radius, zooms: zooms, grid))
    }

    /// The clusters and single points whose cells touch a rectangle or, in a hierarchy, whose positions lie in it. Their order depends only
    /// on the points.
    /// - Parameters:
    ///   - west: The western edge of the rectangle. All edges are fractions of the world's size. A point on an edge lies in the rectangle.
    ///   - zoom: The zoom level, 0…24; for a hierarchy, one of the levels for which it was prepared.
    ///   - active: The active groups; for a hierarchy, the groups for which it was prepared.
    public func clusters(
        west: Double, north: Double, east: Double, south: Double, zoom: Int, groups active: [Int] = [0]
    ) -> [FoundCluster] {
        if case .hierarchical = strategy {
            guard let hierarchy else { preconditionFailure("the hierarchy is not prepared") }
            return hierarchy.levels.clusters(west: west, north: north, east: east, south: south, zoom: zoom, grid)
        }
        guard let xs = grid.cells(from: west, to: east, zoom: zoom), let ys = grid.cells(from: north, to: south, zoom: zoom) else {
            return []
        }
        return clusters(in: CellRect(zoom: zoom, xs: xs, ys: ys), active)
    }

    /// The clusters and single points in a rectangle of cells of the grid.
    func clusters(in rect: CellRect, _ active: [Int]) -> [FoundCluster] {
        var cells: [PointCell] = []
        // With small cells, the world has 2^64 cells at the deepest zoom.
        cells.reserveCapacity(min(1024, min(1024, rect.xs.count) * min(1024, rect.ys.count)))
        for group in active where group < groups.count { groups[group].collect(rect, into: &cells) }
        if active.count > 1 || active.contains(where: { $0 < groups.count && !groups[$0].isMerged }) { combine(&cells) }
        return cells.map { cell in
            let lone = cell.count == 1 && cell.lone < 0 ? loneMember(ofCell: cell.code, rect.shift, active) : cell.lone
            return FoundCluster(
                key: cell.code, zoom: rect.zoom, count: Int(cell.count), lone: cell.count == 1 ? lone : -1, sumX: cell.sumX,
                sumY: cell.sumY)
        }
    }

    /// The clusters and single points of a deeper zoom level that a cluster of the hierarchy contains; nil for a grid.
    func hierarchyItems(of cluster: FoundCluster, zoom: Int) -> [FoundCluster]? { hierarchy?.levels.items(of: cluster, zoom: zoom) }

    private func loneMember(ofCell code: UInt64, _ shift: UInt64, _ active: [Int]) -> Int32 {
        var lone: Int32 = -1
        for group in active where group < groups.count {
            groups[group].forEachPoint(ofCell: code, shift: shift) { lone = $0.number }
        }
        return lone
    }

    /// Merges cells with equal codes, and drops cells that become empty.
    private func combine(_ cells: inout [PointCell]) {
        cells.sort { $0.code < $1.code }
        var combined: [PointCell] = []
        combined.reserveCapacity(cells.count)
        for cell in cells {
            if let last = combined.last, last.code == cell.code {
                combined[combined.count - 1].count += cell.count
                combined[combined.count - 1].sumX += cell.sumX
                combined[combined.count - 1].sumY += cell.sumY
                combined[combined.count - 1].lone = -1
            } else {
                combined.append(cell)
            }
        }
        cells = combined.filter { $0.count > 0 }
    }

    /// The identifiers, in ascending order, of the points whose cells at the deepest zoom touch a rectangle.
    public func points(
        west: Double, north: Double, east: Double, south: Double, groups active: [Int] = [0]
    ) -> [Int32] {
        guard let xs = grid.cells(from: west, to: east, zoom: CellGrid.deepestZoom),
            let ys = grid.cells(from: north, to: south, zoom: CellGrid.deepestZoom)
        else { return [] }
        let rect = CellRect(zoom: CellGrid.deepestZoom, xs: xs, ys: ys)
        let box = CodeBox(rect)
        var found: [Int32] = []
        for group in active where group < groups.count {
            let group = groups[group]
            var gone = Set<Int32>()
            for point in group.removed { gone.insert(point.number) }
            group.sorted.forEachCell(in: rect) { _, range in
                for index in range where gone.isEmpty || !gone.contains(group.sorted.numbers[index]) {
                    found.append(group.sorted.numbers[index])
                }
            }
            // A moved point is also among the removed points.
            for point in group.added where box.contains(point.code) { found.append(point.number) }
        }
        found.sort()
        return found
    }

    /// The identifiers of the points in a cluster, in ascending order.
    public func members(of cluster: FoundCluster, groups active: [Int] = [0]) -> [Int32] {
        var members: [Int32] = []
        members.reserveCapacity(cluster.count)
        forEachMember(of: cluster, groups: active) { members.append($0) }
        members.sort()
        return members
    }

    /// Calls `body` with the identifier of each point in a cluster, in no particular order.
    public func forEachMember(of cluster: FoundCluster, groups active: [Int] = [0], _ body: (Int32) -> Void) {
        if let hierarchy { return hierarchy.levels.forEachMember(of: cluster, body) }
        for group in active where group < groups.count {
            groups[group].forEachPoint(ofCell: cluster.key, shift: shift(cluster.zoom)) { body($0.number) }
        }
    }

    private func shift(_ zoom: Int) -> UInt64 { UInt64(2 * (CellGrid.deepestZoom - zoom)) }

    /// The lowest zoom level, above the cluster's zoom level, at which the points are no longer all in one cluster. Nil if they are still
    /// together at the deepest clustered level.
    public func expansionZoom(of cluster: FoundCluster, deepest: Int, groups active: [Int] = [0]) -> Int? {
        if let hierarchy { return hierarchy.levels.expansionZoom(of: cluster) }
        var (lowest, highest) = (UInt64.max, UInt64.min)
        for group in active where group < groups.count {
            guard let codes = groups[group].codes(ofCell: cluster.key, shift: shift(cluster.zoom)) else { continue }
            (lowest, highest) = (min(lowest, codes.lowerBound), max(highest, codes.upperBound))
        }
        guard lowest < highest else { return nil }
        // Two bits of a code represent one level.
        let differingBits = UInt64.bitWidth - (lowest ^ highest).leadingZeroBitCount
        let zoom = CellGrid.deepestZoom - (differingBits - 1) / 2
        return zoom <= deepest ? zoom : nil
    }
}

extension PointClusters {
    /// Calls `body` with the identifier of every point of all groups, in no particular order.
    public func forEachNumber(_ body: (Int32) -> Void) {
        for group in groups {
            group.forEachPoint(ofCell: 0, shift: 64) { body($0.number) }
        }
    }
}

extension PointGroup {
    /// Calls `body` with each point, in Morton order; the edits must have been merged.
    fileprivate func forEachPoint(_ body: (EditedPoint) -> Void) {
        for index in 0..<sorted.count {
            body(EditedPoint(code: sorted.codes[index], number: sorted.numbers[index], place: sorted.place(at: index)))
        }
    }
}
