/// Finds the overlapping discs among the clusters and single points of one zoom level, and merges them.
///
/// Two discs overlap if they share more than a quarter of the smaller disc's width. A cluster or single point joins the largest neighbor
/// that it overlaps, if that neighbor is larger and does not itself overlap an even larger one. Whether it joins therefore depends only on
/// its neighbors and their neighbors.
struct DiscOverlaps {
    private let items: [FoundCluster]
    private let worldSize: Double
    private var discs: [Disc] = []
    /// Whether the keys of the items are the codes of cells.
    private let hasCells: Bool

    private struct Disc {
        /// The center, in pt from the world's upper left corner.
        var x: Double
        var y: Double
        var width: Double
        var count: Int
        /// The index of the largest disc that overlaps this disc and is larger; -1 if there is none.
        var larger = -1
    }

    /// - Parameters:
    ///   - items: The items, in ascending order of their keys.
    ///   - cells: The grid. Only items in the same cell or in neighboring cells are compared.
    init(_ items: [FoundCluster], _ cells: Cells, _ sizes: DiscSizes) {
        (self.items, worldSize) = (items, sizes.worldSize)
        hasCells = if case .ofKeys = cells { true } else { false }
        discs.reserveCapacity(items.count)
        for item in items {
            let (x, y) = item.mean
            discs.append(Disc(x: x * worldSize, y: y * worldSize, width: sizes.width(item), count: item.count))
        }
        guard items.count > 1 else { return }
        let columns: UInt64
        var codes: [UInt64] = []
        codes.reserveCapacity(items.count)
        switch cells {
        case .ofKeys(let count):
            columns = count
            for item in items { codes.append(UInt64(Morton.y(item.key)) << 32 | UInt64(Morton.x(item.key))) }
        case .even(let count):
            columns = count
            let scale = Double(count) / worldSize
            for disc in discs {
                let (x, y) = (min(UInt64(disc.x * scale), count - 1), min(UInt64(disc.y * scale), count - 1))
                codes.append(y << 32 | x)
            }
        }
        compareNeighbors(codes, columns)
    }

    /// A grid over the world.
    enum Cells {
        /// The grid whose cell codes are the keys of the items. It has this number of columns.
        case ofKeys(columns: UInt64)
        /// A grid that divides the world evenly into this number of columns, and the same number of rows.
        case even(columns: UInt64)
    }

    /// Compares each item with the other items in its cell and in the neighboring cells.
    /// - Parameter codes: The row and the column of each item.
    private mutating func compareNeighbors(_ codes: [UInt64], _ columns: UInt64) {
        // A hash table of linked lists: the first item of each list, and the item after each item.
        let bits = UInt64(64 - UInt64(2 * codes.count).leadingZeroBitCount)
        var firsts = [Int32](repeating: -1, count: 1 << Int(bits))
        var nexts = [Int32](repeating: -1, count: codes.count)
        // The fractional part of the golden ratio, by which consecutive numbers are spread (Knuth, The Art of Computer Programming, 6.4).
        func place(_ code: UInt64) -> Int { Int((code &* 0x9E37_79B9_7F4A_7C15) >> (64 - bits)) }
        for index in codes.indices {
            let place = place(codes[index])
            nexts[index] = firsts[place]
            firsts[place] = Int32(index)
        }
        for index in codes.indices {
            let (column, row) = (codes[index] & 0xffff_ffff, codes[index] >> 32)
            // The first and the last column are neighbors.
            let (west, east) = (column == 0 ? columns - 1 : column - 1, column + 1 == columns ? 0 : column + 1)
            // Each pair of neighboring cells is visited once, or twice if there are only a few columns around the world.
            for code in [row << 32 | column, row << 32 | east, (row + 1) << 32 | west, (row + 1) << 32 | column, (row + 1) << 32 | east] {
                var other = firsts[place(code)]
                while other >= 0 {
                    if codes[Int(other)] == code, Int(other) != index { compare(index, Int(other)) }
                    other = nexts[Int(other)]
                }
            }
        }
    }

    @inline(__always)
    private mutating func compare(_ a: Int, _ b: Int) {
        let across = abs(discs[a].x - discs[b].x)
        let (dx, dy) = (min(across, worldSize - across), discs[a].y - discs[b].y)
        let (wide, narrow) = (max(discs[a].width, discs[b].width), min(discs[a].width, discs[b].width))
        let limit = wide / 2 + narrow / 4
        let square = dx * dx + dy * dy
        guard square < (limit + 1) * (limit + 1) else { return }
        // The distance is rounded, so that the last bit has no effect.
        guard (square.squareRoot() * DiscSizes.stepsPerPoint).rounded() / DiscSizes.stepsPerPoint < limit else { return }
        let (small, large) = isLarger(a, than: b) ? (b, a) : (a, b)
        if discs[small].larger < 0 || isLarger(large, than: discs[small].larger) { discs[small].larger = large }
    }

    /// Whether an item is larger than another. The item with the higher count is larger. Among equal counts, it is the item whose cell has
    /// the lower column or, in the same column, the lower row. In a hierarchy, it is the item with the lower key.
    private func isLarger(_ a: Int, than b: Int) -> Bool {
        if discs[a].count != discs[b].count { return discs[a].count > discs[b].count }
        let (a, b) = (items[a].key, items[b].key)
        guard hasCells else { return a < b }
        return (Morton.x(a), Morton.y(a)) < (Morton.x(b), Morton.y(b))
    }

    /// The index of the item that an item joins, which is its own index if it joins no other.
    private func owner(_ item: Int) -> Int {
        let larger = discs[item].larger
        return larger >= 0 && discs[larger].larger < 0 ? larger : item
    }

    /// The items that joined no other, each with the items that joined it.
    func merged() -> [MergedCluster] {
        var merged: [MergedCluster] = []
        merged.reserveCapacity(items.count)
        var places = [Int32](repeating: -1, count: items.count)
        for item in items.indices where owner(item) == item {
            places[item] = Int32(merged.count)
            merged.append(MergedCluster(items[item]))
        }
        guard merged.count < items.count else { return merged }
        for item in items.indices where owner(item) != item { merged[Int(places[owner(item)])].join(items[item]) }
        return merged
    }

    /// Whether items are parts of the same merged cluster.
    /// - Parameter keys: The keys of the items. The result is false if a key is unknown.
    func areTogether(_ keys: [UInt64]) -> Bool {
        var common: Int?
        for key in keys {
            guard let item = items.index(ofKey: key) else { return false }
            let owner = owner(item)
            guard common == nil || common == owner else { return false }
            common = owner
        }
        return true
    }
}

extension [FoundCluster] {
    /// The index of the element with a key; nil if there is none. The elements must be in ascending order of their keys.
    fileprivate func index(ofKey key: UInt64) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low].key == key ? low : nil
    }
}
