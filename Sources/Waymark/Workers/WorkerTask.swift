/// A request that a worker process answers with one message.
package protocol WorkerTask: Sendable {
    associatedtype Answer: Sendable

    /// The number of the request's message and of the answer.
    var number: Int { get }
    /// The base scene that the worker must have read.
    var scene: WorkerScene { get }

    /// The message, in pieces.
    func message() throws(Failure) -> [[UInt8]]

    /// Reads the answer.
    /// - Parameter sceneWarnings: The warnings from reading the base scene.
    /// - Throws: `FrameError` for an unexpected message. Any other error is the answer.
    func answer(_ frame: WorkerFrame, sceneWarnings: [String]) throws -> Answer

    /// Removes the unfinished file of a worker that was lost during this request.
    func removeLeftover()
}

/// A base scene for workers.
package struct WorkerScene: Sendable {
    /// Unique among the scenes of a pool; 0 for the empty scene, with which workers start.
    package let number: Int
    /// The message, in pieces, that asks a worker to read the scene.
    let message: @Sendable () -> [[UInt8]]

    package init(number: Int, message: @escaping @Sendable () -> [[UInt8]]) {
        self.number = number
        self.message = message
    }

    /// The base scene of workers to which no other scene was sent.
    package static let empty = WorkerScene(number: 0) { [WorkerFrame.scene(bytes: JobRenderer.emptyScene, folder: "")] }
}

/// How a worker process was lost.
package struct WorkerLoss: Error, Equatable {
    /// The end, such as `was ended by signal 9 (Killed)`, `did not finish within 5 s`.
    package var fate: String
    /// The first line that the worker wrote to standard error during the request.
    package var line: String?
    /// The worker's last message, if it reported why it ends.
    package var refusal: Failure?
    /// Whether the worker was killed because it missed a deadline.
    package var isLate = false

    /// A colon and the reason, if known; otherwise empty.
    package var detail: String { (line ?? refusal?.message).map { ": \($0)" } ?? "" }
}

/// The error if no worker starts.
package struct NoWorker: Error, Equatable {
    package var failure: Failure
}

/// An event of a worker. Workers are numbered from 1.
package enum WorkerEvent {
    /// A worker has opened its device.
    case opened(renderer: String)
    /// A worker has read a base scene, or refused it.
    case read(WorkerScene, warnings: [String], WorkerFrame)
    case refused(WorkerScene, Failure, WorkerFrame)
    /// A line that a worker wrote to standard error.
    case output(worker: Int, String)
    /// A worker ended and was replaced.
    case restarted(worker: Int, reason: String)
    /// A worker ended, and its replacement could not be started.
    case lost(worker: Int, reason: String)
    /// No worker starts in this slot. The others continue without it, and it is tried again later.
    case retired(worker: Int, reason: String)
    /// No worker starts at all. The failure is the reason that the last worker gave, or describes how it ended.
    case failed(Failure, isRefusal: Bool)
}
