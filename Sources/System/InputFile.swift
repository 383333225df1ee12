import Glibc

/// A file, pipe or device that is read from beginning to end.
///
/// Opening never waits long: the writer of a named pipe has a few seconds to appear. After that, reading waits as long as necessary.
package final class InputFile {
    package let file: OpenFile
    package let status: FileStatus
    /// Bytes read while waiting for the writer.
    private var pending: ArraySlice<UInt8> = []

    /// Opens a file.
    /// - Throws: The system's error; `isFolder`, `isSocket`, `noWriter`.
    package init(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            file = try Self.open(path)
        } catch {
            // A socket cannot be opened at all.
            throw (try? FileStatus(path))?.form == .socket ? .isSocket : error
        }
        status = try file.status
        if status.form == .folder { throw .isFolder }
        if status.form == .pipe { pending = try NamedPipe.awaitWriter(file) }
    }

    private static func open(_ path: String) throws(SystemError) -> OpenFile {
        do throws(SystemError) {
            return try OpenFile(path, .read, .nonBlocking)
        } catch {
            // A file that another program has leased needs a moment; opening it normally waits for that.
            guard error.errno == EWOULDBLOCK else { throw error }
            return try OpenFile(path, .read)
        }
    }

    private init(_ file: OpenFile) throws(SystemError) {
        self.file = file
        status = try file.status
        if status.form == .folder { throw .isFolder }
    }

    /// Standard input, from its current position.
    package static func standardInput() throws(SystemError) -> InputFile { try InputFile(StandardStreams.input()) }

    /// Whether the file has a size. Pipes and devices have none.
    private var hasSize: Bool { status.form == .regular }
}

extension InputFile {
    /// Reads the available bytes, at most as many as `buffer` holds; 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        if !pending.isEmpty {
            let count = min(pending.count, buffer.count)
            buffer.copyBytes(from: pending.prefix(count))
            pending.removeFirst(count)
            return count
        }
        while true {
            do throws(SystemError) {
                return try file.read(into: buffer)
            } catch {
                guard error.errno == EAGAIN else { throw error }
                DescriptorPoll.wait(reading: [file.number], writing: [], milliseconds: -1)
            }
        }
    }

    /// Reads to the end.
    /// - Parameter path: The name of the file in errors.
    /// - Throws: `cannotRead`, or `tooLarge` before more is read than the kind allows.
    package func readAll(as kind: InputKind, path: String?) throws(FileError) -> [UInt8] {
        let limit = hasSize ? kind.limit : kind.streamLimit
        guard !hasSize || status.size <= limit else { throw FileError(.tooLarge(kind, limit: limit), path: path) }
        // Some regular files, those under /proc, have a size of 0 although they contain bytes.
        let bytes = try read(most: limit + 1, expected: hasSize ? status.size : 0, path: path)
        guard bytes.count <= limit else { throw FileError(.tooLarge(kind, limit: limit), path: path) }
        return bytes
    }

    /// Reads the first `count` bytes, or all if there are fewer, and nothing beyond them.
    /// - Throws: `cannotRead`, or `tooLarge` if the kind allows less than `count` and there may be that many.
    package func read(first count: Int, as kind: InputKind, path: String?) throws(FileError) -> [UInt8] {
        let limit = hasSize ? kind.limit : kind.streamLimit
        let wanted = hasSize ? min(count, status.size) : count
        guard wanted <= limit else { throw FileError(.tooLarge(kind, limit: limit), path: path) }
        return try read(most: count, expected: wanted, path: path)
    }

    /// - Parameter expected: The probable number of bytes, so that memory is reserved once.
    private func read(most: Int, expected: Int, path: String?) throws(FileError) -> [UInt8] {
        // A byte more than expected, to detect the end without growing. For a pipe, memory is not reserved before the data arrive.
        let first = min(most, hasSize ? expected + 1 : 1 << 16)
        var bytes = Self.lengthened([], to: first)
        var count = 0
        while count < most {
            if count == bytes.count { bytes = Self.lengthened(bytes, to: min(max(2 * count, 1 << 16), most)) }
            let result: Int
            do throws(SystemError) {
                result = try bytes.withUnsafeMutableBufferPointer { (all) throws(SystemError) in
                    try read(into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(all)[count...]))
                }
            } catch {
                throw FileError(.cannotRead, path: path, error)
            }
            if result == 0 { break }
            count += result
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// The bytes, followed by zeros. Appending them one by one would take longer than reading.
    private static func lengthened(_ bytes: [UInt8], to count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let all = UnsafeMutableRawBufferPointer(buffer)
            bytes.withUnsafeBytes { all.copyMemory(from: $0) }
            if let start = all.baseAddress { memset(start + bytes.count, 0, count - bytes.count) }
            initialized = count
        }
    }
}
