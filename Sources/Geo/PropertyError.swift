/// An error that reports an invalid value of a property. Invalid values are never clamped to the valid range.
public struct PropertyError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The key path of the property, such as `camera.zoom`.
    public let path: String
    /// The problem in words, such as `99 is outside 0…24`.
    public let problem: String

    public init(path: String, problem: String) {
        self.path = path
        self.problem = problem
    }

    public var description: String { "\(path): \(problem)" }

    package static func check(_ value: Double, in range: ClosedRange<Double>, _ path: String) throws(PropertyError) {
        if let error = range.error(of: value, path) { throw error }
    }
}

extension ClosedRange<Double> {
    /// Any finite number.
    package static var finite: Self { -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude }
    /// A number of 0 or more.
    package static var notNegative: Self { 0...Double.infinity }

    /// A number above 0 and at most `limit`.
    package static func positive(through limit: Double) -> Self { 0.nextUp...limit }

    /// Whether this range was made by ``positive(through:)``.
    package var isPositive: Bool { lowerBound == 0.nextUp }

    /// The message for a number outside the range; nil if the range contains it.
    /// - Parameter text: The number in the form used in messages.
    package func problem(of value: Double, text: @autoclosure () -> String) -> String? {
        if contains(value) { return nil }
        let (text, upper) = (text(), plain(upperBound))
        if self == .finite { return "\(text) is not a finite number" }
        if isPositive { return "the value must be above 0 and at most \(upper), not \(text)" }
        if lowerBound == -.infinity { return "\(text) is more than \(upper)" }
        if upperBound == .infinity { return "\(text) is less than \(plain(lowerBound))" }
        return "\(text) is outside \(plain(lowerBound))…\(upper)"
    }

    /// The error of a property whose value is outside the range; nil if the range contains it.
    package func error(of value: Double, _ path: @autoclosure () -> String) -> PropertyError? {
        problem(of: value, text: plain(value)).map { PropertyError(path: path(), problem: $0) }
    }
}
