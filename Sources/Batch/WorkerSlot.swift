/// A worker's place: it holds one process after another.
final class WorkerSlot {
    enum State: Equatable {
        /// It opens its device, and reads the base scene.
        case starting
        case ready
        /// It is gone for good.
        case ended
    }

    /// From 1.
    let number: Int
    var process: WorkerProcess?
    var state = State.starting
    /// The jobs that the worker has, in the order in which it answers: it draws the first.
    var inHand: [Int] = []
    /// When the first in hand began; when starting, when that did.
    var began = ContinuousClock.now
    /// What the worker wrote first for a person since then.
    var words: String?
    /// The job that the worker before ended over: it is tried once more, by a fresh one.
    var retry: Int?
    /// How often in a row a worker said that it cannot start, or ended by itself before it had.
    var refusals = 0
    /// How often in a row one was killed while it started.
    var kills = 0
    /// Why it cannot start, in its own words.
    var fault: WorkerReply.Fault?

    /// A worker has one job to draw and one to go on with, so that it never waits for the pipe.
    static let mostInHand = 2

    init(number: Int) {
        self.number = number
    }
}
