/// Chooses the colors of a palette, so that the mean square error of the picture over all backgrounds is small.
///
/// First, the set of colors is halved repeatedly. Each step divides the group with the largest error along its longest side, at the
/// position with the least remaining error (X. Wu, "Efficient Statistical Computations for Optimal Color Quantization", Graphics Gems II,
/// 1991, applied to the colors themselves instead of a grid). An eighth of the palette is reserved for the colors that are then farthest
/// from the chosen ones, so that a pin keeps its color on a photo. Finally, the groups are improved by k-means (S. Lloyd, "Least Squares
/// Quantization in PCM", 1982).
///
/// No library is used, because the well-maintained one, libimagequant, is under the GPL. Colors are not dithered: an area of one color
/// stays uniform, and the file stays small.
struct PaletteQuantizer {
    /// The color of each bucket of a histogram as a point. The squared distance of two points is the error of substituting one color for
    /// the other.
    private let points: [SIMD4<Double>]
    private let weights: [Double]

    /// The group of each bucket.
    private(set) var groups: [UInt8]
    /// The mean of each group, premultiplied.
    var means: [SIMD4<Double>] { centers.map(Self.color) }
    private var centers: [SIMD4<Double>] = []

    /// - Parameters:
    ///   - colors: Premultiplied colors, at least one, and their frequencies.
    ///   - count: The maximum number of groups, 1…256.
    init(colors: [SIMD4<Double>], weights: [Double], count: Int) {
        points = colors.map(Self.point)
        self.weights = weights
        groups = [UInt8](repeating: 0, count: colors.count)
        divide(into: count - count / 8)
        addFarthest(upTo: count)
        improve()
    }

    /// For each bucket, the nearest of the given premultiplied colors.
    func nearest(_ colors: [SIMD4<Double>]) -> [UInt8] {
        var groups = groups.map { min($0, UInt8(colors.count - 1)) }
        assign(&groups, colors.map(Self.point))
        return groups
    }
}

private extension PaletteQuantizer {
    /// Over a background of brightness b (0…1), a premultiplied color p with alpha a appears as p + b (1 − a). The squared difference of
    /// two colors, averaged over all b, is (Δp − Δa/2)² + Δa²/12 for each of the three channels.
    static func point(_ color: SIMD4<Double>) -> SIMD4<Double> {
        let half = color.w / 2
        return SIMD4(color.x - half, color.y - half, color.z - half, half)
    }

    static func color(_ point: SIMD4<Double>) -> SIMD4<Double> {
        SIMD4(point.x + point.w, point.y + point.w, point.z + point.w, point.w * 2)
    }

    @inline(__always)
    static func squareDistance(_ a: SIMD4<Double>, _ b: SIMD4<Double>) -> Double {
        let difference = a - b
        return (difference * difference).sum()
    }

    // MARK: Halving

    /// Buckets that are not divided yet.
    struct ColorGroup {
        var members: [Int32]
        var mean: SIMD4<Double>
        /// The weighted sum of square distances from the mean, by axis.
        var error: SIMD4<Double>
    }

    mutating func divide(into count: Int) {
        var divided = [group(Array(0..<Int32(points.count)))]
        while divided.count < count {
            var worst = 0
            for (index, group) in divided.enumerated() where group.error.sum() > divided[worst].error.sum() { worst = index }
            guard divided[worst].members.count > 1, let (left, right) = halves(divided[worst]) else { break }
            divided[worst] = group(left)
            divided.append(group(right))
        }
        centers = divided.map(\.mean)
        for (index, group) in divided.enumerated() {
            for member in group.members { groups[Int(member)] = UInt8(index) }
        }
    }

    func group(_ members: [Int32]) -> ColorGroup {
        var sum = SIMD4<Double>()
        var weight = 0.0
        for member in members {
            sum += points[Int(member)] * weights[Int(member)]
            weight += weights[Int(member)]
        }
        let mean = sum / weight
        var error = SIMD4<Double>()
        for member in members {
            let difference = points[Int(member)] - mean
            error += difference * difference * weights[Int(member)]
        }
        // A single color has no error, and rounding must not introduce one.
        return ColorGroup(members: members, mean: mean, error: members.count == 1 ? SIMD4() : error)
    }

    /// Divides a group along the axis with the largest error, at the position where the least error remains; nil if its members are less
    /// than half a step apart.
    func halves(_ group: ColorGroup) -> (left: [Int32], right: [Int32])? {
        var axis = 0
        for other in 1..<4 where group.error[other] > group.error[axis] { axis = other }
        // Coordinates lie in −127.5…255.
        let step = { (member: Int32) in Int((points[Int(member)][axis] + 128) * 2) }
        var sums = [Double](repeating: 0, count: 768)
        var totals = sums
        for member in group.members {
            let weight = weights[Int(member)]
            totals[step(member)] += weight
            sums[step(member)] += weight * (points[Int(member)][axis] - group.mean[axis])
        }
        let (sum, total) = (sums.reduce(0, +), totals.reduce(0, +))
        var best: (last: Int, gain: Double)?
        var (left, leftTotal) = (0.0, 0.0)
        for index in 0..<sums.count where totals[index] > 0 {
            left += sums[index]
            leftTotal += totals[index]
            guard leftTotal < total else { break }
            let right = sum - left
            let gain = left * left / leftTotal + right * right / (total - leftTotal)
            if gain > best?.gain ?? -1 { best = (index, gain) }
        }
        guard let best else { return nil }
        let lower = group.members.filter { step($0) <= best.last }
        let upper = group.members.filter { step($0) > best.last }
        // If the weights differ by many orders of magnitude, one side may be empty.
        return lower.isEmpty || upper.isEmpty ? nil : (lower, upper)
    }

    // MARK: Rare colors

    /// Beyond this share of all pixels, a color's frequency no longer increases its importance.
    static let importantShare = 1.0 / 2048

    /// Adds centers until there are `count`. Each is placed at the color that is farthest from the other centers, among sufficiently
    /// important colors.
    mutating func addFarthest(upTo count: Int) {
        let important = weights.reduce(0, +) * Self.importantShare
        var distances = points.indices.map { Self.squareDistance(points[$0], centers[Int(groups[$0])]) }
        while centers.count < count {
            var (best, most) = (-1, 0.0)
            for bucket in points.indices {
                let gain = distances[bucket] * min(weights[bucket], important)
                if gain > most { (best, most) = (bucket, gain) }
            }
            guard best >= 0 else { return }
            let center = points[best]
            for bucket in points.indices {
                let distance = Self.squareDistance(points[bucket], center)
                guard distance < distances[bucket] else { continue }
                distances[bucket] = distance
                groups[bucket] = UInt8(centers.count)
            }
            centers.append(center)
        }
    }

    // MARK: k-means

    /// The number of rounds. A few suffice, because each round gains less than the previous one.
    static let rounds = 6

    mutating func improve() {
        guard centers.count > 1 else { return }
        for _ in 0..<Self.rounds {
            guard assign(&groups, centers) else { return }
            var sums = [SIMD4<Double>](repeating: SIMD4(), count: centers.count)
            var totals = [Double](repeating: 0, count: centers.count)
            for (bucket, group) in groups.enumerated() {
                sums[Int(group)] += points[bucket] * weights[bucket]
                totals[Int(group)] += weights[bucket]
            }
            // A group that has lost all its members keeps its center.
            for group in centers.indices where totals[group] > 0 { centers[group] = sums[group] / totals[group] }
        }
    }

    /// Assigns each bucket to the nearest center. On ties, the center with the lowest index is chosen. Returns whether any assignment has
    /// changed.
    ///
    /// Only centers closer to the bucket's previous center than twice the bucket's own distance need to be checked (C. Elkan, "Using the
    /// Triangle Inequality to Accelerate k-Means", 2003).
    @discardableResult
    func assign(_ groups: inout [UInt8], _ centers: [SIMD4<Double>]) -> Bool {
        let count = centers.count
        // For each center, the other centers by their distance.
        var order: [UInt8] = []
        var distances: [Double] = []
        for center in centers {
            let others = centers.enumerated().map { (index: $0.offset, distance: Self.squareDistance(center, $0.element)) }
                .sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }
            order += others.map { UInt8($0.index) }
            distances += others.map(\.distance)
        }
        var isChanged = false
        for bucket in points.indices {
            let start = Int(groups[bucket]) * count
            let point = points[bucket]
            var nearest = groups[bucket]
            var least = Self.squareDistance(point, centers[Int(nearest)])
            let reach = 4 * least
            for other in start..<start + count where distances[other] <= reach {
                let distance = Self.squareDistance(point, centers[Int(order[other])])
                if distance < least || distance == least && order[other] < nearest { (least, nearest) = (distance, order[other]) }
            }
            isChanged = isChanged || nearest != groups[bucket]
            groups[bucket] = nearest
        }
        return isChanged
    }
}
