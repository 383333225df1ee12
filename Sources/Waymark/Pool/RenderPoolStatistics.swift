/// The numbers of a pool's requests and lost workers, and the waiting times of the requests.
public struct RenderPoolStatistics: Equatable, Sendable {
    /// Requests whose results were delivered.
    public var finished = 0
    /// Requests that failed, for example because of their scene or a lost worker. Expired requests are not included.
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
    /// The total time that requests waited for a worker.
    public var timeWaiting = Duration.zero
    /// The longest time that a request waited for a worker.
    public var longestWait = Duration.zero

    public init() {}
}

/// The reason why a pool did not deliver a picture.
public enum RenderPoolError: Error, Equatable, Sendable {
    /// The maximum number of requests is already waiting.
    case full(limit: Int)
    /// The request was not finished before the deadline.
    case deadline
    /// The pool was closed.
    case closed
    /// An option, an argument, the scene, its change, or a file to which the scene refers is invalid. The associated values are a
    /// one-sentence description and the key path in the scene or the change, which is empty if the location is unknown.
    case invalid(String, path: String = "")
    /// A file to which the scene refers is missing or cannot be read. The associated values are the same as for `invalid`.
    case unreadable(String, path: String = "")
    /// The machine lacks a required component, such as a device, fonts, a library, or a program for worker processes.
    case unavailable(String)
    /// The worker process ended unexpectedly while it drew the picture. A new worker process replaces it.
    case lostWorker(String)
    /// The request failed for another reason.
    case failed(String)
}

extension RenderPoolError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .full(let limit): "\(limit) \(limit == 1 ? "picture is" : "pictures are") already waiting in the pool"
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
