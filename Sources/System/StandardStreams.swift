import Glibc
import SystemPackage

/// Standard input, output and error.
package enum StandardStreams {
    /// Occupies the numbers of closed streams, so that the next opened file does not become standard output by accident. Reading and
    /// writing these streams still fails, as for closed streams.
    package static func occupy() {
        for (number, flags) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(number, F_GETFD) < 0 {
            // This is the lowest free number. If /dev/null is missing, nothing can be done.
            _ = open("/dev/null", flags)
        }
    }

    /// All bytes of standard input.
    /// - Throws: `cannotRead`, or `tooLarge` before more is read than the kind allows.
    package static func readInput(as kind: InputKind) throws(FileError) -> [UInt8] {
        let file: InputFile
        do throws(SystemError) { file = try .standardInput() } catch { throw FileError(.cannotRead, path: nil, error) }
        return try file.readAll(as: kind, path: nil)
    }

    /// A descriptor of standard input that can be closed without closing the stream itself.
    package static func input() throws(SystemError) -> OpenFile { try OpenFile(copying: STDIN_FILENO) }

    /// Writes all bytes to standard output.
    package static func writeOutput(_ bytes: some Sequence<UInt8>) throws(SystemError) {
        try checked { _ = try FileDescriptor.standardOutput.writeAll(bytes) }
    }

    /// Writes text to standard error. Errors are ignored, because there is nowhere to report them.
    package static func writeError(_ text: String) {
        _ = try? FileDescriptor.standardError.writeAll(text.utf8)
    }

    /// Reserves standard output for the messages of a protocol. Returns a descriptor for it, and redirects all other output to standard
    /// error, such as the output of a graphics driver.
    package static func claimOutput() throws(SystemError) -> OpenFile {
        let output = try OpenFile(copying: STDOUT_FILENO)
        try retrying { dup2(STDERR_FILENO, STDOUT_FILENO) }
        return output
    }

    /// Whether standard error is a terminal.
    package static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// The columns of the terminal on standard error; nil if it is not a terminal or does not report them.
    package static var errorColumns: Int? {
        var size = winsize()
        return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
    }
}

/// Waits for several descriptors together.
package enum DescriptorPoll {
    /// Returns when one of the descriptors can be read or written without waiting, was closed at its other end, or the time is over.
    /// - Returns: The descriptors that are ready or closed.
    @discardableResult
    package static func wait(reading: [CInt], writing: [CInt], milliseconds: Int) -> Set<CInt> {
        var polled =
            reading.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            + writing.map { pollfd(fd: $0, events: Int16(POLLOUT), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), CInt(clamping: milliseconds)) > 0 else { return [] }
        return Set(polled.lazy.filter { $0.revents != 0 }.map(\.fd))
    }
}
