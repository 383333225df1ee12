/// The coverage of a band's pixels by a run of fills, so that nothing shows through the borders that fills share.
///
/// A pixel that one fill covers in part is painted as usual; its previous color, the fill and its outline are recorded separately. Only
/// when a second fill covers a part of it are both blended with the precision and the rule that the border needs. A fully covered pixel
/// takes one bit. Fills that share no pixels therefore cost little more than paths without a run, and their pixels are the same.
final class RunCoverage {
    /// A pixel that a fill covers in part.
    fileprivate struct PartialPixel {
        /// The pixel before the fill.
        var beneath: UInt32
        /// The fill's color as a premultiplied pixel. Once the pixel is blended: its index in `blended`.
        var fill: UInt32
        /// The fill's coverage in the upper 24 bits, at least 1, and the coverage of the outline over it in the lower 8; 0 after the pixel
        /// is blended.
        var coverages: UInt32
        /// The outline's color.
        var outline: UInt32
    }

    private var width = 0
    private var wordsPerRow = 0
    /// A record for each pixel of the band.
    private var pixels: UnsafeMutablePointer<PartialPixel>?
    private var pixelCapacity = 0
    /// A bit for each pixel, each row in separate words: first the fully covered pixels, then the partly covered ones.
    private var words: UnsafeMutablePointer<UInt64>?
    private var wordCapacity = 0
    private var rows = 0
    /// The pixels that several fills share.
    private let blended = UnsafeMutablePointer<BlendedPixels>.allocate(capacity: 1)

    /// The bytes kept for each pixel of a band: the record, and two bits.
    static let bytesPerPixel = MemoryLayout<PartialPixel>.stride + 1

    init() { blended.initialize(to: BlendedPixels()) }

    deinit {
        blended.pointee.base.deallocate()
        blended.deallocate()
        pixels?.deallocate()
        words?.deallocate()
    }
}

extension RunCoverage {
    /// Makes room for bands of the given size.
    func prepare(width: Int, rows: Int) {
        (self.width, self.rows) = (width, rows)
        wordsPerRow = (width + 63) / 64
        if pixelCapacity < width * rows {
            pixels?.deallocate()
            // Not initialized: the bits indicate which pixels are in use.
            (pixels, pixelCapacity) = (.allocate(capacity: width * rows), width * rows)
        }
        if wordCapacity < 2 * wordsPerRow * rows {
            words?.deallocate()
            (words, wordCapacity) = (.allocate(capacity: 2 * wordsPerRow * rows), 2 * wordsPerRow * rows)
        }
    }

    /// Begins a run: none of its pixels are covered yet.
    /// - Parameters:
    ///   - rows: The rows of the band that its fills may touch.
    ///   - columns: The columns that they may touch.
    func begin(_ rows: Range<Int>, columns: Range<Int>) {
        blended.pointee.count = 0
        guard let words, !rows.isEmpty, !columns.isEmpty else { return }
        let (first, last) = (columns.lowerBound >> 6, (columns.upperBound - 1) >> 6)
        for plane in [words, words + self.rows * wordsPerRow] {
            for row in rows { (plane + row * wordsPerRow + first).update(repeating: 0, count: last - first + 1) }
        }
    }

    /// The rows of the band, for drawing; nil before `prepare`.
    var lines: Lines? {
        guard let words, let pixels else { return nil }
        return Lines(
            blended: blended, wholly: words, partly: words + rows * wordsPerRow, pixels: pixels, wordsPerRow: wordsPerRow, width: width)
    }

    /// The rows of a band, without the access checks for each use of a class's variables.
    struct Lines {
        /// A pixel with at most this much left free counts as fully covered, because a thousand fills may each be off by rounding.
        private static let nearlyWhole = BlendedPixel.whole - 1 << 12
        fileprivate let blended: UnsafeMutablePointer<BlendedPixels>
        fileprivate let wholly: UnsafeMutablePointer<UInt64>
        fileprivate let partly: UnsafeMutablePointer<UInt64>
        fileprivate let pixels: UnsafeMutablePointer<PartialPixel>
        fileprivate let wordsPerRow: Int
        fileprivate let width: Int
    }
}

extension RunCoverage.Lines {
    /// Draws a span of a fill.
    /// - Parameters:
    ///   - area: The area in each pixel, 1…`CoverageCells.full`.
    ///   - line: The pixels of the row.
    @inline(__always)
    func fill(
        _ row: Int, _ start: Int, _ end: Int, area: Int64, _ blending: PixelBlending, _ line: UnsafeMutablePointer<UInt32>
    ) {
        let coverage = CoverageCells.coverage(area)
        if coverage == 255 {
            blending.lay(255, over: line + start, count: end - start)
            cover(row, start, end)
            return
        }
        let words = row &* wordsPerRow
        var column = start
        repeat {
            let (word, bit) = (words &+ column >> 6, UInt64(1) << UInt64(truncatingIfNeeded: column & 63))
            let pixel = line + column
            if partly[word] & bit != 0 {
                let isWhole = add(
                    blending.color, CoverageCells.share(area, bits: 30), to: pixels + (row &* width &+ column), pixel)
                if isWhole { (wholly[word], partly[word]) = (wholly[word] | bit, partly[word] & ~bit) }
            } else {
                let old = pixel.pointee
                if wholly[word] & bit == 0 {
                    partly[word] |= bit
                    pixels[row &* width &+ column] = RunCoverage.PartialPixel(
                        beneath: old, fill: blending.color, coverages: max(1, CoverageCells.share(area, bits: 24)) << 8, outline: 0)
                }
                if coverage != 0 { pixel.pointee = blending.laid(coverage, over: old) }
            }
            column &+= 1
        } while column < end
    }

    /// Records a span as fully covered.
    @inline(__always)
    private func cover(_ row: Int, _ start: Int, _ end: Int) {
        let (words, others) = (wholly + row &* wordsPerRow, partly + row &* wordsPerRow)
        let (first, last) = (start >> 6, (end &- 1) >> 6)
        var bits = UInt64.max << UInt64(truncatingIfNeeded: start & 63)
        for word in first..<last {
            words[word] |= bits
            others[word] &= ~bits
            bits = .max
        }
        bits &= UInt64.max >> UInt64(truncatingIfNeeded: 63 &- (end &- 1) & 63)
        words[last] |= bits
        others[last] &= ~bits
    }

    /// Discards the record of what fills have covered in a span over which something else was drawn. Later fills treat the span as
    /// uncovered.
    func forget(_ row: Int, _ start: Int, _ end: Int) {
        let (words, others) = (wholly + row &* wordsPerRow, partly + row &* wordsPerRow)
        let (first, last) = (start >> 6, (end &- 1) >> 6)
        var bits = UInt64.max << UInt64(truncatingIfNeeded: start & 63)
        for word in first...last {
            if word == last { bits &= UInt64.max >> UInt64(truncatingIfNeeded: 63 &- (end &- 1) & 63) }
            words[word] &= ~bits
            others[word] &= ~bits
            bits = .max
        }
    }

    /// Records a span of an outline, which has been composited, on pixels that fills cover in part.
    /// - Parameter coverage: 1…255.
    @inline(__always)
    func outline(
        _ row: Int, _ start: Int, _ end: Int, _ coverage: UInt32, _ color: UInt32, _ line: UnsafeMutablePointer<UInt32>
    ) {
        let words = partly + row &* wordsPerRow
        let last = (end &- 1) >> 6
        var word = start >> 6
        // Most spans of outlines are a pixel wide.
        var bits = words[word] & UInt64.max << UInt64(truncatingIfNeeded: start & 63)
        while word < last {
            if bits != 0 { outline(row, word, bits, coverage, color, line) }
            word &+= 1
            bits = words[word]
        }
        bits &= UInt64.max >> UInt64(truncatingIfNeeded: 63 &- (end &- 1) & 63)
        if bits != 0 { outline(row, word, bits, coverage, color, line) }
    }

    /// Records an outline on the pixels of a word that are set in `bits`.
    @inline(__always)
    private func outline(
        _ row: Int, _ word: Int, _ bits: UInt64, _ coverage: UInt32, _ color: UInt32, _ line: UnsafeMutablePointer<UInt32>
    ) {
        var bits = bits
        while bits != 0 {
            let column = word << 6 &+ bits.trailingZeroBitCount
            bits &= bits &- 1
            let pixel = pixels + (row &* width &+ column)
            let coverages = pixel.pointee.coverages
            if coverages != 0, coverages & 255 == 0 {
                pixel.pointee.coverages = coverages | coverage
                pixel.pointee.outline = color
            } else {
                lay(color, coverage, on: pixel, line + column)
            }
        }
    }
}

extension RunCoverage.Lines {
    /// Adds a fill to a partly covered pixel.
    /// - Returns: Whether it is fully covered now.
    @inline(never)
    private func add(
        _ color: UInt32, _ coverage: UInt32, to partial: UnsafeMutablePointer<RunCoverage.PartialPixel>,
        _ pixel: UnsafeMutablePointer<UInt32>
    ) -> Bool {
        let shared = blend(partial)
        shared.pointee.cover(color, coverage)
        shared.pointee.isShared = true
        pixel.pointee = shared.pointee.pixel
        return shared.pointee.share >= Self.nearlyWhole
    }

    /// Composites an outline over a partly covered pixel.
    @inline(never)
    private func lay(
        _ color: UInt32, _ coverage: UInt32, on partial: UnsafeMutablePointer<RunCoverage.PartialPixel>,
        _ pixel: UnsafeMutablePointer<UInt32>
    ) {
        let shared = blend(partial)
        shared.pointee.lay(color, coverage)
        // With a single fill, the pixel equals the result of paths without a run, whatever else is in the run.
        if shared.pointee.isShared { pixel.pointee = shared.pointee.pixel }
    }

    /// The entry of a pixel in `blended`, which is added if it is missing. The pointer is valid until the next entry is added.
    @inline(__always)
    private func blend(_ partial: UnsafeMutablePointer<RunCoverage.PartialPixel>) -> UnsafeMutablePointer<BlendedPixel> {
        let noted = partial.pointee
        guard noted.coverages != 0 else { return blended.pointee.base + Int(noted.fill) }
        var pixel = BlendedPixel(noted.beneath)
        pixel.cover(noted.fill, (noted.coverages >> 8) << 6)
        if noted.coverages & 255 != 0 { pixel.lay(noted.outline, noted.coverages & 255) }
        partial.pointee.coverages = 0
        partial.pointee.fill = UInt32(truncatingIfNeeded: blended.pointee.count)
        return blended.pointee.append(pixel)
    }
}

/// A list of blended pixels in separate memory, because each use of an array held by a class is checked.
private struct BlendedPixels {
    var base = UnsafeMutablePointer<BlendedPixel>.allocate(capacity: 256)
    var count = 0
    private var capacity = 256

    mutating func append(_ pixel: BlendedPixel) -> UnsafeMutablePointer<BlendedPixel> {
        if count == capacity {
            let larger = UnsafeMutablePointer<BlendedPixel>.allocate(capacity: 2 * capacity)
            larger.moveInitialize(from: base, count: count)
            base.deallocate()
            (base, capacity) = (larger, 2 * capacity)
        }
        let place = base + count
        place.initialize(to: pixel)
        count += 1
        return place
    }
}
