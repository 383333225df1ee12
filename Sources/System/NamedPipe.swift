import Glibc

/// Named pipes (FIFOs). Opening a pipe in the normal way would wait forever for a program at its other end.
enum NamedPipe {
    /// The time limit for opening the other end.
    static let patience = Duration.seconds(5)

    /// Waits until a pipe that was opened with `nonBlocking` has a writer, or has had one. Unnamed pipes always have had a writer.
    /// - Returns: The bytes that were read while waiting.
    /// - Throws: `noWriter`.
    static func awaitWriter(_ pipe: OpenFile) throws(SystemError) -> ArraySlice<UInt8> {
        let end = ContinuousClock.now + patience
        while true {
            var polled = pollfd(fd: pipe.number, events: Int16(POLLIN), revents: 0)
            // There are bytes, or a writer has opened and closed the pipe.
            if poll(&polled, 1, pause) > 0 { return [] }
            // A writer that has not written yet can be recognized only because the pipe does not end.
            guard let bytes = try pipe.readAvailable() else { return [] }
            if !bytes.isEmpty { return bytes }
            guard ContinuousClock.now < end else { throw .noWriter }
        }
    }

    /// Opens a pipe for writing, once it has a reader.
    /// - Throws: `noReader`.
    static func openForWriting(_ path: String) throws(SystemError) -> OpenFile {
        let end = ContinuousClock.now + patience
        while true {
            do throws(SystemError) {
                let pipe = try OpenFile(path, .write, .nonBlocking)
                try pipe.setBlocking()
                return pipe
            } catch {
                guard error.errno == ENXIO else { throw error }
            }
            guard ContinuousClock.now < end else { throw .noReader }
            _ = poll(nil, 0, pause)
        }
    }

    /// The interval between two checks, in milliseconds.
    private static let pause: CInt = 10
}
