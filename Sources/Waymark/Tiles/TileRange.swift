import WaymarkLayout

/// The tiles of one zoom that overlap a box of the world; there is at least one. If the box crosses ±180°, the columns continue beyond the
/// last column.
package struct TileRange: Equatable, Sendable {
    package var columns: Range<Int>
    package var rows: Range<Int>

    init(_ box: WorldBox, zoom: Int) {
        let count = Double(1 << zoom)
        let (west, north) = ((box.west * count).rounded(.down), min(max(0, box.north * count).rounded(.down), count - 1))
        let (east, south) = ((box.east * count).rounded(.up), min(count, (box.south * count).rounded(.up)))
        columns = Int(west)..<Int(max(east, west + 1))
        rows = Int(north)..<Int(max(south, north + 1))
    }

    /// The number of tiles.
    var count: Int { columns.count * rows.count }

    /// The distinct tiles of the range, with the first column in the world.
    func wrapped(zoom: Int) -> TileRange {
        let count = 1 << zoom
        var range = self
        let first = columns.lowerBound & (count - 1)
        range.columns = columns.count >= count ? 0..<count : first..<first + columns.count
        return range
    }

    /// Extends a box so that it overlaps all these tiles, by a thousandth of a tile.
    func extend(_ box: inout WorldBox, zoom: Int) {
        let (count, overlap) = (1 << zoom, 0.001)
        let side = 1 / Double(count)
        var (first, last) = (columns.lowerBound, columns.upperBound - 1)
        // One of two columns that show the same tiles is enough.
        while last - first >= count, Double(last) * side >= box.east { last -= 1 }
        while last - first >= count, Double(first + 1) * side <= box.west { first += 1 }
        box.west = min(box.west, (Double(first) + 1 - overlap) * side)
        box.east = max(box.east, (Double(last) + overlap) * side)
        box.north = min(box.north, (Double(rows.lowerBound) + 1 - overlap) * side)
        box.south = max(box.south, (Double(rows.upperBound) - 1 + overlap) * side)
    }
}
