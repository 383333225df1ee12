import Synchronization

/// The files that a picture is made from, by identity, so that no output replaces one of them, whatever name or link it goes by.
package final class InputRecord: Sendable {
    private struct Files {
        /// The name under which each was read first.
        var names: [FileIdentity: String] = [:]
        /// The folders of which any file may be read, under the names by which they were noted first.
        var folders: [FileIdentity: String] = [:]
        /// Those that were noted after `keep()`.
        var later: [FileIdentity] = []
    }

    private let files = Mutex(Files())

    package init() {}

    /// Notes a file that is read, or is to be read, if it exists. Pipes and devices are not noted: writing to one replaces nothing.
    package func note(_ path: String) {
        guard let status = try? FileStatus(path), status.form == .regular else { return }
        files.withLock { files in
            guard files.names[status.identity] == nil else { return }
            files.names[status.identity] = path
            files.later.append(status.identity)
        }
    }

    /// Notes what tiles are read from: a file, or a folder, of which any file may be read, also one that is not there yet.
    package func note(source path: String) {
        guard let status = try? FileStatus(path), status.form == .folder else { return note(path) }
        files.withLock { files in
            guard files.folders[status.identity] == nil else { return }
            files.folders[status.identity] = path
            files.later.append(status.identity)
        }
    }

    /// Keeps what was noted so far when `forgetLater()` is called.
    package func keep() {
        files.withLock { $0.later = [] }
    }

    /// Forgets what was noted after `keep()`.
    package func forgetLater() {
        files.withLock { files in
            for identity in files.later { (files.names[identity], files.folders[identity]) = (nil, nil) }
            files.later = []
        }
    }

    /// The noted file that writing to a path would replace, or the noted folder that it would write into; nil if there is none.
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

    /// The folders that a file is in, or would be in once missing ones are created, from the innermost outward; the folder itself if it is one.
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

/// What an output would spoil.
package enum ReplacedInput: Equatable, Sendable {
    /// A file that it would replace, under the name by which it was read.
    case file(String)
    /// A folder whose files are read, and which it would be in.
    case folder(String)

    /// The name under which it was noted.
    package var name: String {
        switch self {
        case .file(let name), .folder(let name): name
        }
    }
}
