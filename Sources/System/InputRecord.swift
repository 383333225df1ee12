import Synchronization

/// The files from which a picture is made, by identity. They prevent an output from replacing one of them, even under a different name or
/// through a link.
package final class InputRecord: Sendable {
    private struct Files {
        /// The name under which each file was first read.
        var names: [FileIdentity: String] = [:]
        /// The folders from which any file may be read, under the names by which they were first recorded.
        var folders: [FileIdentity: String] = [:]
        /// The identities recorded after `keep()`.
        var later: [FileIdentity] = []
    }

    private let files = Mutex(Files())

    package init() {}

    /// Records a file that is read, or will be read, if it exists. Pipes and devices are not recorded, because writing to one replaces
    /// nothing.
    package func note(_ path: String) {
        guard let status = try? FileStatus(path), status.form == .regular else { return }
        files.withLock { files in
            guard files.names[status.identity] == nil else { return }
            files.names[status.identity] = path
            files.later.append(status.identity)
        }
    }

    /// Records a source of tiles: a file, or a folder from which any file may be read, including files that do not exist yet.
    package func note(source path: String) {
        guard let status = try? FileStatus(path), status.form == .folder else { return note(path) }
        files.withLock { files in
            guard files.folders[status.identity] == nil else { return }
            files.folders[status.identity] = path
            files.later.append(status.identity)
        }
    }

    /// Marks the current records, so that `forgetLater()` keeps them.
    package func keep() {
        files.withLock { $0.later = [] }
    }

    /// Removes the records made after `keep()`.
    package func forgetLater() {
        files.withLock { files in
            for identity in files.later { (files.names[identity], files.folders[identity]) = (nil, nil) }
            files.later = []
        }
    }

    /// The recorded file that writing to a path would replace, or the recorded folder that it would write into; nil for neither.
    package func input(replacedBy output: String) -> ReplacedInput? {
        if let status = try? FileStatus(output), status.form == .regular, let name = files.withLock({ $0.names[status.identity] }) {
            return .file(name)
        }
        let folders = files.withLock { $0.folders }
        guard !folders.isEmpty else { return nil }
        for folder in Self.folders(around: output) {
            if let status = try? FileStatus(folder), let name = folders[status.identity] { return .folder(name) }
        }
        return nil
    }

    /// The folders that contain a file, or would contain it after missing folders are created, from the innermost outward. They include
    /// the path itself if it is a folder.
    private static func folders(around path: String) -> [String] {
        var folder = path
        var resolved = FileSystem.resolved(folder)
        while resolved == nil, !folder.isEmpty {
            guard let slash = folder.lastIndex(of: "/") else {
                resolved = FileSystem.resolved(".")
                break
            }
            folder = slash == folder.startIndex && folder.count > 1 ? "/" : String(folder[..<slash])
            resolved = FileSystem.resolved(folder)
        }
        guard var rest = resolved?[...] else { return [] }
        var folders: [String] = []
        while let slash = rest.lastIndex(of: "/") {
            folders.append(String(rest))
            rest = rest[..<slash]
        }
        return folders + ["/"]
    }
}

/// An input that an output would overwrite.
package enum ReplacedInput: Equatable, Sendable {
    /// A file that the output would replace, under the name by which it was read.
    case file(String)
    /// A folder whose files are read, and that would contain the output.
    case folder(String)

    /// The name under which the input was recorded.
    package var name: String {
        switch self {
        case .file(let name), .folder(let name): name
        }
    }
}
