import WaymarkSystem

/// When expectations are written.
public enum PictureRecording: String, Sendable {
    /// Never: a missing expectation is a failure, and nothing is written beside the tests. The environment's `WAYMARK_RECORD=0`.
    case never
    /// Where there is none; the test fails, since nobody has looked at it. The default.
    case missing
    /// Always, in place of what is there. The environment's `WAYMARK_RECORD=1` records what the tests draw and lets them pass; a test that
    /// asks for it itself fails, so that it does not stay so.
    case all
}

extension PictureRecording {
    /// What the environment says; nil for nothing.
    /// - Throws: `ExpectationError` for a value that is none.
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

/// Why a picture could not be compared or recorded: one sentence.
package struct ExpectationError: Error, CustomStringConvertible {
    package var description: String

    init(_ description: String) { self.description = description }
}
