import WaymarkTiles

/// The stored tile whose content a tile shows: the tile itself or, beyond the last zoom of its set, the part of the tile at the last zoom.
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
    ///   - lastZoom: The highest zoom that has tiles.
    package init(_ address: TileAddress, lastZoom: Int) {
        zooms = max(0, address.zoom - lastZoom)
        stored = TileAddress(zoom: address.zoom - zooms, x: address.x >> zooms, y: address.y >> zooms)
        column = address.x - stored.x << zooms
        row = address.y - stored.y << zooms
    }

    /// The position of a coordinate of the stored tile in the shown one: 0 at its left or upper edge, 1 at the opposite one.
    /// - Parameters:
    ///   - offset: `column` for x, `row` for y.
    ///   - extent: The extent of the layer.
    package func position(_ coordinate: Int32, offset: Int, extent: Int) -> Double {
        // Exact for an extent that is a power of two.
        (Double(coordinate) * Double(1 << zooms) - Double(offset) * Double(extent)) / Double(extent)
    }
}
