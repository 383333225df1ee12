import Synchronization

/// The files that a picture is made from, by identity, so that no output replaces one of them, whatever name or link it goes by.
package final class InputRecord: Sendable {
    private struct Files {
        /// The name under which each was read first.
        var names: [FileIdentity: String] = [:]
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

    /// Keeps what was noted so far when `forgetLater()` is called.
    package func keep() {
        files.withLock { $0.later = [] }
    }

    /// Forgets what was noted after `keep()`.
    package func forgetLater() {
        files.withLock { files in
            for identity in files.later { files.names[identity] = nil }
            files.later = []
        }
    }

    /// The name of the noted file that writing to a path would replace; nil if there is none.
    package func input(replacedBy output: String) -> String? {
        guard let status = try? FileStatus(output), status.form == .regular else { return nil }
        return files.withLock { $0.names[status.identity] }
    }
}
