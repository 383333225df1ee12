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
    private let file: Descriptor
    /// What it is called until then; nil for devices, and once it has its name.
    private var temporary: String?

    package init(_ path: String) throws(ImagingError) {
        var status = stat()
        let exists = stat(path, &status) == 0
        switch exists ? status.st_mode & S_IFMT : S_IFREG {
        case S_IFREG:
            self.path = exists ? Self.resolved(path) : path
            (file, temporary) = try Self.openBeside(self.path)
        case S_IFDIR:
            throw ImagingError(.cannotWrite, path: path, errno: EISDIR)
        default:
            // /dev/stdout and its like are to be written into, and certainly not replaced.
            self.path = path
            file = try Descriptor(path, O_WRONLY, failure: .cannotWrite)
        }
    }

    deinit { if let temporary { unlink(temporary) } }

    package func write(_ bytes: [UInt8]) throws(ImagingError) {
        do { try file.write(bytes) } catch { throw error.at(path) }
    }

    /// Closes it and gives it its name.
    package func finish() throws(ImagingError) {
        do { try file.close() } catch { throw error.at(path) }
        guard let temporary else { return }
        guard rename(temporary, path) == 0 else { throw ImagingError(.cannotWrite, path: path, errno: errno) }
        self.temporary = nil
    }
}

private extension UnfinishedFile {
    /// Tells apart the files that several threads of a process are writing.
    static let serial = Atomic<Int>(0)

    /// A new file in the folder of `path`, its name short and independent of the target's, which may be as long as names can be.
    static func openBeside(_ path: String) throws(ImagingError) -> (Descriptor, String?) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        while true {
            let number = serial.wrappingAdd(1, ordering: .relaxed).newValue
            let temporary = "\(folder).waymark-\(getpid())-\(number).tmp"
            do {
                return (try Descriptor(temporary, O_WRONLY | O_CREAT | O_EXCL, failure: .cannotWrite), temporary)
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
