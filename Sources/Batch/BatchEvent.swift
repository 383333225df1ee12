import Waymark

/// What is reported during a batch.
package enum BatchEvent: Equatable, Sendable {
    /// The lines are checked, and drawing begins: how many jobs there are, and how many of them were done before.
    case begun(jobs: Int, skipped: Int)
    case done(BatchPicture)
    case failed(BatchFailure)
    /// A picture was drawn, with something left out.
    case warning(line: Int, id: String, String)
    /// A warning about the base scene.
    case sceneWarning(String)
    /// A warning about what the machine lacks.
    case machineWarning(String)
    /// A line that a worker wrote to standard error. Workers count from 1.
    case output(worker: Int, String)
    /// A worker ended and was replaced.
    case restarted(worker: Int, reason: String)
    /// A worker ended, and none could be started in its place.
    case lost(worker: Int, reason: String)
    /// A worker does not start; the others continue without it.
    case retired(worker: Int, reason: String)
    /// The batch ends early: no further job is started, and those that the workers already have are finished.
    case ending(inHand: Int)
    case progress(BatchProgress)
}

/// A picture that was drawn.
package struct BatchPicture: Equatable, Sendable {
    /// The job's line, from 1.
    package var line: Int
    package var id: String
    /// The file within the folder.
    package var output: String
    /// Device pixels.
    package var width: Int
    package var height: Int
    /// Bytes of the file.
    package var size: Int
}

/// The progress of a batch.
package struct BatchProgress: Equatable, Sendable {
    package var jobs = 0
    /// Drawn in this run.
    package var done = 0
    /// Drawn in one before.
    package var skipped = 0
    package var failed = 0
    /// Recent pictures per second; nil before the first.
    package var rate: Double?

    package init() {}

    package var finished: Int { done + skipped + failed }
    package var left: Int { jobs - finished }

    /// The seconds left at this rate.
    package var remaining: Double? {
        guard let rate, rate > 0 else { return nil }
        return Double(left) / rate
    }
}

/// The rate at which a count has recently grown.
struct RateMeter {
    /// The time over which the rate is measured.
    private static let window: Duration = .seconds(15)
    private var samples: [(time: ContinuousClock.Instant, count: Int)] = []

    /// Records the present count and returns its growth per second over the last `window`; nil until it has grown.
    mutating func rate(_ count: Int, at time: ContinuousClock.Instant) -> Double? {
        samples.append((time, count))
        while samples.count > 2, time - samples[1].time >= Self.window { samples.removeFirst() }
        let seconds = (time - samples[0].time).seconds
        return seconds > 0 && count > samples[0].count ? Double(count - samples[0].count) / seconds : nil
    }
}

extension Duration {
    package var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
