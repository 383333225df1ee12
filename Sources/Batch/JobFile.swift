import Glibc
import Waymark
import WaymarkSystem

/// The file of jobs. Its lines are read by offset, as often as needed. Standard input and other streams, which can be read only once, are
/// first copied to an unnamed file.
package final class JobFile: Sendable {
    /// The name of the file in messages.
    package let name: String
    private let file: OpenFile
    /// The maximum length of a line that is read. The frame that sends a job to a worker has room for a little more.
    static let longestLine = 60 << 20

    /// - Parameter path: A file, or `-` for standard input.
    package init(_ path: String) throws(Failure) {
        name = path == "-" ? "standard input" : path
        let input: InputFile
        do throws(SystemError) {
            input = path == "-" ? try .standardInput() : try InputFile(path)
        } catch {
            throw .unreadable(path: name, errno: error.errno)
        }
        guard path == "-" || input.status.form != .regular else {
            file = input.file
            var start = [UInt8](repeating: 0, count: 1 << 16)
            let count = (try? start.withUnsafeMutableBytes { try input.file.read(into: $0, at: 0) }) ?? 0
            try Self.checkText(start[..<count], name: name)
            return
        }
        file = try Self.spool(input, name: name)
    }

    /// Throws if the file does not start like text, to avoid reporting a failure for every line. JSON never contains a zero byte.
    private static func checkText(_ start: ArraySlice<UInt8>, name: String) throws(Failure) {
        guard let place = start.firstIndex(of: 0) else { return }
        throw Failure(.badContent, "\(name): this is not a list of jobs (one JSON object per line): byte \(place) is zero")
    }

    /// The lines of a batch record.
    init(record file: OpenFile, name: String) {
        self.file = file
        self.name = name
    }

    /// The bytes of a line; nil when they cannot be read because the file was shortened.
    func line(at offset: Int, length: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: length)
        let count = try? bytes.withUnsafeMutableBytes { try file.read(into: $0, at: offset) }
        return count == length ? bytes : nil
    }

    /// Calls `body` for every line with its number from 1, its offset, and its bytes without the line break. The bytes are nil for a line
    /// longer than `longestLine`.
    func forEachLine(
        _ body: (_ number: Int, _ offset: Int, _ bytes: ArraySlice<UInt8>?) throws(Failure) -> Void
    ) throws(Failure) {
        var buffer: [UInt8] = []
        // The number of bytes in the buffer, and the offset in the file at which it starts.
        var count = 0
        var offset = 0
        var number = 1
        var isAtEnd = false
        // The number of bytes of an overlong line that were already discarded.
        var dropped = 0
        while true {
            var start = 0
            while let end = Self.newline(in: buffer, start..<count) {
                let isTooLong = dropped + end - start > Self.longestLine
                try body(number, offset + start - dropped, isTooLong ? nil : buffer[start..<end])
                dropped = 0
                number += 1
                start = end + 1
            }
            if isAtEnd {
                if dropped + count - start > 0 {
                    try body(number, offset + start - dropped, dropped + count - start > Self.longestLine ? nil : buffer[start..<count])
                }
                return
            }
            buffer.removeFirst(start)
            count -= start
            offset += start
            if count > Self.longestLine {
                dropped += count
                offset += count
                count = 0
            }
            let room = 1 << 20
            buffer.append(contentsOf: repeatElement(0, count: max(0, count + room - buffer.count)))
            let filled = count
            let result: Int
            do throws(SystemError) {
                result = try buffer.withUnsafeMutableBufferPointer { (all) throws(SystemError) in
                    let free = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(all)[filled..<filled + room])
                    return try file.read(into: free, at: offset + filled)
                }
            } catch {
                throw .unreadable(path: name, errno: error.errno)
            }
            count += result
            isAtEnd = result < room
        }
    }

    private static func newline(in bytes: [UInt8], _ range: Range<Int>) -> Int? {
        guard !range.isEmpty else { return nil }
        return bytes.withUnsafeBytes { all in
            let part = UnsafeRawBufferPointer(rebasing: all[range])
            guard let start = part.baseAddress, let found = memchr(start, 0x0A, part.count) else { return nil }
            return range.lowerBound + (UnsafeRawPointer(found) - start)
        }
    }

    /// Copies a stream to an unnamed file in the temporary folder.
    private static func spool(_ stream: InputFile, name: String) throws(Failure) -> OpenFile {
        let folder = Environment.temporaryFolder
        let spool: OpenFile
        do throws(SystemError) {
            spool = try OpenFile.temporary(prefix: "waymark-jobs")
        } catch {
            throw .cannotCopy(path: name, folder: folder, errno: error.errno)
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var size = 0
        while true {
            let count: Int
            do throws(SystemError) {
                count = try buffer.withUnsafeMutableBufferPointer { (all) throws(SystemError) in
                    try stream.read(into: UnsafeMutableRawBufferPointer(all))
                }
            } catch {
                throw .unreadable(path: name, errno: error.errno)
            }
            if count == 0 { return spool }
            if size == 0 { try checkText(buffer[..<count], name: name) }
            size += count
            let limit = InputKind.jobs.streamLimit
            guard size <= limit else { throw Failure(.badContent, "\(name): \(InputKind.jobs.excess(limit: limit))") }
            do throws(SystemError) {
                try spool.write(buffer[..<count])
            } catch {
                throw .cannotCopy(path: name, folder: folder, errno: error.errno)
            }
        }
    }
}
