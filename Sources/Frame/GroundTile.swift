import WaymarkGeo
import WaymarkTiles

/// A square on the ground that shows its part of a raster base map.
///
/// The squares of one drawing command do not overlap, and leave no gaps: where two squares meet, their corners have identical coordinates.
/// If one square is larger than the other, it has an extra corner in the middle of the side where they meet.
public struct GroundTile: Equatable, Sendable {
    /// The square's position in the tile pyramid. The square shows the tile at this address or, if the set lacks it, the corresponding part
    /// of the nearest tile at a lower zoom level.
    public var address: TileAddress
    /// The western edge, in pt east of the view's center.
    public var west: Float
    /// The line halfway between the western and eastern edges, in pt east of the view's center.
    public var middleX: Float
    /// The eastern edge, in pt east of the view's center.
    public var east: Float
    /// The northern edge, in pt south of the view's center.
    public var north: Float
    /// The line halfway between the northern and southern edges, in pt south of the view's center.
    public var middleY: Float
    /// The southern edge, in pt south of the view's center.
    public var south: Float
    /// The sides that have an extra corner in the middle, because squares of half the size lie beyond them.
    public var splitSides: Sides

    public struct Sides: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let north = Sides(rawValue: 1)
        public static let east = Sides(rawValue: 2)
        public static let south = Sides(rawValue: 4)
        public static let west = Sides(rawValue: 8)
    }

    public init(
        _ address: TileAddress, west: Float, middleX: Float, east: Float, north: Float, middleY: Float, south: Float, splitSides: Sides = []
    ) {
        self.address = address
        (self.west, self.middleX, self.east) = (west, middleX, east)
        (self.north, self.middleY, self.south) = (north, middleY, south)
        self.splitSides = splitSides
    }
}

/// How a run of ground tiles is drawn.
public struct TileDrawing: Equatable, Sendable {
    /// The index of the tile set in `Frame.tileSets`.
    public var set: Int
    /// The opacity, 0…1. Translucent tiles need no `Group`, because no pixel belongs to two tiles.
    public var alpha: Float
    public var filter: Filter

    public enum Filter: UInt8, Equatable, Sendable {
        /// The edges lie on whole device pixels. A tile that has one pixel for each device pixel is reproduced exactly.
        case exact
        /// One bilinear sample per device pixel.
        case linear
        /// Several samples along the longer axis of each pixel's footprint, from the mipmap that suits the shorter axis.
        case mipmapped
    }

    public init(set: Int, alpha: Float = 1, filter: Filter) {
        (self.set, self.alpha, self.filter) = (set, alpha, filter)
    }
}

/// A set of tiles shown by ground tiles.
public struct FrameTileSet: Sendable {
    package let set: TileSet

    package init(_ set: TileSet) { self.set = set }

    /// The name of the tile set in printed frames.
    public var name: String { self.set.name }
}

extension FrameTileSet: Equatable {
    /// Compares the names and the descriptions of the sets, but not their sources.
    public static func == (a: FrameTileSet, b: FrameTileSet) -> Bool { a.name == b.name && a.set.info == b.set.info }
}

extension GroundCamera {
    /// Projects a point on the ground to device pixels; nil if the point is nearer than the near limit.
    /// - Parameters:
    ///   - x: The distance in pt east of the view's center.
    ///   - y: The distance in pt south of the view's center.
    package func screenPoint(x: Double, y: Double) -> SIMD2<Double>? {
        let (turn, lean) = (sinCos(degrees: bearing), sinCos(degrees: tilt))
        let (right, up) = (x * turn.cos + y * turn.sin, x * turn.sin - y * turn.cos)
        let depth = distance + up * lean.sin
        guard depth > nearDepth else { return nil }
        let scale = distance / depth
        return SIMD2(
            (width / 2 + opticalOffsetX + right * scale) * pixelRatio - originX,
            (height / 2 + opticalOffsetY - up * lean.cos * scale) * pixelRatio - originY)
    }
}

extension GroundTile {
    /// Whether the tile may touch a rectangle of the picture, given in device pixels.
    package func mayTouch(_ rect: SIMD4<Double>, _ camera: GroundCamera) -> Bool {
        var (low, high) = (SIMD2<Double>(repeating: .infinity), SIMD2<Double>(repeating: -.infinity))
        for (x, y) in [(west, north), (east, north), (east, south), (west, south)] {
            guard let point = camera.screenPoint(x: Double(x), y: Double(y)) else { return true }
            low = pointwiseMin(low, point)
            high = pointwiseMax(high, point)
        }
        return low.x < rect.z + 1 && low.y < rect.w + 1 && high.x > rect.x - 1 && high.y > rect.y - 1
    }
}

extension GroundTile: CustomStringConvertible {
    public var description: String {
        let sides = splitSides.isEmpty ? "" : ", split: \(splitSides)"
        return "\(address.zoom)/\(address.x)/\(address.y) from \(fixed(west)) \(fixed(north)) to \(fixed(east)) \(fixed(south))\(sides)"
    }
}

extension GroundTile.Sides: CustomStringConvertible {
    public var description: String {
        let names: [(Self, String)] = [(.north, "north"), (.east, "east"), (.south, "south"), (.west, "west")]
        return names.filter { contains($0.0) }.map(\.1).joined(separator: " ")
    }
}

extension TileDrawing: CustomStringConvertible {
    public var description: String { "set \(set), \(filter)\(alpha == 1 ? "" : ", alpha \(fixed(alpha))")" }
}
