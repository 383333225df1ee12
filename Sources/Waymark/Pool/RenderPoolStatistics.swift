/// Counts of a pool's finished and pending requests.
public struct RenderPoolStatistics: Equatable, Sendable {
    /// Pictures that were delivered.
    public var finished = 0
    /// Requests that failed because of their scene or a lost worker, not because of their deadline.
    public var failed = 0
    /// Requests whose task was cancelled.
    public var cancelled = 0
    /// Requests whose deadline passed.
    public var expired = 0
    /// Requests refused because too many were waiting.
    public var refused = 0
    /// Workers that ended or lost their device, and were replaced.
    public var lostWorkers = 0
    /// Requests that wait for a worker now.
    public var waiting = 0
    /// Requests being processed now.
    public var running = 0
    /// The total and the longest time that requests waited for a worker.
    public var timeWaiting = Duration.zero
    public var longestWait = Duration.zero

    public init() {}
}

/// The reason why a pool has no picture.
public enum RenderPoolError: Error, Equatable, Sendable {
    /// More requests wait than the pool takes.
    case full(limit: Int)
    /// The picture was not done in time.
    case deadline
    /// The pool was closed.
    case closed
    /// The scene, its change or a file that it names is invalid: one sentence, and the key path in the scene or the change, if there is
    /// one.
    case invalid(String, path: String = "")
    /// A file that the scene names is missing or cannot be read.
    case unreadable(String, path: String = "")
    /// The machine lacks something: a device, fonts, or a helper that the user has named.
    case unavailable(String)
    /// The worker process was lost while it drew. The next picture gets another worker.
    case lostWorker(String)
    /// Another failure.
    case failed(String)
}

extension RenderPoolError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .full(let limit): "\(limit) pictures are already waiting in the pool"
        case .deadline: "the picture was not done before its deadline"
        case .closed: "the pool is closed"
        case .lostWorker(let fate): "the worker process \(fate)"
        case .invalid(let message, _), .unreadable(let message, _), .unavailable(let message), .failed(let message): message
        }
    }
}

extension RenderPoolError {
    init(_ failure: Failure) {
        switch failure.code {
        case .usage, .badContent: self = .invalid(failure.message, path: failure.path)
        case .noInput: self = .unreadable(failure.message, path: failure.path)
        case .unavailable: self = .unavailable(failure.message)
        case .software, .cannotWrite, .incomplete: self = .failed(failure.message)
        }
    }

    init(_ loss: WorkerLoss) {
        if let refusal = loss.refusal { self.init(refusal) } else { self = .lostWorker(loss.fate + loss.detail) }
    }
}
