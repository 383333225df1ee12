/// Files read and written in one piece.
package enum WholeFile {
    /// All bytes of a file, pipe or device.
    /// - Throws: `cannotRead`, or `tooLarge` before more is read than the kind allows.
    package static func read(_ path: String, as kind: InputKind) throws(FileError) -> [UInt8] {
        let file: InputFile
        do throws(SystemError) { file = try InputFile(path) } catch { throw FileError(.cannotRead, path: path, error) }
        return try file.readAll(as: kind, path: path)
    }

    /// The first `count` bytes of a file, pipe or device, or all if it has fewer.
    /// - Throws: `cannotRead`, or `tooLarge` if the kind allows less than `count`.
    package static func read(_ path: String, as kind: InputKind, first count: Int) throws(FileError) -> [UInt8] {
        let file: InputFile
        do throws(SystemError) { file = try InputFile(path) } catch { throw FileError(.cannotRead, path: path, error) }
        return try file.read(first: count, as: kind, path: path)
    }

    /// The text of a small file such as those under `/proc` and `/sys`; nil if it cannot be read or is longer than 64 KiB.
    package static func text(_ path: String) -> String? {
        (try? read(path, as: .systemFile)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes a file so that it appears only when complete, like `UnfinishedFile`.
    package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        let file = try UnfinishedFile(path)
        try file.write(bytes)
        try file.finish()
    }
}
