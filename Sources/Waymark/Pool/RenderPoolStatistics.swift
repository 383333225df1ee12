/// The numbers of a pool's finished and pending requests.
public struct RenderPoolStatistics: Equatable, Sendable {
    /// Requests whose pictures were delivered.
    public var finished = 0
    /// Requests that failed because of their scene or because their worker was lost, but not because of their deadline.
    public var failed = 0
    /// Requests whose task was cancelled.
    public var cancelled = 0
    /// Requests whose deadline passed.
    public var expired = 0
    /// Requests refused because too many were waiting.
    public var refused = 0
    /// Workers that ended or lost their device, and were replaced.
    public var lostWorkers = 0
    /// Requests currently waiting for a worker.
    public var waiting = 0
    /// Requests currently being processed.
    public var running = 0
    /// The total and the longest time that requests waited for a worker.
    public var timeWaiting = Duration.zero
    public var longestWait = Duration.zero

    public init() {}
}

/// The reason why a pool did not deliver a picture.
public enum RenderPoolError: Error, Equatable, Sendable {
    /// The maximum number of requests is already waiting.
    case full(limit: Int)
    /// The picture was not finished before the deadline.
    case deadline
    /// The pool was closed.
    case closed
    /// The scene, its change, or a file to which the scene refers is invalid. The values are one sentence, and the key path in the scene
    /// or the change, if there is one.
    case invalid(String, path: String = "")
    /// A file to which the scene refers is missing or cannot be read.
    case unreadable(String, path: String = "")
    /// The machine lacks a required component: a device, fonts, or a helper that the user has named.
    case unavailable(String)
    /// The worker process ended unexpectedly while it drew the picture. The next picture gets a new worker.
    case lostWorker(String)
    /// The request failed for another reason.
    case failed(String)
}

extension RenderPoolError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .full(let limit): "\(limit) pictures are already waiting in the pool"
        case .deadline: "the picture was not finished before its deadline"
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
