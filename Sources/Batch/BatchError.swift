import Glibc

/// Why a batch was not drawn, or not to its end. What is done stays done, and `resume` goes on from there.
package enum BatchError: Error, Equatable, Sendable {
    /// The file of jobs, or the base scene, is absent or cannot be read.
    case unreadable(path: String, errno: Int32)
    /// Two jobs of the file have one id or one output. One sentence.
    case badJobs(String)
    /// The output folder, or what a batch keeps in it, cannot be written.
    case cannotWrite(path: String, errno: Int32)
    /// Another batch is writing into the folder.
    case isBusy(path: String)
    /// What a worker said of the base scene, or why none starts. The code is as in sysexits.
    case worker(code: Int, message: String)
}

extension BatchError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let path, let code): "\(path): cannot read the file: \(systemWords(code))"
        case .badJobs(let problem): problem
        case .cannotWrite(let path, let code): "\(path): cannot write: \(systemWords(code))"
        case .isBusy(let path): "\(path): another batch is writing there"
        case .worker(_, let message): message
        }
    }
}

/// The system's words for an error number.
func systemWords(_ code: Int32) -> String {
    var room = [CChar](repeating: 0, count: 256)
    guard strerror_r(code, &room, room.count) == 0 else { return "error \(code)" }
    return String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
