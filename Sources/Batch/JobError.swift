import WaymarkSceneFiles

/// Why a job failed: one sentence, with the key path in the job where there is one, and an exit code as in sysexits.
package struct JobError: Error, Equatable, CustomStringConvertible {
    package enum Code: Int, Sendable {
        /// A file was read, and its content is wrong; or the job is.
        case badContent = 65
        /// A file that the job names is absent or cannot be read.
        case noInput = 66
        /// The machine lacks something.
        case unavailable = 69
        case software = 70
        case cannotWrite = 73
    }

    package var code: Code
    package var description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// - Parameter root: The key path of the job in its document, which is left out of the path.
    init(_ error: SceneFileError, code: Code = .badContent, root: String = "") {
        var error = error
        if error.path == root {
            error.path = ""
        } else if !root.isEmpty, error.path.hasPrefix(root + ".") {
            error.path.removeFirst(root.count + 1)
        } else if !root.isEmpty, error.path.hasPrefix(root + "[") {
            error.path.removeFirst(root.count)
        }
        self.init(code, error.description)
    }
}
