import Waymark
import WaymarkSceneFiles

/// A failed job, with the reason.
package struct BatchFailure: Equatable, Sendable {
    /// The line in the file of jobs, from 1.
    package var line: Int
    /// The id of the job; nil when the line has no valid id.
    package var id: String?
    package var code: Failure.Code
    /// The reason in one sentence.
    package var message: String
}

extension BatchFailure {
    /// Writes the list in line order, atomically. Without failures, no file is written, and an old one is removed.
    static func write(_ failures: [BatchFailure], to path: String) throws(Failure) {
        try BatchList.write(failures.sorted(by: { $0.line < $1.line }), to: path) { failure, writer in
            writer.key("id")
            if let id = failure.id { writer.string(id) } else { writer.null() }
            writer.member("line", failure.line)
            writer.member("code", failure.code.rawValue)
            writer.member("message", failure.message)
        }
    }
}
