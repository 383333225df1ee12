import WaymarkImaging

/// A source of tiles: either an archive of raster or vector tiles, or a source of raster tiles that a program implements.
///
///     final class Checkerboard: TileSource {
///         let info = TileSetInfo(maxZoom: 24)
///
///         func tile(at address: TileAddress) -> TileData? {
///             .bitmap(Bitmap(width: 256, height: 256, fill: (address.x + address.y) % 2 == 0 ? .white : .black))
///         }
///     }
public protocol TileSource: AnyObject, Sendable {
    /// The source's description of its tiles. It must not change.
    var info: TileSetInfo { get }

    /// The tile at an address; nil if it does not exist.
    ///
    /// Waymark calls this method on several of its own threads concurrently. The method may block. The result is cached, even if it is nil.
    /// A tile may have at most four times as many pixels as `tileSize` and `pixelsPerPoint` of `info` imply.
    ///
    /// If the method throws, the tile is missing from the picture, and a warning reports the error. The tile is requested again for the
    /// next picture, unless the error is a `TileError` for a permanent problem, such as damage.
    func tile(at address: TileAddress) throws -> TileData?
}

/// The picture of a tile or, from an archive of vector tiles, its content in MVT format.
public enum TileData: Equatable, Sendable {
    /// The bytes of a PNG, JPEG or WebP file, or of a vector tile.
    case encoded([UInt8])
    case bitmap(Bitmap)
}

/// A tile source's description of its tiles.
public struct TileSetInfo: Equatable, Sendable {
    /// The lowest zoom that has tiles. Default 0.
    public var minZoom: Int
    /// The highest zoom that has tiles. At higher zooms, the tiles of this zoom are enlarged. Default 22.
    public var maxZoom: Int
    /// The side length in pt of a tile that is displayed at its own zoom, regardless of its number of pixels. With 512, the camera's zoom 0
    /// shows tiles of zoom 0; with 256, it shows tiles of zoom 1. Default 256.
    public var tileSize: Int
    /// The number of pixels per pt in a tile that is displayed at its own zoom, such as 2 for retina tiles. This number affects the zoom of
    /// the tiles that are shown. Default 1.
    public var pixelsPerPoint = 1.0
    /// The area for which there are tiles. Default: the world.
    public var bounds: TileBounds
    /// The credits of the data, as provided by the source: plain text, or HTML.
    public var attribution: String?
    /// The name of the tile set.
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

    /// The usual side of the set's tiles in pixels. The sample tile may be unusually small, such as an empty sea tile, so at least one
    /// pixel per pt is assumed.
    package var usualSide: Int { Int((Double(tileSize) * max(1, pixelsPerPoint)).rounded()) }

    /// The error in the values, as a clause such as `minZoom 5 is more than maxZoom 3`; nil if all values are valid.
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

/// A rectangle of longitudes and latitudes in degrees.
public struct TileBounds: Equatable, Sendable {
    /// The western longitude, −360…360. If `west` is more than `east`, the rectangle crosses ±180°.
    public var west: Double
    /// The southern latitude, −90…90.
    public var south: Double
    /// The eastern longitude, −360…360.
    public var east: Double
    /// The northern latitude, −90…90.
    public var north: Double

    public init(west: Double, south: Double, east: Double, north: Double) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    /// All longitudes, and all latitudes that Web Mercator shows.
    public static let world = TileBounds(west: -180, south: -85.0511287798066, east: 180, north: 85.0511287798066)

    /// Whether the rectangle has no width or no height. Programs that do not know the bounds of their tiles write such rectangles, for
    /// example all zeros.
    package var isDegenerate: Bool { west == east || south == north }

    /// The error in the values, as a clause; nil if all values are valid.
    package var problem: String? {
        for longitude in [west, east] where !(-360...360).contains(longitude) { return "\(longitude) is outside -360…360" }
        for latitude in [south, north] where !(-90...90).contains(latitude) { return "\(latitude) is outside -90…90" }
        return south > north ? "the south edge, \(south), is above the north edge, \(north)" : nil
    }
}

extension TileBounds: CustomStringConvertible {
    /// The edges as `[west, south, east, north]`.
    public var description: String { "[\(west), \(south), \(east), \(north)]" }
}
