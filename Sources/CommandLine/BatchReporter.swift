import Waymark
import WaymarkBatch
import WaymarkGeo
import WaymarkSceneFiles
import WaymarkSystem

/// Reports a batch on standard error: problems, and progress, as a bar on a terminal and otherwise as a line every ten seconds.
final class BatchReporter {
    private let jobs: String
    private let failures: String
    private let warnings: String
    private let events: BatchEventLines?
    private let isTerminal = StandardStreams.isErrorTerminal
    private var isBarShown = false
    /// The number of reports of each kind of problem. Only the first 20 of a kind are shown, because nobody reads a hundred thousand lines.
    private var reported: [String: Int] = [:]
    private static let most = 20

    /// - Parameters:
    ///   - jobs: The name of the file of jobs in messages.
    ///   - failures: The path of the list of all failures.
    ///   - warnings: The path of the list of all warnings.
    ///   - events: Also prints the events as JSON lines; nil if they are not requested.
    init(jobs: String, failures: String, warnings: String, events: BatchEventLines? = nil) {
        self.events = events
        self.warnings = warnings
        self.jobs = jobs
        self.failures = failures
    }

    /// The interval between progress reports.
    var interval: Duration { isTerminal ? .milliseconds(200) : .seconds(10) }

    func report(_ event: BatchEvent) {
        events?.print(event)
        switch event {
        // The progress line shows their number.
        case .begun, .done: break
        case .failed(let failure):
            let name = failure.id.map { "\($0.quotedIfEmpty): " } ?? ""
            say(
                "error: \(jobs): line \(failure.line): \(name)\(failure.message)", kind: "failures",
                rest: "are not shown here; all of them will be in \(failures)")
        case .warning(let line, let id, let message):
            say(
                "warning: \(jobs): line \(line): \(id.quotedIfEmpty): \(message)", kind: "warnings",
                rest: "are not shown here; all of them will be in \(warnings)")
        case .sceneWarning(let message):
            say("warning: \(message)", kind: "warnings about the scene", rest: "are not shown")
        case .machineWarning(let message):
            say("warning: \(message)", kind: "warnings about this machine", rest: "are not shown")
        case .output(let worker, let line):
            say("worker \(worker): \(line)", kind: "messages from workers", rest: "are not shown")
        case .restarted(let worker, let reason):
            say("warning: worker \(worker): \(reason); another worker replaces it", kind: "restarts", rest: "are not shown")
        case .lost(let worker, let reason):
            say("warning: worker \(worker): \(reason)", kind: "restarts", rest: "are not shown")
        case .retired(let worker, let reason):
            say("warning: worker \(worker): \(reason); the others continue without it", kind: "restarts", rest: "are not shown")
        case .ending(let count):
            say("finishing \(counted(count, "picture")) in progress before the batch stops; a second signal stops it immediately")
        case .progress(let progress):
            if isTerminal { showBar(progress) } else if events == nil { say(progress.text) }
        }
    }

    func report(_ summary: BatchSummary) {
        for warning in summary.repeatedWarnings {
            say(
                "warning: in \(warning.pictures) pictures: \(warning.message)", kind: "repeated warnings",
                rest: "are not shown here; all of them are in \(warnings)")
        }
        var text = "\(counted(summary.done, "picture")) in \(fixed(summary.seconds, 1)) s"
        if summary.done > 0 { text += ", \(fixed(summary.picturesPerSecond, 1)) a second" }
        if summary.skipped > 0 { text += "; \(summary.skipped) done in an earlier run" }
        let again = RedrawReason.allCases.compactMap { reason in summary.redrawn[reason].map { "\($0) because of \(reason.text)" } }
        if !again.isEmpty { text += "; drawn again: \(again.joined(separator: ", "))" }
        if summary.failed > 0 { text += "; \(summary.failed) failed" }
        if summary.left > 0 { text += "; \(summary.left) left" }
        if summary.warnings > 0 { text += "; \(counted(summary.warnings, "warning")): \(warnings)" }
        if summary.restarts > 0 { text += "; \(counted(summary.restarts, "worker")) restarted" }
        say(text)
        let milliseconds = summary.stages.filter { $0.sum > 0 }.map { "\($0.name) \(fixed($0.median, 2))" }
        if !milliseconds.isEmpty { say("median milliseconds: \(milliseconds.joined(separator: ", "))") }
    }

    /// The reason why the exit code is not 0 although the batch ran.
    func ending(_ summary: BatchSummary) -> String {
        var text: [String] = []
        if summary.failed > 0 { text.append("\(counted(summary.failed, "job")) failed: \(failures)") }
        if summary.left > 0 { text.append("\(counted(summary.left, "job")) left; continue with --resume") }
        return text.joined(separator: "; ")
    }
}

extension BatchReporter {
    private func showBar(_ progress: BatchProgress) {
        // A line that wraps could not be overwritten.
        let text = progress.bar(columns: StandardStreams.errorColumns ?? 80)
        StandardStreams.writeError("\r\(text)\u{1b}[K")
        isBarShown = true
    }

    private func say(_ line: String, kind: String, rest: String) {
        let count = reported[kind, default: 0] + 1
        reported[kind] = count
        if count <= Self.most { say(line) }
        if count == Self.most + 1 { say("more \(kind) \(rest)") }
    }

    private func say(_ line: String) {
        if isBarShown {
            StandardStreams.writeError("\r\u{1b}[K")
            isBarShown = false
        }
        WaymarkCommandLine.say(line)
    }

    private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

extension BatchSummary {
    /// The summary on standard output.
    var json: JSONText { .object(fields) }

    var fields: [(String, JSONText)] {
        [
            ("jobs", .integer(jobs)), ("done", .integer(done)), ("skipped", .integer(skipped)),
            ("redrawn", .object(RedrawReason.allCases.map { ($0.rawValue, .integer(redrawn[$0] ?? 0)) })), ("failed", .integer(failed)),
            ("warnings", .integer(warnings)),
            ("interrupted", .boolean(isInterrupted)), ("seconds", .length(seconds)), ("picturesPerSecond", .length(picturesPerSecond)),
            ("workers", .integer(workers)), ("restarts", .integer(restarts)), ("bytes", .integer(bytes)),
            (
                "stages",
                .object(stages.map { ($0.name, .object([("sum", .length($0.sum)), ("median", .length($0.median))])) })
            ),
        ]
    }
}
