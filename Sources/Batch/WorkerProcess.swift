import CWaymarkProcess
import Glibc
import WaymarkSystem

/// A worker process and the three pipes to it, all non-blocking.
final class WorkerProcess {
    let pid: Int32
    /// The supervisor's ends of the pipes; nil once closed.
    private(set) var input: OpenFile?
    private(set) var output: OpenFile?
    private(set) var errors: OpenFile?
    /// What is still to be sent. In pieces, so that all workers share the bytes of the base scene.
    private var outgoing: [[UInt8]] = []
    /// The bytes of the first piece that were sent.
    private var sent = 0
    private var parser = FrameParser()
    private var errorBytes: [UInt8] = []
    private var ending: WorkerEnd?

    /// The program to start.
    struct Command {
        /// The file, and the arguments after the program's name.
        var path: String
        var arguments: [String]
        /// `NAME=value`.
        var environment: [String]
        /// A descriptor that the worker keeps open as long as it lives; -1 for none.
        var kept: Int32 = -1
    }

    init(_ command: Command) throws(SystemError) {
        var process = wm_process()
        let arguments = CStrings(["waymark"] + command.arguments)
        let environment = CStrings(command.environment)
        let code = withExtendedLifetime((arguments, environment)) {
            wm_process_start(command.path, arguments.pointers, environment.pointers, command.kept, &process)
        }
        guard code == 0 else { throw SystemError(errno: code) }
        pid = process.pid
        input = OpenFile(adopting: process.input)
        output = OpenFile(adopting: process.output)
        errors = OpenFile(adopting: process.error)
        // When memory runs out, the system is to end a worker, not the process that supervises them all.
        try? OpenFile("/proc/\(pid)/oom_score_adj", .write).write("500".utf8)
    }

    deinit { kill() }

}

/// How a worker ended.
enum WorkerEnd: Equatable {
    case code(Int32)
    case signal(Int32)
}

extension WorkerEnd: CustomStringConvertible {
    var description: String {
        switch self {
        case .code(let code): "ended with code \(code)"
        case .signal(let signal): "was ended by signal \(signal)" + (strsignal(signal).map { " (\(String(cString: $0)))" } ?? "")
        }
    }
}

extension WorkerProcess {
    var hasOutgoing: Bool { !outgoing.isEmpty && input != nil }

    /// Queues bytes and sends what the pipe takes now. If the worker has closed its end it is dying, which its output will show.
    func send(_ bytes: [UInt8]...) {
        outgoing += bytes
        flush()
    }

    func flush() {
        while let piece = outgoing.first, let input {
            // A pipe that is closed at the other end takes nothing more.
            guard let count = try? input.writeAvailable(piece[sent...]) else {
                outgoing = []
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

    /// Handles the replies that have arrived. Returns false once the worker has closed its output, as it does when it dies.
    func read(_ handle: (WorkerReply) throws(FrameError) -> Void) throws(FrameError) -> Bool {
        var isOpen = true
        while isOpen, let chunk = Self.chunk(output) {
            if chunk.isEmpty { isOpen = false }
            parser.append(chunk)
        }
        while let frame = try parser.next() { try handle(try WorkerReply(frame)) }
        if !isOpen { output = nil }
        return isOpen
    }

    /// The complete lines that have arrived on standard error; at the end of the stream also an incomplete one.
    func readErrorLines() -> [String] {
        while let chunk = Self.chunk(errors) {
            if chunk.isEmpty { errors = nil }
            errorBytes += chunk
        }
        // A line that never ends is split.
        if errors == nil || errorBytes.count > 1 << 16, errorBytes.last != 0x0A, !errorBytes.isEmpty { errorBytes.append(0x0A) }
        guard let end = errorBytes.lastIndex(of: 0x0A) else { return [] }
        let lines = errorBytes[..<end].split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        errorBytes.removeFirst(end + 1)
        return lines
    }

    /// The bytes that can be read now: none at the end of the stream or when it fails, nil when there are none yet.
    private static func chunk(_ stream: OpenFile?) -> ArraySlice<UInt8>? {
        guard let stream else { return nil }
        do throws(SystemError) { return try stream.readAvailable() } catch { return [] }
    }

    /// Lets the worker end by itself: no more messages will come.
    func closeInput() {
        outgoing = []
        input = nil
    }

    /// Kills the worker and waits for its end. Returns how it ended, perhaps already before.
    @discardableResult
    func kill() -> WorkerEnd {
        if let ending { return ending }
        Glibc.kill(pid, SIGKILL)
        // A graphics driver that hangs in the kernel delays even SIGKILL, so the wait is bounded. Should the process continue later, it
        // writes the same picture as the next worker.
        return end(within: .seconds(10)) ?? note(.signal(SIGKILL))
    }

    /// Waits briefly for a worker that has closed its output, then kills it.
    func reap() -> WorkerEnd {
        ending ?? end(within: .seconds(2)) ?? kill()
    }

    /// How the worker ended; nil if it does not end in this time.
    private func end(within time: Duration) -> WorkerEnd? {
        let begun = ContinuousClock.now
        repeat {
            var facts = siginfo_t()
            // WNOWAIT leaves the process to be reaped below.
            if waitid(P_PID, id_t(pid), &facts, WEXITED | WNOHANG | WNOWAIT) != 0 || facts.si_signo == SIGCHLD {
                let code = wm_process_wait(pid)
                return note(code < 0 ? .signal(-code) : .code(code))
            }
            usleep(1000)
        } while ContinuousClock.now - begun < time
        return nil
    }

    private func note(_ end: WorkerEnd) -> WorkerEnd {
        ending = end
        input = nil
        return end
    }
}

/// A list of strings for C: pointers, terminated by NULL.
private final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ strings: [String]) {
        count = strings.count
        pointers = .allocate(capacity: count + 1)
        for (index, string) in strings.enumerated() { (pointers + index).initialize(to: strdup(string)) }
        (pointers + count).initialize(to: nil)
    }

    deinit {
        for index in 0..<count { free(pointers[index]) }
        pointers.deallocate()
    }
}
