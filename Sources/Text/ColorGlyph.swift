import WaymarkImaging

/// Pictures of colour, which fonts have at one size, at other sizes and with halos.
enum ColorGlyph {
    /// Where a picture stands at a scale: whole pixels, at least one each way.
    static func bounds(_ box: InkBounds, scale: Double) -> InkBounds {
        func rounded(_ value: Int) -> Int { Int((Double(value) * scale + 0.5).rounded(.down)) }
        return InkBounds(
            x: rounded(box.x), y: rounded(box.y), width: max(1, rounded(box.width)), height: max(1, rounded(box.height)))
    }

    /// Whole pixels by which a halo stands out; `radius` in 1/64 pixel.
    static func margin(_ radius: Int32) -> Int {
        (Int(radius) + 63) / 64
    }

    /// A part of a picture that is scaled up to `bounds`, linearly from pixel centre to pixel centre.
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

    /// The alpha of a picture of `bounds`, widened by a disc of `radius` in 1/64 pixel, over `part`.
    static func widened(_ picture: [UInt8], of bounds: InkBounds, by radius: Int32, in part: InkBounds) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: part.width * part.height)
        let reach = margin(radius)
        let pixels = Double(radius) / 64
        for dy in -reach...reach {
            for dx in -reach...reach {
                let distance = Double(dx * dx + dy * dy).squareRoot()
                let weight = Int((min(max(pixels + 0.5 - distance, 0), 1) * 255 + 0.5).rounded(.down))
                let weightHere = dx == 0 && dy == 0 ? 255 : weight
                guard weightHere > 0 else { continue }
                let covered = bounds.moved(x: dx, y: dy).intersection(part)
                guard !covered.isEmpty else { continue }
                for y in covered.y..<covered.y + covered.height {
                    var source = ((y - dy - bounds.y) * bounds.width + covered.x - dx - bounds.x) * 4 + 3
                    var target = (y - part.y) * part.width + covered.x - part.x
                    for _ in 0..<covered.width {
                        result[target] = max(result[target], Blend.times(picture[source], UInt8(weightHere)))
                        source += 4
                        target += 1
                    }
                }
            }
        }
        return result
    }
}

private extension ColorGlyph {
    /// Two source pixels, and the second one's share of 4096.
    typealias Sample = (first: Int, second: Int, weight: Int)

    static func samples(_ start: Int, _ count: Int, from length: Int, to newLength: Int) -> [Sample] {
        (start..<start + count).map { place in
            // The new pixel's centre, in 1/4096 of source pixels from the first one's centre.
            let at = max(0, ((2 * place + 1) * length * 4096 / newLength - 4096) / 2)
            let first = min(at >> 12, length - 1)
            return (first, min(first + 1, length - 1), at & 4095)
        }
    }

    static func mix(_ a: UInt8, _ b: UInt8, _ weight: Int) -> Int {
        Int(a) * (4096 - weight) + Int(b) * weight
    }
}
