/// A run of paths and the target pixels: the data shared by all bands.
struct PaintedRun {
    let points: UnsafeBufferPointer<PathPoint>
    let chunks: UnsafeBufferPointer<EdgeChunk>
    let layers: [CoverageLayer]
    let outlines: UnsafeBufferPointer<PathOutline>
    let runs: [FillRun]
    let shades: [PathShade]
    let shadeChunks: [ShadeChunk]
    let pixels: UnsafeMutablePointer<UInt32>
    let stride: Int
    let left: Int
    let top: Int
}

/// Draws bands of rows on one thread.
final class BandPainter {
    private var cells = CoverageCells(width: 0, capacity: 0)
    /// The pixels of the group being drawn; one row for each row of cells.
    private var group: [UInt32] = []
    /// The largest coverage among the parts of one path.
    private let largest = LargestCoverage()
    /// The coverage of an inlay, in the same layout.
    private var inlaid: [UInt8] = []
    /// The colors of a path with shades, in the same layout.
    private var shaded: [UInt32] = []
    /// The sum of the areas of the pieces of one fill, in the same layout.
    private var areas: [Int64] = []
    /// The coverage of the current run of fills so far.
    private let covered = RunCoverage()
    /// The blocks in which further paths of the last path's color change nothing.
    private var finished = FinishedBlocks()

    /// Makes room for bands of the given size. The memory serves runs of any width.
    func prepare(width: Int, rows: Int, hasRuns: Bool) {
        if hasRuns { covered.prepare(width: width, rows: rows) }
        if !cells.reshape(width: width, rows: rows) { cells = CoverageCells(width: width, capacity: rows) }
    }

    func draw(_ run: PaintedRun, rows: Range<Int>) {
        var index = 0
        // The number of the current run of fills; 0 for none.
        var current = 0
        while index < run.outlines.count {
            var end = index + 1
            while end < run.outlines.count, run.outlines[end].isGrouped { end += 1 }
            let first = run.outlines[index]
            if end == index + 1, !first.touches(rows) {
                index = end
                continue
            }
            if first.run != current {
                current = first.run
                if current > 0 { begin(run.runs[current - 1], run, rows) }
            }
            if first.beginsGroup {
                finished.end()
                drawGroup(run, index..<end, rows)
            } else {
                var rest = index
                while rest < end, run.outlines[rest].isFill { rest += 1 }
                if rest > index { fill(index..<rest, run, rows) }
                let start = run.pixels + (rows.lowerBound - run.top) * run.stride
                let isPlain = end == index + 1 && first.run == 0 && first.isOpaque && first.shades.isEmpty
                if isPlain { finished.begin(UInt32(premultiplied: first.path.color)) } else { finished.end() }
                draw(rest..<end, run, rows, into: start, stride: run.stride, isGroup: false)
                if isPlain { finished.note(start, stride: run.stride, width: cells.width, rows: rows.count) }
            }
            index = end
        }
        finished.end()
    }

    /// Begins a run of fills.
    private func begin(_ fills: FillRun, _ run: PaintedRun, _ rows: Range<Int>) {
        let top = max(rows.lowerBound, Int(fills.low.y.rounded(.down))) - rows.lowerBound
        let bottom = min(rows.upperBound, Int(fills.high.y.rounded(.up))) - rows.lowerBound
        let left = max(0, Int(fills.low.x.rounded(.down)) - run.left)
        let right = min(cells.width, Int(fills.high.x.rounded(.up)) + 1 - run.left)
        covered.begin(top..<max(top, bottom), columns: left..<max(left, right))
    }

    /// Draws a fill of a run.
    private func fill(_ range: Range<Int>, _ run: PaintedRun, _ rows: Range<Int>) {
        guard let lines = covered.lines else { return }
        let outline = run.outlines[range.lowerBound]
        let blending = PixelBlending(outline.path.color)
        let pixels = run.pixels + (rows.lowerBound - run.top) * run.stride
        let stride = run.stride
        guard range.count > 1 || outline.layers.count > 1 else {
            guard outline.touches(rows) else { return }
            let touched = fill(run.layers[outline.layers.lowerBound], run, rows)
            cells.sweepAreas(touched.rows, columns: touched.columns, rule: outline.path.rule) { row, start, end, area in
                lines.fill(row, start, end, area: area, blending, pixels + row * stride)
            }
            return
        }
        addAreas(run.outlines[range], run, rows) { row, start, end, area in
            lines.fill(row, start, end, area: area, blending, pixels + row * stride)
        }
    }

    /// Calls `body` with the spans that the pieces of a fill cover, each pixel with the sum of its areas.
    private func addAreas(
        _ outlines: Slice<UnsafeBufferPointer<PathOutline>>, _ run: PaintedRun, _ rows: Range<Int>,
        _ body: (_ row: Int, _ start: Int, _ end: Int, _ area: Int64) -> Void
    ) {
        let width = cells.width
        if areas.count < width * rows.count { areas = [Int64](repeating: 0, count: width * rows.count) }
        var areas = areas
        self.areas = []
        areas.withUnsafeMutableBufferPointer { buffer in
            guard let sums = buffer.baseAddress else { return }
            for outline in outlines where outline.touches(rows) {
                for layer in run.layers[outline.layers] where layer.touches(rows) {
                    let touched = fill(layer, run, rows)
                    cells.sweepAreas(touched.rows, columns: touched.columns, rule: outline.path.rule) { row, start, end, area in
                        let line = sums + row * width
                        for index in start..<end { line[index] = min(line[index] + area, CoverageCells.full) }
                    }
                }
            }
            for outline in outlines {
                // Each outline clears its own cells, so overlapping boxes draw nothing twice.
                drawn(outline, run, rows) { row, left, right in
                    let line = sums + row * width
                    var index = left
                    while index < right {
                        let (start, area) = (index, line[index])
                        index += 1
                        while index < right, line[index] == area { index += 1 }
                        if area != 0 { body(row, start, index, area) }
                    }
                    (line + left).update(repeating: 0, count: right - left)
                }
            }
        }
        self.areas = areas
    }

    /// Draws the paths of a group.
    private func draw(
        _ range: Range<Int>, _ run: PaintedRun, _ rows: Range<Int>, into pixels: UnsafeMutablePointer<UInt32>, stride: Int, isGroup: Bool
    ) {
        var index = range.lowerBound
        while index < range.upperBound {
            let outline = run.outlines[index]
            let isKnockout = isGroup && index > range.lowerBound
            if outline.hasInlay, run.outlines[index + 1].touches(rows) {
                let lines = outline.run > 0 && !isGroup ? covered.lines : nil
                draw(outline, inlay: run.outlines[index + 1], run, rows, into: pixels, stride: stride, isKnockout: isKnockout, lines)
            } else if outline.touches(rows) {
                draw(outline, run, rows, into: pixels, stride: stride, isKnockout: isKnockout)
            }
            index += outline.hasInlay ? 2 : 1
        }
    }

    /// Draws a path and its inlay: each pixel gets both colors in proportion to their coverage.
    /// - Parameter lines: The coverage of the run to which they belong, if any.
    private func draw(
        _ outline: PathOutline, inlay: PathOutline, _ run: PaintedRun, _ rows: Range<Int>,
        into pixels: UnsafeMutablePointer<UInt32>, stride: Int, isKnockout: Bool, _ lines: RunCoverage.Lines?
    ) {
        let width = cells.width
        if inlaid.count < width * rows.count { inlaid = [UInt8](repeating: 0, count: width * rows.count) }
        var inlaid = inlaid
        self.inlaid = []
        inlaid.withUnsafeMutableBufferPointer { buffer in
            guard let bytes = buffer.baseAddress else { return }
            drawLargest(inlay, run, rows) { row, start, end, coverage in
                (bytes + row * width + start).update(repeating: UInt8(truncatingIfNeeded: coverage), count: end - start)
            }
            let (base, piece) = (PixelBlending(outline.path.color), PixelBlending(inlay.path.color))
            let colors = shade(outline, run, rows)
            drawLargest(outline, run, rows) { row, start, end, coverage in
                let line = bytes + row * width
                var index = start
                while index < end {
                    let (first, share) = (index, line[index])
                    index += 1
                    while index < end, line[index] == share { index += 1 }
                    let pixel = pixels + row * stride + first
                    let inlaid = min(UInt32(share), coverage)
                    guard !outline.shades.isEmpty else {
                        base.lay(coverage, with: piece, inlaid, over: pixel, count: index - first, isKnockout)
                        continue
                    }
                    for column in first..<index {
                        PixelBlending(pixel: shadeColor(colors, row, column, width, outline, run, rows))
                            .lay(coverage, with: piece, inlaid, over: pixel + column - first, count: 1, isKnockout)
                    }
                }
                lines?.forget(row, start, end)
            }
            drawn(inlay, run, rows) { row, start, end in (bytes + row * width + start).update(repeating: 0, count: end - start) }
            if !colors.isEmpty { shaded = colors }
        }
        self.inlaid = inlaid
    }

    /// Calls `body` with the columns of each row that are within an outline's box.
    private func drawn(
        _ outline: PathOutline, _ run: PaintedRun, _ rows: Range<Int>, _ body: (_ row: Int, _ start: Int, _ end: Int) -> Void
    ) {
        let first = max(rows.lowerBound, Int(outline.low.y.rounded(.down))) - rows.lowerBound
        let last = min(rows.upperBound, Int(outline.high.y.rounded(.up))) - rows.lowerBound
        let left = max(0, outline.columns.lowerBound - run.left)
        let right = min(cells.width, outline.columns.upperBound - run.left)
        guard first < last, left < right else { return }
        for row in first..<last { body(row, left, right) }
    }

    private func draw(
        _ outline: PathOutline, _ run: PaintedRun, _ rows: Range<Int>, into pixels: UnsafeMutablePointer<UInt32>, stride: Int,
        isKnockout: Bool
    ) {
        let blending = PixelBlending(outline.path.color)
        // The coverage of the run of fills to which the outline belongs.
        let lines = outline.run > 0 && !outline.beginsGroup && !isKnockout ? covered.lines : nil
        guard outline.shades.isEmpty else {
            drawShaded(outline, run, rows, into: pixels, stride: stride, isKnockout: isKnockout, lines)
            return
        }
        guard outline.layers.count == 1 else {
            drawLargest(outline, run, rows) { row, start, end, coverage in
                let line = pixels + row * stride
                if isKnockout {
                    blending.put(coverage, inPlaceOf: line + start, count: end - start)
                } else {
                    blending.lay(coverage, over: line + start, count: end - start)
                    lines?.outline(row, start, end, coverage, blending.color, line)
                }
            }
            return
        }
        let touched = fill(run.layers[outline.layers.lowerBound], run, rows)
        if isKnockout {
            cells.sweep(touched.rows, columns: touched.columns, rule: outline.path.rule) { row, start, end, coverage in
                blending.put(coverage, inPlaceOf: pixels + row * stride + start, count: end - start)
            }
        } else if let lines {
            cells.sweep(touched.rows, columns: touched.columns, rule: outline.path.rule) { row, start, end, coverage in
                let line = pixels + row * stride
                blending.lay(coverage, over: line + start, count: end - start)
                lines.outline(row, start, end, coverage, blending.color, line)
            }
        } else {
            cells.sweep(touched.rows, columns: touched.columns, rule: outline.path.rule) { row, start, end, coverage in
                blending.lay(coverage, over: pixels + row * stride + start, count: end - start)
            }
        }
    }

    /// Draws a path with shades, pixel by pixel.
    private func drawShaded(
        _ outline: PathOutline, _ run: PaintedRun, _ rows: Range<Int>, into pixels: UnsafeMutablePointer<UInt32>, stride: Int,
        isKnockout: Bool, _ lines: RunCoverage.Lines?
    ) {
        let (colors, width) = (shade(outline, run, rows), cells.width)
        colors.withUnsafeBufferPointer { known in
            func draw(_ row: Int, _ start: Int, _ end: Int, _ coverage: UInt32) {
                let line = pixels + row * stride
                for column in start..<end {
                    var color = known[row * width + column]
                    if color == Self.unreached { color = shadeColor(colors, row, column, width, outline, run, rows) }
                    let blending = PixelBlending(pixel: color)
                    if isKnockout {
                        blending.put(coverage, inPlaceOf: line + column, count: 1)
                    } else {
                        blending.lay(coverage, over: line + column, count: 1)
                        lines?.outline(row, column, column + 1, coverage, blending.color, line)
                    }
                }
            }
            if outline.layers.count == 1 {
                let touched = fill(run.layers[outline.layers.lowerBound], run, rows)
                cells.sweep(touched.rows, columns: touched.columns, rule: outline.path.rule, draw)
            } else {
                drawLargest(outline, run, rows, draw)
            }
        }
        shaded = colors
    }

    /// A value that no premultiplied pixel has. It marks pixels that no shade reaches.
    private static let unreached: UInt32 = UInt32(littleEndian: 0x00FF_FFFF)

    /// The color of a pixel of a path with shades. A pixel at the edge of the path that no shade reaches has the color of the nearest pixel
    /// in its row or, without one, of the nearer end of the path.
    /// - Parameter width: The number of pixels in a row of the colors.
    private func shadeColor(
        _ colors: [UInt32], _ row: Int, _ column: Int, _ width: Int, _ outline: PathOutline, _ run: PaintedRun, _ rows: Range<Int>
    ) -> UInt32 {
        let line = row * width
        guard colors[line + column] == Self.unreached else { return colors[line + column] }
        let columns = max(0, outline.columns.lowerBound - run.left)..<min(width, outline.columns.upperBound - run.left)
        for distance in 1..<max(2, columns.count) {
            for other in [column - distance, column + distance] where columns.contains(other) && colors[line + other] != Self.unreached {
                return colors[line + other]
            }
        }
        let chunks = run.shadeChunks[outline.shades]
        guard let first = chunks.first?.shades.lowerBound, let last = chunks.last?.shades.upperBound else { return 0 }
        let place = PathPoint(Float(run.left + column) + 0.5, Float(rows.lowerBound + row) + 0.5)
        let (toStart, toEnd) = (run.shades[first].start - place, run.shades[last - 1].end - place)
        return (toStart * toStart).sum() <= (toEnd * toEnd).sum() ? run.shades[first].startColor : run.shades[last - 1].endColor
    }

    /// The colors of a path with shades, one for each pixel of the band; empty for a path of one color.
    private func shade(_ outline: PathOutline, _ run: PaintedRun, _ rows: Range<Int>) -> [UInt32] {
        guard !outline.shades.isEmpty else { return [] }
        let width = cells.width
        if shaded.count < width * rows.count { shaded = [UInt32](repeating: 0, count: width * rows.count) }
        var colors = shaded
        shaded = []
        colors.withUnsafeMutableBufferPointer { buffer in
            guard let pixels = buffer.baseAddress else { return }
            drawn(outline, run, rows) { row, start, end in
                (pixels + row * width + start).update(repeating: Self.unreached, count: end - start)
            }
            let (top, bottom) = (Float(rows.lowerBound), Float(rows.upperBound))
            for chunk in run.shadeChunks[outline.shades] where chunk.top < bottom && chunk.bottom > top {
                for shade in run.shades[chunk.shades] { shade.paint(rows: rows, left: run.left, width: width, into: pixels) }
            }
        }
        return colors
    }

    /// Accumulates a layer's edges.
    /// - Returns: The rows of the band and the columns that they touch.
    private func fill(_ layer: CoverageLayer, _ run: PaintedRun, _ rows: Range<Int>) -> (rows: Range<Int>, columns: Range<Int>) {
        let (top, bottom) = (Float(rows.lowerBound), Float(rows.upperBound))
        for chunk in run.chunks[layer.chunks] where chunk.top < bottom && chunk.bottom > top {
            // Only a whole contour can be left out.
            if finished.isAny, chunk.end == chunk.points.lowerBound,
                finished.hold(run.points[chunk.points], top: top, bottom: bottom, left: run.left)
            {
                continue
            }
            var from = run.points[chunk.points.lowerBound]
            for index in chunk.points.lowerBound + 1..<chunk.points.upperBound {
                let to = run.points[index]
                cells.add(from, to, rows: rows, left: run.left)
                from = to
            }
            cells.add(from, run.points[chunk.end], rows: rows, left: run.left)
        }
        let first = max(rows.lowerBound, Int(layer.low.y.rounded(.down)))
        let last = max(first, min(rows.upperBound, Int(layer.high.y.rounded(.up))))
        let columns = cells.takeColumns()
        return columns.isEmpty ? (0..<0, columns) : (first - rows.lowerBound..<last - rows.lowerBound, columns)
    }

    /// Calls `body` with the spans that a path of several layers covers, each pixel with the largest of its coverages.
    private func drawLargest(
        _ outline: PathOutline, _ run: PaintedRun, _ rows: Range<Int>,
        _ body: (_ row: Int, _ start: Int, _ end: Int, _ coverage: UInt32) -> Void
    ) {
        let lines = largest.lines(width: cells.width, rows: rows.count)
        var (top, bottom, left, right) = (rows.count, 0, cells.width, 0)
        for layer in run.layers[outline.layers] where layer.touches(rows) {
            let touched = fill(layer, run, rows)
            guard !touched.rows.isEmpty else { continue }
            (top, bottom) = (min(top, touched.rows.lowerBound), max(bottom, touched.rows.upperBound))
            (left, right) = (min(left, touched.columns.lowerBound), max(right, touched.columns.upperBound))
            cells.sweep(touched.rows, columns: touched.columns, rule: outline.path.rule, lines.add)
        }
        guard left < min(right, cells.width) else { return }
        for row in top..<bottom {
            lines.sweep(row, left..<right) { start, end, coverage in body(row, start, end, coverage) }
        }
    }

    /// Draws the paths of a group, which replace one another, into separate pixels, and composites the result. A run of fills starts again
    /// in the pixels that the group touches.
    private func drawGroup(_ run: PaintedRun, _ range: Range<Int>, _ rows: Range<Int>) {
        let outlines = run.outlines[range]
        guard outlines.contains(where: { $0.touches(rows) }) else { return }
        let width = cells.width
        let left = max(0, (outlines.map(\.columns.lowerBound).min() ?? 0) - run.left)
        let right = min(width, (outlines.map(\.columns.upperBound).max() ?? 0) - run.left)
        guard left < right else { return }
        if group.count < width * rows.count { group = [UInt32](repeating: 0, count: width * rows.count) }
        var group = group
        self.group = []
        group.withUnsafeMutableBufferPointer { buffer in
            guard let pixels = buffer.baseAddress else { return }
            for row in 0..<rows.count { (pixels + row * width + left).update(repeating: 0, count: right - left) }
            draw(range, run, rows, into: pixels, stride: width, isGroup: true)
            let lines = run.outlines[range.lowerBound].run > 0 ? covered.lines : nil
            for row in 0..<rows.count {
                let (source, target) = (pixels + row * width, run.pixels + (rows.lowerBound - run.top + row) * run.stride + left)
                PixelBlending.lay(source + left, over: target, count: right - left)
                if let lines { for column in left..<right where source[column] != 0 { lines.forget(row, column, column + 1) } }
            }
        }
        self.group = group
    }
}
