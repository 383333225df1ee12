/// What happens during a batch, for whoever started it.
package enum BatchEvent: Equatable, Sendable {
    case failed(BatchFailure)
    /// A picture was drawn, with something left out.
    case warning(line: Int, id: String, String)
    /// Of the base scene.
    case sceneWarning(String)
    /// Of what the machine lacks.
    case machineWarning(String)
    /// A line that a worker wrote for a person. Workers count from 1.
    case words(worker: Int, String)
    /// A worker ended, and another takes its place.
    case restarted(worker: Int, reason: String)
    /// A worker does not start, and the others go on without it.
    case retired(worker: Int, reason: String)
    /// The batch ends early: nothing is begun any more, and what the workers have in hand is finished.
    case ending(inHand: Int)
    case progress(BatchProgress)
}

/// How far a batch is.
package struct BatchProgress: Equatable, Sendable {
    package var jobs = 0
    /// Drawn in this run.
    package var done = 0
    /// Drawn in one before.
    package var skipped = 0
    package var failed = 0
    /// Pictures a second, lately; nil before there is any.
    package var rate: Double?

    package init() {}

    package var finished: Int { done + skipped + failed }
    package var left: Int { jobs - finished }

    /// Seconds until the end at this rate.
    package var remaining: Double? {
        guard let rate, rate > 0 else { return nil }
        return Double(left) / rate
    }
}

/// How many things a second there were lately.
struct RateMeter {
    /// Over which time.
    private static let window: Duration = .seconds(15)
    private var samples: [(time: ContinuousClock.Instant, count: Int)] = []

    /// Takes the count as it is now, and gives the rate since about `window` ago; nil as long as there is nothing to tell.
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
