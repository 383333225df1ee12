/// The uncompressed data of a PNG. Each row consists of the filter type and the straight pixels, as RGBA or RGB, or indexes.
struct Scanlines {
    /// A reused buffer, which may be longer than the rows.
    private(set) var bytes: [UInt8]
    let height: Int
    /// The length of a row in bytes, without the filter type.
    let rowLength: Int
    /// Bytes per pixel: 4 for RGBA, 3 for RGB, 1 for indexes.
    let pixelLength: Int
}

extension Scanlines {
    /// Creates unfiltered rows, converted to straight alpha.
    /// - Parameter pixels: `width * height` premultiplied pixels of four bytes, or indexes.
    init(of pixels: UnsafePointer<UInt8>, width: Int, height: Int, samples: PNGSamples, _ scratch: EncodingScratch) {
        let pixelLength = samples.pixelLength
        let rowLength = width * pixelLength
        bytes = scratch.takeBuffer((rowLength + 1) * height)
        bytes.withUnsafeMutableBufferPointer { buffer in
            guard let target = buffer.baseAddress else { return }
            for y in 0..<height {
                let row = target + y * (rowLength + 1)
                row[0] = Filter.none.rawValue
                switch samples {
                case .rgb: Self.dropAlpha(pixels + y * width * 4, into: row + 1, count: width)
                case .rgba: Alpha.unpremultiply(pixels + y * width * 4, into: row + 1, count: width)
                case .indexes: (row + 1).update(from: pixels + y * width, count: width)
                }
            }
        }
        self.height = height
        self.rowLength = rowLength
        self.pixelLength = pixelLength
    }

    /// The total length of all rows in bytes.
    var count: Int { (rowLength + 1) * height }

    /// The filter types of PNG. The average filter is hardly ever the best, and is not used.
    enum Filter: UInt8 {
        case none = 0
        case left = 1
        case up = 2
        case paeth = 4

        /// The filters to try on the first row, and on the other rows.
        static let first: [Filter] = [.left]
        static let others: [Filter] = [.left, .up, .paeth]
    }

    /// Whether less than half of the pixels equal their left neighbor, in a sample of at most 64 rows. This is false for most overlays,
    /// and true for base maps and photos.
    var isDense: Bool {
        let width = rowLength / pixelLength
        guard width > 1 else { return false }
        let rows = Self.sampledRows(of: height)
        var equal = 0
        bytes.withUnsafeBytes { bytes in
            for y in rows {
                let start = y &* (rowLength &+ 1) &+ 1
                var left: UInt32 = pixel(bytes, at: start)
                for x in stride(from: start &+ pixelLength, to: start &+ rowLength, by: pixelLength) {
                    let here: UInt32 = pixel(bytes, at: x)
                    if here == left { equal &+= 1 }
                    left = here
                }
            }
        }
        return equal * 2 < (width - 1) * rows.count
    }

    /// Whether a sample of at most 64 rows compresses better when filtered.
    func filteringPays(_ scratch: EncodingScratch) -> Bool {
        var sample = sample
        let plain = sample.deflated(isDense: false, isLast: true, scratch).count
        sample.filter(scratch)
        return sample.deflated(isDense: false, isLast: true, scratch).count < plain
    }

    /// Compresses the rows with deflate.
    func deflated(isDense: Bool, isLast: Bool, _ scratch: EncodingScratch) -> [UInt8] {
        scratch.deflate(bytes, count: count, pixel: pixelLength, row: rowLength + 1, isDense: isDense, isLast: isLast)
    }

    /// For each row, chooses the filter with the smallest sum of absolute differences, which is the heuristic that the PNG specification
    /// recommends (section 12.8). The first row is not filtered against the row above, because that row belongs to another stripe.
    mutating func filter(_ scratch: EncodingScratch) {
        let stride = rowLength + 1
        var filtered = scratch.takeBuffer(count)
        var trial = [UInt8](repeating: 0, count: rowLength)
        filtered.withUnsafeMutableBufferPointer { target in
            bytes.withUnsafeBufferPointer { source in
                trial.withUnsafeMutableBufferPointer { trial in
                    guard let source = source.baseAddress, let target = target.baseAddress, let trial = trial.baseAddress else { return }
                    for y in 0..<height {
                        let row = source + y * stride + 1
                        let best = target + y * stride
                        best.update(from: row - 1, count: stride)
                        var least = cost(row)
                        for filter in y == 0 ? Filter.first : Filter.others {
                            apply(filter, row, y == 0 ? row : row - stride, into: trial)
                            let cost = cost(trial)
                            guard cost < least else { continue }
                            least = cost
                            best[0] = filter.rawValue
                            (best + 1).update(from: trial, count: rowLength)
                        }
                    }
                }
            }
        }
        scratch.keepBuffer(bytes)
        bytes = filtered
    }
}

private extension Scanlines {
    static func dropAlpha(_ source: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>, count: Int) {
        for x in 0..<count {
            target[x &* 3] = source[x &* 4]
            target[x &* 3 &+ 1] = source[x &* 4 &+ 1]
            target[x &* 3 &+ 2] = source[x &* 4 &+ 2]
        }
    }

    /// Four bands of 16 rows, evenly spaced over the picture; all rows if the picture has at most 64.
    static func sampledRows(of height: Int) -> [Int] {
        let (bands, rows) = (4, 16)
        guard height > bands * rows else { return Array(0..<height) }
        return (0..<bands).flatMap { band in
            let first = (height - rows) * band / (bands - 1)
            return first..<first + rows
        }
    }

    var sample: Scanlines {
        let stride = rowLength + 1
        let rows = Self.sampledRows(of: height)
        var sample: [UInt8] = []
        sample.reserveCapacity(rows.count * stride)
        for y in rows { sample += bytes[y * stride..<(y + 1) * stride] }
        return Scanlines(bytes: sample, height: rows.count, rowLength: rowLength, pixelLength: pixelLength)
    }

    @inline(__always)
    func pixel(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
        if pixelLength == 4 { return bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
        let two = UInt32(bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
        return two << 8 | UInt32(bytes[offset &+ 2])
    }

    func cost(_ row: UnsafePointer<UInt8>) -> Int {
        var sum: UInt = 0
        for i in 0..<rowLength { sum &+= UInt(min(row[i], 0 &- row[i])) }
        return Int(sum)
    }

    func apply(_ filter: Filter, _ row: UnsafePointer<UInt8>, _ above: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>) {
        switch filter {
        case .none:
            target.update(from: row, count: rowLength)
        case .left:
            target.update(from: row, count: pixelLength)
            for i in pixelLength..<rowLength { target[i] = row[i] &- row[i &- pixelLength] }
        case .up:
            for i in 0..<rowLength { target[i] = row[i] &- above[i] }
        case .paeth:
            for i in 0..<pixelLength { target[i] = row[i] &- above[i] }
            for i in pixelLength..<rowLength {
                target[i] = row[i] &- Self.paeth(row[i &- pixelLength], above[i], above[i &- pixelLength])
            }
        }
    }

    /// The Paeth predictor: the neighbor nearest to `left + up − upLeft`; on ties, the left neighbor, and then the upper one.
    @inline(__always)
    static func paeth(_ left: UInt8, _ up: UInt8, _ upLeft: UInt8) -> UInt8 {
        let left16 = Int16(left)
        let up16 = Int16(up)
        let upLeft16 = Int16(upLeft)
        let toLeft = abs(up16 &- upLeft16)
        let toUp = abs(left16 &- upLeft16)
        let toUpLeft = abs(left16 &+ up16 &- upLeft16 &- upLeft16)
        if toLeft <= toUp && toLeft <= toUpLeft { return left }
        return toUp <= toUpLeft ? up : upLeft
    }
}
