import Glibc
import Synchronization

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

    /// Makes the file whole or not at all: written beside `path`, then renamed. On failure nothing is left behind, and what was there stays.
    ///
    /// It is whole for everybody who looks, and after a killed process; after a power cut only as far as the file system orders its writes,
    /// because waiting for the disk would cost a batch more than drawing.
    package static func write(_ bytes: [UInt8], to path: String) throws(ImagingError) {
        var status = stat()
        guard stat(path, &status) == 0 else { return try replace(path, with: bytes) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: try replace(resolved(path), with: bytes)
        case S_IFDIR: throw ImagingError(.cannotWrite, path: path, errno: EISDIR)
        // /dev/stdout and its like are to be written into, and certainly not replaced.
        default: try Descriptor(path, O_WRONLY, failure: .cannotWrite).write(bytes)
        }
    }
}

extension WholeFile {
    /// Makes the file of a name in an open folder, whole or not at all, as `write(_:to:)` does. What has the name, a link too, is replaced.
    /// - Parameter temporary: The name of the file while it is written. What a killed process has left under it is used again, so that
    ///   nothing remains when the writing is done once more; when another process is writing under it, there is another name.
    package static func write(_ bytes: [UInt8], named name: String, in folder: CInt, temporary: String? = nil) throws(ImagingError) {
        if let temporary, let file = try Descriptor(reclaiming: temporary, in: folder) {
            try replace(name, in: folder, with: bytes, through: file, temporary)
        } else {
            try replace(name, in: folder, with: bytes)
        }
    }
}

private extension WholeFile {
    /// Tells apart the files that several threads of a process are writing.
    static let serial = Atomic<Int>(0)

    static func replace(_ path: String, in folder: CInt = AT_FDCWD, with bytes: [UInt8]) throws(ImagingError) {
        let (file, temporary) = try openBeside(path, in: folder)
        try replace(path, in: folder, with: bytes, through: file, temporary)
    }

    /// The file stays open, and so locked, until it has its name.
    static func replace(
        _ path: String, in folder: CInt, with bytes: [UInt8], through file: Descriptor, _ temporary: String
    ) throws(ImagingError) {
        do {
            try file.write(bytes)
            try file.finish()
        } catch {
            unlinkat(folder, temporary, 0)
            throw error.at(path)
        }
        guard renameat(folder, temporary, folder, path) == 0 else {
            let code = errno
            unlinkat(folder, temporary, 0)
            throw ImagingError(.cannotWrite, path: path, errno: code)
        }
    }

    /// A new file in the folder of `path`, its name short and independent of the target's, which may be as long as names can be.
    static func openBeside(_ path: String, in base: CInt) throws(ImagingError) -> (Descriptor, path: String) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        while true {
            let number = serial.wrappingAdd(1, ordering: .relaxed).newValue
            let temporary = "\(folder).waymark-\(getpid())-\(number).tmp"
            do {
                return (try Descriptor(temporary, O_WRONLY | O_CREAT | O_EXCL, in: base, failure: .cannotWrite), temporary)
            } catch  where error.errno == EEXIST {
                // Left by a killed process of the same number, or in use by one in another container: the next is free.
                continue
            } catch {
                throw error.at(path)
            }
        }
    }

    /// The path with its symbolic links followed, so that the rename replaces the file and not the link.
    static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

/// An open file, closed when it goes.
private final class Descriptor {
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
    convenience init?(reclaiming name: String, in folder: CInt) throws(ImagingError) {
        do throws(ImagingError) {
            try self.init(name, O_WRONLY | O_CREAT | O_NOFOLLOW, in: folder, failure: .cannotWrite)
        } catch {
            if error.errno == ELOOP || error.errno == EISDIR { return nil }
            throw error
        }
        var file = stat()
        var named = stat()
        // Whoever had the lock before may have given the file its name meanwhile; then it is that picture.
        guard flock(number, LOCK_EX | LOCK_NB) == 0, fstat(number, &file) == 0, file.st_mode & S_IFMT == S_IFREG, file.st_nlink == 1,
            fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0, named.st_ino == file.st_ino, named.st_dev == file.st_dev,
            ftruncate(number, 0) == 0
        else { return nil }
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
