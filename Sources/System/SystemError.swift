import Glibc
import SystemPackage

/// Why a system call failed.
///
/// This room does all input and output: files that are read and written whole, descriptors, folders, environment variables, the
/// processors of the control group, and other processes. It knows no picture and no scene, and is the only room that uses swift-system.
package struct SystemError: Error, Equatable, Sendable {
    /// The system's error number, such as `ENOENT`.
    package let errno: CInt

    package init(errno: CInt) {
        self.errno = errno
    }

    package static let notFound = SystemError(errno: ENOENT)
    package static let isFolder = SystemError(errno: EISDIR)
    package static let inputOutput = SystemError(errno: EIO)
}

extension SystemError: CustomStringConvertible {
    /// The system's message: `No such file or directory`.
    package var description: String { Errno(rawValue: errno).description }
}

/// A file that could not be read or written: which, and why.
package struct FileError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case cannotRead
        case cannotWrite
        /// The file has more bytes than the reader allows.
        case tooLong(limit: Int)
    }

    package var reason: Reason
    /// The file as the caller named it; nil where the caller names it itself.
    package var path: String?
    /// The system's error number; nil when the system did not refuse.
    package var errno: CInt?

    package init(_ reason: Reason, path: String?, _ error: SystemError? = nil) {
        self.reason = reason
        self.path = path
        errno = error?.errno
    }
}

extension FileError: CustomStringConvertible {
    /// `scene.json: cannot read the file: No such file or directory`.
    package var description: String { (path.map { "\($0): " } ?? "") + problem }

    /// The sentence without the path: `cannot read the file: No such file or directory`.
    package var problem: String {
        let sentence =
            switch reason {
            case .cannotRead: "cannot read the file"
            case .cannotWrite: "cannot write the file"
            case .tooLong(let limit): "the file is longer than the \(limit) bytes allowed"
            }
        return sentence + (errno.map { ": \(SystemError(errno: $0))" } ?? "")
    }
}

/// Runs calls of swift-system, which throw nothing but `Errno`.
func checked<Result>(_ body: () throws -> Result) throws(SystemError) -> Result {
    do {
        return try body()
    } catch let error as Errno {
        throw SystemError(errno: error.rawValue)
    } catch {
        throw SystemError(errno: EIO)
    }
}

/// Calls a C function that swift-system does not wrap, again after a signal interrupted it. A negative result is an error.
@discardableResult
func retrying(_ call: () -> CInt) throws(SystemError) -> CInt {
    while true {
        let result = call()
        if result >= 0 { return result }
        let code = errno
        if code != EINTR { throw SystemError(errno: code) }
    }
}
