import CWaymarkProcess
import Glibc

/// A worker as its supervisor sees it: a process, and the three pipes to it, none of which is ever waited for.
final class WorkerProcess {
    let pid: Int32
    /// Our ends; nil once closed.
    private(set) var input: Descriptor?
    private(set) var output: Descriptor?
    private(set) var errors: Descriptor?
    /// What is still to be sent, in pieces, so that many workers share the bytes of one base scene.
    private var outgoing: [[UInt8]] = []
    /// How much of the first piece is sent.
    private var sent = 0
    private var parser = FrameParser()
    private var words: [UInt8] = []
    private var ending: WorkerEnd?

    /// What is started, and with what.
    struct Command {
        /// The file, and the arguments after the program's name.
        var path: String
        var arguments: [String]
        /// `NAME=value`.
        var environment: [String]
        /// A descriptor that the worker holds open as long as it lives.
        var kept: Int32 = -1
    }

    /// - Throws: The errno of what failed.
    init(_ command: Command) throws(StartError) {
        var process = waymark_process()
        let arguments = CStrings(["waymark"] + command.arguments)
        let environment = CStrings(command.environment)
        let code = withExtendedLifetime((arguments, environment)) {
            waymark_process_start(command.path, arguments.pointers, environment.pointers, command.kept, &process)
        }
        guard code == 0 else { throw StartError(errno: code) }
        pid = process.pid
        input = Descriptor(process.input)
        output = Descriptor(process.output)
        errors = Descriptor(process.error)
        // When memory runs out, one worker is to go, and not what watches over them all.
        if let score = Descriptor("/proc/\(pid)/oom_score_adj", O_WRONLY) { _ = score.write("500".utf8) }
    }

    deinit { kill() }

    struct StartError: Error {
        var errno: Int32
    }
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

    /// Takes bytes to be sent, and sends what the pipe has room for. A pipe that is closed at the other end is the death of the worker,
    /// which its output tells.
    func send(_ bytes: [UInt8]...) {
        outgoing += bytes
        flush()
    }

    func flush() {
        while let piece = outgoing.first, let input {
            let count = piece.withUnsafeBytes { write(input.number, $0.baseAddress.map { $0 + sent }, piece.count - sent) }
            if count < 0 {
                if errno == EINTR { continue }
                if errno != EAGAIN { outgoing = [] }
                return
            }
            sent += count
            if sent == piece.count {
                outgoing.removeFirst()
                sent = 0
            }
        }
    }

    /// What the worker has said since; whether it may say more. False when it has closed its output, as it does when it dies.
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

    /// The whole lines that it has written for a person since; at the end of the stream, also one without an end.
    func readWords() -> [String] {
        while let chunk = Self.chunk(errors) {
            if chunk.isEmpty { errors = nil }
            words += chunk
        }
        // A worker that babbles without an end of line is cut short.
        if errors == nil || words.count > 1 << 16, words.last != 0x0A, !words.isEmpty { words.append(0x0A) }
        guard let end = words.lastIndex(of: 0x0A) else { return [] }
        let lines = words[..<end].split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        words.removeFirst(end + 1)
        return lines
    }

    /// What there is to be read, nothing at the end of the stream; nil when there is nothing now.
    private static func chunk(_ stream: Descriptor?) -> ArraySlice<UInt8>? {
        guard let stream else { return nil }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = bytes.withUnsafeMutableBytes { Glibc.read(stream.number, $0.baseAddress, $0.count) }
            if count >= 0 { return bytes[..<count] }
            if errno != EINTR { return errno == EAGAIN ? nil : [] }
        }
    }

    /// Lets it end by itself: nothing more will come.
    func closeInput() {
        outgoing = []
        input = nil
    }

    /// Kills it, and waits until it is gone; how it ended, which may have been before.
    @discardableResult
    func kill() -> WorkerEnd {
        if let ending { return ending }
        Glibc.kill(pid, SIGKILL)
        // A driver that hangs within the kernel holds even the dead. It is not waited for for ever; should it come to itself, it writes
        // the picture that the next worker writes, too.
        return end(within: .seconds(10)) ?? note(.signal(SIGKILL))
    }

    /// Waits for one that has closed its output, for a moment; one that goes on all the same is killed.
    func reap() -> WorkerEnd {
        ending ?? end(within: .seconds(2)) ?? kill()
    }

    /// How it ended, if it does in this time.
    private func end(within time: Duration) -> WorkerEnd? {
        let begun = ContinuousClock.now
        repeat {
            var facts = siginfo_t()
            // It stays to be waited for.
            if waitid(P_PID, id_t(pid), &facts, WEXITED | WNOHANG | WNOWAIT) != 0 || facts.si_signo == SIGCHLD {
                let code = waymark_process_wait(pid)
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

/// Strings as C takes lists of them: pointers, and NULL at the end.
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
