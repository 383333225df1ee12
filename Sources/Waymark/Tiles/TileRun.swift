import Foundation
import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkLayout
import WaymarkRendering
import WaymarkScene
import WaymarkTiles

/// Draws a map as tiles.
///
/// A block of tiles is laid out as one large picture, so that captions and icons continue across tiles; captions avoid the block's borders.
/// The block is drawn piece by piece. While one piece is drawn, the previous one is cut into tiles, which are compressed on several
/// threads.
package final class TileRun {
    private let plan: TilePlan
    private let mapView: MapView
    private let renderer: Renderer
    private let spool: TileSpool
    private let format: ImageFormat
    private let encoder: TileEncoder
    /// The piece that is being compressed.
    private var pending: (result: TileEncoder.Result, tiles: [TileAddress], part: Int?)?
    /// A bitmap whose memory the next piece reuses.
    private var spare = Bitmap(width: 0, height: 0)
    private var progress: TileProgress

    /// - Parameters:
    ///   - mapView: The map. The run sets its camera, size and pixel ratio for every block.
    ///   - threadCount: The number of threads that compress tiles.
    package init(
        _ plan: TilePlan, of mapView: MapView, with renderer: Renderer, into spool: TileSpool, as format: ImageFormat,
        options: EncodingOptions, threadCount: Int
    ) {
        self.plan = plan
        self.mapView = mapView
        self.renderer = renderer
        self.spool = spool
        self.format = format
        encoder = TileEncoder(format, options, side: plan.side, threadCount: threadCount)
        progress = TileProgress(total: plan.tileCount)
    }

    /// The approximate number of bytes of the archive's tiles, from sample tiles that are spread evenly over the tiles that may have
    /// content.
    /// - Parameters:
    ///   - storesEqualTilesOnce: Whether the archive contains equal tiles only once.
    ///   - isStopped: Called before each sample; returns true to stop.
    /// - Returns: Nil if the estimate was stopped.
    package func estimatedBytes(storesEqualTilesOnce: Bool, isStopped: () -> Bool = { false }) throws -> Int? {
        mapView.continuesBeyondEdges = true
        mapView.showsAttribution = false
        var zooms: [ShownTiles] = []
        for zoom in plan.zooms {
            guard let shown = try shownTiles(ofZoom: zoom, isStopped: isStopped) else { return nil }
            zooms.append(shown)
        }
        mapView.captionsAvoidEdges = false
        let total = zooms.reduce(0) { $0 + $1.count }
        let count = min(Self.mostSamples, Int((total / Self.tilesPerSample).rounded(.up)))
        // For each content, whether it is repeated, and the number of tiles that the samples stand for.
        var samples: [[UInt8]: (isRepeated: Bool, tiles: Double)] = [:]
        func add(_ tile: TileAddress, standingFor tiles: Double, areEqual: Bool = false) throws {
            let map = try layOut(TilePlan.Block(zoom: tile.zoom, x: tile.x, y: tile.y, columns: 1, rows: 1, firstPart: 0))
            _ = try draw(map, [tile], part: nil)
            for case let content? in try takeContents()?.contents ?? [] {
                let known = samples[content]
                samples[content] = (areEqual || known != nil, (known?.tiles ?? 0) + tiles)
            }
        }
        for index in 0..<count {
            if isStopped() { return nil }
            var place = (Double(index) + 0.5) * total / Double(count)
            let chosen = zooms.first { zoom in
                place -= zoom.count
                return place < 0
            }
            guard let zoom = chosen else { break }
            try add(zoom.tile(at: 1 + place / zoom.count, in: plan), standingFor: total / Double(count))
        }
        // The other tiles show the background, and are left out unless it is opaque.
        if let empty = zooms.lazy.compactMap(\.empty).first { try add(empty, standingFor: Double(plan.tileCount) - total, areEqual: true) }
        let bytes = samples.reduce(0.0) { bytes, sample in
            bytes + Double(sample.key.count) * (storesEqualTilesOnce && sample.value.isRepeated ? 1 : sample.value.tiles)
        }
        return Int(bytes)
    }

    /// Draws all tiles that the spool lacks.
    /// - Parameters:
    ///   - report: Called after every piece with the progress; returns false to stop.
    ///   - diagnose: Called with the diagnostics of a block; throws to stop.
    /// - Returns: Whether all tiles are done.
    /// - Throws: `TileRunError`, and the errors of `diagnose`.
    package func draw(
        report: (TileProgress) -> Bool, diagnose: ([Diagnostic]) throws -> Void
    ) throws -> Bool {
        mapView.captionsAvoidEdges = true
        mapView.continuesBeyondEdges = true
        mapView.showsAttribution = false
        for zoom in plan.zooms {
            progress.zoom = zoom
            for block in plan.blocks(ofZoom: zoom) {
                let rows = (0..<block.rows).filter { !spool.finishedParts.contains(block.part(row: $0)) }
                progress.skipped += (block.rows - rows.count) * block.columns
                guard !rows.isEmpty else { continue }
                let map = try layOut(block)
                try diagnose(map.diagnostics)
                guard try draw(block, rows, map, report, diagnose) else { return false }
            }
        }
        try takePending()
        return report(progress)
    }
}

private extension TileRun {
    /// The maximum number of pixels in a piece: large enough to draw efficiently, small enough that a few fit in memory.
    static let piecePixels = 4 << 20

    /// The maximum number of samples in an estimate, and the number of tiles per sample in a small plan. They keep estimates fast.
    static let (mostSamples, tilesPerSample) = (32, 2.0)
    /// The maximum number of blocks that an estimate lays out.
    static let mostEstimatedBlocks = 64

    /// Finds the tiles of a zoom that may have content. If the zoom has many blocks, only some of them are laid out. Nil if the search
    /// was stopped.
    func shownTiles(ofZoom zoom: Int, isStopped: () -> Bool) throws -> ShownTiles? {
        var shown = ShownTiles(zoom: zoom, count: Double(plan.tileCount(ofZoom: zoom)))
        // A base map is visible everywhere.
        guard mapView.baseMap.isEmpty else { return shown }
        mapView.captionsAvoidEdges = true
        let blocks = plan.blocks(ofZoom: zoom)
        let count = min(blocks.count, max(1, Self.mostEstimatedBlocks / plan.zooms.count))
        var tiles: [TileAddress] = []
        var tileCount = 0
        for index in 0..<count {
            if isStopped() { return nil }
            let block = blocks[(2 * index + 1) * blocks.count / (2 * count)]
            tileCount += block.columns * block.rows
            for (number, isCovered) in TileCoverage(try layOut(block).frame, side: plan.side).isCovered.enumerated() {
                let tile = block.address(column: number % block.columns, row: number / block.columns)
                if isCovered { tiles.append(tile) } else { shown.empty = shown.empty ?? tile }
            }
        }
        shown.count *= Double(tiles.count) / Double(tileCount)
        shown.tiles = tiles
        return shown
    }

    func layOut(_ block: TilePlan.Block) throws -> MapFrame {
        let view = plan.view(of: block)
        mapView.camera = view.camera
        mapView.size = CGSize(width: view.size.width, height: view.size.height)
        mapView.pixelRatio = view.pixelRatio
        do throws(RenderError) { return try MapFrame(mapView, tileTimeout: renderer.tileTimeout) } catch {
            throw TileRunError.drawing(error)
        }
    }

    /// Draws some rows of a block.
    func draw(
        _ block: TilePlan.Block, _ rows: [Int], _ map: MapFrame, _ report: (TileProgress) -> Bool,
        _ diagnose: ([Diagnostic]) throws -> Void
    ) throws -> Bool {
        let columns = max(1, min(block.columns, Self.piecePixels / (plan.side * plan.side)))
        for row in rows {
            let strip = map.cropped(to: PixelRect(x: 0, y: row * plan.side, width: map.width, height: plan.side))
            for column in stride(from: 0, to: block.columns, by: columns) {
                let count = min(columns, block.columns - column)
                let tiles = (0..<count).map { block.address(column: column + $0, row: row) }
                let piece = strip.cropped(to: PixelRect(x: column * plan.side, y: 0, width: count * plan.side, height: plan.side))
                let isLast = column + count == block.columns
                try diagnose(draw(piece, tiles, part: isLast ? block.part(row: row) : nil))
                guard report(progress) else {
                    try takePending()
                    return false
                }
            }
        }
        return true
    }

    /// - Returns: The diagnostics of drawing.
    func draw(_ piece: consuming MapFrame, _ tiles: [TileAddress], part: Int?) throws -> [Diagnostic] {
        // Empty pictures need no drawing.
        if piece.frame.commands.isEmpty {
            let tile = Bitmap(width: plan.side, height: plan.side, fill: piece.frame.background)
            try takePending()
            pending = (encoder.begin(tile, copies: tiles.count), tiles, part)
            return []
        }
        var bitmap = exchange(&spare, with: Bitmap(width: 0, height: 0))
        let found: [Diagnostic]
        do throws(RenderError) {
            found = try renderer.draw(piece) { (frame: consuming Frame, number, waited) throws(GPUError) in
                try renderer.frames.render(frame, into: &bitmap, picture: number, waited: waited)
            }
        } catch {
            throw TileRunError.drawing(error)
        }
        try takePending()
        pending = (encoder.begin(bitmap), tiles, part)
        return found
    }

    /// Waits for the piece that is being compressed. Returns its tiles with their contents; nil without such a piece.
    func takeContents() throws -> (tiles: [TileAddress], contents: [[UInt8]?], part: Int?)? {
        guard let (result, tiles, part) = pending else { return nil }
        pending = nil
        let contents: [[UInt8]?]
        do throws(ImagingError) { contents = try result.wait() } catch { throw TileRunError.encoding(error) }
        spare = result.takeBitmap()
        return (tiles, contents, part)
    }

    /// Adds the tiles of the piece that is being compressed to the spool.
    func takePending() throws {
        guard let (tiles, contents, part) = try takeContents() else { return }
        do throws(TileError) {
            for (tile, content) in zip(tiles, contents) {
                guard let content else {
                    progress.empty += 1
                    continue
                }
                try spool.add(content, at: tile)
            }
            if let part { try spool.finish(part: part) }
        } catch {
            throw TileRunError.archive(error)
        }
        progress.drawn += tiles.count
    }
}

extension MapFrame {
    /// A part of the picture, in device pixels.
    fileprivate func cropped(to rect: PixelRect) -> MapFrame {
        var piece = self
        piece.frame = frame.cropped(to: rect)
        return piece
    }
}

/// The tiles of a zoom in which something may be visible.
private struct ShownTiles {
    let zoom: Int
    /// The approximate number of these tiles.
    var count: Double
    /// Some of these tiles; nil if something is visible in all tiles of the zoom.
    var tiles: [TileAddress]?
    /// A tile in which nothing is visible, if one is known.
    var empty: TileAddress?

    /// One of the tiles. There must be at least one tile.
    /// - Parameter place: 0 for the first tile, up to 1 for the last tile.
    func tile(at place: Double, in plan: TilePlan) -> TileAddress {
        let count = tiles?.count ?? plan.tileCount(ofZoom: zoom)
        let number = min(Int(place * Double(count)), count - 1)
        return tiles?[number] ?? plan.tile(number, ofZoom: zoom)
    }
}

/// The progress of a run.
package struct TileProgress: Equatable, Sendable {
    /// The zoom that is being drawn.
    package var zoom = 0
    /// The number of all tiles of the run.
    package let total: Int
    /// Tiles finished by an earlier run.
    package var skipped = 0
    /// Tiles finished by this run, including empty ones.
    package var drawn = 0
    /// Tiles in which nothing is visible, which are left out.
    package var empty = 0
}

/// The reason why tiles cannot be drawn.
package enum TileRunError: Error {
    case drawing(RenderError)
    case encoding(ImagingError)
    case archive(TileError)
}
