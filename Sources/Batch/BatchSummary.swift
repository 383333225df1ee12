import Waymark

/// The result of a batch.
package struct BatchSummary: Equatable, Sendable {
    /// The lines of the shard that are jobs, valid or not.
    package var jobs = 0
    /// Drawn in this run.
    package var done = 0
    /// Drawn before and unchanged.
    package var skipped = 0
    package var failed = 0
    /// The warnings of the pictures in the folder, those drawn before included; they are listed in a file.
    package var warnings = 0
    /// The texts of those that several pictures have.
    package var repeatedWarnings: [RepeatedWarning] = []
    /// Whether it ended early.
    package var isInterrupted = false
    package var seconds = 0.0
    /// The most workers at a time.
    package var workers = 0
    /// How often a worker was replaced.
    package var restarts = 0
    /// The total size of the pictures drawn in this run.
    package var bytes = 0
    package var stages: [StageSummary] = []

    package struct StageSummary: Equatable, Sendable {
        package var name: String
        /// Milliseconds.
        package var sum: Double
        package var median: Double
    }

    package struct RepeatedWarning: Equatable, Sendable {
        package var message: String
        /// The number of pictures that have it.
        package var pictures: Int
    }

    package init() {}

    package var picturesPerSecond: Double { seconds > 0 ? Double(done) / seconds : 0 }
    package var left: Int { jobs - done - skipped - failed }
}

/// The times of every picture, 24 bytes each.
struct StageStatistics {
    private var times: [[Float]] = StageTimes.stages.map { _ in [] }

    mutating func add(_ picture: StageTimes) {
        for (place, stage) in StageTimes.stages.enumerated() { times[place].append(Float(picture[keyPath: stage.time])) }
    }

    var summary: [BatchSummary.StageSummary] {
        zip(StageTimes.stages, times).map { stage, times in
            let sorted = times.sorted()
            let middle = sorted.count / 2
            let median =
                sorted.isEmpty ? 0 : sorted.count % 2 == 1 ? Double(sorted[middle]) : Double(sorted[middle - 1] + sorted[middle]) / 2
            return BatchSummary.StageSummary(
                name: stage.name.description, sum: times.reduce(0) { $0 + Double($1) }, median: median)
        }
    }
}
