/// The position of a tile in the Web Mercator pyramid. At zoom 0, one tile shows the world. Every tile has four children at the next zoom.
///
/// This module reads sets of raster and vector tiles, and writes sets of raster tiles. It does not draw, and knows nothing about cameras.
public struct TileAddress: Hashable, Sendable {
    /// The zoom of the tile, 0…30.
    public var zoom: Int
    /// The column of the tile, counted from 0 in the west at −180°.
    public var x: Int
    /// The row of the tile, counted from 0 in the north (the XYZ scheme).
    public var y: Int

    public init(zoom: Int, x: Int, y: Int) {
        self.zoom = zoom
        self.x = x
        self.y = y
    }

    /// The zooms at which tiles may exist.
    public static let zooms = 0...30
}

extension TileAddress {
    /// Whether a tile can exist at this address: the zoom must be in 0…30, and the column and the row in 0..<2^zoom.
    public var isValid: Bool {
        guard Self.zooms.contains(zoom) else { return false }
        let side = 1 << zoom
        return x >= 0 && y >= 0 && x < side && y < side
    }

    /// The tile at the next lower zoom that contains this tile; nil at zoom 0.
    public var parent: TileAddress? {
        zoom > 0 ? TileAddress(zoom: zoom - 1, x: x >> 1, y: y >> 1) : nil
    }

    /// The tile at a lower zoom that contains this one; the tile itself if the zoom is not lower.
    package func ancestor(atZoom lower: Int) -> TileAddress {
        lower < zoom ? TileAddress(zoom: lower, x: x >> (zoom - lower), y: y >> (zoom - lower)) : self
    }

    /// The four tiles at the next higher zoom: northwest, northeast, southwest, southeast.
    public var children: [TileAddress] {
        [(0, 0), (1, 0), (0, 1), (1, 1)].map { TileAddress(zoom: zoom + 1, x: 2 * x + $0, y: 2 * y + $1) }
    }
}

extension TileAddress: Comparable {
    /// Orders addresses by zoom, then by row, then by column.
    public static func < (a: TileAddress, b: TileAddress) -> Bool {
        (a.zoom, a.y, a.x) < (b.zoom, b.y, b.x)
    }
}

extension TileAddress: CustomStringConvertible {
    /// The address as in the names of tile files: `5/17/11`.
    public var description: String { "\(zoom)/\(x)/\(y)" }
}
