/// A slot in which worker processes run one after another.
final class WorkerSlot<Task: WorkerTask> {
    typealias Queue = RenderQueue<Task, Task.Answer>

    /// The number of the slot, from 1.
    let number: Int
    let lane: Queue.Lane
    var process: WorkerProcess?
    /// Whether the process has opened its device.
    var isOpen = false
    /// Whether the process can take requests.
    var isReady = false
    /// Whether the process has not answered any request yet.
    var isFresh = true
    /// The number of the process's base scene, and the warnings from reading it.
    var scene = 0
    var sceneWarnings: [String] = []
    /// The base scene that the process is reading.
    var reading: WorkerScene?
    /// The number of the last base scene that the process refused.
    var refusedScene: Int?

    /// The request that the process is working on, and whether it was sent. Its base scene is sent before it.
    var current: Queue.Ticket?
    var isSent = false
    /// The request that was sent in advance, so that the process never waits for the pipe.
    var ahead: Task?
    /// Whether the process works on a request that was refused.
    var isStray = false
    /// The number of bytes sent since the process was last idle.
    var sentBytes = 0

    /// The start of its present work, by the supervisor's clock.
    var began: ContinuousClock.Instant
    /// The first line that it has written to standard error since then.
    var firstLine: String?
    /// The reason that the process gave why it cannot draw.
    var refusal: Failure?

    /// The request during which the last process ended. The next process repeats it once.
    var retry: Queue.Ticket?
    /// The reason why the last working process ended; nil once it is replaced.
    var reason: String?
    /// The number of successive processes that refused to start or ended before they were ready, and the number that were killed before.
    var refusals = 0
    var kills = 0
    /// Whether the slot is retired because its last processes did not start, and the time before which no process is started.
    var isRetired = false
    var pauseEnd: ContinuousClock.Instant?
    /// Whether no process was started yet.
    var isNew = true

    init(number: Int, _ lane: Queue.Lane, at time: ContinuousClock.Instant) {
        self.number = number
        self.lane = lane
        began = time
    }

    /// Whether the slot has a process or is about to have one.
    var isAlive: Bool { process != nil || isTrying }

    /// Whether to start a process even if no request waits.
    var isTrying: Bool { retry != nil || refusals > 0 || kills > 0 }

    var isIdle: Bool { current == nil && retry == nil }

    /// Resets the state for a new process.
    func reset(at time: ContinuousClock.Instant) {
        (isOpen, isReady, isFresh, isStray, isNew) = (false, false, true, false, false)
        (scene, sceneWarnings, reading, refusedScene) = (0, [], nil, nil)
        (pauseEnd, firstLine, refusal, sentBytes) = (nil, nil, nil, 0)
        began = time
    }

    func send(_ pieces: [[UInt8]]) {
        sentBytes += pieces.reduce(0) { $0 + $1.count }
        process?.send(pieces)
    }
}
