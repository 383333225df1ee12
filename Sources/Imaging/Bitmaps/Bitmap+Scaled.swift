public extension Bitmap {
    /// Scales the picture to a different size, in integer arithmetic, so that the result is the same on every machine.
    ///
    /// Along an axis that shrinks, the source is averaged over the area of each new pixel. Along an axis that grows, it is interpolated
    /// smoothly, with the cubic filter of Mitchell and Netravali ("Reconstruction Filters in Computer Graphics", SIGGRAPH 1988, B = C =
    /// 1/3), and edge pixels are extended outward. Both methods use premultiplied values, and round to nearest, with halves rounded up.
    /// Along an axis that shrinks, the average is exact before it is rounded. A uniform color stays the same, and no color exceeds its
    /// alpha. Sides must not be negative. Scaling a bitmap without pixels gives a transparent result.
    func scaled(toWidth newWidth: Int, height newHeight: Int) -> Bitmap {
        precondition(newWidth >= 0 && newHeight >= 0, "the new width or height of the bitmap is negative")
        if newWidth == width && newHeight == height { return self }
        guard !pixels.isEmpty, newWidth > 0, newHeight > 0 else { return Bitmap(width: newWidth, height: newHeight) }
        let columns = ScalingAxis(from: width, to: newWidth)
        let rows = ScalingAxis(from: height, to: newHeight)
        let total = Int64(columns.total) * Int64(rows.total)
        // A cubic filter overshoots on both sides of an edge.
        let isClamped = newWidth > width || newHeight > height
        let line = newWidth * 4

        var result = Bitmap(width: newWidth, height: newHeight)
        // The last horizontally scaled source row is kept, because adjacent result rows may share a source row.
        var across = [Int32](repeating: 0, count: line)
        var known = -1
        var sums = [Int64](repeating: 0, count: line)
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
                        let weight = Int64(rows.weights[span.weights + row - span.start])
                        for x in 0..<line { sums[x] &+= Int64(across[x]) &* weight }
                    }
                    if isClamped { sums.clamp(to: total) }
                    for x in 0..<line { target[y &* line &+ x] = UInt8(truncatingIfNeeded: (sums[x] &* 2 &+ total) / (total &* 2)) }
                }
            }
        }
        return result
    }
}

extension [Int64] {
    /// Limits premultiplied pixels, in units of 1/255 of `full`: alpha to 0…255, and colors to 0…alpha.
    fileprivate mutating func clamp(to full: Int64) {
        for alpha in stride(from: 3, to: count, by: 4) {
            self[alpha] = Swift.min(Swift.max(self[alpha], 0), 255 &* full)
            for channel in alpha &- 3..<alpha { self[channel] = Swift.min(Swift.max(self[channel], 0), self[alpha]) }
        }
    }
}

/// The source pixels of each new pixel along one axis, with integer weights that have the same sum for every new pixel.
private struct ScalingAxis {
    struct Span {
        /// The first source pixel.
        var start: Int
        var count: Int
        /// The index of the first of these pixels' weights.
        var weights: Int
    }

    private(set) var spans: [Span] = []
    private(set) var weights: [Int32] = []
    /// The sum of a new pixel's weights.
    let total: Int32

    /// Creates an axis. For sides of up to 8 million pixels, the sums of a row fit in 32 bits.
    init(from old: Int, to new: Int) {
        precondition(max(old, new) <= 1 << 23, "a side of the bitmap is too long for scaling")
        spans.reserveCapacity(new)
        if new <= old {
            // In a common unit, the length of a new pixel is `old`, and the length of an old pixel is `new`.
            total = Int32(old)
            for index in 0..<new {
                let from = index * old
                let to = from + old
                let first = from / new
                let last = (to - 1) / new
                spans.append(Span(start: first, count: last - first + 1, weights: weights.count))
                for pixel in first...last { weights.append(Int32(min(to, (pixel + 1) * new) - max(from, pixel * new))) }
            }
        } else {
            total = Self.cubicTotal
            for index in 0..<new {
                // The distance between the centers of the new pixel and the first old one, in units of half a new pixel.
                let center = (2 * index + 1) * old - new
                let before = Int((Double(center) / Double(2 * new)).rounded(.down))
                let cubic = Self.cubicWeights(Double(center - before * 2 * new) / Double(2 * new))
                // Weights of pixels beyond the edges go to the pixels at the edges.
                let (first, last) = (max(0, before - 1), min(old - 1, before + 2))
                var span = [Int32](repeating: 0, count: last - first + 1)
                for (tap, weight) in cubic.enumerated() { span[min(max(before - 1 + tap, first), last) - first] += weight }
                spans.append(Span(start: first, count: span.count, weights: weights.count))
                weights += span
            }
        }
    }

    private static let cubicTotal: Int32 = 1 << 14

    /// The filter's weights for the two pixels before a point and the two after it.
    /// - Parameter fraction: The distance from the nearer pixel before it, 0…1 pixel.
    private static func cubicWeights(_ fraction: Double) -> [Int32] {
        func filter(_ x: Double) -> Double {
            x < 1 ? ((7 * x - 12) * x * x + 16.0 / 3) / 6 : (((-7.0 / 3 * x + 12) * x - 20) * x + 32.0 / 3) / 6
        }
        let distances = [1 + fraction, fraction, 1 - fraction, 2 - fraction]
        var weights = distances.map { Int32((filter($0) * Double(cubicTotal)).rounded()) }
        weights[fraction < 0.5 ? 1 : 2] += cubicTotal - weights.reduce(0, +)
        return weights
    }

    /// Adds up the pixels of one row, with each channel multiplied by the weights.
    func scale(_ row: UnsafePointer<UInt8>, into sums: inout [Int32]) {
        sums.withUnsafeMutableBufferPointer { sums in
            weights.withUnsafeBufferPointer { weights in
                spans.withUnsafeBufferPointer { spans in
                    for x in 0..<spans.count {
                        let span = spans[x]
                        var sum = SIMD4<Int32>(repeating: 0)
                        for index in 0..<span.count {
                            let pixel = row + (span.start &+ index) &* 4
                            let channels = SIMD4<Int32>(Int32(pixel[0]), Int32(pixel[1]), Int32(pixel[2]), Int32(pixel[3]))
                            sum &+= channels &* weights[span.weights &+ index]
                        }
                        for channel in 0..<4 { sums[x &* 4 &+ channel] = sum[channel] }
                    }
                }
            }
        }
    }
}
