import WaymarkGeo
import WaymarkLayout
import WaymarkScene
import WaymarkTiles

/// The tiles of a map and their order: zoom by zoom, within a zoom block by block, and within a block row by row. A block is laid out as
/// one picture. A new plan has the tiles of the whole world.
package struct TilePlan: Equatable, Sendable {
    package let zooms: ClosedRange<Int>
    /// The side in pt at which a tile is shown: 256 or 512.
    package let tileSize: Int
    /// Pixels per pt.
    package let pixelRatio: Double
    /// The side of a tile in pixels.
    package let side: Int

    /// The zooms that can be drawn. Zoom 16 already has 4 billion tiles.
    package static let zoomRange = 0...16

    /// The maximum width of a block in pixels. One layout places the captions of a block, so larger blocks leave fewer borders to avoid.
    private let mostWidth: Int
    private let mostHeight: Int
    /// The tiles of each zoom.
    package private(set) var ranges: [TileRange]
    /// The bounds of the tiles for the archive's metadata. They overlap all tiles.
    package private(set) var bounds = TileBounds.world

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
                problem: "\(plain(pixelRatio)) makes tiles of \(side) pixels per side, but the side must be a power of two up to 2048")
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
        ranges = zooms.map { TileRange(WorldBox(.world), zoom: $0) }
    }

    /// Tiles that are laid out together.
    package struct Block: Equatable, Sendable {
        package var zoom: Int
        /// The column of the tile in the upper left corner. The columns of a block that crosses ±180° continue beyond the last column.
        package var x: Int
        package var y: Int
        package var columns: Int
        package var rows: Int
        /// The number of the block's first row among all rows of all blocks. The block's other rows follow.
        package var firstPart: Int

        package func part(row: Int) -> Int { firstPart + row }

        /// The address of a tile of the block.
        package func address(column: Int, row: Int) -> TileAddress {
            TileAddress(zoom: zoom, x: (x + column) & (1 << zoom - 1), y: y + row)
        }
    }
}

extension TilePlan {
    /// Leaves out the tiles outside the given bounds.
    package mutating func restrict(to bounds: TileBounds) {
        self.bounds = bounds
        ranges = zooms.map { TileRange(WorldBox(bounds), zoom: $0).wrapped(zoom: $0) }
    }

    /// Leaves out the tiles in which no overlay is visible: all tiles farther than `overlayMargin` from all overlays that a fitted camera
    /// shows.
    /// - Returns: Whether there are such overlays; if not, nothing is left out.
    package mutating func restrict(toOverlaysOf mapView: MapView) throws(PropertyError) -> Bool {
        guard var extent = try Composer.of(mapView).extent(of: mapView, withInfoWindow: true, pixelRatio: pixelRatio) else { return false }
        var (ranges, boxes): ([TileRange], [WorldBox]) = ([], [])
        for zoom in zooms {
            let (columns, rows) = blockSize(zoom)
            let view = view(of: Block(zoom: zoom, x: 0, y: 0, columns: columns, rows: rows, firstPart: 0))
            let box = try extent.worldBox(zoom: view.camera.zoom, size: view.size, pixelRatio: view.pixelRatio)
            let margin = Self.overlayMargin / (Double(tileSize) * Double(1 << zoom))
            ranges.append(TileRange(box.extended(by: margin), zoom: zoom))
            boxes.append(box)
        }
        // At the highest zoom, icons and captions cover the least ground.
        guard var all = boxes.last else { return false }
        for (zoom, range) in zip(zooms, ranges) { range.extend(&all, zoom: zoom) }
        (self.ranges, bounds) = (zip(zooms, ranges).map { $1.wrapped(zoom: $0) }, all.bounds)
        return true
    }

    /// The distance in pt up to which tiles around the overlays are drawn, because clusters, and captions at a placement other than their
    /// first, may extend beyond the area that a fitted camera shows.
    private static let overlayMargin = 128.0

    /// The number of all tiles.
    package var tileCount: Int { ranges.reduce(0) { $0 + $1.count } }

    /// The number of tiles of a zoom.
    func tileCount(ofZoom zoom: Int) -> Int { ranges[zoom - zooms.lowerBound].count }

    /// The tile with a number from 0 to `tileCount` - 1, counted zoom by zoom and row by row.
    package func tile(_ number: Int) -> TileAddress {
        var rest = number
        for zoom in zooms {
            if rest < tileCount(ofZoom: zoom) { return tile(rest, ofZoom: zoom) }
            rest -= tileCount(ofZoom: zoom)
        }
        preconditionFailure("there are only \(tileCount) tiles")
    }

    /// The tile of a zoom with a number from 0 to `tileCount(ofZoom:)` - 1, counted row by row.
    func tile(_ number: Int, ofZoom zoom: Int) -> TileAddress {
        let range = ranges[zoom - zooms.lowerBound]
        let (row, column) = number.quotientAndRemainder(dividingBy: range.columns.count)
        return TileAddress(zoom: zoom, x: (range.columns.lowerBound + column) & (1 << zoom - 1), y: range.rows.lowerBound + row)
    }

    /// The blocks of a zoom, row by row.
    package func blocks(ofZoom zoom: Int) -> [Block] {
        let (columns, rows) = blockSize(zoom)
        let range = ranges[zoom - zooms.lowerBound]
        var part = zooms.prefix { $0 < zoom }.reduce(0) { $0 + partCount($1) }
        var blocks: [Block] = []
        for y in stride(from: range.rows.lowerBound, to: range.rows.upperBound, by: rows) {
            for x in stride(from: range.columns.lowerBound, to: range.columns.upperBound, by: columns) {
                let block = Block(
                    zoom: zoom, x: x, y: y, columns: min(columns, range.columns.upperBound - x), rows: min(rows, range.rows.upperBound - y),
                    firstPart: part)
                blocks.append(block)
                part += block.rows
            }
        }
        return blocks
    }

    /// The largest number of columns and rows of a zoom's blocks, both powers of two.
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
        let range = ranges[zoom - zooms.lowerBound]
        let columns = blockSize(zoom).columns
        return range.rows.count * ((range.columns.count + columns - 1) / columns)
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
