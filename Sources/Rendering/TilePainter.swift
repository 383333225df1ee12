import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkSystem

/// Draws tiles on a tilted ground into memory. On a software rasterizer, this takes a third of the time that the tile shader takes, and the
/// samples are the same.
///
/// All ground in a row of pixels has the same depth, so the texel position changes by a constant step along the row. Positions are in whole
/// numbers of 2⁻³² texels. Each pixel belongs to the tile that contains the ground at its center.
struct TilePainter {
    private let camera: GroundCamera
    private let runs: [Run]
    private let regions: [TileRegion?]
    /// The rectangle of the frame's picture to draw, and its upper left in the camera's picture.
    private let rect: PixelRect
    private let origin: (x: Int, y: Int)

    /// The tiles of a command.
    private struct Run {
        var tiles: [PaintedTile]
        var alpha: Float
    }

    /// The number of rows that a thread draws at a time.
    private static let bandRows = 16

    /// - Parameters:
    ///   - commands: The ranges of ground tiles, from the bottommost.
    ///   - regions: The region to show for each ground tile. Those in textures are not drawn.
    ///   - rect: The rectangle of the frame's picture that is drawn.
    init(_ commands: [(range: Range<Int>, alpha: Float)], of frame: Frame, _ regions: [TileRegion?], in rect: PixelRect) {
        camera = frame.ground
        self.regions = regions
        self.rect = rect
        origin = (Int(frame.ground.originX) + rect.x, Int(frame.ground.originY) + rect.y)
        let view = SIMD4(Double(rect.x), Double(rect.y), Double(rect.x + rect.width), Double(rect.y + rect.height))
        runs = commands.map { command in
            Run(
                tiles: command.range.compactMap { index in
                    guard let region = regions[index], frame.tiles[index].mayTouch(view, frame.ground) else { return nil }
                    return PaintedTile(frame.tiles[index], region, frame.ground)
                }, alpha: command.alpha)
        }
    }

    /// Draws over the content of the rectangle.
    /// - Parameters:
    ///   - pixels: The first pixel of the rectangle, whose rows are contiguous.
    ///   - background: A premultiplied color that replaces the content first; nil to keep it.
    ///   - sky: The sky into which the result fades.
    func paint(_ pixels: UnsafeMutablePointer<UInt32>, background: UInt32? = nil, under sky: FrameSky? = nil, threads: Int) {
        let bandCount = (rect.height + Self.bandRows - 1) / Self.bandRows
        func draw(_ band: Int) {
            let rows = band * Self.bandRows..<min((band + 1) * Self.bandRows, rect.height)
            let line = pixels + rows.lowerBound * rect.width
            if let background { line.update(repeating: background, count: rows.count * rect.width) }
            for run in runs { paint(run, rows, line) }
            sky?.fade(line, width: rect.width, height: rows.count, x: origin.x, y: origin.y + rows.lowerBound, .ground)
        }
        withExtendedLifetime(regions) {
            // Unchecked: a band's pixels are drawn only by the call with its number, and everything else is only read.
            nonisolated(unsafe) let draw = draw
            NumberedWork.perform(bandCount, threads: threads) { band, _ in draw(band) }
        }
    }

    private func paint(_ run: Run, _ rows: Range<Int>, _ pixels: UnsafeMutablePointer<UInt32>) {
        let alpha = UInt32((max(0, min(1, run.alpha)) * 65536).rounded())
        SampleWeights.shared.withPointers { weights in
            for row in rows {
                let y = origin.y + row
                guard let line = GroundLine(camera, y), line.isVisible else { continue }
                // As on GPUs, each pair of rows shares the downward sides of its footprints.
                let upper = GroundLine(camera, y & ~1) ?? line
                guard let lower = GroundLine(camera, upper.y + 1) else { continue }
                let output = PixelRow(
                    pixels: pixels + (row - rows.lowerBound) * rect.width, left: origin.x, alpha: alpha, weights: weights)
                for tile in run.tiles where tile.rows.contains(y) {
                    let columns = tile.columns(of: line, among: origin.x..<origin.x + rect.width)
                    guard !columns.isEmpty else { continue }
                    TileLine(tile, line, upper, lower).draw(columns, into: output)
                }
            }
        }
    }
}

/// The ground at the pixel centers of a row of the camera's picture, in pt east and south of the view's center.
private struct GroundLine {
    let y: Int
    /// The ground at column 0.
    let start: SIMD2<Double>
    /// The step from one column to the next.
    let step: SIMD2<Double>
    /// Whether the ground of the row lies between the near and the far limit.
    let isVisible: Bool

    /// Returns nil at and above the horizon.
    init?(_ camera: GroundCamera, _ y: Int) {
        let (tilt, bearing) = (sineAndCosine(degrees: camera.tilt), sineAndCosine(degrees: camera.bearing))
        let below = (Double(y) + 0.5) / camera.pixelRatio - camera.height / 2 - camera.opticalOffsetY
        let distance = camera.distance
        let slope = distance * tilt.cosine + below * tilt.sine
        guard slope > 1e-6 * distance else { return nil }
        // The depth as a multiple of the distance.
        let depth = distance * tilt.cosine / slope
        let up = -below * distance / slope
        let right = (0.5 / camera.pixelRatio - camera.width / 2 - camera.opticalOffsetX) * depth
        self.y = y
        start = SIMD2(right * bearing.cosine + up * bearing.sine, right * bearing.sine - up * bearing.cosine)
        step = SIMD2(bearing.cosine, bearing.sine) * (depth / camera.pixelRatio)
        isVisible = depth * distance > camera.nearDepth && depth * distance < camera.farDepth
    }

    func point(_ column: Int) -> SIMD2<Double> { start + step * Double(column) }
}

/// A ground tile and the texels that it shows.
private struct PaintedTile {
    let sheet: TileSheet
    let first: UnsafePointer<UInt32>
    /// The upper left and the lower right corner in pt.
    let low: SIMD2<Double>
    let high: SIMD2<Double>
    /// The upper left corner in texels of the tile shown, and the number of texels per pt.
    let texel: SIMD2<Double>
    let texelsPerPoint: SIMD2<Double>
    /// The rows of the camera's picture that the tile may touch.
    let rows: Range<Int>

    /// Returns nil if the tile is not in memory or has no area.
    init?(_ tile: GroundTile, _ region: TileRegion, _ camera: GroundCamera) {
        guard case .memory(let memory) = region.storage else { return nil }
        (sheet, first) = (region.sheet, memory.first(ofLayer: region.layer))
        low = SIMD2(Double(tile.west), Double(tile.north))
        high = SIMD2(Double(tile.east), Double(tile.south))
        guard low.x < high.x, low.y < high.y else { return nil }
        let depth = tile.address.zoom - region.address.zoom
        let side = Double(sheet.side) / Double(1 << depth)
        texel = SIMD2(
            Double(tile.address.x - region.address.x << depth) * side, Double(tile.address.y - region.address.y << depth) * side)
        texelsPerPoint = side / (high - low)
        var (top, bottom) = (Double.infinity, -Double.infinity)
        for (x, y) in [(low.x, low.y), (high.x, low.y), (low.x, high.y), (high.x, high.y)] {
            // The tile reaches behind the camera, so it may touch any row.
            guard let point = camera.screenPoint(x: x, y: y) else {
                rows = Int(Int32.min)..<Int(Int32.max)
                return
            }
            (top, bottom) = (min(top, point.y + camera.originY), max(bottom, point.y + camera.originY))
        }
        rows = Self.whole(top) - 1..<Self.whole(bottom) + 2
    }

    static func whole(_ value: Double) -> Int { Int(max(-0x1p30, min(0x1p30, value.rounded(.down)))) }

    /// The columns of a row whose pixel centers the tile contains.
    func columns(of line: GroundLine, among columns: Range<Int>) -> Range<Int> {
        var (begin, end) = (columns.lowerBound, columns.upperBound)
        for axis in 0..<2 {
            let (start, step) = (line.start[axis], line.step[axis])
            if step == 0 {
                if start < low[axis] || start >= high[axis] { return begin..<begin }
                continue
            }
            // A tile begins at the same column at which the previous one ends, because both compute it from the same line.
            let (from, to) = ((low[axis] - start) / step, (high[axis] - start) / step)
            begin = max(begin, Self.whole(step > 0 ? -((-from).rounded(.down)) : to.rounded(.down) + 1))
            end = min(end, Self.whole(step > 0 ? -((-to).rounded(.down)) : from.rounded(.down) + 1))
        }
        return begin < end ? begin..<end : begin..<begin
    }
}

/// The destination of a row's pixels, and the values that apply to all of them.
private struct PixelRow {
    let pixels: UnsafeMutablePointer<UInt32>
    /// The column of the first pixel.
    let left: Int
    /// The opacity times 65,536.
    let alpha: UInt32
    let weights: SampleWeights.Pointers
}

/// A tile in a row of pixels. Its samples are those of the tiles' shader.
private struct TileLine {
    private let tile: PaintedTile
    /// The texel at column 0, and the step from one column to the next.
    private let start: SIMD2<Double>
    private let step: SIMD2<Double>
    /// The downward side of the footprint at column 0, in texels, and its change from one column to the next. The other side is `step`.
    private let down: SIMD2<Double>
    private let downStep: SIMD2<Double>
    /// The column with the shortest downward side. The sides grow with the distance from it.
    private let middle: Int

    /// The number of columns after which the samples are chosen again.
    private static let stride = 64

    /// How a pixel is sampled.
    private struct Choice: Equatable {
        var level: Int
        var count: Int
        /// Whether the samples lie along the rightward side of the footprint.
        var isAcross: Bool
        /// The distance from one sample to the next, as a fraction of the side.
        var spacing: Double
    }

    init(_ tile: PaintedTile, _ line: GroundLine, _ upper: GroundLine, _ lower: GroundLine) {
        self.tile = tile
        start = tile.texel + (line.start - tile.low) * tile.texelsPerPoint
        step = line.step * tile.texelsPerPoint
        down = (lower.start - upper.start) * tile.texelsPerPoint
        downStep = (lower.step - upper.step) * tile.texelsPerPoint
        let change = (downStep * downStep).sum()
        middle = change > 0 ? PaintedTile.whole(-(down * downStep).sum() / change) : 0
    }

    func draw(_ columns: Range<Int>, into row: PixelRow) {
        // Columns are counted in the camera's picture, so that a part of the picture has the same pixels as the whole.
        var column = columns.lowerBound
        var place = column & ~(Self.stride - 1)
        var choice = choice(at: place)
        while column < columns.upperBound {
            let next = place + Self.stride
            let end = min(next, columns.upperBound)
            let following = self.choice(at: next)
            let isEven = choice == following && (!(place..<next).contains(middle) || choice == self.choice(at: middle))
            while column < end {
                let current = isEven ? choice : self.choice(at: column)
                let last = isEven ? end : self.end(of: current, column..<end)
                draw(column..<last, current, from: place, into: row)
                column = last
            }
            (place, choice) = (next, following)
        }
    }

    /// The end of the columns that are sampled like the first column of a range.
    private func end(of choice: Choice, _ columns: Range<Int>) -> Int {
        // On either side of the middle, choices change in one direction.
        var (same, other) = (columns.lowerBound, middle > columns.lowerBound ? min(middle, columns.upperBound) : columns.upperBound)
        while other - same > 1 {
            let half = (same + other) / 2
            if self.choice(at: half) == choice { same = half } else { other = half }
        }
        return other
    }

    private func choice(at column: Int) -> Choice {
        let down = self.down + downStep * Double(column)
        let (across, along) = ((step * step).sum(), (down * down).sum())
        let square = max(across, along, 1e-20)
        let area = step.x * down.y - step.y * down.x
        let covered = max(area * area / square, square / 64)
        // Half of the binary logarithm, rounded down.
        let level = max(0, min(tile.sheet.levels - 1, (Int(truncatingIfNeeded: (2 * covered).bitPattern >> 52 & 2047) - 1023) >> 1))
        let longest = square.squareRoot() / Double(1 << level)
        let count = max(1, min(8, (0.8 * longest - 0.02).rounded(.up)))
        return Choice(level: level, count: Int(count), isAcross: along < across, spacing: 1 / max(count, 0.7 * longest))
    }

    /// - Parameter place: The column from which positions are counted.
    private func draw(_ columns: Range<Int>, _ choice: Choice, from place: Int, into row: PixelRow) {
        let (sheet, scale) = (tile.sheet, 1 / Double(1 << choice.level))
        let corner = sheet.origin(choice.level)
        let side = choice.isAcross ? step : down + downStep * Double(place)
        let gap = side * (scale * choice.spacing)
        let gapStep = choice.isAcross ? .zero : downStep * (scale * choice.spacing)
        let before = 0.5 * Double(choice.count - 1)
        let first = SIMD2(Double(corner.x), Double(corner.y)) + (start + step * Double(place)) * scale - 0.5 - before * gap
        let limit = SIMD2<Double>(repeating: 0x1p24)
        guard all(first .< limit), all(first .> -limit), all(gap .< limit), all(gap .> -limit) else { return }
        let steps = Int64(columns.lowerBound - place)
        var span = SampleSpan(
            sheet: tile.first, width: sheet.width, count: choice.count, position: SIMD2(texels: first) &+ (1 << 23),
            step: SIMD2(texels: step * scale - before * gapStep), gap: SIMD2(texels: gap), gapStep: SIMD2(texels: gapStep))
        span.advance(steps)
        // Samples beyond the margin are taken from its edge. Only rounding errors could cause them.
        let margin = sheet.margin
        let length = sheet.side >> choice.level
        span.low = SIMD2(Int64(corner.x - margin), Int64(corner.y - margin)) &<< 32
        span.high = SIMD2(Int64(corner.x + length + margin - 1), Int64(corner.y + length + margin - 1)) &<< 32 &- 1
        span.draw(columns.count, to: row.pixels + (columns.lowerBound - row.left), row.alpha, row.weights)
    }
}

extension SIMD2<Int64> {
    /// Converts texels to units of 2⁻³².
    fileprivate init(texels: SIMD2<Double>) { self.init(Int64(texels.x * 0x1p32), Int64(texels.y * 0x1p32)) }
}
