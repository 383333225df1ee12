import Foundation
import WaymarkImaging
import WaymarkScene

/// The values of a ramp or an axis, and their positions on the bar of a legend. Positions are shares of the bar's length, from the lowest
/// value to the highest.
struct LegendAxis: Equatable {
    private enum Form {
        case linear, log, sqrt
        /// The values of stops, shown evenly spaced, because they are too unequally spaced for a linear axis.
        case stops
    }

    private let form: Form
    let low: Double
    let high: Double
    /// The values of the stops of a ramp, without duplicates.
    private let stops: [Double]
    /// The smallest and the largest number in the data.
    private let range: ClosedRange<Double>?
    /// Whether values are written as dates, so that round ones are days, months or years.
    private let areDates: Bool
    /// The number of date units per second.
    let dateUnit: Double

    /// The maximum number of stops that have ticks of their own.
    private static let mostStops = 7
    /// The minimum number of stops that are shown instead of round values.
    private static let fewestStops = 3
    /// The smallest share between two stops on a linear axis.
    private static let leastShare = 0.1

    /// Returns nil if the data determined no domain.
    init?<Output>(_ scale: Scale<Output>, _ map: MapScale, _ format: NumberFormat) {
        range = map.range
        areDates = format == .date
        switch scale.form {
        case .ramp(let stops):
            guard let first = stops.first, let last = stops.last else { return nil }
            (low, high) = (first.value, last.value)
            var values: [Double] = []
            for stop in stops where values.last != stop.value { values.append(stop.value) }
            self.stops = values
            let span = high - low
            let isUneven = zip(values, values.dropFirst()).contains { ($1 - $0) < Self.leastShare * span }
            form = isUneven && values.count <= Self.mostStops ? .stops : .linear
        case .axis(let axis, _, let domain):
            guard let domain else { return nil }
            (low, high, stops) = (domain.lowerBound, domain.upperBound, [])
            form =
                switch axis {
                case .linear: .linear
                case .log: .log
                case .sqrt: .sqrt
                }
        case .steps, .classes, .categories: return nil
        }
        dateUnit = map.dateUnit([low, high])
    }

    /// Whether all values are equal.
    var isSingle: Bool { low == high }

    /// The share of a value within the axis.
    func share(of value: Double) -> Double {
        guard low < high else { return 0.5 }
        let share =
            switch form {
            case .linear: (value / 2 - low / 2) / (high / 2 - low / 2)
            case .log: Foundation.log(value / low) / Foundation.log(high / low)
            case .sqrt: (value.squareRoot() - low.squareRoot()) / (high.squareRoot() - low.squareRoot())
            case .stops: shareAmongStops(of: value)
            }
        return share.isFinite ? min(max(share, 0), 1) : 0
    }

    private func shareAmongStops(of value: Double) -> Double {
        guard let next = stops.firstIndex(where: { $0 > value }), next > 0 else { return value < high ? 0 : 1 }
        let part = (value - stops[next - 1]) / (stops[next] - stops[next - 1])
        return (Double(next - 1) + part) / Double(stops.count - 1)
    }

    /// The value at a share.
    func value(at share: Double) -> Double {
        switch form {
        case .linear: return low * (1 - share) + high * share
        case .log: return low * Foundation.pow(high / low, share)
        case .sqrt:
            let root = low.squareRoot() * (1 - share) + high.squareRoot() * share
            return root * root
        case .stops:
            let place = share * Double(stops.count - 1)
            let index = min(max(Int(place), 0), max(stops.count - 2, 0))
            guard index + 1 < stops.count else { return low }
            return stops[index] + (stops[index + 1] - stops[index]) * (place - Double(index))
        }
    }
}

// Ticks.
extension LegendAxis {
    /// A labeled value on the bar.
    struct Tick {
        var value: Double
        /// The sign before the label: ≤ or ≥ if the data continue beyond this end of the bar, and otherwise empty.
        var relation = ""
    }

    /// The labeled values, ascending.
    /// - Parameter gap: The smallest share between two of them.
    func ticks(gap: Double) -> [Tick] {
        guard low < high else { return [Tick(value: low)] }
        var values: [Double]
        if !stops.isEmpty, stops.count <= Self.mostStops {
            values = stops
        } else {
            let count = min(max(Int(1 / gap), 2), 6)
            values = form == .log && !areDates ? Self.roundLogarithms(low, high, atMost: count) : round(low, high, atMost: count)
        }
        let isBelow = range.map { $0.lowerBound < low } ?? false
        let isAbove = range.map { $0.upperBound > high } ?? false
        // The ends come first, so that ticks too close to them are left out.
        let ends = (isBelow || values.first == low ? [low] : []) + (isAbove || values.last == high ? [high] : [])
        var chosen: [Double] = []
        for value in ends + values where !chosen.contains(where: { abs(share(of: $0) - share(of: value)) < gap * 0.999 }) {
            chosen.append(value)
        }
        return chosen.sorted().map { value in
            Tick(value: value, relation: value == low && isBelow ? "≤\u{2009}" : value == high && isAbove ? "≥\u{2009}" : "")
        }
    }

    /// The values for which a scale of numbers shows its outputs, ascending. They are within the data and the domain.
    var samples: [Double] {
        let low = min(max(low, range?.lowerBound ?? low), high)
        let high = max(min(high, range?.upperBound ?? high), low)
        guard low < high else { return [low] }
        if (Self.fewestStops...Self.mostStops).contains(stops.count) { return stops }
        guard form != .linear, !areDates, low <= 0 || high / low > Self.narrowRatio else { return round(low, high, atMost: 5) }
        // The outputs of these values are about evenly spaced.
        let (first, last) = (share(of: low), share(of: high))
        var values: [Double] = []
        for part in [0.1, 0.4, 0.7, 1] {
            let value = Self.rounded(self.value(at: first + (last - first) * part))
            if value >= low, value > values.last ?? -.infinity { values.append(value) }
        }
        return values.count > 1 ? values : [low, high]
    }

    /// The ratio of two numbers up to which evenly spaced numbers between them have clearly different roots and logarithms.
    private static let narrowRatio = 8.0

    /// A number rounded down to one digit.
    private static func rounded(_ value: Double) -> Double {
        guard value > 0 else { return 0 }
        let power = Foundation.pow(10, Foundation.log10(value).rounded(.down))
        // 3 / 1 may be 2.9999….
        return (value / power + 1e-9).rounded(.down) * power
    }

    /// Round values between two others, as many as possible.
    private func round(_ low: Double, _ high: Double, atMost count: Int) -> [Double] {
        areDates ? Self.roundDates(low, high, unit: dateUnit, atMost: count) : Self.round(low, high, atMost: count)
    }

    /// Multiples of 1, 2 or 5 times a power of ten between two numbers, as many as possible.
    static func round(_ low: Double, _ high: Double, atMost count: Int) -> [Double] {
        // The difference may be larger than the largest number, and a part of it may be smaller than the smallest number.
        let step = (high / 2 - low / 2) / Double(count) * 2
        guard step > 0, step.isFinite else { return [low, high] }
        // The next larger step always has fewer multiples.
        var exponent = Int(Foundation.log10(step).rounded(.down)) - 1
        while exponent < 400 {
            for factor in [1.0, 2, 5] {
                // Numbers are divided by a power of ten, because 0.1 is not exact.
                let power = Foundation.pow(10, Double(abs(exponent)))
                let step: Double = exponent < 0 ? factor : factor * power
                let divisor: Double = exponent < 0 ? power : 1
                let first: Double = (low * divisor / step - 1e-9).rounded(.up)
                let last: Double = (high * divisor / step + 1e-9).rounded(.down)
                guard last - first < Double(count), first.isFinite, last.isFinite else { continue }
                let values = stride(from: first, through: last, by: 1).map { $0 * step / divisor }
                return values.count > 1 ? values : [low, high]
            }
            exponent += 1
        }
        return [low, high]
    }

    /// Powers of ten between two numbers, or 1, 2 and 5 times such powers.
    static func roundLogarithms(_ low: Double, _ high: Double, atMost count: Int) -> [Double] {
        let first = Int(Foundation.log10(low).rounded(.down))
        let last = Int(Foundation.log10(high).rounded(.up))
        let range = low * (1 - 1e-9)...high * (1 + 1e-9)
        func values(_ factors: [Double], every step: Int) -> [Double] {
            var values: [Double] = []
            for exponent in stride(from: first, through: last, by: step) {
                for factor in factors { values.append(factor * Foundation.pow(10, Double(exponent))) }
            }
            return values.filter(range.contains)
        }
        let fine = values([1, 2, 5], every: 1)
        if fine.count <= count { return fine.count > 1 ? fine : round(low, high, atMost: count) }
        for step in 1...700 {
            let powers = values([1], every: step)
            if powers.count <= count { return powers.count > 1 ? powers : [low, high] }
        }
        return [low, high]
    }

    /// The steps in seconds: 1 second to half a minute, 1 minute to half an hour, 1 hour to half a day, 1 day, 2 days and 1 week.
    private static let dateSteps: [Double] = [
        1, 5, 15, 30, 60, 300, 900, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
    ]

    /// The beginnings of years, months, days, hours or minutes between two dates.
    /// - Parameter unit: The number of date units per second.
    static func roundDates(_ low: Double, _ high: Double, unit: Double, atMost count: Int) -> [Double] {
        let (first, last) = (low / unit, high / unit)
        guard let start = CivilTime(seconds: first), let end = CivilTime(seconds: last) else { return round(low, high, atMost: count) }
        for length in dateSteps {
            // The first of January 1970 was a Thursday, and weeks begin on Mondays.
            let offset: Double = length == 604_800 ? 345_600 : 0
            let (from, through) = (((first - offset) / length).rounded(.up), ((last - offset) / length).rounded(.down))
            guard through - from < Double(count) else { continue }
            let values = stride(from: from, through: through, by: 1).map { ($0 * length + offset) * unit }
            return values.count > 1 ? values : [low, high]
        }
        let years = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000]
        for months in [1, 3, 6] + years.map({ $0 * 12 }) {
            let from = (start.year * 12 + start.month - 1) / months
            let through = (end.year * 12 + end.month - 1) / months
            guard through - from <= count else { continue }
            var values: [Double] = []
            for index in from...max(from, through) {
                let value = CivilTime(year: index * months / 12, month: index * months % 12 + 1).seconds
                if value >= first, value <= last { values.append(value * unit) }
            }
            guard values.count <= count else { continue }
            return values.count > 1 ? values : [low, high]
        }
        return [low, high]
    }
}
