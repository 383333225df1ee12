import Glibc
import Synchronization

/// A file that appears only when it is complete. It is written under a temporary name, and then renamed over any existing file. If it is
/// released unfinished, nothing of it remains, and the existing file stays. Devices and pipes are written directly.
///
/// Readers never see an incomplete file, even if the process is killed. A power failure may lose the file if the file system reorders
/// writes; this is accepted, because waiting for the disk would cost a batch more time than drawing.
package final class UnfinishedFile {
    /// The file's final name with symbolic links resolved, so that the rename replaces the file and not the link.
    private let path: String
    /// The base of `path` and `temporary`; nil for the working directory.
    private let folder: Folder?
    /// The file, which is open until it has its final name, and is locked if it was reclaimed.
    private let file: OpenFile
    /// The temporary name; nil for devices, and after the file has its final name.
    private var temporary: String?
    /// The number of bytes written so far.
    package private(set) var byteCount = 0

    /// Begins a file.
    /// - Throws: `cannotWrite`.
    package init(_ path: String) throws(FileError) {
        folder = nil
        let status = try? FileStatus(path)
        do throws(SystemError) {
            let path = try path.checkedName()
            switch status?.form ?? .regular {
            case .regular, .link:
                self.path = status == nil ? path : FileSystem.resolved(path) ?? path
                (file, temporary) = try Self.openBeside(self.path, in: nil)
            case .folder:
                throw SystemError(errno: EISDIR)
            case .socket:
                throw SystemError.isSocket
            case .pipe:
                self.path = path
                file = try NamedPipe.openForWriting(path)
            case .device:
                // /dev/stdout and similar files are written to, never replaced.
                self.path = path
                file = try OpenFile(path, .write)
            }
        } catch {
            throw FileError(.cannotWrite, path: path, error)
        }
    }

    /// Begins a file with a name in an open folder. Any existing file with the name, including a link, is replaced.
    /// - Parameter temporary: The name while the file is written. A file that a killed process left under it is reclaimed, so that
    ///   nothing remains once the writing succeeds; if another process is writing under it, a fresh name is used.
    /// - Throws: `cannotWrite`.
    package init(named name: String, in folder: Folder, temporary: String? = nil) throws(FileError) {
        path = name
        self.folder = folder
        do throws(SystemError) {
            let name = try name.checkedName()
            if let temporary, let file = try Self.reclaim(temporary, in: folder) {
                (self.file, self.temporary) = (file, temporary)
            } else {
                (file, self.temporary) = try Self.openBeside(name, in: folder)
            }
        } catch {
            throw FileError(.cannotWrite, path: name, error)
        }
    }

    deinit { if let temporary { unlinkat(folder?.number ?? AT_FDCWD, temporary, 0) } }

    /// The path under which a library may write the file until it is finished; nil for devices and pipes.
    package var unfinishedPath: String? { temporary }

    package func write(_ bytes: [UInt8]) throws(FileError) {
        do throws(SystemError) { try file.write(bytes) } catch { throw FileError(.cannotWrite, path: path, error) }
        byteCount += bytes.count
    }

    /// Gives the file its final name.
    package func finish() throws(FileError) {
        do throws(SystemError) {
            try file.flush()
            guard let temporary else { return }
            let folder = folder?.number ?? AT_FDCWD
            try retrying { renameat(folder, temporary, folder, path) }
        } catch {
            throw FileError(.cannotWrite, path: path, error)
        }
        temporary = nil
    }
}

private extension UnfinishedFile {
    /// Distinguishes files that several threads of a process write.
    static let serial = Atomic<Int>(0)

    /// A new file in the folder of `path`. Its name is short and independent of the final one, which may have the maximum length.
    static func openBeside(_ path: String, in folder: Folder?) throws(SystemError) -> (OpenFile, String?) {
        let beside = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
        while true {
            let number = serial.wrappingAdd(1, ordering: .relaxed).newValue
            let temporary = "\(beside).waymark-\(getpid())-\(number).tmp"
            do throws(SystemError) {
                return (try OpenFile(temporary, .write, [.create, .exclusive], in: folder), temporary)
            } catch {
                // The file was left by a killed process with the same number, or is in use by a process in another container. The next
                // name is tried.
                guard error.errno == EEXIST else { throw error }
            }
        }
    }

    /// Creates a file for one writer at a time, or reclaims one whose writer has ended. Nil if another process is writing it, or if it is
    /// not a regular file with exactly one name. Locks end with the process that holds them.
    static func reclaim(_ name: String, in folder: Folder) throws(SystemError) -> OpenFile? {
        do throws(SystemError) {
            let created = try OpenFile(name, .write, [.create, .exclusive], in: folder)
            // Another process may have found the file before it is locked, and may even have finished it. Without locks nothing reclaims
            // it.
            if (try? created.tryLock()) == false { return nil }
            return isNamed(name, in: folder, created) ? created : nil
        } catch {
            guard error.errno == EEXIST else { throw error }
            return leftover(name, in: folder)
        }
    }

    /// Opens, locks and empties a file that no process has locked.
    static func leftover(_ name: String, in folder: Folder) -> OpenFile? {
        guard let found = try? OpenFile(name, .write, [.noFollow, .nonBlocking], in: folder), (try? found.tryLock()) == true,
            isNamed(name, in: folder, found), (try? found.truncate()) != nil
        else { return nil }
        return found
    }

    /// Whether an open file is a regular file that still has its name, and no other name. If the process that held the lock before has
    /// meanwhile renamed it to the final name, it is the finished file.
    static func isNamed(_ name: String, in folder: Folder, _ opened: OpenFile) -> Bool {
        guard let file = try? opened.status, let named = try? FileStatus(name, in: folder) else { return false }
        return file.form == .regular && file.linkCount == 1 && named.identity == file.identity
    }
}
