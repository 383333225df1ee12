/// Clusters points within a radius of each other, from the deepest zoom level to the lowest. Each level processes the items (points or
/// clusters) of the next deeper level from north to south, and from west to east among equal latitudes. All items within the radius of an
/// item join it, unless they have already joined another one. This is the method of Mapbox's supercluster (github.com/mapbox/supercluster),
/// except that the order of insertion has no effect here, and the means are exact.
struct ClusterHierarchy: Sendable {
    /// The integer zoom levels at which points are clustered.
    let zooms: ClosedRange<Int>
    private let points: Items
    /// The levels, deepest first.
    private var levels: [Level] = []

    /// Points or clusters, ordered by position: ascending y, then x, then the first number.
    struct Items: Sendable {
        var counts: [Int32] = []
        var sumX: [Int64] = []
        var sumY: [Int64] = []
        /// The lowest number among the points of each item.
        var firsts: [Int32] = []

        var count: Int { counts.count }

        func x(_ item: Int) -> Double { Double(sumX[item]) / Double(counts[item]) }
        func y(_ item: Int) -> Double { Double(sumY[item]) / Double(counts[item]) }

        func cluster(_ item: Int, zoom: Int) -> FoundCluster {
            FoundCluster(
                key: UInt64(item), zoom: zoom, count: Int(counts[item]), lone: counts[item] == 1 ? firsts[item] : -1, sumX: sumX[item],
                sumY: sumY[item])
        }
    }

    struct Level: Sendable {
        var items: Items
        /// The items in Morton order of their cells in a fine grid, so that they can be found by position.
        var order: [Int32]
        var codes: [UInt64]
        /// The children of each item in turn, which are items of the next deeper level, and the index where each item's children start.
        var children: [Int32]
        var childStarts: [Int32]
    }

    /// - Parameter grid: A fine grid whose cells are used to find items.
    init(_ points: [EditedPoint], radius: Double, zooms: ClosedRange<Int>, _ grid: CellGrid) {
        self.zooms = zooms
        var items = Items()
        for point in points {
            items.counts.append(1)
            items.sumX.append(point.place.x)
            items.sumY.append(point.place.y)
            items.firsts.append(point.number)
        }
        var order: [Int32] = []
        items.sort(&order)
        self.points = items
        for zoom in zooms.reversed() {
            let deeper = levels.last?.items ?? self.points
            // One pt is 2^(27 - zoom) steps.
            let groups = deeper.grouped(within: radius * Double(sign: .plus, exponent: 27 - zoom, significand: 1))
            levels.append(Level(deeper, groups, grid))
        }
    }

    private func level(_ zoom: Int) -> Level { levels[zooms.upperBound - zoom] }

    func clusters(west: Double, north: Double, east: Double, south: Double, zoom: Int, _ grid: CellGrid) -> [FoundCluster] {
        guard let xs = grid.cells(from: west, to: east, zoom: CellGrid.deepestZoom),
            let ys = grid.cells(from: north, to: south, zoom: CellGrid.deepestZoom)
        else { return [] }
        let level = level(zoom)
        return level.items(in: CellRect(zoom: CellGrid.deepestZoom, xs: xs, ys: ys)).map { level.items.cluster($0, zoom: zoom) }
    }

    /// The clusters and single points of a deeper zoom level that a cluster contains.
    func items(of cluster: FoundCluster, zoom: Int) -> [FoundCluster] {
        var items = [Int32(cluster.key)]
        for outer in cluster.zoom..<zoom {
            let level = level(outer)
            items = items.flatMap { level.children(of: Int($0)) }
        }
        let found = level(zoom).items
        return items.map { found.cluster(Int($0), zoom: zoom) }
    }

    func forEachMember(of cluster: FoundCluster, _ body: (Int32) -> Void) {
        var rest = [(depth: zooms.upperBound - cluster.zoom, item: Int(cluster.key))]
        while let (depth, item) = rest.popLast() {
            guard depth >= 0 else {
                body(points.firsts[item])
                continue
            }
            for child in levels[depth].children(of: item) { rest.append((depth - 1, Int(child))) }
        }
    }

    func expansionZoom(of cluster: FoundCluster) -> Int? {
        var (depth, item) = (zooms.upperBound - cluster.zoom, Int(cluster.key))
        while depth > 0 {
            let children = levels[depth].children(of: item)
            if children.count > 1 { return zooms.upperBound - depth + 1 }
            (depth, item) = (depth - 1, Int(children[children.startIndex]))
        }
        return nil
    }
}

extension ClusterHierarchy.Items {
    /// Sorts the items by position, and sets `order` to their former indices.
    fileprivate mutating func sort(_ order: inout [Int32]) {
        let (xs, ys) = (indices.map(x), indices.map(y))
        let firsts = firsts
        order = indices.map { Int32($0) }.sorted { a, b in
            let (a, b) = (Int(a), Int(b))
            if ys[a] != ys[b] { return ys[a] < ys[b] }
            return xs[a] != xs[b] ? xs[a] < xs[b] : firsts[a] < firsts[b]
        }
        let old = self
        self = Self()
        for index in order {
            counts.append(old.counts[Int(index)])
            sumX.append(old.sumX[Int(index)])
            sumY.append(old.sumY[Int(index)])
            self.firsts.append(old.firsts[Int(index)])
        }
    }

    private var indices: Range<Int> { 0..<count }

    /// For each item, the index of the item that it joins, which is its own index if it joins no other.
    /// - Parameter radius: The radius in steps.
    fileprivate func grouped(within radius: Double) -> [Int32] {
        // The items are sorted into cells as large as the radius, row by row. The neighbors of an item are then in contiguous ranges of
        // three adjacent rows.
        let (xs, ys) = (indices.map(x), indices.map(y))
        let columns = UInt64(0x1p36 / radius) + 2
        var order = indices.map { Int32($0) }
        var cells = indices.map { UInt64(ys[$0] / radius) * columns + UInt64(xs[$0] / radius) }
        radixSort(&order, with: &cells)
        var groups = [Int32](repeating: -1, count: count)
        for item in indices where groups[item] < 0 {
            groups[item] = Int32(item)
            let (x, y) = (xs[item], ys[item])
            let cell = UInt64(y / radius) * columns + UInt64(x / radius)
            for row in [-1, 0, 1] {
                let middle = Int(cell) + row * Int(columns)
                guard middle + 1 >= 0 else { continue }
                var index = cells.firstIndex(notBelow: UInt64(max(0, middle - 1)))
                while index < cells.count, cells[index] <= UInt64(middle + 1) {
                    let other = Int(order[index])
                    if groups[other] < 0 {
                        let (dx, dy) = (xs[other] - x, ys[other] - y)
                        if dx * dx + dy * dy <= radius * radius { groups[other] = Int32(item) }
                    }
                    index += 1
                }
            }
        }
        return groups
    }
}

extension ClusterHierarchy.Level {
    /// Builds a level from the next deeper one. For each deeper item, `groups` contains the item that it joins.
    fileprivate init(_ deeper: ClusterHierarchy.Items, _ groups: [Int32], _ grid: CellGrid) {
        items = ClusterHierarchy.Items()
        // The new items are in the order of the items that others join.
        var numbers = [Int32](repeating: -1, count: deeper.count)
        for (item, group) in groups.enumerated() where group == item {
            numbers[item] = Int32(items.count)
            items.counts.append(0)
            items.sumX.append(0)
            items.sumY.append(0)
            items.firsts.append(.max)
        }
        for (item, group) in groups.enumerated() {
            let number = Int(numbers[Int(group)])
            items.counts[number] += deeper.counts[item]
            items.sumX[number] += deeper.sumX[item]
            items.sumY[number] += deeper.sumY[item]
            items.firsts[number] = min(items.firsts[number], deeper.firsts[item])
        }
        order = []
        items.sort(&order)
        var sorted = [Int32](repeating: 0, count: items.count)
        for (index, number) in order.enumerated() { sorted[Int(number)] = Int32(index) }
        childStarts = [Int32](repeating: 0, count: items.count + 1)
        for group in groups { childStarts[Int(sorted[Int(numbers[Int(group)])]) + 1] += 1 }
        for index in items.counts.indices { childStarts[index + 1] += childStarts[index] }
        var next = childStarts
        children = [Int32](repeating: 0, count: deeper.count)
        for (item, group) in groups.enumerated() {
            let parent = Int(sorted[Int(numbers[Int(group)])])
            children[Int(next[parent])] = Int32(item)
            next[parent] += 1
        }
        order = items.counts.indices.map { Int32($0) }
        let shown = items
        codes = order.map { item in
            grid.code(WorldSteps(x: Int64(shown.x(Int(item))), y: Int64(shown.y(Int(item)))))
        }
        radixSort(&order, with: &codes)
    }

    func children(of item: Int) -> ArraySlice<Int32> { children[Int(childStarts[item])..<Int(childStarts[item + 1])] }

    /// The items whose positions are in the given cells at the deepest zoom.
    func items(in rect: CellRect) -> [Int] {
        let (low, high, box) = (rect.low, rect.high, CodeBox(rect))
        var found: [Int] = []
        var index = codes.firstIndex(notBelow: low)
        while index < codes.count {
            if box.contains(codes[index]) {
                found.append(Int(order[index]))
                index += 1
            } else {
                guard codes[index] < high, let next = Morton.next(after: codes[index], low: low, high: high) else { break }
                index = codes.firstIndex(notBelow: next, from: index)
            }
        }
        return found
    }
}

extension [UInt64] {
    /// The index of the first code that is at least `code`. The list must be sorted.
    fileprivate func firstIndex(notBelow code: UInt64, from start: Int = 0) -> Int {
        var (low, high) = (start, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < code { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
