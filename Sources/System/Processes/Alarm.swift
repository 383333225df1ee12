import CWaymarkProcess
import Glibc
import Synchronization

/// Wakes a thread that waits for descriptors, from any thread.
package final class Alarm: Sendable {
    private let file: OpenFile
    /// Whether the thread waits or is about to; otherwise it need not be woken.
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
