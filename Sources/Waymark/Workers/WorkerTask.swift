/// A request that a worker process answers with one message.
package protocol WorkerTask: Sendable {
    associatedtype Answer: Sendable

    /// The number of its message and of the answer.
    var number: Int { get }
    /// The base scene that the worker must have.
    var scene: WorkerScene { get }

    /// The message, in pieces.
    func message() throws(Failure) -> [[UInt8]]

    /// Reads the answer.
    /// - Parameter sceneWarnings: The warnings from reading the base scene.
    /// - Throws: `FrameError` for a message of another kind; any other error is the answer.
    func answer(_ frame: WorkerFrame, sceneWarnings: [String]) throws -> Answer

    /// Removes the unfinished file of a worker that was lost while it worked on this.
    func removeLeftover()
}

/// A base scene for workers.
package struct WorkerScene: Sendable {
    /// Different for each scene of a pool; 0 for the empty one, which workers begin with.
    package let number: Int
    /// The message that has it read, in pieces.
    let message: @Sendable () -> [[UInt8]]

    package init(number: Int, message: @escaping @Sendable () -> [[UInt8]]) {
        self.number = number
        self.message = message
    }

    /// The scene of workers that have been sent none.
    package static let empty = WorkerScene(number: 0) { [WorkerFrame.scene(bytes: JobRenderer.emptyScene, folder: "")] }
}

/// How a worker process was lost.
package struct WorkerLoss: Error, Equatable {
    /// `was ended by signal 9 (Killed)`, `was not done within 5 s`.
    package var fate: String
    /// The first line that it wrote to standard error meanwhile.
    package var line: String?
    /// Its last message, if it said why it ends.
    package var refusal: Failure?
    /// Whether it was ended since it was not done in time.
    package var isLate = false

    /// A colon and why, if that is known; else empty.
    package var detail: String { (line ?? refusal?.message).map { ": \($0)" } ?? "" }
}

/// No worker starts.
package struct NoWorker: Error, Equatable {
    package var failure: Failure
}

/// What happens to workers, which count from 1.
package enum WorkerEvent {
    /// A worker has opened its device.
    case opened(renderer: String)
    /// A worker has read a base scene, or refused it.
    case read(WorkerScene, warnings: [String], WorkerFrame)
    case refused(WorkerScene, Failure, WorkerFrame)
    /// A line that a worker wrote to standard error.
    case output(worker: Int, String)
    /// A worker ended, and another has taken its place.
    case restarted(worker: Int, reason: String)
    /// A worker ended, and none could be started in its place.
    case lost(worker: Int, reason: String)
    /// No worker starts in this place; the others continue without it, and it is tried again later.
    case retired(worker: Int, reason: String)
    /// No worker starts at all, as the last one itself says or as its end shows.
    case failed(Failure, isRefusal: Bool)
}
