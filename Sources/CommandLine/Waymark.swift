import ArgumentParser
import Glibc
import Waymark

/// The `waymark` program. Words and exit codes are made here and in `Failure` alone.
@main
struct WaymarkProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waymark",
        abstract: "Renders map overlays into pictures, without a screen.",
        subcommands: [Render.self, Inspect.self, Batch.self, WorkerCommand.self, Diff.self, Doctor.self, Schema.self])

    /// Wrong arguments are told as everything else is: one line, `error: …`, and 64.
    static func main() {
        Pipes.holdPlaces()
        // A file that becomes longer than is allowed is one that cannot be written, and no reason to die; workers inherit it.
        signal(SIGXFSZ, SIG_IGN)
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let code as ExitCode {
            // Told already.
            exit(withError: code)
        } catch  where exitCode(for: error) == .validationFailure {
            say("error: \(message(for: error)) (waymark --help tells of all)")
            exit(withError: ExitCode(Failure.Code.usage.rawValue))
        } catch {
            exit(withError: error)
        }
    }
}
