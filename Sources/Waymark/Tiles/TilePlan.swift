import WaymarkGeo
import WaymarkTiles

/// The tiles of a map and their order: zoom by zoom, in blocks that are laid out together, and by rows of a block.
package struct TilePlan: Equatable, Sendable {
    package let zooms: ClosedRange<Int>
    /// The side in pt at which a tile is shown: 256 or 512.
    package let tileSize: Int
    /// Pixels per pt.
    package let pixelRatio: Double
    /// The side of a tile in pixels.
    package let side: Int

    /// The zooms that can be drawn. Zoom 16 has 4 billion tiles.
    package static let zoomRange = 0...16

    /// The maximum width of a block in pixels. One layout places the captions of a block, so larger blocks leave fewer borders to avoid.
    private let mostWidth: Int
    private let mostHeight: Int

    /// - Parameters:
    ///   - mostWidth: The maximum width of a block in pixels; a single tile may be wider.
    ///   - mostHeight: The maximum height of a block in pixels.
    /// - Throws: `PropertyError` for the first value out of range: `zooms`, `tileSize`, `pixelRatio`.
    package init(
        zooms: ClosedRange<Int>, tileSize: Int = 512, pixelRatio: Double = 1, mostWidth: Int = 32_768, mostHeight: Int = 16_384
    ) throws(PropertyError) {
        for zoom in [zooms.lowerBound, zooms.upperBound] where !Self.zoomRange.contains(zoom) {
            throw PropertyError(path: "zooms", problem: "\(zoom) is outside \(Self.zoomRange.lowerBound)…\(Self.zoomRange.upperBound)")
        }
        guard tileSize == 256 || tileSize == 512 else {
            throw PropertyError(path: "tileSize", problem: "\(tileSize) is neither 256 nor 512")
        }
        try PropertyError.check(pixelRatio, in: Viewport.pixelRatioRange, "pixelRatio")
        guard let side = Int(exactly: Double(tileSize) * pixelRatio) else {
            throw PropertyError(
                path: "pixelRatio", problem: "\(plain(pixelRatio)) times \(tileSize) pt is not a whole number of pixels")
        }
        guard side & (side - 1) == 0, side <= 2048 else {
            throw PropertyError(
                path: "pixelRatio",
                problem: "\(plain(pixelRatio)) makes tiles of \(side) pixels per side, which must be a power of two up to 2048")
        }
        if tileSize == 256, zooms.lowerBound == 0, pixelRatio < 2 * Viewport.pixelRatioRange.lowerBound {
            // The camera's zoom 0 shows the world at 512 pt, so this tile is drawn at half of the ratio.
            throw PropertyError(
                path: "pixelRatio", problem: "\(plain(pixelRatio)) is less than 1, the minimum for tiles of 256 pt at zoom 0")
        }
        self.zooms = zooms
        self.tileSize = tileSize
        self.pixelRatio = pixelRatio
        self.side = side
        (self.mostWidth, self.mostHeight) = (mostWidth, mostHeight)
    }

    /// Tiles that are laid out together.
    package struct Block: Equatable, Sendable {
        package var zoom: Int
        /// The tile in its upper left corner.
        package var x: Int
        package var y: Int
        package var columns: Int
        package var rows: Int
        /// The number of its first row among all rows of all blocks; its other rows follow.
        package var firstPart: Int

        package func part(row: Int) -> Int { firstPart + row }
    }
}

extension TilePlan {
    /// The number of all tiles.
    package var tileCount: Int { zooms.reduce(0) { $0 + 1 << (2 * $1) } }

    /// The blocks of a zoom, row by row.
    package func blocks(ofZoom zoom: Int) -> [Block] {
        let (columns, rows) = blockSize(zoom)
        let count = 1 << zoom
        var part = zooms.prefix { $0 < zoom }.reduce(0) { $0 + partCount($1) }
        var blocks: [Block] = []
        for y in stride(from: 0, to: count, by: rows) {
            for x in stride(from: 0, to: count, by: columns) {
                blocks.append(Block(zoom: zoom, x: x, y: y, columns: columns, rows: rows, firstPart: part))
                part += rows
            }
        }
        return blocks
    }

    /// The number of columns and rows of a zoom's blocks, both powers of two.
    private func blockSize(_ zoom: Int) -> (columns: Int, rows: Int) {
        func most(_ pixels: Int) -> Int {
            var count = 1
            while count < 1 << zoom, 2 * count * side <= pixels { count *= 2 }
            return count
        }
        return (most(mostWidth), most(mostHeight))
    }

    private func partCount(_ zoom: Int) -> Int {
        // Rows of tiles, multiplied by the number of blocks side by side.
        (1 << zoom) * ((1 << zoom) / blockSize(zoom).columns)
    }

    /// The camera's zoom and the pixel ratio at which tiles of a zoom are drawn.
    package func scale(ofZoom zoom: Int) -> (zoom: Double, pixelRatio: Double) {
        let cameraZoom = tileSize == 512 ? zoom : zoom - 1
        return cameraZoom < 0 ? (0, pixelRatio / 2) : (Double(cameraZoom), pixelRatio)
    }

    /// The camera and the size in pt of a block's picture.
    package func view(of block: Block) -> (camera: Camera, size: PointSize, pixelRatio: Double) {
        let world = Double(1 << block.zoom)
        let center = LatLng(
            lat: WebMercator.latitude(fromY: (Double(block.y) + Double(block.rows) / 2) / world),
            lng: WebMercator.longitude(fromX: (Double(block.x) + Double(block.columns) / 2) / world))
        let (zoom, pixelRatio) = scale(ofZoom: block.zoom)
        let size = PointSize(width: Double(block.columns * side) / pixelRatio, height: Double(block.rows * side) / pixelRatio)
        return (Camera(center: center, zoom: zoom), size, pixelRatio)
    }
}
