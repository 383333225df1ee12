import Foundation
import WaymarkGeo
import WaymarkImaging

/// A function from a value of the data, such as a speed, to a number or a color of the map.
///
/// A ramp lists values and their outputs; between two values, the output changes evenly. A scale with an axis spreads its outputs evenly
/// over a domain, on a linear, logarithmic or square-root axis. A value below or above all listed values, or outside the domain, gets the
/// output at the nearest end. At the listed values and at the ends of the domain, the output is exact. Steps and classes divide the values
/// into ranges, and each range has one output. Categories map each name to an output.
///
///     let scale = Scale(by: "speed", ramp: [.init(0, .blue), .init(30, .red)])
///     line.colorScale = scale
///     let classes = Scale(by: "population", steps: [1e4, 1e5, 1e6], ColorScheme(named: "YlGnBu")!.colors(4)!)
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
        /// The domain must not be below 0. If the output is the radius of a circle, the area of the circle is proportional to the value.
        case sqrt
    }

    /// The conversion of values to outputs.
    public enum Form: Equatable, Sendable {
        /// At least one stop, in ascending order of values. If two stops have the same value, the output jumps there from the first stop's
        /// output to the second's.
        case ramp([Stop])
        /// At least one output, spread evenly from one end of the domain to the other. Without a domain, the data determine it: from 0 to
        /// the largest value for `sqrt`, and from the smallest to the largest otherwise.
        case axis(Axis, [Output], domain: ClosedRange<Double>?)
        /// Classes of values, separated by at least one step in ascending order. There is one more output than steps. A class includes its
        /// upper bound, as in mapclassify. With the steps 10 and 20, for example, the first class contains all values up to 10, the second
        /// all values above 10 up to 20, and the third all values above 20.
        case steps([Double], [Output])
        /// Classes that the data determine, with an output for each.
        case classes(ScaleClasses, [Output])
        /// At least one name with its output, and the output for all other names. If `others` is nil, the property or line that uses the
        /// scale determines the output for other names.
        case categories([Category], others: Output?)
    }

    /// A name from the data, and the output for it.
    public struct Category: Equatable, Sendable {
        public var name: String
        public var output: Output

        public init(_ name: String, _ output: Output) {
            (self.name, self.output) = (name, output)
        }
    }

    /// The name of the attribute in the data.
    public var property: String
    public var form: Form
    /// The output for a missing value or NaN. Default nil: categories use `others`; in other scales, the property or line that uses the
    /// scale determines the output.
    public var missing: Output?

    public init(by property: String, _ form: Form, missing: Output? = nil) {
        (self.property, self.form, self.missing) = (property, form, missing)
    }

    /// Creates a scale with an output for each of the listed values.
    public init(by property: String, ramp stops: [Stop], missing: Output? = nil) {
        self.init(by: property, .ramp(stops), missing: missing)
    }

    /// Creates a scale with outputs spread evenly over a domain on a linear axis.
    public init(by property: String, linear outputs: [Output], domain: ClosedRange<Double>? = nil, missing: Output? = nil) {
        self.init(by: property, .axis(.linear, outputs, domain: domain), missing: missing)
    }

    /// Creates a scale with outputs spread evenly over a domain on a logarithmic axis.
    public init(by property: String, log outputs: [Output], domain: ClosedRange<Double>? = nil, missing: Output? = nil) {
        self.init(by: property, .axis(.log, outputs, domain: domain), missing: missing)
    }

    /// Creates a scale with outputs spread evenly over a domain on a square-root axis. Default domain: from 0 to the largest value in the
    /// data.
    public init(by property: String, sqrt outputs: [Output], domain: ClosedRange<Double>? = nil, missing: Output? = nil) {
        self.init(by: property, .axis(.sqrt, outputs, domain: domain), missing: missing)
    }
}

extension Scale {
    /// Creates a scale with an output for each class. The steps separate the classes, so there is one more output than steps.
    public init(by property: String, steps: [Double], _ outputs: [Output], missing: Output? = nil) {
        self.init(by: property, .steps(steps, outputs), missing: missing)
    }

    /// Creates a scale with an output for each of the classes that the data determine.
    public init(by property: String, classes: ScaleClasses, _ outputs: [Output], missing: Output? = nil) {
        self.init(by: property, .classes(classes, outputs), missing: missing)
    }

    /// Creates a scale with an output for each of the listed names.
    public init(by property: String, categories: [Category], others: Output? = nil, missing: Output? = nil) {
        self.init(by: property, .categories(categories, others: others), missing: missing)
    }
}

/// A number or a color.
public protocol ScaleOutput: Equatable, Sendable {
    /// The interpolation between two outputs: exactly `a` if the share is 0, and exactly `b` if it is 1.
    static func mixed(_ a: Self, _ b: Self, _ share: Double) -> Self
    /// Whether the output is a finite number or a color with components in 0…1.
    var isValidOutput: Bool { get }
    /// The key of a list of outputs in scene files: `numbers` or `colors`.
    static var listName: String { get }
}

extension Double: ScaleOutput {
    public static func mixed(_ a: Double, _ b: Double, _ share: Double) -> Double { a * (1 - share) + b * share }
    public var isValidOutput: Bool { isFinite }
    public static var listName: String { "numbers" }
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
    public static var listName: String { "colors" }
}

extension Scale {
    /// The maximum number of stops or outputs.
    public static var countLimit: Int { 1024 }

    /// The output for a value; for NaN, the output for a missing value. A scale without a domain uses the domain 0…1, and classes that are
    /// not yet determined count as a single class; see ``resolved(for:)``. A scale with categories looks up the number as a name.
    public func output(at value: Double) -> Output? {
        guard !value.isNaN else { return outputOfMissing }
        if case .categories = form { return output(for: plain(value)) }
        return output(atPosition: position(of: value), steps: 0)
    }

    /// The output for a name. For nil, or if the scale has no categories, this is the output for a missing value.
    public func output(for category: String?) -> Output? {
        guard let category, case .categories(let categories, let others) = form else { return outputOfMissing }
        return categories.first { $0.name == category }?.output ?? others
    }

    /// The output for a missing value.
    package var outputOfMissing: Output? {
        guard case .categories(_, let others) = form else { return missing }
        return missing ?? others
    }

    /// The same scale, with its domain or its classes determined from the data. Classes become steps. If the data have fewer different
    /// values than classes, there are fewer classes, with outputs chosen at even intervals from the given outputs.
    public func resolved(for values: some Sequence<Double>) -> Scale {
        switch form {
        case .axis(let axis, let outputs, domain: nil):
            var (low, high) = (Double.infinity, -Double.infinity)
            for value in values where value.isFinite && (axis != .log || value > 0) {
                low = min(low, value)
                high = max(high, value)
            }
            if axis == .sqrt { low = 0 }
            guard low <= high else { return self }
            return Scale(by: property, .axis(axis, outputs, domain: low...high), missing: missing)
        case .classes(let classes, let outputs):
            let numbers = values.filter(\.isFinite)
            guard !numbers.isEmpty else { return self }
            return separated(by: classes.breaks(of: numbers), outputs)
        case .ramp, .axis, .steps, .categories: return self
        }
    }

    /// The same scale with the given breaks between its classes; unchanged if it has no classes.
    package func resolved(withBreaks breaks: [Double]) -> Scale {
        guard case .classes(_, let outputs) = form else { return self }
        return separated(by: breaks, outputs)
    }

    private func separated(by breaks: [Double], _ outputs: [Output]) -> Scale {
        let chosen = (0...breaks.count).map { outputs[Self.choice($0, of: breaks.count + 1, from: outputs.count)] }
        return Scale(by: property, .steps(breaks, chosen), missing: missing)
    }

    /// The index of the output for a class. There may be fewer classes than outputs. The first and the last output are kept, and a single
    /// class uses the middle output.
    private static func choice(_ index: Int, of count: Int, from outputs: Int) -> Int {
        guard count > 1 else { return outputs / 2 }
        return count >= outputs ? min(index, outputs - 1) : (index * (outputs - 1) * 2 + count - 1) / (2 * (count - 1))
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
        case .steps(let steps, let outputs): return Self.problem(steps) ?? Self.problem(outputs, for: steps.count + 1)
        case .classes(let classes, let outputs): return classes.problem ?? Self.problem(outputs, for: classes.count)
        case .categories(let categories, let others): return Self.problem(categories, others)
        }
    }

    private static func problem(_ steps: [Double]) -> PropertyError? {
        // A resolved scale may have a single class. Files require a step.
        guard steps.count < countLimit else {
            return PropertyError(path: "steps", problem: "expected 1…\(countLimit - 1) elements, found \(steps.count)")
        }
        for (index, step) in steps.enumerated() {
            guard step.isFinite else { return PropertyError(path: "steps[\(index)]", problem: "the value is not a finite number") }
            guard index > 0, step <= steps[index - 1] else { continue }
            return PropertyError(
                path: "steps[\(index)]", problem: "the steps must ascend; \(plain(step)) follows \(plain(steps[index - 1]))")
        }
        return nil
    }

    private static func problem(_ outputs: [Output], for count: Int) -> PropertyError? {
        guard outputs.count == count else {
            return PropertyError(
                path: Output.listName,
                problem: "\(count) \(count == 1 ? "class needs" : "classes need") \(count) \(Output.listName), found \(outputs.count)")
        }
        guard let index = outputs.firstIndex(where: { !$0.isValidOutput }) else { return nil }
        return PropertyError(path: "\(Output.listName)[\(index)]", problem: "this value is invalid")
    }

    private static func problem(_ categories: [Category], _ others: Output?) -> PropertyError? {
        guard (1...countLimit).contains(categories.count) else {
            return PropertyError(path: "categories", problem: "expected 1…\(countLimit) categories, found \(categories.count)")
        }
        var names: Set<String> = []
        for category in categories {
            guard names.insert(category.name).inserted else {
                return PropertyError(path: "categories", problem: "the category \"\(category.name)\" is listed twice")
            }
            guard category.output.isValidOutput else {
                return PropertyError(path: "categories.\(category.name)", problem: "this value is invalid")
            }
        }
        return others.map(\.isValidOutput) == false ? PropertyError(path: "others", problem: "this value is invalid") : nil
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

// Positions are numbers along the scale, between which the output changes evenly.
extension Scale {
    /// The outputs and their positions, ascending.
    package var positions: [Stop] {
        switch form {
        case .ramp(let stops): return stops
        case .axis(_, let outputs, _): return outputs.enumerated().map { Stop(Double($0.offset), $0.element) }
        case .steps(let steps, let outputs):
            // The output jumps just above a step, because the step itself belongs to the class below.
            guard !steps.isEmpty else { return outputs.prefix(1).map { Stop(0, $0) } }
            return steps.enumerated().flatMap { [Stop($1.nextUp, outputs[$0]), Stop($1.nextUp, outputs[$0 + 1])] }
        case .classes(_, let outputs): return outputs.isEmpty ? [] : [Stop(0, outputs[outputs.count / 2])]
        // Names have no positions; a line with categories is invalid.
        case .categories(let categories, _): return categories.prefix(1).map { Stop(0, $0.output) }
        }
    }

    /// The position of a value, which must not be NaN.
    package func position(of value: Double) -> Double {
        guard case .axis(let axis, let outputs, let domain) = form else { return value }
        let (low, high) = (domain?.lowerBound ?? 0, domain?.upperBound ?? 1)
        let last = Double(outputs.count - 1)
        // If all values are equal, they are in the middle, except that 0 is the start of a square-root axis.
        if value == low, low == high, axis != .sqrt || low != 0 { return last / 2 }
        guard value > low else { return 0 }
        guard value < high else { return last }
        let share =
            switch axis {
            case .linear: Self.share(of: value, from: low, to: high)
            case .log: Self.logarithmicShare(of: value, from: low, to: high)
            case .sqrt: (value.squareRoot() - low.squareRoot()) / (high.squareRoot() - low.squareRoot())
            }
        // Neighboring numbers may have the same root, and an invalid domain may have no logarithm.
        return share.isNaN ? 0 : min(max(share, 0), 1) * last
    }

    /// The position of a number between two others, as a share of their distance. The distance may be infinite.
    private static func share(of value: Double, from low: Double, to high: Double) -> Double {
        let span = high - low
        return span.isFinite ? (value - low) / span : (value / 2 - low / 2) / (high / 2 - low / 2)
    }

    /// The same for the logarithms of the numbers; NaN unless the numbers are above 0. The ratio of `high` to `low` may be infinite.
    private static func logarithmicShare(of value: Double, from low: Double, to high: Double) -> Double {
        let ratio = high / low
        return ratio.isFinite
            ? Foundation.log(value / low) / Foundation.log(ratio)
            : (Foundation.log(value) - Foundation.log(low)) / (Foundation.log(high) - Foundation.log(low))
    }

    /// - Parameter steps: The number of steps to which outputs between two neighbors are rounded; 0 for exact outputs.
    package func output(atPosition position: Double, steps: Int) -> Output? {
        switch form {
        case .ramp(let stops): return Self.output(at: position, stops, steps: steps)
        case .axis(_, let outputs, _):
            let index = min(Int(position), max(outputs.count - 2, 0))
            guard index + 1 < outputs.count else { return outputs[index] }
            return .mixed(outputs[index], outputs[index + 1], Self.rounded(position - Double(index), steps))
        // The index of a value's class is the number of steps below the value.
        case .steps(let steps, let outputs): return outputs[steps.partitioningIndex { !($0 < position) }]
        case .classes(_, let outputs): return outputs.isEmpty ? missing : outputs[outputs.count / 2]
        case .categories: return missing
        }
    }

    private static func rounded(_ share: Double, _ steps: Int) -> Double {
        steps > 0 ? (share * Double(steps)).rounded() / Double(steps) : share
    }

    /// The output of a ramp at a value.
    /// - Parameter steps: The number of steps to which outputs between two stops are rounded; 0 for exact outputs.
    package static func output(at value: Double, _ stops: [Stop], steps: Int = 0) -> Output {
        // The first stop above the value.
        let index = stops.partitioningIndex { !($0.value <= value) }
        guard index > 0 else { return stops[0].output }
        let (before, after) = (stops[index - 1], stops[min(index, stops.count - 1)])
        guard after.value > before.value else { return before.output }
        return .mixed(before.output, after.output, rounded(share(of: value, from: before.value, to: after.value), steps))
    }
}
