public extension Bitmap {
    /// The picture scaled to another size, in integer arithmetic, so that the result is the same on every machine.
    ///
    /// An axis that shrinks is averaged over the area of each new pixel; an axis that grows is interpolated linearly between pixel
    /// centers, with edge pixels extended outward. Both use premultiplied values, and each result is exact, rounded to nearest, halves
    /// up: a uniform color stays the same, and no color exceeds its alpha. Sides must not be negative; a bitmap without pixels gives a
    /// transparent result.
    func scaled(toWidth newWidth: Int, height newHeight: Int) -> Bitmap {
        precondition(newWidth >= 0 && newHeight >= 0, "a bitmap's sides are not negative")
        if newWidth == width && newHeight == height { return self }
        guard !pixels.isEmpty, newWidth > 0, newHeight > 0 else { return Bitmap(width: newWidth, height: newHeight) }
        let columns = ScalingAxis(from: width, to: newWidth)
        let rows = ScalingAxis(from: height, to: newHeight)
        let total = UInt64(columns.total) * UInt64(rows.total)
        let line = newWidth * 4

        var result = Bitmap(width: newWidth, height: newHeight)
        // Horizontally scaled source rows. Adjacent result rows share a source row, so the last scaled row is kept.
        var across = [UInt32](repeating: 0, count: line)
        var known = -1
        var sums = [UInt64](repeating: 0, count: line)
        result.withUnsafeMutablePixels { target in
            pixels.withUnsafeBufferPointer { source in
                for y in 0..<newHeight {
                    for x in 0..<line { sums[x] = 0 }
                    let span = rows.spans[y]
                    for row in span.start..<span.start + span.count {
                        if row != known {
                            columns.scale(source.baseAddress! + row * width * 4, into: &across)
                            known = row
                        }
                        let weight = UInt64(rows.weights[span.weights + row - span.start])
                        for x in 0..<line { sums[x] &+= UInt64(across[x]) &* weight }
                    }
                    for x in 0..<line { target[y &* line &+ x] = UInt8(truncatingIfNeeded: (sums[x] &* 2 &+ total) / (total &* 2)) }
                }
            }
        }
        return result
    }
}

/// The source pixels of each new pixel along one axis, with integer weights that have the same sum for every new pixel.
private struct ScalingAxis {
    struct Span {
        /// The first source pixel.
        var start: Int
        var count: Int
        /// The index of the first of their weights.
        var weights: Int
    }

    private(set) var spans: [Span] = []
    private(set) var weights: [UInt32] = []
    /// The sum of a new pixel's weights.
    let total: UInt32

    /// For sides of up to 8 million pixels, the sums of a row fit in 32 bits.
    init(from old: Int, to new: Int) {
        precondition(max(old, new) <= 1 << 23, "the bitmap is too long to be scaled")
        spans.reserveCapacity(new)
        if new <= old {
            // In a common unit, a new pixel has the length `old`, and an old one the length `new`.
            total = UInt32(old)
            for index in 0..<new {
                let from = index * old
                let to = from + old
                let first = from / new
                let last = (to - 1) / new
                spans.append(Span(start: first, count: last - first + 1, weights: weights.count))
                for pixel in first...last { weights.append(UInt32(min(to, (pixel + 1) * new) - max(from, pixel * new))) }
            }
        } else {
            // Centers, in units of half a new pixel.
            total = UInt32(2 * new)
            for index in 0..<new {
                let centre = min(max((2 * index + 1) * old - new, 0), 2 * new * (old - 1))
                let first = centre / (2 * new)
                let rest = centre - first * 2 * new
                let isBetween = rest > 0
                spans.append(Span(start: first, count: isBetween ? 2 : 1, weights: weights.count))
                weights.append(UInt32(2 * new - rest))
                if isBetween { weights.append(UInt32(rest)) }
            }
        }
    }

    /// Adds up one row, each channel multiplied by the weights.
    func scale(_ row: UnsafePointer<UInt8>, into sums: inout [UInt32]) {
        sums.withUnsafeMutableBufferPointer { sums in
            weights.withUnsafeBufferPointer { weights in
                spans.withUnsafeBufferPointer { spans in
                    for x in 0..<spans.count {
                        let span = spans[x]
                        var sum = SIMD4<UInt32>(repeating: 0)
                        for index in 0..<span.count {
                            let pixel = row + (span.start &+ index) &* 4
                            let channels = SIMD4<UInt32>(UInt32(pixel[0]), UInt32(pixel[1]), UInt32(pixel[2]), UInt32(pixel[3]))
                            sum &+= channels &* weights[span.weights &+ index]
                        }
                        for channel in 0..<4 { sums[x &* 4 &+ channel] = sum[channel] }
                    }
                }
            }
        }
    }
}
