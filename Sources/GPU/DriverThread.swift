import CWaymarkGLES
import Dispatch
import Glibc
import Synchronization
import WaymarkSystem

/// Runs calls into the driver that may never return, such as opening a device, on a separate thread, and waits for it up to
/// `WAYMARK_DEVICE_TIMEOUT`. A driver that cannot start its own threads waits for them forever.
///
/// A thread inside the driver cannot be stopped or joined. Drivers crash when they are torn down while they work, so a process with such a
/// thread must end by `_exit`: see `isAnyStuck`.
package final class DriverThread: Sendable {
    private let ended = DispatchSemaphore(value: 0)
    private let deadline: DispatchTime
    private let seconds: Double
    private let state: Mutex<State>

    private struct State {
        /// The thread; nil until it has started, and after it was joined or abandoned.
        var thread: pthread_t?
        /// Whether the call has ended; nil after it was abandoned.
        var isEnded: Bool?
    }

    private static let stuckCount = Atomic<Int>(0)

    /// Whether a thread of this process was abandoned and is still inside the driver.
    package static var isAnyStuck: Bool { stuckCount.load(ordering: .acquiring) > 0 }

    /// Starts a thread that runs `body`.
    /// - Parameter seconds: The time limit; nil for `WAYMARK_DEVICE_TIMEOUT`, or 20 if it is unset.
    /// - Throws: `badSelection` if the variable is not a number of seconds; `notResponding` if no thread can be started.
    package init(seconds: Double? = nil, _ body: @escaping @Sendable () -> Void) throws(GPUError) {
        if let seconds { self.seconds = seconds } else { self.seconds = try Self.timeout() }
        deadline = .now() + self.seconds
        state = Mutex(State(thread: nil, isEnded: false))
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(
            Start {
                body()
                self.end()
            })
        // Foundation's Thread is not used, because it cannot be joined, and the driver's thread-local memory is freed only after the
        // thread has ended.
        let status = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, argument.toOpaque())
        guard status == 0 else {
            argument.release()
            throw Self.stuck("the thread that opens the device cannot be started")
        }
        state.withLock { $0.thread = thread }
    }

    /// Waits until `body` has returned, up to the time limit.
    /// - Throws: `notResponding` if it has not.
    package func wait() throws(GPUError) {
        // The semaphore is signaled again for every other caller.
        let isInTime = ended.wait(timeout: deadline) == .success
        if isInTime { ended.signal() }
        let (thread, isEnded) = state.withLock { state in
            defer { state.thread = nil }
            // The thread may have ended in the meantime.
            if state.isEnded == false {
                state.isEnded = nil
                Self.stuckCount.add(1, ordering: .releasing)
            }
            return (state.thread, state.isEnded != nil)
        }
        guard isEnded else {
            if let thread { pthread_detach(thread) }
            throw Self.stuck("the driver has not answered within \(seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)") s")
        }
        if let thread { pthread_join(thread, nil) }
    }

    private func end() {
        state.withLock { state in
            if state.isEnded == nil { Self.stuckCount.subtract(1, ordering: .releasing) } else { state.isEnded = true }
        }
        ended.signal()
    }

    /// The closure with which the thread starts.
    private final class Start {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}

extension DriverThread {
    /// Runs `body` on a separate thread and returns its result.
    /// - Throws: The errors of `body`, `init` and `wait`.
    package static func run<Value>(
        seconds: Double? = nil, _ body: @escaping @Sendable () throws(GPUError) -> Value
    ) throws(GPUError) -> Value {
        let result = DriverResult<Value>()
        let thread = try DriverThread(seconds: seconds) {
            do throws(GPUError) { result.put(.success(try body())) } catch { result.put(.failure(error)) }
        }
        try thread.wait()
        guard let value = try result.take() else { throw stuck("the driver returned no result") }
        return value
    }

    /// The time limit for the driver, in seconds.
    static func timeout() throws(GPUError) -> Double {
        let name = "WAYMARK_DEVICE_TIMEOUT"
        guard let text = Environment.value(name) else { return 20 }
        guard let seconds = Double(text), (0.1...3600).contains(seconds) else {
            throw GPUError(.badSelection, stage: "open the device", "\(name) is \"\(text)\", but must be a number of seconds in 0.1…3600")
        }
        return seconds
    }

    private static func stuck(_ message: String) -> GPUError {
        GPUError(
            .notResponding, stage: "open the device", message,
            advice: ThreadLimits.description.map { "\($0), so the driver may be unable to start threads: raise that limit" }
                ?? "set WAYMARK_DEVICE_TIMEOUT to wait longer, or choose another device with WAYMARK_DEVICE")
    }
}

/// The result of a thread. It may be a value that only one thread may use at a time.
///
/// The sendability is unchecked. It is safe, because the thread puts the value before it ends, and the other side takes it only after that.
package final class DriverResult<Value>: @unchecked Sendable {
    private var result: Result<Value, GPUError>?

    package init() {}

    package func put(_ result: Result<Value, GPUError>) { self.result = result }

    /// The value, for the first caller, who then owns it; nil for later callers.
    package func take() throws(GPUError) -> Value? {
        defer { result = nil }
        return try result?.get()
    }
}

/// Lets only one context of the process run at a time if the driver requires it.
///
/// Before llvmpipe maps a texture, it checks for every context of the process whether one of its unfinished scenes uses the texture, and
/// reads their lists without a lock (`llvmpipe_flush_resource` and `lp_setup_is_resource_referenced` of Mesa 22.3). If a context meanwhile
/// finishes a scene on another thread, it frees the lists being read. In a test that overwrote freed memory, 9 of 12 runs with 4 to 16
/// threads crashed; with this lock, none did. Little is lost, because llvmpipe rasterizes one context's scenes at a time anyway.
enum ProcessDriverLock {
    /// Runs `body`, with the lock if needed. A thread that holds the lock may take it again.
    static func withLock<Result, Failure: Error>(isNeeded: Bool, _ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard isNeeded else { return try body() }
        wm_lock_driver()
        defer { wm_unlock_driver() }
        return try body()
    }
}
