import Glibc
import SystemPackage

/// The reason why a system call failed.
///
/// This module does all input and output: whole files, descriptors, folders, environment variables, the processors of the control group,
/// and other processes. It does not know pictures or scenes, and is the only module that uses swift-system.
package struct SystemError: Error, Equatable, Sendable {
    /// The system's error number, such as `ENOENT`.
    package let errno: CInt

    package init(errno: CInt) {
        self.errno = errno
    }

    package static let notFound = SystemError(errno: ENOENT)
    package static let isFolder = SystemError(errno: EISDIR)
    /// A non-blocking descriptor has no data yet.
    package static let wouldBlock = SystemError(errno: EAGAIN)
    package static let inputOutput = SystemError(errno: EIO)

    // Errors for which the system has no number; the system's numbers are positive.
    /// A named pipe was opened for reading, but has no writer.
    package static let noWriter = SystemError(errno: -1)
    /// A named pipe was opened for writing, but has no reader.
    package static let noReader = SystemError(errno: -2)
    /// The path belongs to a socket, which cannot be opened.
    package static let isSocket = SystemError(errno: -3)
    /// The path contains U+0000, at which C would cut it.
    package static let holdsZero = SystemError(errno: -4)
}

extension SystemError: CustomStringConvertible {
    /// The system's message: `No such file or directory`.
    package var description: String {
        switch self {
        case .noWriter: "nothing opened this pipe for writing within \(NamedPipe.patience.components.seconds) s"
        case .noReader: "nothing opened this pipe for reading within \(NamedPipe.patience.components.seconds) s"
        case .isSocket: "this is a socket"
        case .holdsZero: "the name contains U+0000"
        default: Errno(rawValue: errno).description
        }
    }
}

/// A file that could not be read or written, and the reason.
package struct FileError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case cannotRead
        case cannotWrite
        /// The file has more bytes than allowed for its kind; `limit` is the limit of the kind that it exceeds.
        case tooLarge(InputKind, limit: Int)
    }

    package var reason: Reason
    /// The file as named by the caller; nil if the caller adds the name.
    package var path: String?
    /// The system's error number; nil if the system reported no error.
    package var errno: CInt?

    package init(_ reason: Reason, path: String?, _ error: SystemError? = nil) {
        self.reason = reason
        self.path = path
        errno = error?.errno
    }
}

extension FileError: CustomStringConvertible {
    /// `scene.json: cannot read the file: No such file or directory`.
    package var description: String { (path.map { "\($0.quotedIfEmpty): " } ?? "") + problem }

    /// The sentence without the path: `cannot read the file: No such file or directory`.
    package var problem: String {
        let sentence =
            switch reason {
            case .cannotRead: "cannot read the file"
            case .cannotWrite: "cannot write the file"
            case .tooLarge(let kind, let limit): kind.excess(limit: limit)
            }
        return sentence + (errno.map { ": \(SystemError(errno: $0))" } ?? "")
    }
}

extension String {
    /// Whether the text contains U+0000. Names must not contain it, because C would end the text there and use a different name.
    package var holdsZero: Bool { utf8.contains(0) }

    /// The text as a file name.
    /// - Throws: `holdsZero`.
    func checkedName() throws(SystemError) -> String {
        if holdsZero { throw .holdsZero }
        return self
    }
}

/// Runs calls of swift-system, which throw only `Errno`.
func checked<Result>(_ body: () throws -> Result) throws(SystemError) -> Result {
    do {
        return try body()
    } catch let error as Errno {
        throw SystemError(errno: error.rawValue)
    } catch {
        throw SystemError(errno: EIO)
    }
}

/// Calls a C function that swift-system does not wrap, and repeats the call if a signal interrupted it. A negative result is an error.
@discardableResult
func retrying(_ call: () -> CInt) throws(SystemError) -> CInt {
    while true {
        let result = call()
        if result >= 0 { return result }
        let code = errno
        if code != EINTR { throw SystemError(errno: code) }
    }
}
