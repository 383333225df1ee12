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
        guard range.contains(value) else {
            throw PropertyError(path: path, problem: "\(plain(value)) is outside \(plain(range.lowerBound))…\(plain(range.upperBound))")
        }
    }
}
