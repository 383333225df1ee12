import Glibc
import Waymark
import WaymarkGPU
import WaymarkSystem

/// Whether a machine can draw, and the command that installs everything that is missing: the first lines of `doctor`.
struct MachineVerdict {
    /// The verdict in one sentence.
    private let sentence: String
    /// The problems that the sentence does not contain.
    private let problems: [String]
    /// The missing Debian packages.
    private let packages: [String]

    init(_ report: DeviceReport, _ libraries: LibrarySummary, _ fonts: FontSummary) {
        var problems = report.problems.map(\.sentence)
        if report.chosen == nil || report.smokeTest?.passed == false {
            sentence = "waymark \(waymarkVersion) cannot draw here: \(problems.isEmpty ? report.choice : problems.removeFirst())"
        } else if fonts.failure != nil {
            sentence = "waymark \(waymarkVersion) cannot draw captions here; it draws everything else on \(report.choice)"
        } else {
            sentence = "waymark \(waymarkVersion) can draw here, on \(report.choice)"
        }
        self.problems = problems + libraries.warnings + fonts.problems
        var packages: [String] = []
        for package in report.problems.flatMap(\.packages) + libraries.libraries.compactMap(\.missingPackage) + fonts.missingPackages
        where !packages.contains(package) { packages.append(package) }
        self.packages = packages
    }

    var text: String {
        var lines = [sentence] + problems.map { "problem: \($0)" }
        if !packages.isEmpty {
            let tool = (geteuid() == 0 ? "" : "sudo ") + "apt-get"
            lines.append("To install everything that is missing on Debian or Ubuntu, run:")
            lines.append("    \(tool) update && \(tool) install -y \(packages.joined(separator: " "))")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
