// The C library's list of variables is a global, which Swift cannot know to be safe; no pointer into it is kept here.
@preconcurrency import Glibc
import Synchronization

/// The process's environment variables. No other code reads or sets them.
package enum Environment {
    /// The value of a variable; nil if it is unset or empty, which graphics drivers and Waymark treat alike.
    package static func value(_ name: String) -> String? {
        guard let text = getenv(name), text.pointee != 0 else { return nil }
        return String(cString: text)
    }

    /// Sets a variable unless the user has set it, even to an empty value. Must be called before other threads start.
    package static func setDefault(_ name: String, _ value: String) {
        guard getenv(name) == nil else { return }
        setenv(name, value, 1)
        defaults.withLock { $0.append("\(name)=\(value)") }
    }

    /// Removes a variable. Must be called before other threads start.
    package static func unset(_ name: String) { unsetenv(name) }

    /// The variables set by `setDefault`, as `NAME=value`.
    private static let defaults = Mutex<[String]>([])

    /// All variables by name. If a name appears twice, the first one counts, as in `getenv`.
    package static var all: [String: String] {
        Dictionary(
            lines.compactMap { line in
                line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The variables that the user has set and whose `NAME=value` begins with one of the prefixes, sorted.
    package static func settings(withPrefixes prefixes: [String]) -> [String] {
        let own = defaults.withLock { $0 }
        return lines.filter { line in prefixes.contains(where: line.hasPrefix) && !own.contains(line) }.sorted()
    }

    /// `TMPDIR` or, if that is unset, `/tmp`.
    package static var temporaryFolder: String { value("TMPDIR") ?? "/tmp" }

    private static var lines: [String] {
        var lines: [String] = []
        var entry = environ
        while let text = entry.pointee {
            lines.append(String(cString: text))
            entry += 1
        }
        return lines
    }
}
