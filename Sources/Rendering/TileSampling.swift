import CWaymarkPrefetch

/// Consecutive pixels of a row that show a tile with the same number of samples. Positions are in units of 2⁻³² texels.
struct SampleSpan {
    let sheet: UnsafePointer<UInt32>
    /// The number of texels in a row of the sheet.
    let width: Int
    let count: Int
    /// The first sample of the first pixel, and the step to the first sample of the next pixel.
    var position: SIMD2<Int64>
    let step: SIMD2<Int64>
    /// The step between the samples of a pixel, and its change from one pixel to the next.
    var gap: SIMD2<Int64>
    let gapStep: SIMD2<Int64>
    /// The least and the greatest position of a sample.
    var low = SIMD2<Int64>.zero
    var high = SIMD2<Int64>.zero

    /// The number of pixels by which texels are prefetched before they are read.
    private static let ahead: Int64 = 24

    mutating func advance(_ pixels: Int64) {
        position &+= step &* pixels
        gap &+= gapStep &* pixels
    }

    /// Composites pixels over the existing content.
    /// - Parameter alpha: The opacity times 65,536.
    func draw(_ pixels: Int, to output: UnsafeMutablePointer<UInt32>, _ alpha: UInt32, _ weights: SampleWeights.Pointers) {
        let isInside = isInside(pixels)
        switch (count, isInside) {
        case (1, true): draw(pixels, 1, isInside: true, to: output, alpha, weights)
        case (2, true): draw(pixels, 2, isInside: true, to: output, alpha, weights)
        case (3, true): draw(pixels, 3, isInside: true, to: output, alpha, weights)
        case (_, true): draw(pixels, count, isInside: true, to: output, alpha, weights)
        case (_, false): draw(pixels, count, isInside: false, to: output, alpha, weights)
        }
    }

    /// Whether all samples lie within the limits. Positions change evenly, so the outermost samples belong to the first or the last pixel.
    private func isInside(_ pixels: Int) -> Bool {
        var last = self
        last.advance(Int64(pixels - 1))
        let samples = Int64(count - 1)
        let (far, lastFar) = (position &+ gap &* samples, last.position &+ last.gap &* samples)
        func isInside(_ point: SIMD2<Int64>) -> Bool { point.x >= low.x && point.y >= low.y && point.x <= high.x && point.y <= high.y }
        return isInside(position) && isInside(far) && isInside(last.position) && isInside(lastFar)
    }

    @inline(__always)
    private func draw(
        _ pixels: Int, _ count: Int, isInside: Bool, to output: UnsafeMutablePointer<UInt32>, _ alpha: UInt32,
        _ weights: SampleWeights.Pointers
    ) {
        let across = weights.across + (count - 1) * 256
        let down = weights.down
        let bytes = UnsafeRawPointer(sheet)
        let rowBytes = width &* 4
        var (x, y, gapX, gapY) = (position.x, position.y, gap.x, gap.y)
        // Each row is the first to read the texels beneath its lowest samples. Without prefetching, waiting takes half of the time.
        let ahead = step &* Self.ahead &+ (gap.y > 0 ? gap &* Int64(count - 1) : .zero)
        let (aheadX, aheadY) = (ahead.x, ahead.y &+ 1 << 32)
        // Each product is rounded down. This compensates for the loss, so that half of 255 is rounded up, as on GPUs.
        let lost = SIMD8<UInt16>(repeating: UInt16(truncatingIfNeeded: count &+ 1))
        for index in 0..<pixels {
            var sum = lost
            var (u, v) = (x, y)
            wm_prefetch(bytes + (Int((v &+ aheadY) &>> 32) &* rowBytes &+ Int((u &+ aheadX) &>> 32) &* 4))
            var left = count
            repeat {
                let (column, row) = isInside ? (u, v) : (max(low.x, min(high.x, u)), max(low.y, min(high.y, v)))
                let texel = bytes + (Int(row &>> 32) &* rowBytes &+ Int(column &>> 32) &* 4)
                // Two texels of a row, and the two beneath them. With 8 fractional bits, no value exceeds 16 bits.
                let upper = SIMD8<UInt16>(truncatingIfNeeded: texel.loadUnaligned(as: SIMD8<UInt8>.self))
                let lower = SIMD8<UInt16>(truncatingIfNeeded: (texel + rowBytes).loadUnaligned(as: SIMD8<UInt8>.self))
                let mixed = upper &<< 8 &+ (lower &- upper) &* down[Int(row &>> 24 & 255)]
                sum &+= Self.highHalves(mixed, across[Int(column &>> 24 & 255)])
                u &+= gapX
                v &+= gapY
                left &-= 1
            } while left > 0
            var color = sum.lowHalf &+ sum.highHalf
            if alpha < 65536 {
                color = SIMD4<UInt16>(truncatingIfNeeded: (SIMD4<UInt32>(truncatingIfNeeded: color) &* alpha) &>> 16)
            }
            let rounded = SIMD4<UInt8>(truncatingIfNeeded: (color &+ 128) &>> 8)
            let pixel = unsafeBitCast(rounded, to: UInt32.self)
            output[index] = pixel >= 0xFF00_0000 ? pixel : pixel.over(output[index])
            x &+= step.x
            y &+= step.y
            gapX &+= gapStep.x
            gapY &+= gapStep.y
        }
    }

    /// The upper 16 bits of each product.
    @inline(__always)
    private static func highHalves(_ a: SIMD8<UInt16>, _ b: SIMD8<UInt16>) -> SIMD8<UInt16> {
        let products = SIMD8<UInt32>(truncatingIfNeeded: a) &* SIMD8<UInt32>(truncatingIfNeeded: b)
        return SIMD8<UInt16>(truncatingIfNeeded: products &>> 16)
    }
}

/// The weights of texels, indexed by the position of a sample between them in 256ths.
struct SampleWeights {
    static let shared = SampleWeights()

    /// For n samples, 1 to 8: four weights for the channels of the left texel, then four for those of the right, times 65,535 / n.
    private var across: [SIMD8<UInt16>] = []
    /// The weights of the lower texels, times 256.
    private var down: [SIMD8<UInt16>] = []

    struct Pointers {
        let across: UnsafePointer<SIMD8<UInt16>>
        let down: UnsafePointer<SIMD8<UInt16>>
    }

    private init() {
        for count in 1...8 {
            // The sum of both weights: slightly less than 65,536 / n, because 65,536 exceeds 16 bits. A uniform color keeps its value.
            let whole = 65535 / count
            for place in 0..<256 {
                let right = UInt16(whole * place / 256)
                let left = UInt16(whole) - right
                across.append(SIMD8(lowHalf: SIMD4(repeating: left), highHalf: SIMD4(repeating: right)))
            }
        }
        down = (0..<256).map { SIMD8(repeating: $0) }
    }

    func withPointers(_ body: (Pointers) -> Void) {
        across.withUnsafeBufferPointer { across in
            down.withUnsafeBufferPointer { down in
                guard let across = across.baseAddress, let down = down.baseAddress else { return }
                body(Pointers(across: across, down: down))
            }
        }
    }
}
