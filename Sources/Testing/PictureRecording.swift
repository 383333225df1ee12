import WaymarkSystem

/// The rule that determines when expectations are written.
public enum PictureRecording: String, Sendable {
    /// Expectations are never written. If an expectation is missing, the test fails. `WAYMARK_RECORD=0` selects this case.
    case never
    /// An expectation is written if it is missing. The test then fails, because nobody has looked at the picture yet. This is the
    /// default.
    case missing
    /// Expectations are always written, replacing existing ones. If `WAYMARK_RECORD=1` requests this, tests pass. If the source of a test
    /// requests this, the test fails, as a reminder to remove the request.
    case all
}

extension PictureRecording {
    /// The setting of the environment variable `WAYMARK_RECORD`; nil if it is unset.
    /// - Throws: `ExpectationError` if the value is not recognized.
    static func ofEnvironment() throws(ExpectationError) -> Self? {
        guard let value = Environment.value("WAYMARK_RECORD") else { return nil }
        switch value {
        case "1", "all": return .all
        case "0", "never": return .never
        case "missing": return .missing
        default:
            throw ExpectationError(
                "WAYMARK_RECORD is \"\(value)\", but must be \"1\" (record all pictures), \"0\" (record none) or \"missing\" (record missing ones)"
            )
        }
    }
}

/// The reason, in one sentence, why a picture could not be compared or recorded.
package struct ExpectationError: Error, CustomStringConvertible {
    package var description: String

    init(_ description: String) { self.description = description }
}
