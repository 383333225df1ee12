/// The place of a worker process, which runs one after another.
final class WorkerSlot<Task: WorkerTask> {
    typealias Queue = RenderQueue<Task, Task.Answer>

    /// From 1.
    let number: Int
    let lane: Queue.Lane
    var process: WorkerProcess?
    /// Whether the process has opened its device.
    var isOpen = false
    /// Whether it can be given requests.
    var isReady = false
    /// Whether it has answered none so far.
    var isFresh = true
    /// The number of its base scene, and the warnings from reading it.
    var scene = 0
    var sceneWarnings: [String] = []
    /// The base scene that it is reading.
    var reading: WorkerScene?
    /// The number of the last base scene that it refused.
    var refusedScene: Int?

    /// The request that the process is at, and whether it was sent: its base scene comes first.
    var current: Queue.Ticket?
    var isSent = false
    /// The request that the process has besides, so that it never waits for the pipe.
    var ahead: Task?
    /// Whether the process is doing a request that has been refused.
    var isStray = false
    /// The bytes that were sent since the process had nothing to do.
    var sentBytes = 0

    /// When it began its present task, by the supervisor's clock.
    var began: ContinuousClock.Instant
    /// The first line that it has written to standard error since then.
    var firstLine: String?
    /// Why it cannot work, as it says.
    var refusal: Failure?

    /// The request during which the last process ended: the next one tries it once more.
    var retry: Queue.Ticket?
    /// Why the last process that worked has ended; nil once another has taken its place.
    var reason: String?
    /// How often in a row a process refused to start, or ended by itself before it was ready, and how often it was killed before.
    var refusals = 0
    var kills = 0
    /// Until when no process is started, since none starts, and whether that was told.
    var isRetired = false
    var pauseEnd: ContinuousClock.Instant?
    /// Whether no process was started yet.
    var isNew = true

    init(number: Int, _ lane: Queue.Lane, at time: ContinuousClock.Instant) {
        self.number = number
        self.lane = lane
        began = time
    }

    /// Whether the place has a process, or is about to have one.
    var isAlive: Bool { process != nil || isTrying }

    /// Whether a process is to be started even if no request waits.
    var isTrying: Bool { retry != nil || refusals > 0 || kills > 0 }

    var isIdle: Bool { current == nil && retry == nil }

    /// Begins with a fresh process.
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
