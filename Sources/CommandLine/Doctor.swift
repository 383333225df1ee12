import ArgumentParser
import Foundation
import Waymark
import WaymarkGPU
import WaymarkSystem

/// `waymark doctor`: the device, libraries and fonts of this machine, and what to install.
struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Reports whether this machine can draw, and what to install.",
        examples: [
            "waymark doctor --verbose",
            "waymark doctor --report",
        ])

    @Flag(help: "Also print all devices, libraries and fonts.")
    var verbose = false

    @Flag(help: "Print everything as JSON.")
    var json = false

    @Flag(help: "Print everything that --verbose prints, without your paths and names, so that you can attach it to a bug report.")
    var report = false

    @OptionGroup(title: "Device, fonts and memory") var device: DeviceArguments

    func validate() throws {
        if [verbose, json, report].count(where: { $0 }) > 1 {
            throw ValidationError("--verbose, --json and --report are mutually exclusive")
        }
    }

    func run() throws {
        try reporting { () throws(Failure) in
            do throws(Failure) {
                try check()
            } catch {
                var failure = error
                if report { failure.message = privateWords.removed(from: failure.message) }
                throw failure
            }
        }
    }

    private func check() throws(Failure) {
        let given = try device.chosen()
        let devices: DeviceReport
        do throws(GPUError) {
            let chosen = try Device.chosen(given)
            devices = try DriverThread.run { [requireGPU = device.requireGPU] in DeviceReport.make(chosen, requireGPU: requireGPU) }
        } catch {
            throw Failure(error)
        }
        let fonts = FontSummary(device.fontSource)
        let libraries = LibrarySummary(besides: fonts)
        try Pipes.write(try text(devices, libraries, fonts))
        if devices.chosen == nil {
            throw Failure(.unavailable, devices.problems.first?.sentence ?? "no device can draw")
        }
        if let failure = fonts.failure { throw Failure(failure) }
    }

    /// The words that neither a report nor its error contains.
    private var privateWords: PrivateWords { PrivateWords(fontFolder: device.fontDir) }

    private func text(_ devices: DeviceReport, _ libraries: LibrarySummary, _ fonts: FontSummary) throws(Failure) -> String {
        guard json else {
            let verdict = MachineVerdict(devices, libraries, fonts).text
            guard verbose || report else { return "\(verdict)--verbose prints all devices, libraries and fonts\n" }
            let text = "\(verdict)\n\(devices.text)\n\(libraries.text)\n\n\(fonts.text)\n"
            return report ? privateWords.removed(from: "\(BugReport.system)\n\n\(text)") : text
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(MachineReport(devices: devices, libraries: libraries, fonts: fonts)), as: UTF8.self)
                + "\n"
        } catch {
            throw Failure(.software, "\(error)")
        }
    }
}

/// The output of `doctor --json`: the device report's keys, the libraries, the fonts, and the version of Waymark.
private struct MachineReport: Encodable {
    let devices: DeviceReport
    let libraries: LibrarySummary
    let fonts: FontSummary

    private enum Key: CodingKey {
        case fonts, libraries, version, warnings
    }

    func encode(to encoder: any Encoder) throws {
        try devices.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(libraries.libraries, forKey: .libraries)
        try container.encode(libraries.warnings, forKey: .warnings)
        try container.encode(fonts, forKey: .fonts)
        try container.encode(waymarkVersion, forKey: .version)
    }
}
