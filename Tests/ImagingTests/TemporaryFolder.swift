import Glibc

/// A folder of a test's own, gone with it.
final class TemporaryFolder {
    let path: String

    init() {
        var template = Array("/tmp/waymark-imaging-XXXXXX".utf8CString)
        precondition(mkdtemp(&template) != nil, "cannot make a temporary folder")
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in names { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    /// What lies in it, sorted, hidden files too.
    var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
