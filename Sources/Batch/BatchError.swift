import WaymarkSystem

/// Why a batch was not drawn, or not completed. Finished pictures stay, and `resume` continues from them.
package enum BatchError: Error, Equatable, Sendable {
    /// The file of jobs, or the base scene, is absent or cannot be read.
    case unreadable(path: String, errno: Int32)
    /// Two jobs of the file have one id or one output. One sentence.
    case badJobs(String)
    /// The output folder, or what a batch keeps in it, cannot be written.
    case cannotWrite(path: String, errno: Int32)
    /// Another batch is writing into the folder.
    case isBusy(path: String)
    /// The base scene is invalid, or no worker starts: a worker's message, and a code as in sysexits.
    case worker(code: Int, message: String)
}

extension BatchError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let path, let code): "\(path): cannot read the file: \(SystemError(errno: code))"
        case .badJobs(let problem): problem
        case .cannotWrite(let path, let code): "\(path): cannot write: \(SystemError(errno: code))"
        case .isBusy(let path): "\(path): another batch is writing there"
        case .worker(_, let message): message
        }
    }
}
