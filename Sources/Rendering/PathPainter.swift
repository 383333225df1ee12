import Foundation
import Synchronization
import WaymarkFrame
import WaymarkImaging
import WaymarkSystem

/// Draws runs of paths into memory, without a GPU: exact coverage, composited in whole numbers, so that shapes are the same to
/// the last bit on every device and with any number of threads.
///
/// Each thread takes bands of rows; a band is drawn from the first path to the last.
package final class PathPainter {
    /// How many threads draw at most.
    package var threadCount: Int
    private var workers: [Worker] = []
    private var chunks: [Chunk] = []
    private var layers: [Layer] = []
    private var outlines: [Outline] = []

    /// The most cells that a thread keeps: 8 bytes each.
    private static let mostCells = 2 << 20
    /// Below so many points and pixels a second thread costs more than it saves.
    private static let leastWork = 20_000

    /// - Parameter threadCount: nil takes as many as the process may use processors, or as Mesa is told to use.
    package init(threadCount: Int? = nil) {
        self.threadCount = threadCount ?? Self.usualThreadCount
    }

    /// As many as the process may use processors, or as Mesa is told to use.
    package static var usualThreadCount: Int { threadsOfEnvironment ?? ProcessorCount.current.usable }

    /// Batches scale by processes, each told to use no further threads.
    private static var threadsOfEnvironment: Int? {
        Environment.value("LP_NUM_THREADS").flatMap { Int($0) }.map { max(1, $0) }
    }

    /// Some neighbouring edges of a contour, and the rows that they pass: a band leaves out those beside it.
    fileprivate struct Chunk {
        /// Points from which edges go to the next.
        var points: Range<Int>
        /// Where the last edge goes to.
        var end: Int
        var top: Float
        var bottom: Float
    }

    /// Parts of a path of which no two reach into the same pixel: they are added up at once.
    fileprivate struct Layer {
        var chunks: Range<Int>
        var low: PathPoint
        var high: PathPoint
        /// The boxes of its parts, the first few.
        var boxes: [(low: PathPoint, high: PathPoint)]

        static let mostBoxes = 32

        func touches(_ rows: Range<Int>) -> Bool { low.y < Float(rows.upperBound) && high.y > Float(rows.lowerBound) }

        func overlaps(_ low: PathPoint, _ high: PathPoint) -> Bool {
            func share(_ a: PathPoint, _ b: PathPoint) -> Bool {
                let (first, last) = (pointwiseMax(a, low).rounded(.down), pointwiseMin(b, high).rounded(.up))
                return first.x < last.x && first.y < last.y
            }
            guard share(self.low, self.high) else { return false }
            return boxes.count == Self.mostBoxes || boxes.contains { share($0.low, $0.high) }
        }
    }

    fileprivate struct Outline {
        var path: Path
        /// More than one where parts of it overlap: then the largest coverage holds.
        var layers: Range<Int>
        var low: PathPoint
        var high: PathPoint
        /// Belongs to the group that the outline before it is in.
        var isGrouped: Bool
        /// Begins a group whose parts take one another's places.
        var beginsGroup: Bool
        /// The next outline is a piece of it.
        var hasInlay = false

        var columns: Range<Int> { Int(low.x.rounded(.down))..<Int(high.x.rounded(.up)) + 1 }
        func touches(_ rows: Range<Int>) -> Bool { low.y < Float(rows.upperBound) && high.y > Float(rows.lowerBound) }
    }
}

extension PathPainter {
    /// Draws paths of a frame on its background.
    /// - Parameter bitmap: Of the frame's size; what it holds plays no part.
    package func draw(_ range: Range<Int>, of frame: borrowing Frame, into bitmap: inout Bitmap) {
        let (width, height) = (frame.width, frame.height)
        let background = UInt32(premultiplied: frame.background)
        guard let first = bitmap.withUnsafeMutablePixels({ UnsafeMutableRawPointer($0.baseAddress) }) else { return }
        first.withMemoryRebound(to: UInt32.self, capacity: width * height) { pixels in
            pixels.update(repeating: background, count: width * height)
            let whole = PixelRect(x: 0, y: 0, width: width, height: height)
            guard let bounds = prepare(range, of: frame, in: whole) else { return }
            paint(frame, into: pixels + bounds.y * width + bounds.x, rect: bounds, stride: width)
        }
    }

    /// Gets a run of paths ready.
    /// - Returns: The pixels that it may touch, cut to a rectangle; nil when there are none.
    func prepare(_ range: Range<Int>, of frame: borrowing Frame, in region: PixelRect) -> PixelRect? {
        chunks.removeAll(keepingCapacity: true)
        layers.removeAll(keepingCapacity: true)
        outlines.removeAll(keepingCapacity: true)
        var low = PathPoint(repeating: .infinity)
        var high = -low
        // Where the group of the path begins: groups are of paths, not of what is left of them.
        var group = range.lowerBound
        var lastGroup = -1
        // Of which there is an outline.
        var lastPath = range.lowerBound - 2
        for index in range {
            let path = frame.paths[index]
            if path.layering == .over { group = index }
            guard var outline = outline(path, frame) else { continue }
            outline.isGrouped = group == lastGroup
            lastGroup = group
            if path.layering == .inlay, lastPath == index - 1, frame.paths[lastPath].layering != .inlay {
                outlines[outlines.count - 1].hasInlay = true
            }
            lastPath = index
            outlines.append(outline)
            low = pointwiseMin(low, outline.low)
            high = pointwiseMax(high, outline.high)
        }
        // What lies on opaque paths of its own group may as well lie on everything.
        var first = 0
        for index in outlines.indices {
            if !outlines[index].isGrouped { first = index }
            if outlines[index].isGrouped, !PixelBlending(outlines[index].path.color).isOpaque { outlines[first].beginsGroup = true }
        }
        guard !outlines.isEmpty else { return nil }
        let left = max(region.x, Int(low.x.rounded(.down)))
        let top = max(region.y, Int(low.y.rounded(.down)))
        let right = min(region.x + region.width, Int(high.x.rounded(.up)))
        let bottom = min(region.y + region.height, Int(high.y.rounded(.up)))
        guard left < right, top < bottom else { return nil }
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// Points farther from the picture than this are none of a layout's, and their paths are left out.
    private static let farthest: Float = 0x1p24
    private static let chunkLength = 64

    private func outline(_ path: Path, _ frame: borrowing Frame) -> Outline? {
        let (firstChunk, firstLayer) = (chunks.count, layers.count)
        var low = PathPoint(repeating: .infinity)
        var high = -low
        var isFinite = true
        var contour = path.contours.lowerBound
        for part in 0..<max(1, path.parts.count) {
            let end = part + 1 < path.parts.count ? frame.parts[path.parts.lowerBound + part] : path.contours.upperBound
            let first = chunks.count
            let box = addChunks(contour..<end, frame, &isFinite)
            contour = end
            guard first < chunks.count else { continue }
            low = pointwiseMin(low, box.low)
            high = pointwiseMax(high, box.high)
            if layers.count > firstLayer, !layers[layers.count - 1].overlaps(box.low, box.high) {
                let last = layers.count - 1
                layers[last].chunks = layers[last].chunks.lowerBound..<chunks.count
                layers[last].low = pointwiseMin(layers[last].low, box.low)
                layers[last].high = pointwiseMax(layers[last].high, box.high)
                if layers[last].boxes.count < Layer.mostBoxes { layers[last].boxes.append(box) }
            } else {
                layers.append(Layer(chunks: first..<chunks.count, low: box.low, high: box.high, boxes: path.parts.count > 1 ? [box] : []))
            }
        }
        let isNear = low.min() > -Self.farthest && high.max() < Self.farthest && isFinite
        guard isNear, firstChunk < chunks.count, !PixelBlending(path.color).isClear || path.layering != .over else {
            chunks.removeSubrange(firstChunk...)
            layers.removeSubrange(firstLayer...)
            return nil
        }
        return Outline(path: path, layers: firstLayer..<layers.count, low: low, high: high, isGrouped: false, beginsGroup: false)
    }

    private func addChunks(
        _ contours: Range<Int>, _ frame: borrowing Frame, _ isFinite: inout Bool
    ) -> (low: PathPoint, high: PathPoint) {
        var low = PathPoint(repeating: .infinity)
        var high = -low
        // Not 0 where a point is not a finite number.
        var oddity = PathPoint.zero
        frame.pathPoints.withUnsafeBufferPointer { points in
            frame.contours.withUnsafeBufferPointer { ends in
                for contour in contours {
                    let (start, end) = (contour == 0 ? 0 : ends[contour - 1], ends[contour])
                    guard end - start > 2 else { continue }
                    var from = start
                    while from < end {
                        let to = min(end, from + Self.chunkLength)
                        let next = to == end ? start : to
                        var chunkLow = points[next]
                        var chunkHigh = chunkLow
                        for index in from..<to {
                            oddity += points[index] - points[index]
                            chunkLow = pointwiseMin(chunkLow, points[index])
                            chunkHigh = pointwiseMax(chunkHigh, points[index])
                        }
                        chunks.append(Chunk(points: from..<to, end: next, top: chunkLow.y, bottom: chunkHigh.y))
                        low = pointwiseMin(low, chunkLow)
                        high = pointwiseMax(high, chunkHigh)
                        from = to
                    }
                }
            }
        }
        isFinite = isFinite && oddity == .zero
        return (low, high)
    }

    /// Draws what was prepared last.
    /// - Parameters:
    ///   - pixels: Premultiplied, the first row's first pixel; what is there is drawn on.
    ///   - rect: The pixels of the picture that they are.
    ///   - stride: Pixels from one row's start to the next.
    func paint(
        _ frame: borrowing Frame, into pixels: UnsafeMutablePointer<UInt32>, rect: PixelRect, stride: Int
    ) {
        let work = rect.width * rect.height / 8 + chunks.count * Self.chunkLength
        let threads = work < Self.leastWork ? 1 : min(threadCount, rect.height)
        // Some more bands than threads, so that all have something to do to the end.
        let fair = threads == 1 ? rect.height : (rect.height + 3 * threads - 1) / (3 * threads)
        let bandHeight = max(1, min(fair, Self.mostCells / (rect.width + 2)))
        let bandCount = (rect.height + bandHeight - 1) / bandHeight
        for index in 0..<threads {
            if index == workers.count { workers.append(Worker()) }
            workers[index].prepare(width: rect.width, rows: bandHeight)
        }
        frame.pathPoints.withUnsafeBufferPointer { points in
            chunks.withUnsafeBufferPointer { chunks in
                outlines.withUnsafeBufferPointer { outlines in
                    let job = Job(
                        points: points, chunks: chunks, layers: layers, outlines: outlines, pixels: pixels, stride: stride, left: rect.x,
                        top: rect.y)
                    let next = Atomic(0)
                    func draw(_ worker: Worker) {
                        while true {
                            let band = next.add(1, ordering: .relaxed).oldValue
                            guard band < bandCount else { return }
                            let top = rect.y + band * bandHeight
                            worker.draw(job, rows: top..<min(top + bandHeight, rect.y + rect.height))
                        }
                    }
                    if threads == 1 {
                        draw(workers[0])
                    } else {
                        // Unchecked, since the compiler cannot see that each call has a worker of its own: the number that it is called with.
                        nonisolated(unsafe) let workers = workers
                        // Unchecked, since it cannot see either that a band's pixels are drawn by the one call that took its number, and
                        // that everything else is only read until all calls have returned.
                        nonisolated(unsafe) let draw = draw
                        DispatchQueue.concurrentPerform(iterations: threads) { draw(workers[$0]) }
                    }
                }
            }
        }
    }
}

/// What all bands of a run read.
private struct Job {
    let points: UnsafeBufferPointer<PathPoint>
    let chunks: UnsafeBufferPointer<PathPainter.Chunk>
    let layers: [PathPainter.Layer]
    let outlines: UnsafeBufferPointer<PathPainter.Outline>
    let pixels: UnsafeMutablePointer<UInt32>
    let stride: Int
    let left: Int
    let top: Int
}

/// One thread's cells.
private final class Worker {
    private var cells = CoverageCells(width: 0, capacity: 0)
    /// The group being drawn: as many rows as the cells have.
    private var group: [UInt32] = []
    /// The largest coverage of the parts of one path: as many rows as the cells have, 0 between paths.
    private var largest: [UInt8] = []
    /// The coverage of a piece of a path, likewise.
    private var inlaid: [UInt8] = []

    /// Makes room; what there is serves runs of any width.
    func prepare(width: Int, rows: Int) {
        if !cells.reshape(width: width, rows: rows) { cells = CoverageCells(width: width, capacity: rows) }
    }

    func draw(_ job: Job, rows: Range<Int>) {
        var index = 0
        while index < job.outlines.count {
            var end = index + 1
            while end < job.outlines.count, job.outlines[end].isGrouped { end += 1 }
            if job.outlines[index].beginsGroup {
                drawGroup(job, index..<end, rows)
            } else {
                let start = job.pixels + (rows.lowerBound - job.top) * job.stride
                draw(index..<end, job, rows, into: start, stride: job.stride, isGroup: false)
            }
            index = end
        }
    }

    /// Draws the paths of a group.
    private func draw(
        _ range: Range<Int>, _ job: Job, _ rows: Range<Int>, into pixels: UnsafeMutablePointer<UInt32>, stride: Int, isGroup: Bool
    ) {
        var index = range.lowerBound
        while index < range.upperBound {
            let outline = job.outlines[index]
            let isKnockout = isGroup && index > range.lowerBound
            if outline.hasInlay, job.outlines[index + 1].touches(rows) {
                draw(outline, inlay: job.outlines[index + 1], job, rows, into: pixels, stride: stride, isKnockout: isKnockout)
            } else if outline.touches(rows) {
                draw(outline, job, rows, into: pixels, stride: stride, isKnockout: isKnockout)
            }
            index += outline.hasInlay ? 2 : 1
        }
    }

    /// Draws a path and a piece of it in another colour: each pixel gets both colours, as far as they go.
    private func draw(
        _ outline: PathPainter.Outline, inlay: PathPainter.Outline, _ job: Job, _ rows: Range<Int>,
        into pixels: UnsafeMutablePointer<UInt32>, stride: Int, isKnockout: Bool
    ) {
        let width = cells.width
        if inlaid.count < width * rows.count { inlaid = [UInt8](repeating: 0, count: width * rows.count) }
        var inlaid = inlaid
        self.inlaid = []
        inlaid.withUnsafeMutableBufferPointer { buffer in
            guard let bytes = buffer.baseAddress else { return }
            drawLargest(inlay, job, rows) { row, start, end, coverage in
                (bytes + row * width + start).update(repeating: UInt8(truncatingIfNeeded: coverage), count: end - start)
            }
            let (base, piece) = (PixelBlending(outline.path.color), PixelBlending(inlay.path.color))
            drawLargest(outline, job, rows) { row, start, end, coverage in
                let line = bytes + row * width
                var index = start
                while index < end {
                    let (first, share) = (index, line[index])
                    index += 1
                    while index < end, line[index] == share { index += 1 }
                    let pixel = pixels + row * stride + first
                    base.lay(coverage, with: piece, min(UInt32(share), coverage), over: pixel, count: index - first, isKnockout)
                }
            }
            drawn(inlay, job, rows) { row, start, end in (bytes + row * width + start).update(repeating: 0, count: end - start) }
        }
        self.inlaid = inlaid
    }

    /// Hands out what of the rows is within an outline's box.
    private func drawn(
        _ outline: PathPainter.Outline, _ job: Job, _ rows: Range<Int>, _ body: (_ row: Int, _ start: Int, _ end: Int) -> Void
    ) {
        let first = max(rows.lowerBound, Int(outline.low.y.rounded(.down))) - rows.lowerBound
        let last = min(rows.upperBound, Int(outline.high.y.rounded(.up))) - rows.lowerBound
        let left = max(0, outline.columns.lowerBound - job.left)
        let right = min(cells.width, outline.columns.upperBound - job.left)
        guard first < last, left < right else { return }
        for row in first..<last { body(row, left, right) }
    }

    private func draw(
        _ outline: PathPainter.Outline, _ job: Job, _ rows: Range<Int>, into pixels: UnsafeMutablePointer<UInt32>, stride: Int,
        isKnockout: Bool
    ) {
        let blending = PixelBlending(outline.path.color)
        guard outline.layers.count == 1 else {
            drawLargest(outline, job, rows) { row, start, end, coverage in
                let first = pixels + row * stride + start
                if isKnockout {
                    blending.put(coverage, inPlaceOf: first, count: end - start)
                } else {
                    blending.lay(coverage, over: first, count: end - start)
                }
            }
            return
        }
        let touched = fill(job.layers[outline.layers.lowerBound], job, rows)
        for row in touched.rows {
            let line = pixels + row * stride
            if isKnockout {
                cells.sweep(row, columns: touched.columns, rule: outline.path.rule) { start, end, coverage in
                    blending.put(coverage, inPlaceOf: line + start, count: end - start)
                }
            } else {
                cells.sweep(row, columns: touched.columns, rule: outline.path.rule) { start, end, coverage in
                    blending.lay(coverage, over: line + start, count: end - start)
                }
            }
        }
    }

    /// Adds up a layer's edges.
    /// - Returns: The rows of the band and the columns that they touch.
    private func fill(_ layer: PathPainter.Layer, _ job: Job, _ rows: Range<Int>) -> (rows: Range<Int>, columns: Range<Int>) {
        let (top, bottom) = (Float(rows.lowerBound), Float(rows.upperBound))
        for chunk in job.chunks[layer.chunks] where chunk.top < bottom && chunk.bottom > top {
            var from = job.points[chunk.points.lowerBound]
            for index in chunk.points.lowerBound + 1..<chunk.points.upperBound {
                let to = job.points[index]
                cells.add(from, to, rows: rows, left: job.left)
                from = to
            }
            cells.add(from, job.points[chunk.end], rows: rows, left: job.left)
        }
        let first = max(rows.lowerBound, Int(layer.low.y.rounded(.down)))
        let last = max(first, min(rows.upperBound, Int(layer.high.y.rounded(.up))))
        let left = Int(layer.low.x.rounded(.down)) - job.left
        return (first - rows.lowerBound..<last - rows.lowerBound, left..<Int(layer.high.x.rounded(.up)) + 1 - job.left)
    }

    /// Hands out the stretches that a path of several layers covers, each pixel with the largest coverage.
    private func drawLargest(
        _ outline: PathPainter.Outline, _ job: Job, _ rows: Range<Int>,
        _ body: (_ row: Int, _ start: Int, _ end: Int, _ coverage: UInt32) -> Void
    ) {
        let width = cells.width
        if largest.count < width * rows.count { largest = [UInt8](repeating: 0, count: width * rows.count) }
        var largest = largest
        self.largest = []
        largest.withUnsafeMutableBufferPointer { buffer in
            guard let bytes = buffer.baseAddress else { return }
            for layer in job.layers[outline.layers] where layer.touches(rows) {
                let touched = fill(layer, job, rows)
                for row in touched.rows {
                    let line = bytes + row * width
                    cells.sweep(row, columns: touched.columns, rule: outline.path.rule) { start, end, coverage in
                        let coverage = UInt8(truncatingIfNeeded: coverage)
                        for index in start..<end { line[index] = max(line[index], coverage) }
                    }
                }
            }
            drawn(outline, job, rows) { row, left, right in
                let line = bytes + row * width
                var index = left
                while index < right {
                    let coverage = line[index]
                    let start = index
                    index += 1
                    while index < right, line[index] == coverage { index += 1 }
                    if coverage != 0 { body(row, start, index, UInt32(coverage)) }
                }
                (line + left).update(repeating: 0, count: right - left)
            }
        }
        self.largest = largest
    }

    /// Draws paths that take one another's places by themselves, and lays the whole on what is beneath.
    private func drawGroup(_ job: Job, _ range: Range<Int>, _ rows: Range<Int>) {
        let outlines = job.outlines[range]
        guard outlines.contains(where: { $0.touches(rows) }) else { return }
        let width = cells.width
        let left = max(0, (outlines.map(\.columns.lowerBound).min() ?? 0) - job.left)
        let right = min(width, (outlines.map(\.columns.upperBound).max() ?? 0) - job.left)
        guard left < right else { return }
        if group.count < width * rows.count { group = [UInt32](repeating: 0, count: width * rows.count) }
        var group = group
        self.group = []
        group.withUnsafeMutableBufferPointer { buffer in
            guard let pixels = buffer.baseAddress else { return }
            for row in 0..<rows.count { (pixels + row * width + left).update(repeating: 0, count: right - left) }
            draw(range, job, rows, into: pixels, stride: width, isGroup: true)
            for row in 0..<rows.count {
                let target = job.pixels + (rows.lowerBound - job.top + row) * job.stride + left
                PixelBlending.lay(pixels + row * width + left, over: target, count: right - left)
            }
        }
        self.group = group
    }
}
