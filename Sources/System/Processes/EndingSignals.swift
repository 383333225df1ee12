import CWaymarkProcess

/// The signals that ask a program to end (SIGINT, SIGTERM, SIGHUP), queued in a descriptor that can be polled with others. Signals that
/// were ignored stay ignored.
package struct EndingSignals: Sendable {
    package let descriptor: Int32

    /// Nil if the system has no descriptor left; then the signals end the program as usual.
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
