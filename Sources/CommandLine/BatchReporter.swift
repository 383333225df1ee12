import Foundation
import Waymark
import WaymarkBatch
import WaymarkGeo

/// What a person is told during a batch: on a terminal a bar that moves, elsewhere a line every ten seconds; and what goes wrong.
final class BatchReporter {
    private let jobs: String
    private let failures: String
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var isBarShown = false
    /// How often each kind of trouble was told: a hundred thousand lines of it are of no use to anybody.
    private var told: [String: Int] = [:]
    private static let most = 20

    /// - Parameters:
    ///   - jobs: What messages call the file of jobs.
    ///   - failures: Where all failures will be listed.
    init(jobs: String, failures: String) {
        self.jobs = jobs
        self.failures = failures
    }

    /// How often progress is to be told.
    var interval: Duration { isTerminal ? .milliseconds(200) : .seconds(10) }

    func tell(_ event: BatchEvent) {
        switch event {
        case .failed(let failure):
            let name = failure.id.map { "\($0): " } ?? ""
            say(
                "error: \(jobs): line \(failure.line): \(name)\(failure.message)", kind: "failures",
                rest: "all of them will be in \(failures)")
        case .warning(let line, let id, let message):
            say("warning: \(jobs): line \(line): \(id): \(message)", kind: "warnings", rest: "no more are shown")
        case .sceneWarning(let message):
            say("warning: \(message)", kind: "warnings of the scene", rest: "no more are shown")
        case .machineWarning(let message):
            say("warning: \(message)", kind: "warnings of the machine", rest: "no more are shown")
        case .words(let worker, let line):
            say("worker \(worker): \(line)", kind: "words of workers", rest: "no more are shown")
        case .restarted(let worker, let reason):
            say("warning: worker \(worker): \(reason); another takes its place", kind: "restarts", rest: "no more are shown")
        case .retired(let worker, let reason):
            say("warning: worker \(worker): \(reason); the others go on without it", kind: "restarts", rest: "no more are shown")
        case .ending(let count):
            say("ending: \(counted(count, "picture")) in hand will be finished; a second signal ends at once")
        case .progress(let progress):
            if isTerminal { showBar(progress) } else { say(progress.words) }
        }
    }

    func tell(_ summary: BatchSummary) {
        var words = "\(counted(summary.done, "picture")) in \(fixed(summary.seconds, 1)) s"
        if summary.done > 0 { words += ", \(fixed(summary.picturesPerSecond, 1)) a second" }
        if summary.skipped > 0 { words += "; \(summary.skipped) done before" }
        if summary.failed > 0 { words += "; \(summary.failed) failed" }
        if summary.left > 0 { words += "; \(summary.left) left" }
        if summary.restarts > 0 { words += "; \(counted(summary.restarts, "worker")) restarted" }
        say(words)
        let milliseconds = summary.stages.filter { $0.sum > 0 }.map { "\($0.name) \(fixed($0.median, 2))" }
        if !milliseconds.isEmpty { say("median ms: \(milliseconds.joined(separator: ", "))") }
    }

    /// Why the exit code is not 0, though nothing stood in the batch's way.
    func ending(_ summary: BatchSummary) -> String {
        var words: [String] = []
        if summary.failed > 0 { words.append("\(counted(summary.failed, "job")) failed: \(failures)") }
        if summary.left > 0 { words.append("\(counted(summary.left, "job")) left: go on with --resume") }
        return words.joined(separator: "; ")
    }
}

extension BatchReporter {
    private func showBar(_ progress: BatchProgress) {
        var size = winsize()
        let columns = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
        // A line that wraps could not be drawn over.
        let text = progress.bar(columns: columns)
        send("\r\(text)\u{1b}[K")
        isBarShown = true
    }

    private func say(_ line: String, kind: String, rest: String) {
        let count = told[kind, default: 0] + 1
        told[kind] = count
        if count <= Self.most { say(line) }
        if count == Self.most + 1 { say("more \(kind): \(rest)") }
    }

    private func say(_ line: String) {
        if isBarShown {
            send("\r\u{1b}[K")
            isBarShown = false
        }
        WaymarkCommandLine.say(line)
    }

    private func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

extension BatchSummary {
    /// What is printed on standard output.
    var json: JSONText {
        .object([
            ("jobs", .integer(jobs)), ("done", .integer(done)), ("skipped", .integer(skipped)), ("failed", .integer(failed)),
            ("interrupted", .boolean(isInterrupted)), ("seconds", .length(seconds)), ("picturesPerSecond", .length(picturesPerSecond)),
            ("workers", .integer(workers)), ("restarts", .integer(restarts)), ("bytes", .integer(bytes)),
            (
                "stages",
                .object(stages.map { ($0.name, .object([("sum", .length($0.sum)), ("median", .length($0.median))])) })
            ),
        ])
    }
}

extension Failure {
    init(_ error: BatchError) {
        switch error {
        case .unreadable: self.init(.noInput, error.description)
        case .badJobs: self.init(.badContent, error.description)
        case .cannotWrite, .isBusy: self.init(.cannotWrite, error.description)
        case .worker(let code, let message): self.init(Code(rawValue: Int32(code)) ?? .software, message)
        }
    }
}
