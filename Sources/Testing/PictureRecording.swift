import WaymarkSystem

/// When expectations are written.
public enum PictureRecording: String, Sendable {
    /// Never. A missing expectation is a failure, and nothing is written. Set by `WAYMARK_RECORD=0`.
    case never
    /// If the expectation is missing; the test then fails, because nobody has looked at the picture. The default.
    case missing
    /// Always, replacing existing expectations. With `WAYMARK_RECORD=1` the tests pass. A test that requests it in its source fails, so
    /// that the request is removed again.
    case all
}

extension PictureRecording {
    /// The environment's setting; nil if it is unset.
    /// - Throws: `ExpectationError` for an unrecognized value.
    static func ofEnvironment() throws(ExpectationError) -> Self? {
        guard let value = Environment.value("WAYMARK_RECORD") else { return nil }
        switch value {
        case "1", "all": return .all
        case "0", "never": return .never
        case "missing": return .missing
        default: throw ExpectationError("WAYMARK_RECORD is \"\(value)\"; it can be 1 (record), 0 (write nothing) or missing")
        }
    }
}

/// The reason why a picture could not be compared or recorded, in one sentence.
package struct ExpectationError: Error, CustomStringConvertible {
    package var description: String

    init(_ description: String) { self.description = description }
}
