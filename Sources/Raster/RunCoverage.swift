/// What a run of fills has covered of the pixels of a band, so that nothing shines through the borders that fills share.
///
/// A pixel that one fill covers in part is painted like any other; what was there before, the fill and its outline are noted beside it. Only
/// when a second fill covers some of it are both blended with the precision and the rule that the border needs. What is covered wholly costs
/// a bit for each pixel. So fills that share no pixel cost little more than paths of no run, and their pixels are the same.
final class RunCoverage {
    /// A pixel that a fill covers in part.
    fileprivate struct PartialPixel {
        /// The pixel before the fill.
        var beneath: UInt32
        /// The fill's color as a premultiplied pixel. Once the pixel is blended: its index in `blended`.
        var fill: UInt32
        /// The fill's coverage in the upper 24 bits, at least 1, and that of the outline over it in the lower 8; 0 once the pixel is blended.
        var coverages: UInt32
        /// The outline's color.
        var outline: UInt32
    }

    private var width = 0
    private var wordsPerRow = 0
    /// For each pixel of the band.
    private var pixels: UnsafeMutablePointer<PartialPixel>?
    private var pixelCapacity = 0
    /// A bit for each pixel, rows in words of their own: first those that are covered wholly, then those that are covered in part.
    private var words: UnsafeMutablePointer<UInt64>?
    private var wordCapacity = 0
    private var rows = 0
    /// The pixels that several fills share.
    private var blended: [BlendedPixel] = []

    /// A pixel of which no more is free is covered wholly: a thousand fills may each be off by rounding.
    private static let nearlyWhole = BlendedPixel.whole - 1 << 12

    deinit {
        pixels?.deallocate()
        words?.deallocate()
    }
}

extension RunCoverage {
    /// Makes room for bands of a size.
    func prepare(width: Int, rows: Int) {
        (self.width, self.rows) = (width, rows)
        wordsPerRow = (width + 63) / 64
        if pixelCapacity < width * rows {
            pixels?.deallocate()
            // Not initialized: the bits say which pixels are in use.
            (pixels, pixelCapacity) = (.allocate(capacity: width * rows), width * rows)
        }
        if wordCapacity < 2 * wordsPerRow * rows {
            words?.deallocate()
            (words, wordCapacity) = (.allocate(capacity: 2 * wordsPerRow * rows), 2 * wordsPerRow * rows)
        }
    }

    /// Begins a run: nothing of it is covered.
    /// - Parameters:
    ///   - rows: The rows of the band that its fills may touch.
    ///   - columns: The columns that they may touch.
    func begin(_ rows: Range<Int>, columns: Range<Int>) {
        blended.removeAll(keepingCapacity: true)
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
            run: self, wholly: words, partly: words + rows * wordsPerRow, pixels: pixels, wordsPerRow: wordsPerRow, width: width)
    }

    /// The rows of a band, without the checks of access that each use of a class's variables costs.
    struct Lines {
        fileprivate let run: RunCoverage
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
    ///   - area: Of each pixel, 1…`CoverageCells.full`.
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
        for column in start..<end {
            let (word, bit) = (words &+ column >> 6, UInt64(1) << UInt64(truncatingIfNeeded: column & 63))
            let pixel = line + column
            if (wholly[word] | partly[word]) & bit == 0 {
                partly[word] |= bit
                pixels[row &* width &+ column] = RunCoverage.PartialPixel(
                    beneath: pixel.pointee, fill: blending.color, coverages: max(1, CoverageCells.share(area, bits: 24)) << 8, outline: 0)
            } else if wholly[word] & bit == 0 {
                let isWhole = run.add(
                    blending.color, CoverageCells.share(area, bits: 30), to: pixels + (row &* width &+ column), pixel)
                if isWhole { wholly[word] |= bit }
                continue
            }
            if coverage != 0 { blending.lay(coverage, over: pixel, count: 1) }
        }
    }

    /// Notes that a span is covered wholly.
    @inline(__always)
    private func cover(_ row: Int, _ start: Int, _ end: Int) {
        let words = wholly + row &* wordsPerRow
        let (first, last) = (start >> 6, (end &- 1) >> 6)
        let head = UInt64.max << UInt64(truncatingIfNeeded: start & 63)
        let tail = UInt64.max >> UInt64(truncatingIfNeeded: 63 &- (end &- 1) & 63)
        if first == last {
            words[first] |= head & tail
            return
        }
        words[first] |= head
        if first + 1 < last { (words + first + 1).update(repeating: .max, count: last - first - 1) }
        words[last] |= tail
    }

    /// Notes a span of an outline, which has been composited, on pixels that fills cover in part.
    /// - Parameter coverage: 1…255.
    @inline(__always)
    func outline(
        _ row: Int, _ start: Int, _ end: Int, _ coverage: UInt32, _ color: UInt32, _ line: UnsafeMutablePointer<UInt32>
    ) {
        let words = row &* wordsPerRow
        let (first, last) = (start >> 6, (end &- 1) >> 6)
        // Most spans of outlines are a pixel wide, and most others are in one word.
        var bits = partly[words &+ first] & ~wholly[words &+ first] & UInt64.max << UInt64(truncatingIfNeeded: start & 63)
        if first == last {
            bits &= UInt64.max >> UInt64(truncatingIfNeeded: 63 &- (end &- 1) & 63)
            if bits != 0 { outline(row, first, bits, coverage, color, line) }
            return
        }
        for word in first...last {
            if word > first { bits = partly[words &+ word] & ~wholly[words &+ word] }
            if word == last { bits &= UInt64.max >> UInt64(truncatingIfNeeded: 63 &- (end &- 1) & 63) }
            if bits != 0 { outline(row, word, bits, coverage, color, line) }
        }
    }

    /// Notes an outline on the pixels of a word that are set in `bits`.
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
                run.lay(color, coverage, on: pixel, line + column)
            }
        }
    }
}

extension RunCoverage {
    /// Adds a fill to a pixel that is covered in part.
    /// - Returns: Whether it is covered wholly now.
    @inline(never)
    fileprivate func add(
        _ color: UInt32, _ coverage: UInt32, to partial: UnsafeMutablePointer<PartialPixel>, _ pixel: UnsafeMutablePointer<UInt32>
    ) -> Bool {
        let index = blend(partial)
        blended[index].cover(color, coverage)
        pixel.pointee = blended[index].pixel
        return blended[index].share >= Self.nearlyWhole
    }

    /// Composites an outline over a pixel that is covered in part.
    @inline(never)
    fileprivate func lay(
        _ color: UInt32, _ coverage: UInt32, on partial: UnsafeMutablePointer<PartialPixel>, _ pixel: UnsafeMutablePointer<UInt32>
    ) {
        let index = blend(partial)
        blended[index].lay(color, coverage)
        pixel.pointee = blended[index].pixel
    }

    /// The index of a pixel in `blended`.
    private func blend(_ partial: UnsafeMutablePointer<PartialPixel>) -> Int {
        let noted = partial.pointee
        guard noted.coverages != 0 else { return Int(noted.fill) }
        var pixel = BlendedPixel(noted.beneath)
        pixel.cover(noted.fill, (noted.coverages >> 8) << 6)
        if noted.coverages & 255 != 0 { pixel.lay(noted.outline, noted.coverages & 255) }
        blended.append(pixel)
        partial.pointee.coverages = 0
        partial.pointee.fill = UInt32(blended.count - 1)
        return blended.count - 1
    }
}
