import ArgumentParser
import Glibc
import Waymark
import WaymarkComparison
import WaymarkSystem

/// `waymark sweep`: draws a scene at several tilts and bearings, and compares the pictures with earlier ones.
struct Sweep: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Renders a scene at several tilts and bearings, and compares the pictures with earlier ones.",
        discussion: """
            Each picture equals the one that waymark render draws with --tilt and --bearing. First draw the expected pictures with \
            --output, and check them. Then compare with --against: the exit code is 0 if all pictures match, 1 if not.
            """,
        examples: [
            "waymark sweep city.json --tilts 0,30,60 --bearings every:45 -o expected",
            "waymark sweep city.json --tilts 0,30,60 --against expected --html a.html",
        ])

    @OptionGroup var scene: SceneArguments

    @Option(
        help: ArgumentHelp(
            "The tilts in degrees, as a list (0,30,60) or an interval (every:15). Default: the scene's tilt.", valueName: "LIST"))
    var tilts: SweepList?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The bearings in degrees, as a list (0,90,180) or an interval (every:45). Default: the scene's bearing.", valueName: "LIST"))
    var bearings: SweepList?

    @Option(
        name: .output,
        help: ArgumentHelp(
            "A folder for the pictures (tilt-30-bearing-045.png and so on) and their inspections.", valueName: "DIR"),
        completion: .directory)
    var output: String?

    @Option(
        help: ArgumentHelp("Write all pictures into one file: tilts in rows, bearings in columns.", valueName: "FILE"),
        completion: .file())
    var strip: String?

    @Option(
        help: ArgumentHelp("A folder of expected pictures, written by an earlier run with --output.", valueName: "DIR"),
        completion: .directory)
    var against: String?

    @Flag(
        help: """
            Accept the new pictures: replace the expected pictures of --against that differ, and add those that are missing. The \
            exit code is then 0.
            """)
    var update = false

    @OptionGroup(title: "Comparison") var report: ReportArguments

    @OptionGroup(title: "Device, fonts and memory") var device: DeviceArguments

    @OptionGroup(title: "Device, fonts and memory") var cache: CacheArguments

    func run() throws {
        var matches = true
        try reporting { () throws(Failure) in
            var result = try report.begin(scene.name)
            let views = try checkedViews()
            let cacheBytes = try cache.checked()
            let opening = try device.opening(cacheBytes: cacheBytes)
            defer { opening.wait() }
            let inputs = InputRecord()
            var file = try scene.loadFile(device.fontSource, noting: inputs)
            var pictures = try SweepPictures(self, views, file.mapView, inputs)
            let renderer = try opening.opened()
            for (index, view) in views.enumerated() {
                try place(view, &file)
                try pictures.draw(index, file.mapView, renderer)
                if let against { try pictures.compare(index, with: against, &result) }
            }
            try pictures.writeStrip()
            guard against != nil else { return }
            try Pipes.write(report.json ? result.jsonText : "\(result)\n")
            if update { say("\(pictures.updated) expected \(pictures.updated == 1 ? "picture" : "pictures") written") }
            try report.write(result)
            report.warn(of: result)
            matches = result.matches || update
        }
        if !matches { throw ExitCode(1) }
    }

    /// Checks the options that depend on one another.
    private func checkedViews() throws(Failure) -> [SweepView] {
        guard tilts != nil || bearings != nil else {
            throw Failure(.usage, "give --tilts, --bearings or both")
        }
        guard output != nil || strip != nil || against != nil else {
            throw Failure(
                .usage, "give --output (a folder for the pictures), --strip (one file for all) or --against (expected pictures)")
        }
        if tilts != nil, scene.view.tilt != nil { throw Failure(.usage, "--tilts and --tilt are mutually exclusive") }
        if bearings != nil, scene.view.bearing != nil { throw Failure(.usage, "--bearings and --bearing are mutually exclusive") }
        if against == nil, report.json || !report.files.isEmpty {
            throw Failure(.usage, "--json, --html and --junit require --against")
        }
        if against == nil, update { throw Failure(.usage, "--update requires --against") }
        if against == nil, report.ignores { throw Failure(.usage, "--ignore, --ignore-type and --ignore-rect require --against") }
        if let strip, ImageFormat(path: strip) == nil { throw Failure(writing: ImagingError(.unknownExtension, path: strip)) }
        if let against {
            guard (try? FileStatus(against))?.form == .folder else {
                throw Failure(.noInput, "\(against.quotedIfEmpty): no such folder of expected pictures")
            }
            if let output, let folder = FileSystem.resolved(output), folder == FileSystem.resolved(against) {
                throw Failure(.usage, "\(output): --output would replace the expected pictures of --against")
            }
        }
        var sweep = CameraSweep.none
        switch tilts {
        case .list(let tilts): sweep = sweep.tilts(tilts)
        case .every(let step): sweep = sweep.tilts(every: step)
        case nil: break
        }
        switch bearings {
        case .list(let bearings): sweep = sweep.bearings(bearings)
        case .every(let step): sweep = sweep.bearings(every: step)
        case nil: break
        }
        do throws(PropertyError) { return try sweep.views() } catch { throw Failure(.usage, "--\(error)") }
    }

    /// Sets the camera of a view, as `render` does with these options.
    private func place(_ view: SweepView, _ file: inout SceneFile) throws(Failure) {
        file.mapView.camera = view.applied(to: file.mapView.camera)
        if let tilt = view.tilt { file.fit?.tilt = tilt }
        if let bearing = view.bearing { file.fit?.bearing = bearing }
        try scene.fitCamera(file)
    }
}

/// A list of degrees: `0,30,60`, or `every:45`.
enum SweepList: ExpressibleByArgument {
    case list([Double])
    case every(Double)

    init?(argument: String) {
        if argument.hasPrefix("every:") {
            guard let step = Double(argument.dropFirst(6)), step > 0, step.isFinite else { return nil }
            self = .every(step)
        } else {
            let values = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
            guard values.allSatisfy({ $0?.isFinite == true }) else { return nil }
            self = .list(values.compactMap(\.self))
        }
    }
}
