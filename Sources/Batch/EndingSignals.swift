import CWaymarkProcess

/// The signals that ask a program to end, SIGINT, SIGTERM and SIGHUP: they wait in a descriptor, to be read between other things.
/// Those that are ignored stay so.
package struct EndingSignals: Sendable {
    let descriptor: Int32

    /// Nil when the system has none to give; then they end the program as they end others.
    package init?() {
        descriptor = waymark_signals_open()
        if descriptor < 0 { return nil }
    }

    /// The next one that has come; nil when there is none.
    func next() -> Int32? {
        let number = waymark_signals_next(descriptor)
        return number == 0 ? nil : number
    }
}
