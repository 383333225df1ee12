import WaymarkFrame
import WaymarkTiles

/// The positions of a tile and its smaller copies on a layer of a texture, each with a margin filled from the surrounding tiles. The copies
/// are not the texture's mipmaps, because the margin must be equally wide in texels around each of them.
struct TileSheet: Hashable {
    /// The side of the tile in pixels: a power of two.
    let side: Int
    /// The width of a margin in texels.
    let margin: Int
    /// The number of levels: the tile and its copies, each of half the size.
    let levels: Int
    /// The size of the layer in texels.
    let width: Int
    let height: Int

    /// The smallest side of a copy. Smaller copies would be visible only if the tiles of a whole set were tiny.
    private static let leastSide = 8
    /// Samples are at most 5 texels from the middle of a pixel's footprint, which is on the tile. Each reads half a texel around it.
    private static let sampledMargin = 6

    init(side: Int, _ filter: TileDrawing.Filter) {
        self.side = side
        switch filter {
        case .exact: (margin, levels) = (0, 1)
        case .linear: (margin, levels) = (1, 1)
        case .mipmapped:
            margin = Self.sampledMargin
            levels = 1 + max(0, side.trailingZeroBitCount - Self.leastSide.trailingZeroBitCount)
        }
        // The copies are arranged side by side beneath the tile.
        var copies = 0
        for level in 1..<levels { copies += (side >> level) + 2 * margin }
        width = max(side + 2 * margin, copies)
        height = side + 2 * margin + (levels > 1 ? side / 2 + 2 * margin : 0)
    }

    var byteCount: Int { width * height * 4 }

    /// The upper left texel of the tile or of a copy, inside its margin. The shader uses the same formula.
    func origin(_ level: Int) -> (x: Int, y: Int) {
        guard level > 0 else { return (margin, margin) }
        // The sides of the preceding copies are `side` times 1/2 + 1/4 + …
        let before = side - (side >> (level - 1))
        return (before + (2 * level - 1) * margin, side + 3 * margin)
    }
}

/// The texels at the edges of a tile and of its copies, from which the margins of the surrounding tiles are filled.
struct TileRim {
    /// The strips of each level.
    private var strips: [Strips] = []
    let byteCount: Int

    enum Edge: Int { case west, east, north, south }

    private struct Strips {
        /// The side of the tile or the copy.
        var side: Int
        /// The width of a strip in texels.
        var width: Int
        /// The texels of each edge, row by row. The strips at the west and east are `width` wide and `side` high, the others the reverse.
        var texels: [[UInt32]]
    }

    init(_ tile: DecodedTile, _ sheet: TileSheet) {
        for bitmap in tile.levels.prefix(sheet.levels) {
            let (side, width) = (bitmap.width, min(sheet.margin, bitmap.width))
            let texels = bitmap.pixels.withUnsafeBytes { bytes in
                let pixels = bytes.bindMemory(to: UInt32.self)
                func strip(x: ClosedRange<Int>, y: ClosedRange<Int>) -> [UInt32] {
                    var list: [UInt32] = []
                    list.reserveCapacity(x.count * y.count)
                    for row in y { list.append(contentsOf: pixels[row * side + x.lowerBound...row * side + x.upperBound]) }
                    return list
                }
                let (whole, low, high) = (0...side - 1, 0...width - 1, side - width...side - 1)
                return [strip(x: low, y: whole), strip(x: high, y: whole), strip(x: whole, y: low), strip(x: whole, y: high)]
            }
            strips.append(Strips(side: side, width: width, texels: texels))
        }
        byteCount = strips.reduce(0) { $0 + 16 * $1.side * $1.width }
    }

    var levels: Int { strips.count }
    func side(_ level: Int) -> Int { strips[level].side }

    /// Copies texels near an edge. Positions outside the tile, and those farther from the edge than the known texels, get the nearest known
    /// texel.
    /// - Parameters:
    ///   - x: The columns to fill, in texels of `level` times `scale`, from the tile's upper left. `y` is the rows to fill.
    ///   - scale: The number of result texels per source texel in each direction.
    ///   - pixels: The texels to fill, in rows of `stride` texels. The first is the upper left of the rectangle.
    func copy(
        _ edge: Edge, _ level: Int, scale: Int, x: Range<Int>, y: Range<Int>, to pixels: UnsafeMutablePointer<UInt32>, stride: Int
    ) {
        let known = strips[level]
        let isUpright = edge == .west || edge == .east
        let (left, top) = (edge == .east ? known.side - known.width : 0, edge == .south ? known.side - known.width : 0)
        let (columns, rows) = isUpright ? (known.width, known.side) : (known.side, known.width)
        known.texels[edge.rawValue].withUnsafeBufferPointer { texels in
            for row in y {
                let line = texels.baseAddress! + Self.nearest(row, scale, top, rows) * columns
                let output = pixels + (row - y.lowerBound) * stride
                if scale == 1, x.lowerBound >= left, x.upperBound <= left + columns {
                    output.update(from: line + (x.lowerBound - left), count: x.count)
                } else {
                    for column in x { output[column - x.lowerBound] = line[Self.nearest(column, scale, left, columns)] }
                }
            }
        }
    }

    /// The column or row of a strip at a position: `place / scale`, rounded down, relative to the strip's start, and clamped to the strip.
    private static func nearest(_ place: Int, _ scale: Int, _ start: Int, _ count: Int) -> Int {
        let texel = place >= 0 ? place / scale : (place + 1) / scale - 1
        return min(max(texel - start, 0), count - 1)
    }
}

/// The tiles around a tile in a picture. Each has the same zoom, or a zoom that is one lower or higher.
struct TileSurroundings: Equatable {
    /// A tile, or a part of one, in one of the eight directions.
    struct Neighbor: Equatable {
        /// −1, 0 or 1: to the west or east, and to the north or south.
        var across: Int
        var down: Int
        var address: TileAddress
        /// The neighbor's position and side, in halves of the middle tile's side, from the middle tile's upper left.
        var x: Int
        var y: Int
        var side: Int
    }

    private(set) var neighbors: [Neighbor] = []

    /// - Parameter isShown: Whether a picture shows a tile.
    init(of tile: TileAddress, isShown: (TileAddress) -> Bool) {
        let count = 1 << tile.zoom
        for down in -1...1 {
            for across in -1...1 where (across, down) != (0, 0) {
                let (x, y) = (tile.x + across, tile.y + down)
                guard 0..<count ~= y else { continue }
                func add(_ address: TileAddress, _ x: Int, _ y: Int, _ side: Int) -> Bool {
                    guard isShown(address) else { return false }
                    neighbors.append(Neighbor(across: across, down: down, address: address, x: x, y: y, side: side))
                    return true
                }
                /// The address for a column that may lie beyond the edge of the world.
                func address(_ zoom: Int, _ x: Int, _ y: Int) -> TileAddress { TileAddress(zoom: zoom, x: x & (1 << zoom - 1), y: y) }
                if add(address(tile.zoom, x, y), 2 * across, 2 * down, 2) { continue }
                // The parent tile, unless it also contains this tile.
                if tile.zoom > 0, x >> 1 != tile.x >> 1 || y >> 1 != tile.y >> 1,
                    add(address(tile.zoom - 1, x >> 1, y >> 1), (x >> 1) * 4 - tile.x * 2, (y >> 1) * 4 - tile.y * 2, 4)
                {
                    continue
                }
                // The child tiles that touch this tile.
                for row in down == 0 ? [0, 1] : [down < 0 ? 1 : 0] {
                    for column in across == 0 ? [0, 1] : [across < 0 ? 1 : 0] {
                        _ = add(address(tile.zoom + 1, 2 * x + column, 2 * y + row), 2 * across + column, 2 * down + row, 1)
                    }
                }
            }
        }
    }
}

/// The margin of a tile or of one of its copies. It is filled from the surrounding tiles, or from the tile's own edge where it has no
/// neighbor.
struct TileMargin {
    /// A rectangle of a margin, in texels from the upper left of the tile or copy.
    struct Part {
        var x: Range<Int>
        var y: Range<Int>
        var pixels: [UInt32]
    }

    private let rim: TileRim
    private let level: Int
    /// The sides of the tile or copy, and of the margin.
    private let side: Int
    private let width: Int

    /// - Parameter rim: The rim of the middle tile.
    init(of rim: TileRim, _ level: Int, _ sheet: TileSheet) {
        (self.rim, self.level) = (rim, level)
        (side, width) = (sheet.side >> level, sheet.margin)
    }

    /// The parts of the margin: the rows above and below, including the corners, and the columns on both sides.
    func parts(_ neighbors: [(place: TileSurroundings.Neighbor, rim: TileRim)]) -> [Part] {
        [(-1...1, -1), (-1...1, 1), (-1...(-1), 0), (1...1, 0)].map { part(across: $0, down: $1, neighbors) }
    }

    private func range(_ direction: Int) -> Range<Int> {
        direction < 0 ? -width..<0 : direction == 0 ? 0..<side : side..<side + width
    }

    private func part(across: ClosedRange<Int>, down: Int, _ neighbors: [(place: TileSurroundings.Neighbor, rim: TileRim)]) -> Part {
        let (x, y) = (range(across.lowerBound).lowerBound..<range(across.upperBound).upperBound, range(down))
        var part = Part(x: x, y: y, pixels: Array(repeating: 0, count: x.count * y.count))
        for across in across {
            let edge: TileRim.Edge = across < 0 ? .west : across > 0 ? .east : down < 0 ? .north : .south
            part.fill(rim, edge, level, scale: 1, x: range(across), y: y, fromX: 0, fromY: 0)
        }
        for (place, rim) in neighbors where across.contains(place.across) && place.down == down {
            let size = place.side * side / 2
            guard size > 0, let (level, scale) = rim.level(size) else { continue }
            let (left, top) = (place.x * side / 2, place.y * side / 2)
            let (x, y) = (range(place.across).clamped(to: left..<left + size), y.clamped(to: top..<top + size))
            guard !x.isEmpty, !y.isEmpty else { continue }
            // The edge of the neighbor that faces the tile.
            let edge: TileRim.Edge = place.across < 0 ? .east : place.across > 0 ? .west : place.down < 0 ? .south : .north
            part.fill(rim, edge, level, scale: scale, x: x, y: y, fromX: left, fromY: top)
        }
        return part
    }
}

extension TileMargin.Part {
    /// Copies texels of a tile whose upper left is at (`fromX`, `fromY`).
    fileprivate mutating func fill(
        _ rim: TileRim, _ edge: TileRim.Edge, _ level: Int, scale: Int, x: Range<Int>, y: Range<Int>, fromX: Int, fromY: Int
    ) {
        let (columns, start) = (self.x.count, (y.lowerBound - self.y.lowerBound) * self.x.count + x.lowerBound - self.x.lowerBound)
        pixels.withUnsafeMutableBufferPointer { pixels in
            guard let first = pixels.baseAddress else { return }
            rim.copy(
                edge, level, scale: scale, x: x.lowerBound - fromX..<x.upperBound - fromX, y: y.lowerBound - fromY..<y.upperBound - fromY,
                to: first + start, stride: columns)
        }
    }
}

extension TileRim {
    /// The copy with the given number of texels on a side, and the repeat count for each texel if it has fewer; nil if every copy has more.
    fileprivate func level(_ size: Int) -> (level: Int, scale: Int)? {
        for level in 0..<levels where side(level) <= size { return (level, size / side(level)) }
        return nil
    }
}
