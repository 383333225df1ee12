import CWaymarkSystem
// The functions of the C library return pointers to its own memory; everything is copied at once.
@preconcurrency import Glibc

/// The operating system on which the program runs.
package enum SystemFacts {
    /// The name of the distribution with its version, as `/etc/os-release` gives it; `Linux` without that file.
    package static var distribution: String {
        let lines = (WholeFile.text("/etc/os-release") ?? WholeFile.text("/usr/lib/os-release") ?? "").split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("PRETTY_NAME=") }) else { return "Linux" }
        var name = line.dropFirst("PRETTY_NAME=".count)
        while let first = name.first, "\"'".contains(first) { name.removeFirst() }
        while let last = name.last, "\"'".contains(last) { name.removeLast() }
        return String(name)
    }

    /// The release of the kernel, and the machine's architecture: `6.1.0-18-amd64`, `x86_64`.
    package static var kernel: (release: String, architecture: String) {
        var names = utsname()
        guard uname(&names) == 0 else { return ("unknown", "unknown") }
        return (text(names.release), text(names.machine))
    }

    /// The version of the C library: `2.36`.
    package static var libraryVersion: String { String(cString: wm_libc_version()) }

    /// The installed memory in bytes; nil if it is unknown.
    package static var memory: Int? {
        let pages = sysconf(Int32(_SC_PHYS_PAGES)), size = sysconf(Int32(_SC_PAGESIZE))
        return pages > 0 && size > 0 ? pages * size : nil
    }

    /// The name of the computer.
    package static var hostName: String {
        var names = utsname()
        return uname(&names) == 0 ? text(names.nodename) : ""
    }

    /// The login name, home folder and real name of this user, as far as the system knows them.
    package static var user: (login: String, home: String, realName: String)? {
        guard let entry = getpwuid(getuid())?.pointee else { return nil }
        func copy(_ field: UnsafeMutablePointer<CChar>?) -> String { field.map { String(cString: $0) } ?? "" }
        // The real name ends at a comma; telephone numbers follow.
        let realName = copy(entry.pw_gecos).prefix { $0 != "," }
        return (copy(entry.pw_name), copy(entry.pw_dir), String(realName))
    }

    /// The text of a fixed array of characters, which ends at a zero.
    private static func text<Letters>(_ letters: Letters) -> String {
        withUnsafeBytes(of: letters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
