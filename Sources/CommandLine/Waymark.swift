import ArgumentParser
import Glibc
import Waymark
import WaymarkGPU
import WaymarkSystem

/// The `waymark` program. Exit codes are chosen and errors are printed only here and in `Failure`.
@main
struct WaymarkProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waymark",
        abstract: "Renders map overlays into pictures, without a screen.",
        discussion: CommandConfiguration.discussion(
            "waymark --generate-completion-script bash (or zsh, fish) prints a script that completes commands, options and values.",
            ["waymark render city.json -o city.png", "waymark help render"]), version: ProgramBuild.version,
        subcommands: [
            Render.self, Inspect.self, Pick.self, Replay.self, Sweep.self, Batch.self, Tiles.self, WorkerCommand.self, Diff.self,
            Doctor.self, Schema.self,
        ])

    /// Invalid arguments are reported like any error: one line, `error: …`, and exit code 64.
    static func main() {
        WaymarkHelper.runIfAsked()
        if let limit = ThreadLimits.addressSpace {
            ProcessHeap.explainCrashes(
                "error: waymark crashed, probably because it ran out of memory: the system limits address space to \(limit >> 10) KiB "
                    + "(ulimit -v); raise that limit\n", code: CInt(Failure.Code.unavailable.rawValue))
        }
        StandardStreams.occupy()
        // Exceeding the file size limit must be a write error, not a fatal signal. Workers inherit this.
        signal(SIGXFSZ, SIG_IGN)
        let arguments = Array(ProcessArguments.all.dropFirst())
        do {
            try reporting { () throws(Failure) in
                if let problem = UsageMessage.unknownCommand(in: arguments) { throw Failure(.usage, problem) }
            }
            var command = try parseAsRoot(arguments)
            try command.run()
        } catch let code as ExitCode {
            // The error is already reported. If a thread hangs in the driver, tearing the driver down would hang or crash.
            if DriverThread.isAnyStuck { _exit(code.rawValue) }
            exit(withError: code)
        } catch  where exitCode(for: error) == .validationFailure {
            say("error: \(UsageMessage.parsing(error, arguments))")
            exit(withError: ExitCode(Int32(Failure.Code.usage.rawValue)))
        } catch {
            // A requested completion script, help page or version.
            if let script = CompletionScript.completed(fullMessage(for: error)) {
                print(script)
                exit(withError: ExitCode.success)
            }
            exit(withError: error)
        }
    }
}
