import Waymark
import WaymarkSystem

/// The information that a bug report needs in addition to `doctor --verbose`.
enum BugReport {
    /// The program's build and the operating system.
    static var system: String {
        let kernel = SystemFacts.kernel
        var lines = [
            "waymark        \(ProgramBuild.version)",
            "system         \(SystemFacts.distribution), Linux \(kernel.release), \(kernel.architecture), glibc \(SystemFacts.libraryVersion)",
        ]
        if let memory = SystemFacts.memory { lines.append("memory         \(memory >> 20) MiB") }
        if let limit = ThreadLimits.addressSpace { lines.append("address space  limited to \(limit >> 10) KiB") }
        return lines.joined(separator: "\n")
    }
}

/// Words that identify a user or a computer: paths outside the folders of the system, and the names of the user and the computer.
struct PrivateWords {
    /// Folders that are the same on every computer.
    private static let systemFolders = ["/bin", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/proc", "/sbin", "/sys", "/usr"]

    /// Paths that are known to be private, the longest first. They may contain spaces.
    private let paths: [String]
    /// Names and their replacements.
    private let names: [(name: String, replacement: String)]

    /// - Parameter fontFolder: The argument of `--font-dir`.
    init(fontFolder: String?) {
        let user = SystemFacts.user
        let variables = Environment.all
        var paths = [user?.home, fontFolder, FileSystem.resolved(".")].compactMap(\.self)
        // A relative path in a setting is private, too.
        for value in variables.values { paths += [value] + value.split { $0 == ":" || $0 == "=" || $0 == "," }.map(String.init) }
        self.paths = Set(paths.filter { $0.contains("/") && $0 != "/" && !Self.isOfSystem($0) }).sorted {
            ($1.utf8.count, $0) < ($0.utf8.count, $1)
        }
        let users = [user?.realName, user?.login, variables["USER"], variables["LOGNAME"]].compactMap(\.self)
        let names = users.map { (name: $0, replacement: "<user>") } + [(name: SystemFacts.hostName, replacement: "<computer>")]
        // Every computer has a user named root, and replacing single letters would make the report unreadable.
        self.names = names.filter { $0.name.count > 1 && !["root", "localhost"].contains($0.name) }
    }

    /// A text with `<path>`, `<user>` and `<computer>` in place of private words.
    func removed(from text: String) -> String {
        let known = paths.reduce(text) { $0.replacing($1, with: "<path>") }
        let lines = known.split(separator: "\n", omittingEmptySubsequences: false).map(Self.withoutPaths)
        return names.reduce(lines.joined(separator: "\n")) { Self.replacing($1.name, with: $1.replacement, in: $0) }
    }

    /// Whether a path is in a folder of the system.
    private static func isOfSystem(_ path: some StringProtocol) -> Bool {
        systemFolders.contains { path == $0 || path.hasPrefix($0 + "/") } && !path.contains("..")
    }

    /// A line without absolute paths outside the folders of the system, and without the rest of a removed path.
    private static func withoutPaths(_ line: Substring) -> String {
        var result = "", rest = line
        while let start = rest.firstIndex(where: { $0 == "/" || $0 == "<" }) {
            result += rest[..<start]
            let isKnown = rest[start...].hasPrefix("<path>")
            let tail = isKnown ? rest[start...].dropFirst("<path>".count) : rest[start...]
            let end = tail.firstIndex { " \t:,;\"'()<>|".contains($0) } ?? tail.endIndex
            let path = tail[..<end]
            if isKnown {
                result += "<path>"
                // The rest of a path whose beginning is private.
                rest = path.hasPrefix("/") || path.isEmpty ? tail[end...] : tail
            } else if rest[start] == "<" || isWithinWord(result) || path.count == 1 || isOfSystem(path) {
                // The text is `<user>` or `<computer>`, a fraction such as 1/2, or a path of the system, and remains.
                let next = rest[start] == "<" ? rest.index(after: start) : end
                result += rest[start..<next]
                rest = rest[next...]
            } else {
                result += "<path>"
                rest = tail[end...]
            }
        }
        return result + rest
    }

    /// Whether a slash after this text continues a word.
    private static func isWithinWord(_ text: String) -> Bool { text.last.map { $0.isLetter || $0.isNumber || $0 == "." } ?? false }

    /// The text with a name replaced wherever it is a whole word.
    private static func replacing(_ name: String, with replacement: String, in text: String) -> String {
        var result = "", rest = text[...]
        while let range = rest.firstRange(of: name) {
            let before = range.lowerBound == rest.startIndex ? result.last : rest[rest.index(before: range.lowerBound)]
            let after = range.upperBound == rest.endIndex ? nil : rest[range.upperBound]
            let isWord = ![before, after].contains { $0.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false }
            result += rest[..<range.lowerBound] + (isWord ? replacement : name)
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}
