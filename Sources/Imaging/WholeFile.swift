import Glibc

/// Files read and written in one piece.
package enum WholeFile {
    /// All bytes of a file. Throws `tooLong` beyond `limits.bytes`, before reading more than that.
    package static func read(_ path: String, limits: ImageLimits) throws(ImagingError) -> [UInt8] {
        let file = try Descriptor(path, O_RDONLY, failure: .cannotRead)
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw ImagingError(.cannotRead, path: path, errno: errno) }
        // A pipe has no size; then the array grows as it fills.
        var bytes = [UInt8](repeating: 0, count: min(max(Int(status.st_size), 0), limits.bytes) + 1)
        var count = 0
        while true {
            if count == bytes.count { bytes.append(contentsOf: repeatElement(0, count: max(count, 4096))) }
            let result = bytes.withUnsafeMutableBytes { Glibc.read(file.number, $0.baseAddress! + count, $0.count - count) }
            if result < 0 {
                if errno == EINTR { continue }
                throw ImagingError(.cannotRead, path: path, errno: errno)
            }
            if result == 0 { break }
            count += result
            guard count <= limits.bytes else { throw ImagingError(.tooLong(limits: limits), path: path) }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Makes the file whole or not at all, as `UnfinishedFile` does.
    package static func write(_ bytes: [UInt8], to path: String) throws(ImagingError) {
        let file = try UnfinishedFile(path)
        try file.write(bytes)
        try file.finish()
    }
}

/// An open file, closed when it goes.
final class Descriptor {
    let number: Int32
    private let path: String

    /// A new file's mode is 0666 less the umask, which the system subtracts.
    init(_ path: String, _ flags: Int32, in folder: CInt = AT_FDCWD, failure: ImagingError.Reason) throws(ImagingError) {
        self.path = path
        var number = openat(folder, path, flags | O_CLOEXEC, 0o666)
        while number < 0 && errno == EINTR { number = openat(folder, path, flags | O_CLOEXEC, 0o666) }
        guard number >= 0 else { throw ImagingError(failure, path: path, errno: errno) }
        self.number = number
    }

    deinit { Glibc.close(number) }

    /// A file for one writer at a time, made or, when nobody writes it any more, taken over; nil when somebody does, or when it is no
    /// file of ours. Locks go with the process that has them, however it ends.
    static func reclaiming(_ name: String, in folder: CInt) throws(ImagingError) -> Descriptor? {
        do throws(ImagingError) {
            let made = try Descriptor(name, O_WRONLY | O_CREAT | O_EXCL, in: folder, failure: .cannotWrite)
            // Somebody may have found it before it is locked, and even be done with it. Where there are no locks, nobody takes it over.
            if flock(made.number, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return nil }
            return isCalled(name, in: folder, made.number) ? made : nil
        } catch {
            guard error.errno == EEXIST else { throw error }
            return leftover(name, in: folder).map { Descriptor($0, path: name) }
        }
    }

    /// Opens and locks a file that nobody has locked, and empties it.
    private static func leftover(_ name: String, in folder: CInt) -> CInt? {
        let found = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard found >= 0 else { return nil }
        guard flock(found, LOCK_EX | LOCK_NB) == 0, isCalled(name, in: folder, found), ftruncate(found, 0) == 0 else {
            Glibc.close(found)
            return nil
        }
        return found
    }

    /// Whether an open file is a plain one and still has its name, and no other. Whoever had it locked before may have given it the
    /// picture's name meanwhile; then it is that picture.
    private static func isCalled(_ name: String, in folder: CInt, _ number: CInt) -> Bool {
        var file = stat()
        var named = stat()
        return fstat(number, &file) == 0 && file.st_mode & S_IFMT == S_IFREG && file.st_nlink == 1
            && fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && named.st_ino == file.st_ino && named.st_dev == file.st_dev
    }

    private init(_ number: CInt, path: String) {
        self.number = number
        self.path = path
    }

    /// Some file systems say only when a file is closed that a write failed; closing a copy has them say it.
    func finish() throws(ImagingError) {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, Glibc.close(copy) == 0 || errno == EINTR else { throw ImagingError(.cannotWrite, path: path, errno: errno) }
    }

    func write(_ bytes: [UInt8]) throws(ImagingError) {
        var written = 0
        while written < bytes.count {
            let result = bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress! + written, $0.count - written) }
            if result >= 0 {
                written += result
            } else if errno != EINTR {
                throw ImagingError(.cannotWrite, path: path, errno: errno)
            }
        }
    }
}

/// The system's words for an error number.
func systemMessage(_ code: Int32) -> String {
    var room = [CChar](repeating: 0, count: 256)
    guard strerror_r(code, &room, room.count) == 0 else { return "error \(code)" }
    return String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
