import Waymark
import WaymarkSystem

/// Why a batch was not drawn, or not completed. Finished pictures stay, and `resume` continues from them.
package enum BatchError: Error, Equatable, Sendable {
    /// The file of jobs, or the base scene, is absent or cannot be read.
    case unreadable(path: String, errno: Int32)
    /// The file of jobs, or the base scene, is larger than is read of its kind. One sentence.
    case tooLarge(path: String, problem: String)
    /// The temporary folder, where jobs from a pipe or a device are copied, cannot be written.
    case cannotCopy(path: String, folder: String, errno: Int32)
    /// What a batch keeps in its folder would replace the file of jobs or the base scene.
    case replacesInput(path: String, input: String)
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
        case .unreadable(let path, let code): "\(path.quotedIfEmpty): cannot read the file: \(SystemError(errno: code))"
        case .tooLarge(let path, let problem): "\(path): \(problem)"
        case .cannotCopy(let path, let folder, let code):
            "\(path): its jobs are copied into a temporary file, and \(folder) cannot be written: \(SystemError(errno: code)); "
                + "TMPDIR names another folder"
        case .replacesInput(let path, let input):
            "\(path): the batch would replace \(path == input ? "this file" : input), which it reads; choose another folder or copy the file"
        case .badJobs(let problem): problem
        case .cannotWrite(let path, let code): "\(path): cannot write: \(SystemError(errno: code))"
        case .isBusy(let path): "\(path): another batch is writing there"
        case .worker(_, let message): message
        }
    }
}

extension BatchError {
    /// - Parameter path: The name of the file in messages.
    init(reading error: FileError, path: String) {
        switch error.reason {
        case .tooLarge: self = .tooLarge(path: path, problem: error.problem)
        case .cannotRead, .cannotWrite: self = .unreadable(path: path, errno: error.errno ?? SystemError.inputOutput.errno)
        }
    }
}
