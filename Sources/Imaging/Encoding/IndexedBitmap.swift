/// A picture of at most 256 colors: a palette, and an index into it for each pixel.
///
/// If the bitmap has few enough colors, the pixels are unchanged. Otherwise, each pixel gets the nearest color of a palette chosen for the
/// picture. Transparent pixels stay transparent, and a color that makes up most of its group is kept, so that backgrounds and areas keep
/// their colors.
struct IndexedBitmap {
    let width: Int
    let height: Int
    /// Straight colors, translucent ones first, otherwise in the order of their bytes.
    private(set) var palette: [Bitmap.Pixel] = []
    /// An index into the palette for each pixel, top row first.
    private(set) var indexes: [UInt8] = []

    /// The valid limits for the number of colors.
    static let colorCounts = 2...256

    /// - Parameter colorCount: The maximum number of colors, in `colorCounts`.
    init(_ bitmap: Bitmap, colorCount: Int) {
        width = bitmap.width
        height = bitmap.height
        let histogram = ColorHistogram(bitmap)
        let colors = (0..<histogram.count).map(histogram.color)
        if histogram.isExact, colors.count <= colorCount {
            fill(bitmap, histogram, colors, Array(0..<colors.count))
        } else {
            let (chosen, indexes) = Self.quantize(colors, histogram, colorCount)
            fill(bitmap, histogram, chosen, indexes)
        }
    }
}

private extension IndexedBitmap {
    /// Chooses the palette's colors, and assigns one of them to each bucket.
    static func quantize(
        _ colors: [SIMD4<Double>], _ histogram: ColorHistogram, _ count: Int
    ) -> (chosen: [SIMD4<Double>], indexes: [Int]) {
        // Transparent pixels have a separate index, because the mean of a group would make them slightly visible.
        let transparent = histogram.isExact ? colors.firstIndex(of: SIMD4()) : nil
        let others = colors.indices.filter { $0 != transparent }
        let weights = others.map { histogram.counts[$0] }
        let quantizer = PaletteQuantizer(
            colors: others.map { colors[$0] }, weights: weights, count: transparent == nil ? count : count - 1)
        var chosen = quantizer.means
        // For each group, its most frequent color and the weight of that color.
        var frequent = [(weight: Double, bucket: Int)](repeating: (0, 0), count: chosen.count)
        var totals = [Double](repeating: 0, count: chosen.count)
        for (bucket, group) in quantizer.groups.enumerated() {
            totals[Int(group)] += weights[bucket]
            if weights[bucket] > frequent[Int(group)].weight { frequent[Int(group)] = (weights[bucket], bucket) }
        }
        for group in chosen.indices where frequent[group].weight * 2 >= totals[group] && totals[group] > 0 {
            chosen[group] = colors[others[frequent[group].bucket]]
        }
        chosen = chosen.map { bytes(of: $0) }
        var indexes = [Int](repeating: chosen.count, count: colors.count)
        for (bucket, nearest) in zip(others, quantizer.nearest(chosen)) { indexes[bucket] = Int(nearest) }
        if transparent != nil { chosen.append(SIMD4()) }
        return (chosen, indexes)
    }

    /// The nearest premultiplied color with integer components, none above its alpha.
    static func bytes(of color: SIMD4<Double>) -> SIMD4<Double> {
        let rounded = color.rounded(.toNearestOrAwayFromZero).clamped(lowerBound: SIMD4(), upperBound: SIMD4(repeating: 255))
        return rounded.clamped(lowerBound: SIMD4(), upperBound: SIMD4(repeating: rounded.w))
    }

    /// Builds the palette from the distinct colors that are used, and the indexes of all pixels.
    /// - Parameter indexes: For each bucket, the index of its color.
    mutating func fill(_ bitmap: Bitmap, _ histogram: ColorHistogram, _ colors: [SIMD4<Double>], _ indexes: [Int]) {
        var isUsed = [Bool](repeating: false, count: colors.count)
        for index in indexes { isUsed[index] = true }
        let words = colors.map { Self.straight($0) }
        // Opaque colors come last, so that the list of alphas is short. The alpha is the highest byte.
        let used = Set(colors.indices.filter { isUsed[$0] }.map { words[$0] }).sorted { Self.order($0) < Self.order($1) }
        palette = used.map { word in
            Bitmap.Pixel(
                red: UInt8(word & 255), green: UInt8(word >> 8 & 255), blue: UInt8(word >> 16 & 255), alpha: UInt8(word >> 24))
        }
        let places = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($0.element, UInt8($0.offset)) })
        self.indexes = histogram.map(bitmap, indexes.map { places[words[$0]] ?? 0 })
    }

    /// The sort key of a color, which places opaque colors after all others.
    static func order(_ word: UInt32) -> UInt64 {
        UInt64(word >> 24 == 255 ? 1 : 0) << 32 | UInt64(word)
    }

    /// The straight color, red in the lowest byte.
    static func straight(_ color: SIMD4<Double>) -> UInt32 {
        let source = (0..<4).map { UInt8(color[$0]) }
        var target = [UInt8](repeating: 0, count: 4)
        Alpha.unpremultiply(source, into: &target, count: 1)
        return target.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
