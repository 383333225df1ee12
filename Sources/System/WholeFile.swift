/// Files read and written in one piece.
package enum WholeFile {
    /// All bytes of a file or pipe.
    /// - Parameter limit: The most bytes; a longer file throws `tooLong` before more than that is read.
    package static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
        let bytes: [UInt8]?
        do throws(SystemError) {
            let file = try OpenFile(path, .read)
            // A pipe has no size: then the array grows as it fills.
            bytes = try file.readAll(limit: limit, expected: file.status.size)
        } catch {
            throw FileError(.cannotRead, path: path, error)
        }
        guard let bytes else { throw FileError(.tooLong(limit: limit), path: path) }
        return bytes
    }

    /// The text of a small file such as those under `/proc` and `/sys`; nil when it cannot be read or is longer than 64 KiB.
    package static func text(_ path: String) -> String? {
        (try? read(path, limit: 1 << 16)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes a file whole or not at all, as `UnfinishedFile` does.
    package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        let file = try UnfinishedFile(path)
        try file.write(bytes)
        try file.finish()
    }
}
