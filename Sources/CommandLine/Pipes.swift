import Glibc
import Waymark

/// Standard input and output as files in one piece.
enum Pipes {
    /// Puts something where standard input, output and error are closed. Else the next files that are opened would be there, and words
    /// would be written into them. Reading and writing fail as they do when nothing is there.
    static func holdPlaces() {
        for (number, flags) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(number, F_GETFD) < 0 {
            // The lowest number that is free is this one. Without the device nothing is to be done.
            _ = open("/dev/null", flags)
        }
    }

    /// All bytes of standard input.
    static func readInput() throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let room = 1 << 16
            let start = bytes.count
            bytes.append(contentsOf: repeatElement(0, count: room))
            let count = bytes.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress.map { $0 + start }, room) }
            bytes.removeLast(room - max(0, count))
            if count == 0 { return bytes }
            if count < 0, errno != EINTR { throw Failure(.noInput, "cannot read standard input: \(String(cString: strerror(errno)))") }
        }
    }

    /// Writes all bytes to standard output.
    static func write(_ bytes: [UInt8]) throws(Failure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress.map { $0 + written }, $0.count - written) }
            if count > 0 {
                written += count
            } else if errno != EINTR {
                throw Failure(.cannotWrite, "cannot write to standard output: \(String(cString: strerror(errno)))")
            }
        }
    }

    static func write(_ text: String) throws(Failure) {
        try write(Array(text.utf8))
    }
}
