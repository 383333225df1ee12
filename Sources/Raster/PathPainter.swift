import WaymarkSystem

/// Draws paths into memory, without a GPU. Coverage is computed from exact areas and composited in integers, so shapes are the same to the
/// last bit on every device and with any number of threads.
///
/// Each thread draws bands of rows; within a band, paths are drawn from the first to the last.
package final class PathPainter {
    /// The maximum number of threads that draw in parallel.
    package var threadCount: Int
    private var bandPainters: [BandPainter] = []
    private var outlines = PathOutlines()
    /// The bytes of the cells of the largest band that a thread has drawn.
    private var bandBytes = 0

    /// The maximum number of cells that a thread keeps, 8 bytes each; runs of fills take 16 bytes more per cell.
    private static let mostCells = 2 << 20
    private static let mostCellsOfRuns = 512 << 10
    /// The size of a band whose pixels, cells and records stay in the cache of a processor core from one path to the next. Drawing a line
    /// of 100,000 points then takes 0.85 of the time that it takes with bands of 170,000 cells.
    private static let cachedCells = 64 << 10
    /// The minimum height of a band in rows. With lower bands, too many bands would examine the same paths.
    private static let leastRows = 32
    /// Below this many points and pixels, a second thread costs more than it saves.
    private static let leastWork = 20_000

    package init(threadCount: Int) {
        self.threadCount = threadCount
    }

    /// The approximate number of bytes kept from one run to the next.
    package var keptBytes: Int {
        bandPainters.count * bandBytes + outlines.outlines.count * MemoryLayout<PathOutline>.stride
            + outlines.chunks.count * MemoryLayout<EdgeChunk>.stride + outlines.shades.count * MemoryLayout<ShadeChunk>.stride
    }

    /// Frees these bytes.
    package func clear() {
        (bandPainters, bandBytes) = ([], 0)
        outlines = PathOutlines()
    }
}

extension PathPainter {
    /// Prepares a run of paths for `paint`.
    /// - Parameters:
    ///   - columns: The pixels of the picture that may be drawn, across.
    ///   - rows: The same, down.
    /// - Returns: The pixels among them that the paths may touch; nil if they touch none.
    package func prepare(
        _ paths: ArraySlice<Path>, _ geometry: PathGeometry, columns: Range<Int>, rows: Range<Int>
    ) -> (columns: Range<Int>, rows: Range<Int>)? {
        guard let box = outlines.prepare(paths, geometry) else { return nil }
        let columns = columns.clamped(to: Int(box.low.x.rounded(.down))..<Int(box.high.x.rounded(.up)))
        let rows = rows.clamped(to: Int(box.low.y.rounded(.down))..<Int(box.high.y.rounded(.up)))
        return columns.isEmpty || rows.isEmpty ? nil : (columns, rows)
    }

    /// Draws the paths prepared by the last `prepare`.
    /// - Parameters:
    ///   - pixels: Premultiplied RGBA, starting at the first pixel of `columns` and `rows`; the paths are composited over the existing
    ///     content.
    ///   - stride: Pixels from the start of one row to the start of the next.
    package func paint(
        _ geometry: PathGeometry, into pixels: UnsafeMutablePointer<UInt32>, columns: Range<Int>, rows: Range<Int>, stride: Int
    ) {
        let work = columns.count * rows.count / 8 + outlines.pointCount
        let threads = work < Self.leastWork ? 1 : min(threadCount, rows.count)
        // A few more bands than threads, so that no thread runs out of work early.
        let fair = threads == 1 ? rows.count : (rows.count + 3 * threads - 1) / (3 * threads)
        let most = outlines.runs.isEmpty ? Self.mostCells : Self.mostCellsOfRuns
        let cached = max(Self.leastRows, Self.cachedCells / (columns.count + 2))
        let bandHeight = max(1, min(fair, cached, most / (columns.count + 2)))
        let bandCount = (rows.count + bandHeight - 1) / bandHeight
        bandBytes = max(bandBytes, bandHeight * (columns.count + 2) * (outlines.runs.isEmpty ? 8 : 8 + RunCoverage.bytesPerPixel))
        for index in 0..<threads {
            if index == bandPainters.count { bandPainters.append(BandPainter()) }
            bandPainters[index].prepare(width: columns.count, rows: bandHeight, hasRuns: !outlines.runs.isEmpty)
        }
        geometry.points.withUnsafeBufferPointer { points in
            outlines.chunks.withUnsafeBufferPointer { chunks in
                outlines.outlines.withUnsafeBufferPointer { all in
                    // Unchecked: a band's pixels are drawn only by the call with its number, each thread has its own painter, and
                    // everything else is only read.
                    nonisolated(unsafe) let run = PaintedRun(
                        points: points, chunks: chunks, layers: outlines.layers, outlines: all, runs: outlines.runs,
                        shades: geometry.shades, shadeChunks: outlines.shades, pixels: pixels, stride: stride, left: columns.lowerBound,
                        top: rows.lowerBound)
                    nonisolated(unsafe) let bandPainters = bandPainters
                    NumberedWork.perform(bandCount, threads: threads) { band, thread in
                        let top = rows.lowerBound + band * bandHeight
                        bandPainters[thread].draw(run, rows: top..<min(top + bandHeight, rows.upperBound))
                    }
                }
            }
        }
    }
}
