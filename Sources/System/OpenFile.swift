import CWaymarkProcess
import Glibc
import Synchronization
import SystemPackage

/// An open file, pipe or device, closed when the object is released.
package final class OpenFile: Sendable {
    private let file: FileDescriptor
    private let isLocked = Atomic(false)

    /// Takes ownership of a descriptor opened by the system or C.
    package init(adopting number: CInt) {
        file = FileDescriptor(rawValue: number)
    }

    deinit {
        // A process that is being started has copies of all descriptors until it runs its program. Without unlocking, the lock would last
        // until then.
        if isLocked.load(ordering: .relaxed) { _ = flock(number, LOCK_UN) }
        try? file.close()
    }

    /// The file descriptor's number.
    package var number: CInt { file.rawValue }
}

extension OpenFile {
    package enum Access: Sendable {
        case read, write, readAndWrite
    }

    package struct Options: OptionSet, Sendable {
        package let rawValue: CInt
        package init(rawValue: CInt) { self.rawValue = rawValue }

        /// Creates the file if it does not exist.
        package static let create = Options(rawValue: O_CREAT)
        /// With `create`, fails if the file exists.
        package static let exclusive = Options(rawValue: O_EXCL)
        package static let truncate = Options(rawValue: O_TRUNC)
        /// Every write goes to the end of the file.
        package static let append = Options(rawValue: O_APPEND)
        /// Fails if the last component of the path is a symbolic link.
        package static let noFollow = Options(rawValue: O_NOFOLLOW)
        package static let nonBlocking = Options(rawValue: O_NONBLOCK)
    }

    /// Opens a file, which child processes do not inherit. A new file's mode is 0666 less the umask.
    /// - Parameter folder: The base of a relative path; nil for the working directory.
    package convenience init(
        _ path: String, _ access: Access, _ options: Options = [], in folder: Folder? = nil
    ) throws(SystemError) {
        let mode =
            switch access {
            case .read: O_RDONLY
            case .write: O_WRONLY
            case .readAndWrite: O_RDWR
            }
        let start = folder?.number ?? AT_FDCWD
        let name = try path.checkedName()
        self.init(adopting: try retrying { openat(start, name, mode | options.rawValue | O_CLOEXEC, 0o666) })
    }

    /// A second descriptor of the same open file, which child processes do not inherit.
    package convenience init(copying number: CInt) throws(SystemError) {
        self.init(adopting: try retrying { fcntl(number, F_DUPFD_CLOEXEC, 0) })
    }

    /// An unnamed file in the temporary folder (`TMPDIR`, else `/tmp`), which disappears when the process ends in any way.
    package static func temporary(prefix: String) throws(SystemError) -> OpenFile {
        // mkstemp replaces the six letters X by others that make the name unique.
        var template = Array("\(Environment.temporaryFolder)/\(prefix)-XXXXXX".utf8CString)
        let file = OpenFile(adopting: try retrying { mkstemp(&template) })
        unlink(template)
        // mkostemp, which could set this flag on opening, is a GNU extension that Swift's Glibc module lacks.
        try retrying { fcntl(file.number, F_SETFD, FD_CLOEXEC) }
        return file
    }
}

// MARK: - Reading and writing

extension OpenFile {
    /// Reads the available bytes, at most as many as `buffer` holds; 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        try checked { try file.read(into: buffer) }
    }

    /// Reads at an offset until `buffer` is full or the file ends. Returns the number of bytes.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let result = try checked { try file.read(fromAbsoluteOffset: Int64(offset + count), into: rest) }
            if result == 0 { break }
            count += result
        }
        return count
    }

    /// Writes all bytes.
    package func write(_ bytes: some Sequence<UInt8>) throws(SystemError) {
        try checked { _ = try file.writeAll(bytes) }
    }

    /// Writes all bytes at an offset.
    package func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        try checked { _ = try file.writeAll(toAbsoluteOffset: Int64(offset), bytes) }
    }

    /// Reads the bytes currently available from a non-blocking descriptor, at most 64 KiB: empty at the end, nil if there is nothing yet.
    package func readAvailable() throws(SystemError) -> ArraySlice<UInt8>? {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        do throws(SystemError) {
            let count = try bytes.withUnsafeMutableBufferPointer { (all) throws(SystemError) in
                try read(into: UnsafeMutableRawBufferPointer(all))
            }
            return bytes[..<count]
        } catch {
            if error.errno == EAGAIN { return nil }
            throw error
        }
    }

    /// Writes as many of the bytes as a non-blocking pipe accepts now; 0 if it accepts none yet. If its other end is closed, this throws
    /// `EPIPE` and raises no SIGPIPE.
    package func writeAvailable(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
        while true {
            let count = bytes.withUnsafeBytes { wm_pipe_write(number, $0.baseAddress, $0.count) }
            if count >= 0 { return count }
            let code = errno
            if code == EAGAIN { return 0 }
            if code != EINTR { throw SystemError(errno: code) }
        }
    }
}

extension OpenFile {
    /// The number of unread bytes in a pipe, queried at either end, also after the other end was closed; 0 for other files.
    package var unreadPipeBytes: Int { max(0, Int(wm_pipe_unread(number))) }
}

// MARK: - The file behind it

extension OpenFile {
    /// The kind of the file, and its length.
    package var status: FileStatus {
        get throws(SystemError) { FileStatus(try checked { try file.stat() }) }
    }

    /// Makes reading and writing wait again, after the file was opened with `nonBlocking`.
    func setBlocking() throws(SystemError) {
        let flags = try retrying { fcntl(number, F_GETFL) }
        try retrying { fcntl(number, F_SETFL, flags & ~O_NONBLOCK) }
    }

    package func truncate(to size: Int = 0) throws(SystemError) {
        try checked { try file.resize(to: Int64(size)) }
    }

    /// Takes the exclusive lock of the file. The lock ends with this object or, if the process is killed, with the last process that has
    /// the file open. Returns false if another process holds it.
    package func tryLock() throws(SystemError) -> Bool {
        do throws(SystemError) {
            try retrying { flock(number, LOCK_EX | LOCK_NB) }
            isLocked.store(true, ordering: .relaxed)
            return true
        } catch {
            if error.errno == EWOULDBLOCK { return false }
            throw error
        }
    }

    /// Closes a copy of the descriptor, because some file systems report a failed write only on closing. Throws if a write has failed.
    package func flush() throws(SystemError) {
        let copy = try retrying { fcntl(number, F_DUPFD_CLOEXEC, 0) }
        // Linux closes the descriptor even if a signal interrupts the call.
        guard close(copy) == 0 || errno == EINTR else { throw SystemError(errno: errno) }
    }
}
