import WaymarkGeo

/// Classes of values that are determined from the data in the same way as in mapclassify.
public struct ScaleClasses: Equatable, Sendable {
    /// How the classes are determined from the data.
    public enum Method: String, Sendable, CaseIterable {
        /// Classes with about the same number of values each. Identical values are always in the same class.
        case quantiles
        /// Classes of equal width, from the smallest value to the largest. Some may be empty.
        case equal
        /// Natural breaks (Fisher–Jenks): classes that minimize the sum of the squared differences between values and class means.
        case natural
    }

    public var method: Method
    /// The number of classes, valid in 1…32. There are fewer if the data have fewer different values.
    public var count: Int

    package init(_ method: Method, _ count: Int) {
        (self.method, self.count) = (method, count)
    }

    public static func quantiles(_ count: Int) -> ScaleClasses { ScaleClasses(.quantiles, count) }
    public static func equal(_ count: Int) -> ScaleClasses { ScaleClasses(.equal, count) }
    public static func natural(_ count: Int) -> ScaleClasses { ScaleClasses(.natural, count) }

    /// The valid numbers of classes.
    public static let countRange = 1...32
}

extension ScaleClasses {
    var problem: PropertyError? {
        guard !Self.countRange.contains(count) else { return nil }
        return PropertyError(
            path: "classes.\(method.rawValue)",
            problem: "\(count) is outside \(Self.countRange.lowerBound)…\(Self.countRange.upperBound)")
    }

    /// The upper bounds of all classes but the last, ascending, each below the largest value; empty without values.
    /// - Parameter values: Finite numbers.
    package func breaks(of values: [Double]) -> [Double] {
        guard let first = values.min(), let last = values.max(), first < last, Self.countRange.contains(count) else { return [] }
        return switch method {
        case .quantiles: quantiles(values, upTo: last)
        case .equal: equal(from: first, to: last)
        case .natural: NaturalBreaks(values.sorted()).breaks(classCount: count)
        }
    }

    /// Classes separated by percentiles. The order of operations is the same as in mapclassify and SciPy's `scoreatpercentile`, so that the
    /// breaks are the same numbers.
    private func quantiles(_ numbers: [Double], upTo last: Double) -> [Double] {
        let width = 100.0 / Double(count)
        let places = (0..<count - 1).map { (width + Double($0) * width) / 100 * Double(numbers.count - 1) }
        let values = OrderStatistics.moved(in: numbers, ranks: places.flatMap { [Int($0), Int($0) + 1] })
        var breaks: [Double] = []
        for place in places {
            let below = Int(place)
            var value = values[below]
            if Double(below) != place {
                let (before, after) = (Double(below + 1) - place, place - Double(below))
                value = (value * before + values[below + 1] * after) / (before + after)
            }
            if value < last, breaks.last.map({ $0 < value }) ?? true { breaks.append(value) }
        }
        return breaks
    }

    /// Classes of equal width. The order of operations is the same as in mapclassify and NumPy's `arange`.
    private func equal(from first: Double, to last: Double) -> [Double] {
        // The difference of very large numbers is infinite, but the difference of their halves is finite.
        guard (last - first).isFinite else { return equal(from: first / 2, to: last / 2).map { $0 * 2 } }
        let width = (last - first) / Double(count)
        let start = first + width
        let step = start + width - start
        var breaks: [Double] = []
        for index in 0..<count - 1 {
            let value = start + Double(index) * step
            // A width may be too small to change a number.
            if value < last, (breaks.last ?? first) < value { breaks.append(value) }
        }
        return breaks
    }
}
