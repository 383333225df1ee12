import ArgumentParser
import Waymark
import WaymarkComparison
import WaymarkSystem

/// The allowed difference between pictures, and the form of the report; shared by `diff` and `sweep`.
struct ReportArguments: ParsableArguments {
    @Option(parsing: .unconditional, help: "The largest channel difference to ignore, 0 to 255.")
    var threshold = 0

    @Option(parsing: .unconditional, help: "The largest allowed share of differing pixels in any 16 × 16 window, 0 to 1.")
    var allowed = 0.0

    @Flag(
        help: ArgumentHelp(
            "Ignore differences in antialiased edges.",
            discussion: """
                Each pixel must lie within the range of the 3 × 3 pixels around it in the other picture, and an edge must not have moved by a \
                whole pixel.
                """))
    var ignoreAntialiasing = false

    @Option(
        help: ArgumentHelp(
            "Write an HTML page with the differences: side by side, with a slider, and by overlay.", valueName: "FILE"),
        completion: .file(extensions: ["html"]))
    var html: String?

    @Flag(help: "Print the result as JSON.")
    var json = false

    @Option(
        help: ArgumentHelp("Write the result in JUnit format, for build servers.", valueName: "FILE"),
        completion: .file(extensions: ["xml"]))
    var junit: String?
}

extension ReportArguments {
    /// Checks the options, and begins a report.
    func begin(_ title: String) throws(Failure) -> ComparisonReport {
        guard (0...255).contains(threshold) else { throw Failure(.usage, "--threshold: \(threshold) is outside 0…255") }
        guard (0...1).contains(allowed) else { throw Failure(.usage, "--allowed: \(allowed) is outside 0…1") }
        for (path, option) in files where path == "-" {
            throw Failure(.usage, "\(option): the result is on standard output; name a file")
        }
        if let html, html == junit { throw Failure(.usage, "\(html): --html and --junit cannot be the same file") }
        return ComparisonReport(
            title: title,
            rule: ComparisonRule(
                threshold: threshold, allowed: allowed, antialiasing: ignoreAntialiasing ? .ignored : .compared),
            keepsPictures: html != nil)
    }

    /// The output files, with their options.
    var files: [(path: String, option: String)] {
        [(html, "--html"), (junit, "--junit")].compactMap { path, option in path.map { ($0, option) } }
    }

    /// Refuses files that would replace one that is compared, or that a scene reads.
    /// - Parameter reader: The clause about an input's use: `is compared`.
    func check(_ inputs: InputRecord, reader: (ReplacedInput) -> String) throws(Failure) {
        for (path, option) in files {
            guard let input = inputs.input(replacedBy: path) else { continue }
            throw Failure(replacing: input, with: path, reader(input), option: option)
        }
    }

    /// Refuses files with the name of a picture that is also written.
    func refuseFile(ofName picture: String, option: String) throws(Failure) {
        for file in files where file.path == picture {
            throw Failure(.usage, "\(picture): \(option) and \(file.option) cannot be the same file")
        }
    }

    /// Writes the files of a report.
    func write(_ report: ComparisonReport) throws(Failure) {
        if let html { try Self.write(report.html, to: html) }
        if let junit { try Self.write(report.junitText, to: junit) }
    }

    private static func write(_ text: String, to path: String) throws(Failure) {
        do throws(FileError) {
            try WholeFile.write(Array(text.utf8), to: path)
        } catch {
            throw Failure(.cannotWrite, "\(path.quotedIfEmpty): \(error.problem)")
        }
    }
}
