import Glibc

/// Pipes with a name (FIFOs). Opened plainly, one would wait without end for a program at its other end.
enum NamedPipe {
    /// How long the other end may take to be opened.
    static let patience = Duration.seconds(5)

    /// Waits until a pipe that was opened with `nonBlocking` has a writer, or has had one. A pipe without a name has always had one.
    /// - Returns: What was read in doing so.
    /// - Throws: `noWriter`.
    static func awaitWriter(_ pipe: OpenFile) throws(SystemError) -> ArraySlice<UInt8> {
        let end = ContinuousClock.now + patience
        while true {
            var polled = pollfd(fd: pipe.number, events: Int16(POLLIN), revents: 0)
            // There are bytes, or a writer has come and gone.
            if poll(&polled, 1, pause) > 0 { return [] }
            // Of a writer that has not written yet, nothing shows but that the pipe does not end.
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

    /// Milliseconds between two looks.
    private static let pause: CInt = 10
}
