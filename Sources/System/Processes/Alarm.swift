import CWaymarkProcess
import Glibc
import Synchronization

/// Lets any thread wake a thread that waits for descriptors.
package final class Alarm: Sendable {
    private let file: OpenFile
    /// Whether the thread waits or is about to wait. Otherwise, it need not be woken.
    private let isSet = Atomic(false)

    package init() throws(SystemError) {
        let number = wm_alarm_open()
        guard number >= 0 else { throw SystemError(errno: errno) }
        file = OpenFile(adopting: number)
    }

    /// The descriptor that can be read once the alarm has rung.
    package var descriptor: CInt { file.number }

    /// Sets the alarm. Call it before the thread looks for work.
    package func set() { isSet.store(true, ordering: .sequentiallyConsistent) }

    /// Wakes the thread, unless it is awake.
    package func ring() {
        guard isSet.exchange(false, ordering: .sequentiallyConsistent) else { return }
        withUnsafeBytes(of: UInt64(1)) { one in _ = try? file.write(Array(one)) }
    }

    /// Switches the alarm off, because the thread is awake.
    /// - Parameter hasRung: Whether the descriptor can be read.
    package func stop(hasRung: Bool) {
        isSet.store(false, ordering: .sequentiallyConsistent)
        guard hasRung else { return }
        var count: UInt64 = 0
        _ = withUnsafeMutableBytes(of: &count) { bytes in try? file.read(into: bytes) }
    }
}

/// The signals that ask a program to end (SIGINT, SIGTERM, SIGHUP), queued in a descriptor that can be polled with others. Signals that
/// were ignored stay ignored.
package struct EndingSignals: Sendable {
    package let descriptor: Int32

    /// Returns nil if the system has no descriptor left. The signals then end the program as usual.
    package init?() {
        descriptor = wm_signals_open()
        if descriptor < 0 { return nil }
    }

    /// The next signal in the queue; nil when it is empty.
    package func next() -> Int32? {
        let number = wm_signals_next(descriptor)
        return number == 0 ? nil : number
    }
}
