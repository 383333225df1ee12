import Glibc
import SystemPackage

/// File system queries, and small changes that do not need an open file.
package enum FileSystem {
    /// Whether something exists at the path. A broken link does not count.
    package static func exists(_ path: String) -> Bool { isAccessible(path, F_OK) }

    /// Whether anything but a folder exists at the path, such as a regular file, a pipe or a device.
    package static func isFile(_ path: String) -> Bool {
        guard let status = try? FileStatus(path) else { return false }
        return status.form != .folder
    }

    /// Whether this user may read the file or folder.
    package static func isReadable(_ path: String) -> Bool { isAccessible(path, R_OK) }

    /// Whether this user may execute the file.
    package static func isExecutable(_ path: String) -> Bool { isAccessible(path, X_OK) }

    /// Whether this user may read and write the file or folder.
    package static func isWritable(_ path: String) -> Bool { isAccessible(path, R_OK | W_OK) }

    private static func isAccessible(_ path: String, _ mode: CInt) -> Bool { !path.holdsZero && access(path, mode) == 0 }

    /// The absolute path without symbolic links and dots; nil if the file does not exist.
    package static func resolved(_ path: String) -> String? {
        guard !path.holdsZero, let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The name of the file or folder at a path, without its last extension.
    package static func stem(of path: String) -> String {
        let name = path.split(separator: "/").last ?? path[...]
        return String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)])
    }

    /// The names in a folder, without `.` and `..`, sorted by their bytes.
    /// - Parameter most: Reads no more than this many entries.
    package static func names(in folder: String, most: Int = .max) throws(SystemError) -> [String] {
        guard let stream = opendir(try folder.checkedName()) else { throw SystemError(errno: errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < most, let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Creates a folder and its missing parents.
    package static func makeFolder(_ path: String) throws(SystemError) {
        if let status = try? FileStatus(path) {
            guard status.form == .folder else { throw SystemError(errno: ENOTDIR) }
            return
        }
        var part = path.hasPrefix("/") ? "/" : ""
        for component in try path.checkedName().split(separator: "/") {
            part += part.isEmpty || part == "/" ? "\(component)" : "/\(component)"
            do throws(SystemError) {
                try retrying { mkdir(part, 0o777) }
            } catch {
                // Another process may be faster; on some systems, `/` fails with EISDIR.
                guard error.errno == EEXIST || error.errno == EISDIR else { throw error }
            }
        }
    }

    /// Removes a file. A missing file is not an error.
    package static func remove(_ path: String) throws(SystemError) {
        let name = try path.checkedName()
        do throws(SystemError) {
            try retrying { unlink(name) }
        } catch {
            guard error.errno == ENOENT else { throw error }
        }
    }

    /// Whether the process runs with the rights of the user who started it.
    package static var hasOwnRights: Bool { geteuid() == getuid() }

    /// The home folder in the user database.
    package static var homeFolder: String? {
        guard let user = getpwuid(getuid()), let home = user.pointee.pw_dir else { return nil }
        return String(cString: home)
    }
}
