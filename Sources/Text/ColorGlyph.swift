import WaymarkImaging

/// Scales color glyphs, which fonts store as pictures of one size, and draws their halos.
enum ColorGlyph {
    /// The bounds of a picture at a scale, in whole pixels, at least one in each direction.
    static func bounds(_ box: InkBounds, scale: Double) -> InkBounds {
        func rounded(_ value: Int) -> Int { Int((Double(value) * scale + 0.5).rounded(.down)) }
        return InkBounds(
            x: rounded(box.x), y: rounded(box.y), width: max(1, rounded(box.width)), height: max(1, rounded(box.height)))
    }

    /// The extent of a halo in whole pixels. `radius` includes the blur, and is in 1/64 pixel.
    static func margin(_ radius: Int32) -> Int {
        (Int(radius) + 63) / 64
    }

    /// A part of a picture that is scaled up to `bounds`, linearly from pixel center to pixel center.
    static func part(_ part: InkBounds, of bitmap: Bitmap, scaledTo bounds: InkBounds) -> [UInt8] {
        let columns = samples(part.x - bounds.x, part.width, from: bitmap.width, to: bounds.width)
        let rows = samples(part.y - bounds.y, part.height, from: bitmap.height, to: bounds.height)
        return [UInt8](unsafeUninitializedCapacity: part.width * part.height * 4) { target, count in
            bitmap.pixels.withUnsafeBufferPointer { source in
                var at = 0
                for row in rows {
                    let above = row.first * bitmap.width
                    let below = row.second * bitmap.width
                    for column in columns {
                        for channel in 0..<4 {
                            let top = mix(
                                source[(above + column.first) * 4 + channel], source[(above + column.second) * 4 + channel], column.weight)
                            let bottom = mix(
                                source[(below + column.first) * 4 + channel], source[(below + column.second) * 4 + channel], column.weight)
                            target[at] = UInt8(truncatingIfNeeded: (top * (4096 - row.weight) + bottom * row.weight + 1 << 23) >> 24)
                            at += 1
                        }
                    }
                }
            }
            count = target.count
        }
    }

    /// The alpha of a picture with `bounds` in `part`, widened by a disc of `radius`. The edge of the disc fades over `blur` on each side.
    /// Both lengths are in 1/64 pixel.
    static func widened(_ picture: [UInt8], of bounds: InkBounds, by radius: Int32, blur: Int32, in part: InkBounds) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: part.width * part.height)
        let reach = margin(radius + blur)
        let pixels = Double(radius) / 64
        // The same ramp as that of the halos of outlines (halo.c).
        let half = Double(blur) / 64 + 0.5
        func coverage(_ distance: Double) -> Double {
            let share = min(max((pixels + half - distance) / (2 * half), 0), 1)
            return blur > 0 ? share * share * (3 - 2 * share) : share
        }
        var widened = [UInt8](repeating: 0, count: bounds.width + 2 * reach)
        for dy in -reach...reach {
            let weights = (0...reach).map { dx -> UInt8 in
                guard dx != 0 || dy != 0 else { return 255 }
                return UInt8((coverage(Double(dx * dx + dy * dy).squareRoot()) * 255 + 0.5).rounded(.down))
            }
            // A row of the disc: full weight in the middle, and partial weight at both ends.
            let full = weights.lastIndex(of: 255)
            let soft = weights.indices.filter { weights[$0] > 0 && weights[$0] < 255 }
            guard full != nil || !soft.isEmpty else { continue }
            for y in part.y..<part.y + part.height where y - dy >= bounds.y && y - dy < bounds.y + bounds.height {
                let source = (y - dy - bounds.y) * bounds.width
                for index in widened.indices { widened[index] = 0 }
                if let full { spread(picture, source, bounds.width, by: full, into: &widened, reach) }
                for dx in soft {
                    for column in 0..<bounds.width {
                        let alpha = picture[(source + column) * 4 + 3]
                        guard alpha > 0 else { continue }
                        let coverage = Blend.times(alpha, weights[dx])
                        widened[column + reach - dx] = max(widened[column + reach - dx], coverage)
                        widened[column + reach + dx] = max(widened[column + reach + dx], coverage)
                    }
                }
                let left = max(part.x, bounds.x - reach)
                let right = min(part.x + part.width, bounds.x + bounds.width + reach)
                for x in left..<max(left, right) {
                    let target = (y - part.y) * part.width + x - part.x
                    result[target] = max(result[target], widened[x - bounds.x + reach])
                }
            }
        }
        return result
    }

    /// The largest alpha within `distance` of every column, with a queue of decreasing values (Lemire, 2006): each column enters and leaves
    /// it once.
    private static func spread(
        _ picture: [UInt8], _ source: Int, _ width: Int, by distance: Int, into target: inout [UInt8], _ reach: Int
    ) {
        var queue = [Int](repeating: 0, count: width)
        var first = 0
        var end = 0
        for center in -distance..<width + distance {
            let entering = center + distance
            if entering < width {
                let alpha = picture[(source + entering) * 4 + 3]
                while end > first, picture[(source + queue[end - 1]) * 4 + 3] <= alpha { end -= 1 }
                queue[end] = entering
                end += 1
            }
            while end > first, queue[first] < center - distance { first += 1 }
            if end > first { target[center + reach] = picture[(source + queue[first]) * 4 + 3] }
        }
    }
}

private extension ColorGlyph {
    /// Two source pixels, and the weight of the second one, out of 4096.
    typealias Sample = (first: Int, second: Int, weight: Int)

    static func samples(_ start: Int, _ count: Int, from length: Int, to newLength: Int) -> [Sample] {
        (start..<start + count).map { place in
            // The center of the new pixel, in 1/4096 of a source pixel from the center of the first source pixel.
            let at = max(0, ((2 * place + 1) * length * 4096 / newLength - 4096) / 2)
            let first = min(at >> 12, length - 1)
            return (first, min(first + 1, length - 1), at & 4095)
        }
    }

    static func mix(_ a: UInt8, _ b: UInt8, _ weight: Int) -> Int {
        Int(a) * (4096 - weight) + Int(b) * weight
    }
}

/// Integer arithmetic on premultiplied pixels with 8 bits per channel.
enum Blend {
    /// a · b / 255, rounded to nearest.
    static func times(_ a: UInt8, _ b: UInt8) -> UInt8 {
        let product = UInt32(a) &* UInt32(b) &+ 128
        return UInt8(truncatingIfNeeded: (product &+ product >> 8) >> 8)
    }

    /// Composites a premultiplied pixel, times a coverage, over another (source over: Porter and Duff, 1984).
    static func over(
        _ target: UnsafeMutablePointer<UInt8>, _ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8, coverage: UInt8
    ) {
        let rest = 255 &- times(alpha, coverage)
        target[0] = times(red, coverage) &+ times(target[0], rest)
        target[1] = times(green, coverage) &+ times(target[1], rest)
        target[2] = times(blue, coverage) &+ times(target[2], rest)
        target[3] = 255 &- rest &+ times(target[3], rest)
    }
}
