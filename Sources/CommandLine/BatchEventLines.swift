import Waymark
import WaymarkBatch
import WaymarkSceneFiles

/// Prints the events of a batch for programs: a JSON object with an `event` on each line of standard output.
final class BatchEventLines {
    /// The reason why standard output cannot be written. The pictures are still drawn.
    private var failure: Failure?

    func print(_ event: BatchEvent) {
        switch event {
        case .begun(let jobs, let skipped): print("begin", [("jobs", .integer(jobs)), ("skipped", .integer(skipped))])
        case .done(let picture):
            print(
                "done",
                [
                    ("line", .integer(picture.line)), ("id", .string(picture.id)), ("output", .string(picture.output)),
                    ("pixels", .array([.integer(picture.width), .integer(picture.height)])), ("size", .integer(picture.size)),
                ])
        case .failed(let failure):
            print(
                "failed",
                [
                    ("line", .integer(failure.line)), ("id", failure.id.map { .string($0) } ?? .null),
                    ("code", .integer(failure.code.rawValue)),
                    ("message", .string(failure.message)),
                ])
        case .warning(let line, let id, let message):
            print("warning", [("line", .integer(line)), ("id", .string(id)), ("message", .string(message))])
        case .sceneWarning(let message), .machineWarning(let message): print("warning", [("message", .string(message))])
        case .restarted(let worker, let reason): print("restarted", [("worker", .integer(worker)), ("message", .string(reason))])
        // Messages for people, which go to standard error.
        case .output, .lost, .retired, .ending, .progress: break
        }
    }

    /// Prints the summary, the last line.
    func end(_ summary: BatchSummary) throws(Failure) {
        print("summary", summary.fields)
        if let failure { throw failure }
    }

    private func print(_ event: String, _ fields: [(String, JSONText)]) {
        guard failure == nil else { return }
        let json = JSONText.object([("event", .string(event))] + fields)
        do throws(Failure) { try Pipes.write(json.bytes + [0x0A]) } catch { failure = error }
    }
}
