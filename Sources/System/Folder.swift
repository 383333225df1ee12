import Glibc

/// An open folder. Files that are opened, created or renamed in it stay in it, even if its path changes meanwhile.
package final class Folder: Sendable {
    private let file: OpenFile

    package var number: CInt { file.number }

    private static let options = OpenFile.Options(rawValue: O_DIRECTORY)

    /// Opens a folder; the path may contain symbolic links.
    package init(_ path: String) throws(SystemError) {
        file = try OpenFile(path, .read, Self.options)
    }

    private init(_ file: OpenFile) {
        self.file = file
    }
}

extension Folder {
    /// Opens a folder in this one, and creates it first if it is missing and `isCreated` is true. A symbolic link is refused.
    package func subfolder(_ name: String, isCreated: Bool = true) throws(SystemError) -> Folder {
        do throws(SystemError) {
            return Folder(try OpenFile(name, .read, [Self.options, .noFollow], in: self))
        } catch {
            guard error.errno == ENOENT, isCreated else { throw error }
        }
        do throws(SystemError) {
            try retrying { mkdirat(number, name, 0o777) }
        } catch {
            // Another process may be faster.
            guard error.errno == EEXIST else { throw error }
        }
        return Folder(try OpenFile(name, .read, [Self.options, .noFollow], in: self))
    }

    /// Whether an entry of the folder is a symbolic link.
    package func isLink(_ name: String) -> Bool {
        (try? FileStatus(name, in: self))?.form == .link
    }

    /// Removes a file of the folder, if it exists.
    package func remove(_ name: String) {
        unlinkat(number, name, 0)
    }
}
