import Glibc

/// The little of the file system that finding a driver needs, without Foundation.
enum Files {
    /// The text of a small file (64 KiB at most), or nil.
    static func text(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
        guard count >= 0 else { return nil }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// The names in a folder, sorted; empty when it cannot be read.
    static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Whether there is something at the path.
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Whether this user may read and write there.
    static func isWritable(_ path: String) -> Bool { access(path, R_OK | W_OK) == 0 }
}
