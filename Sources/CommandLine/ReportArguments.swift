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
                A difference is ignored if the pixel's color lies within the range of the 3 × 3 pixels around it in the other picture, and \
                no edge has moved by a whole pixel.
                """))
    var ignoreAntialiasing = false

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Leave out the pixels of the overlay, symbol, view overlay or map element with this id. For a container or a cluster layer, "
                + "its contents are left out. May be repeated.",
            valueName: "ID"))
    var ignore: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Leave out the pixels of all objects of a type, such as marker, cluster or legend. May be repeated.", valueName: "TYPE"))
    var ignoreType: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Leave out a rectangle, in pixels from the picture's upper left, y down. May be repeated.", valueName: "X,Y,WIDTH,HEIGHT"))
    var ignoreRect: [PixelRect] = []

    @Option(
        help: ArgumentHelp(
            "Write an HTML page that shows the pictures side by side or with a slider, and lists the overlays that differ.",
            valueName: "FILE"),
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
            throw Failure(.usage, "\(option): standard output is already used for the result of the comparison; name a file")
        }
        for (content, option) in ignored {
            if let problem = content.problem { throw Failure(.usage, "\(option): \(problem)") }
        }
        if let html, html == junit { throw Failure(.usage, "\(html): --html and --junit cannot be the same file") }
        return ComparisonReport(
            title: title,
            rule: ComparisonRule(
                threshold: threshold, allowed: allowed, antialiasing: ignoreAntialiasing ? .ignored : .compared),
            ignoring: ignored.map(\.content),
            keepsPictures: html != nil)
    }

    /// The content to leave out, with its options.
    private var ignored: [(content: IgnoredContent, option: String)] {
        ignore.map { (.overlay($0), "--ignore") } + ignoreType.map { (.type($0), "--ignore-type") }
            + ignoreRect.map { (.rectangle($0), "--ignore-rect") }
    }

    /// Whether something is left out.
    var ignores: Bool { !ignored.isEmpty }

    /// Whether objects are left out, so that their areas must be known.
    var ignoresObjects: Bool { !ignore.isEmpty || !ignoreType.isEmpty }

    /// Warns about ignored ids that name nothing.
    func warn(of report: ComparisonReport) {
        for id in report.unknownIDs {
            say("warning: --ignore: the compared pictures have no overlay or map element with the id \(id.quotedBriefly)")
        }
    }

    /// The output files, with their options.
    var files: [(path: String, option: String)] {
        [(html, "--html"), (junit, "--junit")].compactMap { path, option in path.map { ($0, option) } }
    }

    /// Refuses files that would replace a file that is compared or that a scene reads.
    /// - Parameter reader: The clause about an input's use: `is compared`.
    func check(_ inputs: InputRecord, reader: (ReplacedInput) -> String) throws(Failure) {
        for (path, option) in files { try inputs.refuse(path, option: option, reader: reader) }
    }

    /// Refuses files with the name of a picture that is also written.
    func refuseFile(ofName picture: String, option: String) throws(Failure) {
        for file in files where file.path == picture {
            throw Failure(.usage, "\(picture): \(option) and \(file.option) cannot be the same file")
        }
    }

    /// Writes the files of a report.
    func write(_ report: ComparisonReport) throws(Failure) {
        if let html { try Pipes.write(Array(report.html.utf8), to: html) }
        if let junit { try Pipes.write(Array(report.junitText.utf8), to: junit) }
    }
}

extension PixelRect: ExpressibleByArgument {
    /// `X,Y,WIDTH,HEIGHT` in whole pixels.
    public init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2], let height = numbers[3] else {
            return nil
        }
        self.init(x: x, y: y, width: width, height: height)
    }
}
