import WaymarkImaging

/// Where raster tiles come from: an archive, or a program's own.
///
///     final class Checkerboard: TileSource {
///         let info = TileSetInfo(maxZoom: 24)
///
///         func tile(at address: TileAddress) -> TileData? {
///             .bitmap(Bitmap(width: 256, height: 256, fill: (address.x + address.y) % 2 == 0 ? .white : .black))
///         }
///     }
public protocol TileSource: AnyObject, Sendable {
    /// What the source says of itself. It does not change.
    var info: TileSetInfo { get }

    /// The tile at an address, or nil where there is none.
    ///
    /// Called on threads of Waymark's own, on several at once; it may block. What it throws is told in a warning, and the tile is left out; it is
    /// asked for again for the next picture. A tile, and that there is none, is remembered. A tile has at most four times as many pixels as `info`
    /// says.
    func tile(at address: TileAddress) throws -> TileData?
}

/// The picture of a tile.
public enum TileData: Equatable, Sendable {
    /// The bytes of a PNG, JPEG or WebP file.
    case encoded([UInt8])
    case bitmap(Bitmap)
}

/// What a tile source says of itself.
public struct TileSetInfo: Equatable, Sendable {
    /// The first zoom that has tiles. Default 0.
    public var minZoom: Int
    /// The last zoom that has tiles; beyond it they are enlarged. Default 22.
    public var maxZoom: Int
    /// The side in pt at which a tile is shown at its own zoom, whatever the number of its pixels: 512, when zoom 0 of the camera shows tiles
    /// of zoom 0, or 256, when it shows those of zoom 1. Default 256.
    public var tileSize: Int
    /// The pixels of a tile per pt at which it is shown at its own zoom: 2 of retina tiles. The zoom is chosen by it. Default 1.
    public var pixelsPerPoint = 1.0
    /// Where there are tiles. Default: the world.
    public var bounds: TileBounds
    /// Who made the data, as the source has it: plain text, or HTML.
    public var attribution: String?
    /// What the tiles are called.
    public var name: String?

    public init(
        minZoom: Int = 0, maxZoom: Int = 22, tileSize: Int = 256, bounds: TileBounds = .world, attribution: String? = nil,
        name: String? = nil
    ) {
        self.minZoom = minZoom
        self.maxZoom = maxZoom
        self.tileSize = tileSize
        self.bounds = bounds
        self.attribution = attribution
        self.name = name
    }

    /// The pixels on a side that its tiles usually have. Where the example by which it was found is a small one, as of an empty sea, the others
    /// have at least a pixel per pt.
    package var usualSide: Int { Int((Double(tileSize) * max(1, pixelsPerPoint)).rounded()) }

    /// What is impossible, as a clause such as `minZoom 5 is more than maxZoom 3`; nil when everything is in range.
    package var problem: String? {
        for (name, zoom) in [("minZoom", minZoom), ("maxZoom", maxZoom)] where !TileAddress.zooms.contains(zoom) {
            return "\(name) \(zoom) is outside 0…30"
        }
        if minZoom > maxZoom { return "minZoom \(minZoom) is more than maxZoom \(maxZoom)" }
        if !(0.125...8).contains(pixelsPerPoint) { return "pixelsPerPoint \(pixelsPerPoint) is outside 0.125…8" }
        if tileSize != 256, tileSize != 512 { return "the tile size \(tileSize) is neither 256 nor 512" }
        return bounds.problem.map { "the bounds \(bounds): \($0)" }
    }
}

/// A rectangle of longitudes and latitudes, in degrees.
public struct TileBounds: Equatable, Sendable {
    /// −360…360. Where `west` is more than `east`, the rectangle crosses ±180°.
    public var west: Double
    /// −90…90.
    public var south: Double
    public var east: Double
    public var north: Double

    public init(west: Double, south: Double, east: Double, north: Double) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    /// All longitudes, and the latitudes that Web Mercator shows.
    public static let world = TileBounds(west: -180, south: -85.0511287798066, east: 180, north: 85.0511287798066)

    /// What is impossible, as a clause; nil when everything is in range.
    package var problem: String? {
        for longitude in [west, east] where !(-360...360).contains(longitude) { return "\(longitude) is outside -360…360" }
        for latitude in [south, north] where !(-90...90).contains(latitude) { return "\(latitude) is outside -90…90" }
        return south > north ? "the south, \(south), is above the north, \(north)" : nil
    }
}

extension TileBounds: CustomStringConvertible {
    /// `[west, south, east, north]`
    public var description: String { "[\(west), \(south), \(east), \(north)]" }
}
