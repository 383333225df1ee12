import CWaymarkProcess
import Glibc

/// A program started by this process, and the three pipes to it, all non-blocking. It is killed when the object is released, and when the
/// thread that started it ends.
package final class ChildProcess: @unchecked Sendable {
    // Unchecked: the owner of the process uses it from one thread at a time.
    let pid: Int32
    /// This side's ends of the pipes; nil once closed.
    package private(set) var input: OpenFile?
    package private(set) var output: OpenFile?
    package private(set) var errors: OpenFile?
    private var ending: ProcessEnd?
    /// The process that started the program. A fork without exec may have copied this object since then.
    private let owner = getpid()

    /// The program to start.
    package struct Command: Sendable {
        /// The file, and the arguments after the program's name.
        package var path: String
        package var arguments: [String]
        /// The environment variables as `NAME=value`.
        package var environment: [String]
        /// A descriptor that the process keeps open for its lifetime; -1 for none.
        package var kept: Int32

        package init(path: String, arguments: [String], environment: [String], kept: Int32 = -1) {
            self.path = path
            self.arguments = arguments
            self.environment = environment
            self.kept = kept
        }
    }

    /// Starts the program.
    /// - Parameter outOfMemoryScore: The score with which the system chooses a process to kill when memory runs out; nil for the score of
    ///   this process.
    /// - Throws: The error of the step that failed, exec included.
    package init(_ command: Command, outOfMemoryScore: Int? = nil) throws(SystemError) {
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
        if let outOfMemoryScore { try? OpenFile("/proc/\(pid)/oom_score_adj", .write).write("\(outOfMemoryScore)".utf8) }
    }

    deinit { if getpid() == owner { kill() } }
}

/// How a process ended.
package enum ProcessEnd: Equatable, Sendable {
    case code(Int32)
    case signal(Int32)
}

extension ProcessEnd: CustomStringConvertible {
    package var description: String {
        switch self {
        case .code(let code): "ended with code \(code)"
        case .signal(let signal): "was ended by signal \(signal)" + (strsignal(signal).map { " (\(String(cString: $0)))" } ?? "")
        }
    }
}

extension ChildProcess {
    /// Lets the process end by itself: it receives no more input.
    package func closeInput() { input = nil }

    package func closeOutput() { output = nil }

    package func closeErrors() { errors = nil }

    /// Kills the process and waits for its end. Returns how it ended, possibly before the kill.
    @discardableResult
    package func kill() -> ProcessEnd {
        if let ending { return ending }
        Glibc.kill(pid, SIGKILL)
        // A graphics driver that hangs in the kernel delays even SIGKILL, so the wait is bounded.
        return end(within: .seconds(10)) ?? note(.signal(SIGKILL))
    }

    /// Waits briefly for a process that has closed its output, then kills it.
    package func reap() -> ProcessEnd {
        ending ?? end(within: .seconds(2)) ?? kill()
    }

    /// How the process ended; nil if it does not end in this time.
    private func end(within time: Duration) -> ProcessEnd? {
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

    private func note(_ end: ProcessEnd) -> ProcessEnd {
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
