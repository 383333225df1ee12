import Waymark
import WaymarkSystem

/// Reasons why a batch cannot be drawn or completed. Finished pictures stay, and `resume` continues from them.
extension Failure {
    /// The file of jobs, or the base scene, is missing or cannot be read.
    package static func unreadable(path: String, errno: Int32) -> Failure {
        Failure(.noInput, "\(path.quotedIfEmpty): cannot read the file: \(SystemError(errno: errno))")
    }

    /// The temporary folder, to which jobs from a pipe or a device are copied, cannot be written.
    static func cannotCopy(path: String, folder: String, errno: Int32) -> Failure {
        Failure(
            .cannotWrite,
            "\(path): the jobs must be copied into a temporary file, but writing to the folder "
                + "\(folder) fails: \(SystemError(errno: errno)); "
                + "set TMPDIR to another folder")
    }

    /// A file that a batch keeps in its folder would replace the file of jobs or the base scene.
    static func replacesInput(path: String, input: String) -> Failure {
        Failure(
            .usage,
            "\(path): the batch would replace \(path == input ? "this file" : input), which it reads; choose another folder or copy the file"
        )
    }

    /// The output folder, or a file that a batch keeps in it, cannot be written.
    package static func cannotWrite(path: String, errno: Int32) -> Failure {
        Failure(.cannotWrite, "\(path): cannot write: \(SystemError(errno: errno))")
    }

    /// Another batch is writing into the folder.
    package static func isBusy(path: String) -> Failure { Failure(.cannotWrite, "\(path): another batch is writing to this folder") }
}
