import Glibc
import Synchronization

/// A file that appears whole or not at all: written beside its path, then renamed over what was there. One that is let go unfinished leaves nothing
/// behind, and what was there stays. Devices and pipes are written into.
///
/// It is whole for everybody who looks, and after a killed process; after a power cut only as far as the file system orders its writes,
/// because waiting for the disk would cost a batch more than drawing.
package final class UnfinishedFile {
    /// Where it will be, symbolic links followed, so that the rename replaces the file and not the link.
    private let path: String
    /// What `path` and `temporary` are relative to.
    private let folder: Folder
    /// Open, and so locked where it is locked, until it has its name.
    private let file: Descriptor
    /// What it is called until then; nil for devices, and once it has its name.
    private var temporary: String?
    /// How many bytes have been written.
    package private(set) var byteCount = 0

    package init(_ path: String) throws(ImagingError) {
        var status = stat()
        let exists = stat(path, &status) == 0
        folder = .current
        switch exists ? status.st_mode & S_IFMT : S_IFREG {
        case S_IFREG:
            self.path = exists ? Self.resolved(path) : path
            (file, temporary) = try Self.openBeside(self.path, in: .current)
        case S_IFDIR:
            throw ImagingError(.cannotWrite, path: path, errno: EISDIR)
        default:
            // /dev/stdout and its like are to be written into, and certainly not replaced.
            self.path = path
            file = try Descriptor(path, O_WRONLY, failure: .cannotWrite)
        }
    }

    /// Begins the file of a name in an open folder. What has the name, a link too, is replaced.
    /// - Parameter temporary: The name of the file while it is written. What a killed process has left under it is used again, so that
    ///   nothing remains when the writing is done once more; when another process is writing under it, there is another name.
    package init(named name: String, in folder: CInt, temporary: String? = nil) throws(ImagingError) {
        path = name
        self.folder = try Folder(copying: folder, path: name)
        if let temporary, let file = try Descriptor.reclaiming(temporary, in: folder) {
            (self.file, self.temporary) = (file, temporary)
        } else {
            (file, self.temporary) = try Self.openBeside(name, in: self.folder)
        }
    }

    deinit { if let temporary { unlinkat(folder.number, temporary, 0) } }

    package func write(_ bytes: [UInt8]) throws(ImagingError) {
        do { try file.write(bytes) } catch { throw error.at(path) }
        byteCount += bytes.count
    }

    /// Gives it its name.
    package func finish() throws(ImagingError) {
        do { try file.finish() } catch { throw error.at(path) }
        guard let temporary else { return }
        guard renameat(folder.number, temporary, folder.number, path) == 0 else {
            throw ImagingError(.cannotWrite, path: path, errno: errno)
        }
        self.temporary = nil
    }
}

private extension UnfinishedFile {
    /// An open folder, closed when it goes, or the one that the process is in.
    final class Folder: Sendable {
        let number: CInt

        static let current = Folder(number: AT_FDCWD)

        private init(number: CInt) {
            self.number = number
        }

        init(copying folder: CInt, path: String) throws(ImagingError) {
            number = fcntl(folder, F_DUPFD_CLOEXEC, 0)
            guard number >= 0 else { throw ImagingError(.cannotWrite, path: path, errno: errno) }
        }

        deinit { if number >= 0 { close(number) } }
    }

    /// Tells apart the files that several threads of a process are writing.
    static let serial = Atomic<Int>(0)

    /// A new file beside `path`, its name short and independent of the target's, which may be as long as names can be.
    static func openBeside(_ path: String, in folder: Folder) throws(ImagingError) -> (Descriptor, String?) {
        let beside = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
        while true {
            let number = serial.wrappingAdd(1, ordering: .relaxed).newValue
            let temporary = "\(beside).waymark-\(getpid())-\(number).tmp"
            do {
                let file = try Descriptor(temporary, O_WRONLY | O_CREAT | O_EXCL, in: folder.number, failure: .cannotWrite)
                return (file, temporary)
            } catch  where error.errno == EEXIST {
                // Left by a killed process of the same number, or in use by one in another container: the next is free.
                continue
            } catch {
                throw error.at(path)
            }
        }
    }

    static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
