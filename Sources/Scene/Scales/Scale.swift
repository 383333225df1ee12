import Foundation
import WaymarkGeo
import WaymarkImaging

/// A function from a number of the data, such as a speed, to a number or a color of the map.
///
/// A ramp lists values and their outputs; between two values, the output changes evenly. The other scales spread their outputs evenly over a
/// domain, on a linear, logarithmic or square-root axis. Values beyond the first or the last get its output. At the listed values and the
/// ends of the domain, the output is exact.
///
///     let scale = Scale(by: "speed", ramp: [.init(0, .blue), .init(30, .red)])
///     line.colorScale = scale
public struct Scale<Output: ScaleOutput>: Equatable, Sendable {
    /// A value and its output.
    public struct Stop: Equatable, Sendable {
        public var value: Double
        public var output: Output

        public init(_ value: Double, _ output: Output) {
            (self.value, self.output) = (value, output)
        }
    }

    /// The axis on which outputs are spread evenly.
    public enum Axis: String, Sendable, CaseIterable {
        case linear
        /// The domain must be above 0.
        case log
        /// The domain must not be below 0. The area of a circle whose radius is on this axis is proportional to the value.
        case sqrt
    }

    /// How values are turned into outputs.
    public enum Form: Equatable, Sendable {
        /// At least one stop, by ascending values. Of two stops with one value, the first ends the outputs below it, and the second begins
        /// those above.
        case ramp([Stop])
        /// At least one output, spread evenly from one end of the domain to the other. Without a domain, the data determine it: from 0 to
        /// the largest value for `sqrt`, and from the smallest to the largest otherwise.
        case axis(Axis, [Output], domain: ClosedRange<Double>?)
    }

    /// The name of the values in the data.
    public var property: String
    public var form: Form
    /// The output for a missing value or NaN. Default nil: what uses the scale determines it.
    public var missing: Output?

    public init(by property: String, _ form: Form, missing: Output? = nil) {
        (self.property, self.form, self.missing) = (property, form, missing)
    }

    /// Creates a scale with an output for each of some values.
    public init(by property: String, ramp stops: [Stop], missing: Output? = nil) {
        self.init(by: property, .ramp(stops), missing: missing)
    }

    /// Creates a scale with outputs spread evenly over a linear domain.
    public init(by property: String, linear outputs: [Output], domain: ClosedRange<Double>? = nil, missing: Output? = nil) {
        self.init(by: property, .axis(.linear, outputs, domain: domain), missing: missing)
    }

    /// Creates a scale with outputs spread evenly over a logarithmic domain.
    public init(by property: String, log outputs: [Output], domain: ClosedRange<Double>? = nil, missing: Output? = nil) {
        self.init(by: property, .axis(.log, outputs, domain: domain), missing: missing)
    }

    /// Creates a scale with outputs spread evenly over the square root of a domain.
    public init(by property: String, sqrt outputs: [Output], domain: ClosedRange<Double>? = nil, missing: Output? = nil) {
        self.init(by: property, .axis(.sqrt, outputs, domain: domain), missing: missing)
    }
}

/// A number or a color.
public protocol ScaleOutput: Equatable, Sendable {
    /// The output at a share of the way from one output to another: exactly `a` at 0, and exactly `b` at 1.
    static func mixed(_ a: Self, _ b: Self, _ share: Double) -> Self
    /// Whether it is a finite number or a color with components in 0…1.
    var isValidOutput: Bool { get }
}

extension Double: ScaleOutput {
    public static func mixed(_ a: Double, _ b: Double, _ share: Double) -> Double { a * (1 - share) + b * share }
    public var isValidOutput: Bool { isFinite }
}

/// Colors are mixed with premultiplied alpha, as in CSS gradients.
extension Color: ScaleOutput {
    public static func mixed(_ a: Color, _ b: Color, _ share: Double) -> Color {
        let alpha = Double.mixed(a.alpha, b.alpha, share)
        func channel(_ first: Double, _ second: Double) -> Double {
            guard a.alpha != b.alpha, alpha > 0 else { return .mixed(first, second, share) }
            return share <= 0 ? first : share >= 1 ? second : .mixed(first * a.alpha, second * b.alpha, share) / alpha
        }
        return Color(red: channel(a.red, b.red), green: channel(a.green, b.green), blue: channel(a.blue, b.blue), alpha: alpha)
    }

    public var isValidOutput: Bool { isValid }
}

extension Scale {
    /// The maximum number of stops or outputs.
    public static var countLimit: Int { 1024 }

    /// The output for a value; `missing` for NaN. A scale without a domain has the domain 0…1; see ``resolved(for:)``.
    public func output(at value: Double) -> Output? {
        guard !value.isNaN else { return missing }
        return output(atPosition: position(of: value))
    }

    /// The same scale with its domain, determined from the data.
    public func resolved(for values: some Sequence<Double>) -> Scale {
        guard case .axis(let axis, let outputs, domain: nil) = form else { return self }
        var (low, high) = (Double.infinity, -Double.infinity)
        for value in values where value.isFinite && (axis != .log || value > 0) {
            low = min(low, value)
            high = max(high, value)
        }
        if axis == .sqrt { low = 0 }
        guard low <= high else { return self }
        return Scale(by: property, .axis(axis, outputs, domain: low...high), missing: missing)
    }

    /// The first problem of the scale; nil if it is valid.
    package var problem: PropertyError? {
        switch form {
        case .ramp(let stops): return Self.problem(stops, "ramp")
        case .axis(let axis, let outputs, let domain):
            let name = axis.rawValue
            guard (1...Self.countLimit).contains(outputs.count) else {
                return PropertyError(path: name, problem: "expected 1…\(Self.countLimit) elements, found \(outputs.count)")
            }
            if let index = outputs.firstIndex(where: { !$0.isValidOutput }) {
                return PropertyError(path: "\(name)[\(index)]", problem: "this value is invalid")
            }
            guard let domain else { return nil }
            guard domain.lowerBound.isFinite, domain.upperBound.isFinite else {
                return PropertyError(path: "domain", problem: "both ends must be finite numbers")
            }
            return switch axis {
            case .linear: nil
            case .log: domain.lowerBound > 0 ? nil : PropertyError(path: "domain", problem: "the domain of log must be above 0")
            case .sqrt: domain.lowerBound >= 0 ? nil : PropertyError(path: "domain", problem: "the domain of sqrt must not be below 0")
            }
        }
    }

    package static func problem(_ stops: [Stop], _ path: String) -> PropertyError? {
        guard (1...countLimit).contains(stops.count) else {
            return PropertyError(path: path, problem: "expected 1…\(countLimit) elements, found \(stops.count)")
        }
        for (index, stop) in stops.enumerated() {
            guard stop.value.isFinite else {
                return PropertyError(path: "\(path)[\(index)][0]", problem: "the value is not a finite number")
            }
            guard stop.output.isValidOutput else { return PropertyError(path: "\(path)[\(index)][1]", problem: "this value is invalid") }
            if index > 0, stop.value < stops[index - 1].value {
                return PropertyError(
                    path: "\(path)[\(index)][0]",
                    problem: "the values must ascend; \(plain(stop.value)) follows \(plain(stops[index - 1].value))")
            }
        }
        return nil
    }
}

// Positions: numbers along the scale, between which the output changes evenly.
extension Scale {
    /// The outputs and their positions, ascending.
    package var positions: [Stop] {
        switch form {
        case .ramp(let stops): stops
        case .axis(_, let outputs, _): outputs.enumerated().map { Stop(Double($0.offset), $0.element) }
        }
    }

    /// The position of a value, which is not NaN.
    package func position(of value: Double) -> Double {
        guard case .axis(let axis, let outputs, let domain) = form else { return value }
        let (low, high) = (domain?.lowerBound ?? 0, domain?.upperBound ?? 1)
        let last = Double(outputs.count - 1)
        guard value > low || high == low else { return 0 }
        guard value < high || high == low else { return last }
        // If all values are equal, they are in the middle.
        guard high > low else { return value == low ? last / 2 : value < low ? 0 : last }
        return switch axis {
        case .linear: (value - low) / (high - low) * last
        case .log: Foundation.log(value / low) / Foundation.log(high / low) * last
        case .sqrt: (value.squareRoot() - low.squareRoot()) / (high.squareRoot() - low.squareRoot()) * last
        }
    }

    private func output(atPosition position: Double) -> Output {
        switch form {
        case .ramp(let stops): return Self.output(at: position, stops)
        case .axis(_, let outputs, _):
            let index = min(Int(position), max(outputs.count - 2, 0))
            guard index + 1 < outputs.count else { return outputs[index] }
            return .mixed(outputs[index], outputs[index + 1], position - Double(index))
        }
    }

    /// The output at a value of a ramp.
    package static func output(at value: Double, _ stops: [Stop]) -> Output {
        // The first stop above the value.
        var (low, high) = (0, stops.count)
        while low < high {
            let middle = (low + high) / 2
            if stops[middle].value <= value { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return stops[0].output }
        let (before, after) = (stops[low - 1], stops[min(low, stops.count - 1)])
        guard after.value > before.value else { return before.output }
        return .mixed(before.output, after.output, (value - before.value) / (after.value - before.value))
    }
}
