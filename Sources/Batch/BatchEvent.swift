import Waymark

/// An event of a batch, for reports.
package enum BatchEvent: Equatable, Sendable {
    /// The lines have been checked, and drawing begins. The values are the number of jobs, and the number of jobs done by earlier runs.
    case begun(jobs: Int, skipped: Int)
    case done(BatchPicture)
    case failed(BatchFailure)
    /// A picture was drawn, but with a warning.
    case warning(line: Int, id: String, String)
    /// A warning about the base scene.
    case sceneWarning(String)
    /// A warning about a component that the machine lacks.
    case machineWarning(String)
    /// A line that a worker wrote to standard error. Workers are numbered from 1.
    case output(worker: Int, String)
    /// A worker ended and was replaced.
    case restarted(worker: Int, reason: String)
    /// A worker ended, and its replacement could not be started.
    case lost(worker: Int, reason: String)
    /// A worker does not start. The others continue without it.
    case retired(worker: Int, reason: String)
    /// The batch ends early: no further job is started, and the jobs that workers already have are finished.
    case ending(inHand: Int)
    case progress(BatchProgress)
}

/// A picture that was drawn.
package struct BatchPicture: Equatable, Sendable {
    /// The line of the job, from 1.
    package var line: Int
    package var id: String
    /// The path of the file in the folder.
    package var output: String
    /// The size in device pixels.
    package var width: Int
    package var height: Int
    /// The size of the file in bytes.
    package var size: Int
}

/// The progress of a batch.
package struct BatchProgress: Equatable, Sendable {
    package var jobs = 0
    /// Pictures drawn in this run.
    package var done = 0
    /// Pictures drawn by earlier runs.
    package var skipped = 0
    package var failed = 0
    /// The recent number of pictures per second; nil before the first picture.
    package var rate: Double?

    package init() {}

    package var finished: Int { done + skipped + failed }
    package var left: Int { jobs - finished }

    /// The remaining seconds at this rate.
    package var remaining: Double? {
        guard let rate, rate > 0 else { return nil }
        return Double(left) / rate
    }
}

/// The recent growth rate of a count.
struct RateMeter {
    /// The time over which the rate is measured.
    private static let window: Duration = .seconds(15)
    private var samples: [(time: ContinuousClock.Instant, count: Int)] = []

    /// Records the present count. Returns its growth per second over the last `window`, or nil until it has grown.
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
