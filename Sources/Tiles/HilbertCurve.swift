/// Tile numbers in PMTiles: the tile of zoom 0, then the tiles of zoom 1 and so on, each zoom along the Hilbert curve.
///
/// Neighbors on the curve are neighbors on the map, so the tiles of a view are in only a few parts of a file.
package enum HilbertCurve {
    /// The number of a valid tile.
    package static func number(of address: TileAddress) -> UInt64 {
        // A third of 4^zoom − 1 tiles have lower zooms.
        firstNumber(ofZoom: address.zoom) + position(x: UInt64(address.x), y: UInt64(address.y), zoom: address.zoom)
    }

    package static func firstNumber(ofZoom zoom: Int) -> UInt64 { ((1 as UInt64) << UInt64(2 * zoom) - 1) / 3 }

    /// The position of a tile along the curve of its zoom, computed from the largest quadrants to the smallest. Each quadrant is entered
    /// rotated or mirrored, which is undone before its own quadrants are examined.
    private static func position(x: UInt64, y: UInt64, zoom: Int) -> UInt64 {
        var (x, y, position) = (x, y, 0 as UInt64)
        for bit in (0..<UInt64(zoom)).reversed() {
            let side = (1 as UInt64) << bit
            let (isRight, isLower) = (x & side != 0, y & side != 0)
            // The curve visits the quadrants upper left, lower left, lower right, upper right.
            let quadrant: UInt64 = isRight ? (isLower ? 2 : 3) : (isLower ? 1 : 0)
            position += quadrant * side * side
            (x, y) = (x & (side - 1), y & (side - 1))
            if !isLower {
                if isRight { (x, y) = (side - 1 - x, side - 1 - y) }
                swap(&x, &y)
            }
        }
        return position
    }
}
