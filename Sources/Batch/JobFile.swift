import Glibc

/// The file of jobs, whose lines are read by their place, as often as they are needed. Standard input, and whatever else can be read
/// but once, is copied into a file without a name first.
package final class JobFile {
    /// What messages call it.
    package let name: String
    private let file: Descriptor
    /// The longest line that is read; a frame that carries a job to a worker holds a little more than it.
    static let longestLine = 60 << 20

    /// - Parameter path: A file; `-` is standard input.
    package init(_ path: String) throws(BatchError) {
        name = path == "-" ? "standard input" : path
        guard let opened = path == "-" ? Descriptor(dup(STDIN_FILENO)) : Descriptor(path, O_RDONLY) else {
            throw .unreadable(path: name, errno: errno)
        }
        var status = stat()
        guard fstat(opened.number, &status) == 0 else { throw .unreadable(path: name, errno: errno) }
        if status.st_mode & S_IFMT == S_IFDIR { throw .unreadable(path: name, errno: EISDIR) }
        file = status.st_mode & S_IFMT == S_IFREG && path != "-" ? opened : try Self.spool(opened, name: name)
    }

    /// The lines of a record.
    init(record file: Descriptor, name: String) {
        self.file = file
        self.name = name
    }

    /// The bytes of a line; nil when they cannot be read, because the file is shorter than it was.
    func line(at offset: Int, length: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: length)
        let count = bytes.withUnsafeMutableBytes { file.read(into: $0, at: offset) }
        return count == length ? bytes : nil
    }

    /// Calls `body` for every line with its number from 1, its place, and its bytes without the end of the line; without bytes when it is
    /// longer than `longestLine`.
    func forEachLine(
        _ body: (_ number: Int, _ offset: Int, _ bytes: ArraySlice<UInt8>?) throws(BatchError) -> Void
    ) throws(BatchError) {
        var buffer: [UInt8] = []
        // What of the buffer is in use, and the place in the file that it begins at.
        var count = 0
        var offset = 0
        var number = 1
        var isAtEnd = false
        // Bytes of an overlong line that are gone already.
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
            let result = buffer.withUnsafeMutableBytes {
                file.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[filled..<filled + room]), at: offset + filled)
            }
            guard let result else { throw .unreadable(path: name, errno: errno) }
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

    /// Copies a stream into a file of the temporary folder that has no name any more, so that nothing is left whatever happens.
    private static func spool(_ stream: Descriptor, name: String) throws(BatchError) -> Descriptor {
        let folder = getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = Array("\(folder)/waymark-jobs-XXXXXX".utf8CString)
        let number = mkstemp(&template)
        guard number >= 0 else { throw .cannotWrite(path: folder, errno: errno) }
        // Nothing is started before it is closed to others.
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        let spool = Descriptor(number)
        unlink(template)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(stream.number, $0.baseAddress, $0.count) }
            if count == 0 { return spool }
            if count < 0 {
                if errno == EINTR { continue }
                throw .unreadable(path: name, errno: errno)
            }
            guard spool.write(buffer[..<count]) else { throw .cannotWrite(path: folder, errno: errno) }
        }
    }
}
