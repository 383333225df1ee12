/// A PNG's picture data before compression: for every row the number of its filter, then its straight pixels, RGBA or RGB.
struct Scanlines {
    private(set) var bytes: [UInt8]
    let height: Int
    /// Bytes a row without the filter's number.
    let rowLength: Int
    /// 4 for RGBA, 3 for RGB.
    let pixelLength: Int

    /// Unfiltered rows, made straight on the way.
    init(of bitmap: Bitmap, isOpaque: Bool) {
        let width = bitmap.width
        let height = bitmap.height
        let pixelLength = isOpaque ? 3 : 4
        let rowLength = width * pixelLength
        let count = (rowLength + 1) * height
        bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            bitmap.pixels.withUnsafeBufferPointer { pixels in
                guard let source = pixels.baseAddress, let target = buffer.baseAddress else { return }
                for y in 0..<height {
                    let row = target + y * (rowLength + 1)
                    row[0] = Filter.none.rawValue
                    if isOpaque {
                        Self.dropAlpha(source + y * width * 4, into: row + 1, count: width)
                    } else {
                        Alpha.unpremultiply(source + y * width * 4, into: row + 1, count: width)
                    }
                }
                initialized = count
            }
        }
        self.height = height
        self.rowLength = rowLength
        self.pixelLength = pixelLength
    }

    private init(bytes: [UInt8], height: Int, rowLength: Int, pixelLength: Int) {
        self.bytes = bytes
        self.height = height
        self.rowLength = rowLength
        self.pixelLength = pixelLength
    }
}

extension Scanlines {
    /// How a row is told from its neighbours, by PNG's numbers. The fifth, the average, hardly ever wins and is left out.
    enum Filter: UInt8 {
        case none = 0
        case left = 1
        case up = 2
        case paeth = 4
    }

    /// Whether a sample of at most 64 rows packs smaller filtered. Where more than half of its pixels repeat their left neighbour
    /// (most overlays), the answer is no without a trial.
    func filteringPays() throws(ImagingError) -> Bool {
        var sample = sample(bands: 4, rows: 16)
        guard sample.repetition <= 0.5 else { return false }
        let plain = try PNGWriter.compress(sample.bytes, level: 1).count
        sample.filter()
        return try PNGWriter.compress(sample.bytes, level: 1).count < plain
    }

    /// Filters each row as makes the sum of its bytes' distances from 0 least: the customary guess at what packs best.
    mutating func filter() {
        let stride = rowLength + 1
        var filtered = bytes
        let zeros = [UInt8](repeating: 0, count: rowLength)
        var trial = [UInt8](repeating: 0, count: rowLength)
        filtered.withUnsafeMutableBufferPointer { target in
            bytes.withUnsafeBufferPointer { source in
                zeros.withUnsafeBufferPointer { zeros in
                    trial.withUnsafeMutableBufferPointer { trial in
                        guard let source = source.baseAddress, let target = target.baseAddress, let zeros = zeros.baseAddress,
                            let trial = trial.baseAddress
                        else { return }
                        for y in 0..<height {
                            let row = source + y * stride + 1
                            let above = y == 0 ? zeros : row - stride
                            let best = target + y * stride
                            var least = cost(row)
                            for filter in [Filter.left, .up, .paeth] {
                                apply(filter, row, above, into: trial)
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
        }
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

    /// Bands of rows spread evenly from the first row to the last; the whole picture if it has no more.
    func sample(bands: Int, rows: Int) -> Scanlines {
        guard height > bands * rows else { return self }
        let stride = rowLength + 1
        var sample: [UInt8] = []
        sample.reserveCapacity(bands * rows * stride)
        for band in 0..<bands {
            let first = (height - rows) * band / (bands - 1)
            sample += bytes[first * stride..<(first + rows) * stride]
        }
        return Scanlines(bytes: sample, height: bands * rows, rowLength: rowLength, pixelLength: pixelLength)
    }

    /// The share of pixels that equal the one to their left.
    var repetition: Double {
        let width = rowLength / pixelLength
        guard width > 1 else { return 0 }
        var equal = 0
        bytes.withUnsafeBufferPointer { bytes in
            for y in 0..<height {
                let row = y &* (rowLength &+ 1) &+ 1
                for x in stride(from: row &+ pixelLength, to: row &+ rowLength, by: pixelLength) {
                    let isEqual =
                        bytes[x] == bytes[x &- pixelLength] && bytes[x &+ 1] == bytes[x &+ 1 &- pixelLength]
                        && bytes[x &+ 2] == bytes[x &+ 2 &- pixelLength]
                        && bytes[x &+ pixelLength &- 1] == bytes[x &- 1]
                    if isEqual { equal &+= 1 }
                }
            }
        }
        return Double(equal) / Double((width - 1) * height)
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

    /// The neighbour nearest to `left + up − upLeft`; of equals the left, then the upper one.
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
