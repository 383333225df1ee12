import Foundation
import WaymarkFrame
import WaymarkGeo
import WaymarkTiles

/// The squares of the ground for which a view needs tiles of a set. They are only computed; no tile is loaded.
///
/// When the camera looks straight down, all squares have the zoom whose texels are nearest in size to device pixels. On a tilted map,
/// squares grow with the distance, and neighbors differ by at most one zoom.
struct TileCover {
    /// The squares, sorted by zoom, row and column. They do not overlap.
    let tiles: [GroundTile]
    let filter: TileDrawing.Filter

    /// - Parameters:
    ///   - viewport: The view.
    ///   - pyramid: The set. Squares may be smaller than its tiles of the last zoom, and then show parts of tiles.
    init(_ viewport: Viewport, _ pyramid: TilePyramid) {
        var search = TileSearch(viewport, pyramid)
        let leaves = search.run()
        let shift = Self.exactShift(leaves, viewport, pyramid)
        let known = search.isLevel ? [] : Set(leaves)
        tiles = leaves.map { GroundTile($0, viewport.projection, shift: shift ?? (0, 0), splitSides: $0.splitSides(known)) }
        let isMinified = leaves.contains { search.texelsPerPixel(ofZoom: $0.zoom) > 1.5 }
        filter = shift != nil ? .exact : search.isLevel && !isMinified ? .linear : .mipmapped
    }

    /// The offset in pt that moves tiles to whole pixels in a view in which one texel is one device pixel; nil for other views.
    private static func exactShift(_ leaves: [TileCell], _ viewport: Viewport, _ pyramid: TilePyramid) -> (x: Double, y: Double)? {
        let (projection, ratio) = (viewport.projection, viewport.pixelRatio)
        guard projection.sinTilt == 0, projection.sinBearing == 0, projection.cosBearing == 1, let first = leaves.first,
            leaves.allSatisfy({ $0.zoom == first.zoom })
        else { return nil }
        let pixels = projection.worldSize * first.size * ratio
        guard abs(pixels - pyramid.texels) < 1e-9 * pixels else { return nil }
        // Quantized before rounding, so that the last bits have no effect.
        func shift(_ place: Int, _ center: Double, _ optical: Double) -> Double {
            let exact = (optical + (Double(place) * first.size - center) * projection.worldSize) * ratio
            let quantized = (exact * 1024).rounded() / 1024
            return ((quantized + 0.5).rounded(.down) - exact) / ratio
        }
        return (shift(first.x, projection.centerX, projection.opticalX), shift(first.y, projection.centerY, projection.opticalY))
    }
}

/// A square of the pyramid on any copy of the world: x is not wrapped.
struct TileCell: Hashable, Comparable {
    var zoom: Int
    var x: Int
    var y: Int

    static func < (a: Self, b: Self) -> Bool { (a.zoom, a.y, a.x) < (b.zoom, b.y, b.x) }

    /// The width as a fraction of the world.
    var size: Double { 1 / Double(1 << zoom) }

    var address: TileAddress {
        let side = 1 << zoom
        return TileAddress(zoom: zoom, x: x - (x >> zoom) * side, y: y)
    }

    var children: [TileCell] {
        [(0, 0), (1, 0), (0, 1), (1, 1)].map { TileCell(zoom: zoom + 1, x: 2 * x + $0, y: 2 * y + $1) }
    }

    func ancestor(atZoom lower: Int) -> TileCell { TileCell(zoom: lower, x: x >> (zoom - lower), y: y >> (zoom - lower)) }

    /// The sides on which the neighboring squares are divided.
    func splitSides(_ leaves: Set<TileCell>) -> GroundTile.Sides {
        guard !leaves.isEmpty else { return [] }
        func has(_ x: Int, _ y: Int) -> Bool { leaves.contains(TileCell(zoom: zoom + 1, x: x, y: y)) }
        let (left, top) = (2 * x, 2 * y)
        var sides: GroundTile.Sides = []
        if has(left, top - 1) || has(left + 1, top - 1) { sides.insert(.north) }
        if has(left + 2, top) || has(left + 2, top + 1) { sides.insert(.east) }
        if has(left, top + 2) || has(left + 1, top + 2) { sides.insert(.south) }
        if has(left - 1, top) || has(left - 1, top + 1) { sides.insert(.west) }
        return sides
    }
}

extension GroundTile {
    /// Creates a square. All squares that share a corner get the same coordinates for it.
    /// - Parameter shift: An offset in pt that is added to all corners.
    fileprivate init(_ cell: TileCell, _ projection: ViewProjection, shift: (x: Double, y: Double), splitSides: Sides) {
        // Steps are halves of the square, whose fractions of the world are exact.
        let half = 1 / Double(2 << cell.zoom)
        func x(_ step: Int) -> Float {
            Float((Double(2 * cell.x + step) * half - projection.centerX) * projection.worldSize + shift.x)
        }
        func y(_ step: Int) -> Float {
            Float((Double(2 * cell.y + step) * half - projection.centerY) * projection.worldSize + shift.y)
        }
        self.init(
            cell.address, west: x(0), middleX: x(1), east: x(2), north: y(0), middleY: y(1), south: y(2), splitSides: splitSides)
    }
}

/// The properties of a set that the choice of tiles depends on.
struct TilePyramid {
    var minZoom: Int
    /// The zoom of the smallest squares.
    var deepest = lastZoom
    /// The side of a tile in pt at its own zoom.
    var tileSize: Double
    /// The pixels of a tile per pt at its own zoom.
    var texelsPerPoint: Double
    /// The usual side of a tile in pixels.
    var usualTexels: Double
    /// The bounds of the tiles, whose `east` may exceed 1.
    var bounds: WorldBox

    init(_ info: TileSetInfo) {
        minZoom = info.minZoom
        tileSize = Double(info.tileSize)
        texelsPerPoint = info.pixelsPerPoint
        usualTexels = Double(info.usualSide)
        bounds = WorldBox(info.bounds)
    }

    /// The pyramid of a set of vector tiles. The zoom of the tiles at the view's center is the camera's zoom, rounded down, whatever the
    /// pixel ratio is: vector tiles are made for this. Tiles of the last zoom are enlarged without being divided.
    init(vector info: TileSetInfo, pixelRatio: Double) {
        self.init(info)
        (tileSize, usualTexels, deepest) = (512, 512, info.maxZoom)
        // The factor of √2 lowers the zoom by a half, so that it is rounded down instead of to the nearest.
        texelsPerPoint = pixelRatio * 2.0.squareRoot()
    }

    /// The highest zoom.
    static let lastZoom = 30

    /// The side of a tile in pixels.
    var texels: Double { tileSize * texelsPerPoint }
}
