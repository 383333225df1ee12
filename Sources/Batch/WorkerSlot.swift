import Waymark

/// One of the supervisor's worker slots, which runs one process after another.
final class WorkerSlot {
    enum State: Equatable {
        /// The process opens its device and decodes the base scene.
        case starting
        case ready
        /// No further process is started.
        case ended
    }

    /// From 1.
    let number: Int
    var process: WorkerProcess?
    var state = State.starting
    /// Whether the process has opened its device.
    var hasDevice = false
    /// The worker's jobs in the order in which it answers: it draws the first, the others are queued.
    var inHand: [Int] = []
    /// When the first of its jobs, or its start, began.
    var began = ContinuousClock.now
    /// The first line that the worker wrote to standard error since then.
    var firstLine: String?
    /// The job during which the previous worker ended: a fresh one tries it once more.
    var retry: Int?
    /// How often in a row a worker reported that it cannot start, or ended by itself before it was ready.
    var refusals = 0
    /// How often in a row a worker was killed while starting.
    var kills = 0
    /// Why the worker cannot start, as it reported.
    var fault: WorkerReply.Fault?

    /// A worker has one job to draw and one queued, so that it never waits for the pipe.
    static let mostInHand = 2

    init(number: Int) {
        self.number = number
    }
}
