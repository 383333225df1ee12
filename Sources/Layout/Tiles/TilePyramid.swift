import WaymarkGeo
import WaymarkTiles

/// What the choice of tiles needs to know of a set.
struct TilePyramid {
    var minZoom: Int
    var maxZoom: Int
    /// The side of a tile in pt at its own zoom.
    var tileSize: Double
    /// The pixels of a tile per pt at its own zoom.
    var texelsPerPoint: Double
    /// The pixels on a side that most tiles have.
    var usualTexels: Double
    /// Where there are tiles, as fractions of the world: x grows eastward and may exceed 1, y southward.
    var west: Double
    var north: Double
    var east: Double
    var south: Double

    init(_ info: TileSetInfo) {
        (minZoom, maxZoom) = (info.minZoom, info.maxZoom)
        tileSize = Double(info.tileSize)
        texelsPerPoint = info.pixelsPerPoint
        usualTexels = Double(info.usualSide)
        let bounds = info.bounds
        if bounds.east - bounds.west >= 360 {
            (west, east) = (0, 1)
        } else {
            west = WebMercator.x(lng: bounds.west)
            let width = (bounds.east - bounds.west) / 360
            east = west + (width < 0 ? width + 1 : width)
        }
        func y(_ latitude: Double) -> Double {
            abs(latitude) >= WebMercator.maxLatitude ? (latitude > 0 ? 0 : 1) : WebMercator.uncheckedY(lat: latitude)
        }
        (north, south) = (y(bounds.north), y(bounds.south))
    }

    /// The pixels of a tile on a side.
    var texels: Double { tileSize * texelsPerPoint }
}
