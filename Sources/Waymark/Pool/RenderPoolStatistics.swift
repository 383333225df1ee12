/// What a pool has done, and has to do.
public struct RenderPoolStatistics: Equatable, Sendable {
    /// The pictures that were given to those who asked for them.
    public var finished = 0
    /// The requests that failed: by their scene, their deadline apart, or a worker that was lost.
    public var failed = 0
    /// Those whose task was cancelled.
    public var cancelled = 0
    /// Those whose deadline passed.
    public var expired = 0
    /// Those that were refused because too many were waiting.
    public var refused = 0
    /// The workers that ended or lost their device, and were replaced.
    public var lostWorkers = 0
    /// The requests that wait for a worker now.
    public var waiting = 0
    /// Those at which a worker is.
    public var running = 0
    /// How long all requests together have waited for a worker, and the one that waited longest.
    public var timeWaiting = Duration.zero
    public var longestWait = Duration.zero

    public init() {}
}

/// Why a pool has no picture.
public enum RenderPoolError: Error, Equatable, Sendable {
    /// More requests wait than the pool takes.
    case full(limit: Int)
    /// The picture was not done in time.
    case deadline
    /// The pool was closed.
    case closed
    /// The scene, its change or a file that it names is invalid: one sentence, and the key path in the scene or the change that it is about,
    /// if there is one.
    case invalid(String, path: String = "")
    /// A file that the scene names is missing or cannot be read.
    case unreadable(String, path: String = "")
    /// The machine lacks something: a device, fonts, a helper that the user has named.
    case unavailable(String)
    /// The worker process was lost while it drew; the next picture gets another one.
    case lostWorker(String)
    /// It failed otherwise.
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
