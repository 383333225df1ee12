import WaymarkSystem

/// A worker process, with the messages to it and from it.
package final class WorkerProcess {
    private let process: ChildProcess
    /// The bytes still to send, in pieces, so that all workers share the bytes of the base scene.
    private var outgoing: [[UInt8]] = []
    /// The number of bytes of the first piece that were sent.
    private var sent = 0
    private var parser = FrameParser()
    private var errorBytes: [UInt8] = []
    /// The number of bytes that were not sent because the worker has closed its input.
    private var refused = 0

    package init(_ command: ChildProcess.Command) throws(SystemError) {
        // When memory runs out, the system should end a worker instead of the supervising process.
        process = try ChildProcess(command, outOfMemoryScore: 500)
    }
}

extension WorkerProcess {
    /// The descriptors to wait on for reading.
    package var reading: [Int32] { [process.output, process.errors].compactMap { $0?.number } }

    /// The descriptor to wait on for writing; nil when nothing is queued.
    package var writing: Int32? { outgoing.isEmpty ? nil : process.input?.number }

    /// Whether there are messages or lines of standard error to read, or more bytes can be sent.
    func hasMessages(_ ready: Set<Int32>) -> Bool { process.output.map { ready.contains($0.number) } ?? false }
    func hasErrorLines(_ ready: Set<Int32>) -> Bool { process.errors.map { ready.contains($0.number) } ?? false }
    func takesMore(_ ready: Set<Int32>) -> Bool { writing.map(ready.contains) ?? false }

    /// Queues bytes and sends as many as the pipe accepts. If the worker has closed its end of the pipe, it is ending, as its output will
    /// show.
    package func send(_ pieces: [[UInt8]]) {
        outgoing += pieces
        flush()
    }

    /// The bytes of messages that the worker has not read. Valid only before it is reaped.
    package var unreadBytes: Int { queued + refused + (process.input?.unreadPipeBytes ?? 0) }

    private var queued: Int { outgoing.reduce(0) { $0 + $1.count } - sent }

    package func flush() {
        while let piece = outgoing.first, let input = process.input {
            // A pipe whose other end is closed takes nothing more.
            guard let count = try? input.writeAvailable(piece[sent...]) else {
                refused += queued
                outgoing = []
                sent = 0
                return
            }
            if count == 0, sent < piece.count { return }
            sent += count
            if sent == piece.count {
                outgoing.removeFirst()
                sent = 0
            }
        }
    }

    /// Handles messages that have arrived. Returns false once the worker has closed its output, which happens when it dies.
    package func read(_ handle: (WorkerFrame) throws(FrameError) -> Void) throws(FrameError) -> Bool {
        var isOpen = true
        if let output = process.output {
            // A stream that fails counts as ended.
            do throws(SystemError) { isOpen = try parser.read(from: output) != 0 } catch { isOpen = false }
        }
        while let frame = try parser.next() { try handle(frame) }
        if !isOpen { process.closeOutput() }
        return isOpen
    }

    /// The complete lines that have arrived on standard error, and at the end of the stream also an incomplete one.
    package func readErrorLines() -> [String] {
        while let chunk = Self.chunk(process.errors) {
            if chunk.isEmpty { process.closeErrors() }
            errorBytes += chunk
        }
        // A line without an end is split.
        if process.errors == nil || errorBytes.count > 1 << 16, errorBytes.last != 0x0A, !errorBytes.isEmpty { errorBytes.append(0x0A) }
        guard let end = errorBytes.lastIndex(of: 0x0A) else { return [] }
        let lines = errorBytes[..<end].split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        errorBytes.removeFirst(end + 1)
        return lines
    }

    /// The bytes that can be read now; empty at the end of the stream or when it fails, nil when nothing has arrived yet.
    private static func chunk(_ stream: OpenFile?) -> ArraySlice<UInt8>? {
        guard let stream else { return nil }
        do throws(SystemError) { return try stream.readAvailable() } catch { return [] }
    }

    /// Lets the worker end by itself, because no more messages follow.
    package func closeInput() {
        outgoing = []
        process.closeInput()
    }

    /// Kills the worker, waits for its end, and returns how it ended, which may have been before this call. If the process hangs in a
    /// kernel driver, it may continue later. It then writes the same picture as the next worker.
    @discardableResult
    package func kill() -> ProcessEnd { process.kill() }

    /// Waits briefly for a worker that has closed its output, then kills it.
    package func reap() -> ProcessEnd { process.reap() }
}
