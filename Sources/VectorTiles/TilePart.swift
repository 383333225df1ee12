import WaymarkTiles

/// The stored tile whose content a tile shows, and the part that is shown. The stored tile is the tile itself or, beyond the last zoom of
/// the set and where a tile is missing, one of its ancestors.
package struct TilePart: Equatable, Sendable {
    /// The stored tile.
    package let stored: TileAddress
    /// The number of zooms between the two. The stored tile is 2^`zooms` times as wide.
    package let zooms: Int
    /// The position of the shown tile among the 2^`zooms` columns and rows of the stored one.
    package let column: Int
    package let row: Int

    /// - Parameters:
    ///   - address: The shown tile.
    ///   - zoom: The zoom of the stored tile. If it is higher, the stored tile is the shown one.
    package init(_ address: TileAddress, ofZoom zoom: Int) {
        stored = address.ancestor(atZoom: zoom)
        zooms = address.zoom - stored.zoom
        column = address.x - stored.x << zooms
        row = address.y - stored.y << zooms
    }

    /// The position of a point of the stored tile in the shown one.
    @inline(__always)
    func position(_ point: TileGeometry.Point) -> SIMD2<Double> {
        SIMD2(Double(point.x), Double(point.y)) * Double(1 << zooms) - SIMD2(Double(column), Double(row))
    }
}
