import Waymark

/// The result of a batch.
package struct BatchSummary: Equatable, Sendable {
    /// The number of jobs in the shard's lines, valid or not.
    package var jobs = 0
    /// Pictures drawn in this run.
    package var done = 0
    /// Unchanged pictures drawn by earlier runs.
    package var skipped = 0
    /// The pictures drawn in this run although an earlier run had drawn them, counted by reason.
    package var redrawn: [RedrawReason: Int] = [:]
    package var failed = 0
    /// The number of warnings of the pictures in the folder, including those of earlier runs. They are listed in a file.
    package var warnings = 0
    /// The texts of warnings that several pictures have.
    package var repeatedWarnings: [RepeatedWarning] = []
    /// Whether the batch ended early.
    package var isInterrupted = false
    package var seconds = 0.0
    /// The maximum number of workers at a time.
    package var workers = 0
    /// The number of times a worker was replaced.
    package var restarts = 0
    /// The total size of the pictures drawn in this run.
    package var bytes = 0
    package var stages: [StageSummary] = []

    package struct StageSummary: Equatable, Sendable {
        package var name: String
        /// The total in milliseconds.
        package var sum: Double
        package var median: Double
    }

    package struct RepeatedWarning: Equatable, Sendable {
        package var message: String
        /// The number of pictures with this warning.
        package var pictures: Int
    }

    package init() {}

    package var picturesPerSecond: Double { seconds > 0 ? Double(done) / seconds : 0 }
    package var left: Int { jobs - done - skipped - failed }
}

/// The reason why a resumed batch draws a picture again.
package enum RedrawReason: String, CaseIterable, Sendable {
    case scene, options, job, missingFile, changedFile

    /// The reason as the end of `drawn again because of`.
    package var text: String {
        switch self {
        case .scene: "a changed scene"
        case .options: "other options"
        case .job: "a changed job"
        case .missingFile: "a missing file"
        case .changedFile: "a changed file"
        }
    }
}

/// The times of every picture, in 24 bytes each.
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
