import ArgumentParser
import Waymark

/// The `waymark` program. Words and exit codes are made here and in `Failure` alone.
@main
struct WaymarkProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waymark",
        abstract: "Renders map overlays into pictures, without a screen.",
        subcommands: [Render.self, Inspect.self, Diff.self, Doctor.self])
}
