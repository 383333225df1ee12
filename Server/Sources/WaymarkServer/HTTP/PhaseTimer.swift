import NIOCore

/// A timer that is set for each phase of a connection and rarely expires, so that setting it to a later time only stores that time.
final class PhaseTimer {
    private let eventLoop: any EventLoop
    private let expire: () -> Void
    private var deadline: NIODeadline?
    private var scheduled: (task: Scheduled<Void>, time: NIODeadline)?

    init(_ eventLoop: any EventLoop, expire: @escaping () -> Void) {
        self.eventLoop = eventLoop
        self.expire = expire
    }

    /// Expires after a time; with nil, not before it is set again.
    func set(_ time: TimeAmount?) {
        deadline = time.map { .now() + $0 }
        guard let deadline else { return }
        if let scheduled, scheduled.time <= deadline { return }
        schedule(deadline)
    }

    func cancel() {
        deadline = nil
        scheduled?.task.cancel()
        scheduled = nil
    }

    private func schedule(_ time: NIODeadline) {
        scheduled?.task.cancel()
        scheduled = (eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.fire() }, time)
    }

    private func fire() {
        scheduled = nil
        guard let deadline else { return }
        guard deadline <= .now() else { return schedule(deadline) }
        self.deadline = nil
        expire()
    }
}
