import Waymark
import WaymarkGeo
import WaymarkSystem
import WaymarkTiles

/// Reports a run of tiles on standard error: warnings, and progress. Progress is one changing line on a terminal, otherwise a line every
/// ten seconds.
final class TileReporter {
    let scene: String
    private let isLenient: Bool
    private let isTerminal = StandardStreams.isErrorTerminal
    private let begun = ContinuousClock.now
    private var reported: ContinuousClock.Instant
    private var isLineShown = false
    private var progress: TileProgress?
    /// The reported warnings. Blocks have many warnings in common, and each is reported once.
    private var told: Set<String> = []

    init(scene: String, isLenient: Bool) {
        self.scene = scene
        self.isLenient = isLenient
        reported = begun
    }

    func report(_ progress: TileProgress) {
        self.progress = progress
        report("zoom \(progress.zoom): \(progress.drawn + progress.skipped) of \(progress.total) tiles, \(rate(progress)) a second")
    }

    /// Reports that the size of some tiles is being estimated.
    func reportEstimating(_ tiles: String) { report("estimating the size of \(tiles)") }

    private func report(_ text: @autoclosure () -> String) {
        let now = ContinuousClock.now
        guard now - reported >= (isTerminal ? .milliseconds(200) : .seconds(10)) else { return }
        reported = now
        let text = text()
        if isTerminal {
            StandardStreams.writeError("\r\(text.prefix(max(0, (StandardStreams.errorColumns ?? 80) - 1)))\u{1b}[K")
            isLineShown = true
        } else {
            WaymarkCommandLine.say(text)
        }
    }

    /// Prints diagnostics as warnings. Errors among them are thrown unless the scene is drawn leniently.
    func report(_ diagnostics: [Diagnostic]) throws(Failure) {
        try refuseErrors(diagnostics, scene: scene, isLenient: isLenient)
        for diagnostic in diagnostics where told.insert("\(diagnostic)").inserted { say("warning: \(scene): \(diagnostic)") }
    }

    /// Reports the contents of the archive.
    func report(_ spool: TileSpool, _ output: String) {
        guard let progress else { return }
        let count = spool.tiles().count
        var text = "\(output): \(count) \(count == 1 ? "tile" : "tiles"), \(spool.contentCount) distinct"
        if progress.empty > 0 { text += "; \(progress.empty) empty \(progress.empty == 1 ? "tile" : "tiles") left out" }
        if progress.skipped > 0 { text += "; \(progress.skipped) drawn in an earlier run" }
        say("\(text); \(fixed(seconds, 1)) s, \(rate(progress)) a second")
    }

    /// A number of bytes with at least two significant digits, such as `1.2 MB`.
    static func size(_ bytes: Int) -> String {
        var (value, unit) = (Double(bytes), "bytes")
        for next in ["kB", "MB", "GB", "TB"] where value >= 1000 { (value, unit) = (value / 1000, next) }
        return "\(fixed(value, unit == "bytes" || value >= 10 ? 0 : 1)) \(unit)"
    }

    func say(_ line: String) {
        if isLineShown {
            StandardStreams.writeError("\r\u{1b}[K")
            isLineShown = false
        }
        WaymarkCommandLine.say(line)
    }

    private var seconds: Double { (ContinuousClock.now - begun) / .seconds(1) }

    private func rate(_ progress: TileProgress) -> String { fixed(Double(progress.drawn) / max(seconds, 1e-3), 1) }
}
